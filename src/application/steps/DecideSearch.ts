/** Asks the gates whether the request needs the web. The session applies phase and budget. */
import { Effect, Equal } from "effect"
import * as NeedRules from "../../domain/need/NeedRules.ts"
import * as PlanRules from "../../domain/plan/PlanRules.ts"
import type { Grounding } from "../../domain/session/Grounding.ts"
import * as Outcome from "../../domain/session/Outcome.ts"
import { proposeNeed } from "../../domain/session/Session.ts"
import { Decided } from "../../domain/session/SessionEvent.ts"
import { Engines, lastOf } from "../ports/Engines.ts"
import { Limits } from "../ports/Limits.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import type { ComputedStep, Given, StepOf } from "./Step.ts"

type Decide = StepOf<"Decide">

/** With its queries fixed there is nothing for a model to decide. */
const isAsked = ({ grounding: { request } }: Decide): boolean =>
  request.overrides?.queries === undefined

const compute = Effect.fn("DecideSearch.compute")(function*(step: Decide, { deadline }: Given) {
  const { request } = step.grounding
  const { gate } = yield* Engines
  const { engineTimeoutMs } = yield* Limits
  const { answer: { need, ...answer }, rung } = yield* RungWalk.walk(
    isAsked(step) ? gate : lastOf(gate),
    request,
    {
      read: ({ queries, ...need }) => ({
        need,
        ...(queries === undefined ? {} : { queries: PlanRules.openQueries(queries, request) })
      }),
      time: { leftMs: yield* Deadline.shareMs(deadline, "Decide"), timeoutMs: engineTimeoutMs }
    }
  )
  const hasFailed = rung.faults.length > 0 && rung.engine === gate.last.info.engine
  return proposeNeed({
    request_id: request.request_id,
    ...answer,
    proposed: hasFailed ? NeedRules.afterFailure(request, need) : need,
    rung
  })
})

/**
 * The gate's proposal within what the request fixes. The model does not see the fixed parts: its
 * proposal holds unless some were fixed then.
 */
const answerTo = (
  { grounding: { request } }: Decide,
  { decision, request: { overrides } }: Grounding
): typeof Decided.Type | undefined => {
  if (decision === undefined || Equal.equals(request.overrides, overrides)) return decision
  return overrides?.max_queries === undefined
    ? Decided.make({ ...decision, proposed: NeedRules.admitted(request, decision.proposed) })
    : undefined
}

export const decide: ComputedStep<"Decide"> = {
  engines: ["gate"],
  compute,
  isAsked,
  factOf: ({ decision }) => decision,
  answerTo,
  empty: ({ grounding: { request } }, { rung }) =>
    proposeNeed({
      request_id: request.request_id,
      proposed: NeedRules.afterFailure(request, Outcome.undecided),
      rung
    })
}
