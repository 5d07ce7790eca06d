/** Asks the planners for queries; whatever they answer is checked for privacy and bounds. */
import { Effect } from "effect"
import * as PlanCheck from "../../domain/plan/PlanCheck.ts"
import * as QueryFidelity from "../../domain/plan/QueryFidelity.ts"
import { QueryPlanned } from "../../domain/session/SessionEvent.ts"
import { Limits } from "../ports/Limits.ts"
import { type QueryPlanner, QueryPlanners } from "../ports/QueryPlanner.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import type { StepOf } from "./Step.ts"

/** Walks the planners and makes the event with the plan, as the checks of the domain leave it. */
export const planQueries = Effect.fn("PlanQueries.planQueries")(
  function*({ grounding, need }: StepOf<"Plan">, deadline: Deadline.Deadline) {
    const { request, requestedAt } = grounding
    const planners = yield* QueryPlanners
    const { engineTimeoutMs } = yield* Limits
    const plan = <E>(planner: QueryPlanner<E>) => planner.plan(request, need, requestedAt)
    const { answer, rung } = yield* RungWalk.walk(
      request.overrides?.queries === undefined ? planners : { preferred: [], last: planners.last },
      plan,
      plan,
      { leftMs: yield* Deadline.shareMs(deadline, "Plan"), timeoutMs: engineTimeoutMs }
    )
    const isLocal = rung.engine === planners.last.info.engine
    const proposed = isLocal ? answer : QueryFidelity.faithfulPlan(answer, request)
    return QueryPlanned.make({
      request_id: request.request_id,
      plan: PlanCheck.check(proposed, request, need),
      rung
    })
  }
)
