/** A model that proposes queries. It sees no page, and the domain checks whatever it says. */
import { Array, Effect, Schema } from "effect"
import type { QueryPlanner } from "../../application/ports/Engines.ts"
import type { SearchNeed } from "../../domain/need/ReasonCodes.ts"
import * as PlanRules from "../../domain/plan/PlanRules.ts"
import type { QueryPlan, StopCondition } from "../../domain/plan/QueryPlan.ts"
import type { GroundingRequest } from "../../domain/request/GroundingRequest.ts"
import * as AskedRequest from "./AskedRequest.ts"
import { type ChatModel, infoOf } from "./ChatModel.ts"
import { shapeOf } from "./ChatRequest.ts"
import * as PlannerPrompt from "./prompts/PlannerPrompt.ts"

const tokensMax = 2_000
/** Read of an answer. */
const queriesReadMax = 5

const Proposed = Schema.Struct({
  queries: Schema.Array(Schema.String),
  must_have_evidence: Schema.Array(Schema.String),
  official_source: Schema.Boolean,
  agreeing_sources: Schema.Int,
  enough_results: Schema.Int
})
const shape = shapeOf("query_plan", Proposed)

export const make = (model: ChatModel): QueryPlanner => ({
  info: infoOf(model, PlannerPrompt.version),
  plan: Effect.fn("ChatQueryPlanner.plan")(
    function*(request: GroundingRequest, need: SearchNeed, now: string) {
      const proposed = yield* model.ask({
        messages: [
          { role: "system", content: PlannerPrompt.text },
          {
            role: "user",
            content: JSON.stringify({
              ...AskedRequest.requestFields(request),
              reason_codes: need.reason_codes,
              queries_max: need.max_queries,
              today: now.slice(0, 10)
            })
          }
        ],
        shape,
        tokensMax
      })
      return planOf(proposed, request)
    }
  )
})

const planOf = (proposed: typeof Proposed.Type, request: GroundingRequest): QueryPlan => {
  const queries = proposed.queries.slice(0, queriesReadMax).map(PlanRules.safe)
    .filter((query) => query !== "")
  return {
    queries: Array.isReadonlyArrayNonEmpty(queries) ? queries : [PlanRules.fallback(request)],
    must_have_evidence: proposed.must_have_evidence,
    stop_conditions: stopsOf(proposed)
  }
}

const stopsOf = (proposed: typeof Proposed.Type): ReadonlyArray<StopCondition> => [
  ...(proposed.official_source ? [{ _tag: "OFFICIAL_SOURCE_FOUND" } as const] : []),
  ...(proposed.agreeing_sources > 0
    ? [{ _tag: "N_REPUTABLE_SOURCES_AGREE", count: proposed.agreeing_sources } as const]
    : []),
  ...(proposed.enough_results > 0
    ? [{ _tag: "ENOUGH_RESULTS", count: proposed.enough_results } as const]
    : [])
]
