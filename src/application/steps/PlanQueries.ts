/** Plans the queries, a gate's own first; they are checked for privacy and bounds. */
import { Effect, Equal } from "effect"
import * as PlanRules from "../../domain/plan/PlanRules.ts"
import { tellFact } from "../../domain/session/Session.ts"
import { QueryPlanned } from "../../domain/session/SessionEvent.ts"
import { Engines } from "../ports/Engines.ts"
import { Limits } from "../ports/Limits.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import type { ComputedStep, Given, StepOf } from "./Step.ts"

const compute = Effect.fn("PlanQueries.compute")(
  function*(step: StepOf<"Plan">, { deadline }: Given) {
    const { grounding: { decision, request, requestedAt }, need } = step
    const { planner } = yield* Engines
    const { engineTimeoutMs } = yield* Limits
    const { answer, rung } = yield* RungWalk.walk(
      planner,
      { request, need, now: requestedAt },
      {
        read: (plan) =>
          PlanRules.check(
            PlanRules.withProposed(plan, decision?.queries ?? [], request),
            request,
            need
          ),
        time: { leftMs: yield* Deadline.shareMs(deadline, "Plan"), timeoutMs: engineTimeoutMs }
      }
    )
    return tellFact(QueryPlanned.make({ request_id: request.request_id, plan: answer, rung }))
  }
)

export const plan: ComputedStep<"Plan"> = {
  engines: ["planner"],
  compute,
  isAsked: () => true,
  factOf: ({ planned }) => planned,
  answerTo: ({ grounding, need }, { decision, planned }) =>
    Equal.equals(need, decision?.need) &&
      Equal.equals(grounding.decision?.queries, decision?.queries)
      ? planned
      : undefined,
  empty: ({ grounding: { request: { request_id } } }, { rung }) =>
    tellFact(QueryPlanned.make({ request_id, plan: PlanRules.lastPlan, rung }))
}
