/** Turns a request into one to three search queries without personal data. */
import { Context, type Effect } from "effect"
import type { SearchNeed } from "../../domain/need/ReasonCodes.ts"
import type { QueryPlan } from "../../domain/plan/QueryPlan.ts"
import type { GroundingRequest } from "../../domain/request/GroundingRequest.ts"
import type { EngineFailed, EngineInfo, Rungs } from "./Rungs.ts"

/** An engine that plans queries for the web. */
export interface QueryPlanner<E = EngineFailed> {
  readonly info: EngineInfo
  /**
   * Plans at most `need.max_queries` queries, best first; the domain checks and cleans them again.
   * `now` is when the request came, ISO 8601 UTC: planning twice gives the same plan.
   */
  readonly plan: (
    request: GroundingRequest,
    need: SearchNeed,
    now: string
  ) => Effect.Effect<QueryPlan, E>
}

/** The planners of this deployment, preferred first. */
export class QueryPlanners
  extends Context.Service<QueryPlanners, Rungs<QueryPlanner, QueryPlanner<never>>>()(
    "web-grounding/application/ports/QueryPlanners"
  )
{}
