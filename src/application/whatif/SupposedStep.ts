/**
 * Performs one step of a supposed run: from the record where the input is the same, by this build's
 * local engines where they answered, else it fails with the needed fact. No provider, reader or
 * model can be reached from here.
 */
import { Effect, Equal, Schema } from "effect"
import { NeededFact, type Supposition } from "../../domain/audit/Supposition.ts"
import { type Grounding, readingOf } from "../../domain/session/Grounding.ts"
import { type SessionCommand, tellFact } from "../../domain/session/Session.ts"
import * as SessionFacts from "../../domain/session/SessionFacts.ts"
import type { RecordedEngines } from "../../domain/session/SessionFacts.ts"
import { Engines, isOf } from "../ports/Engines.ts"
import * as RecomputeStep from "../replay/RecomputeStep.ts"
import * as Deadline from "../steps/Deadline.ts"
import { type ComputedStep, type FactNeeded, needed, type PerformedStep } from "../steps/Step.ts"
import * as Steps from "../steps/Steps.ts"
import { checkJudging } from "../steps/WritePack.ts"

/** Time enough for every engine: its duration is no part of the result. */
const stepMs = 600_000

/** `recorded`: the request by the whole record. Fails with `FactNeeded` for unrecorded facts. */
export const perform = Effect.fnUntraced(
  function*(step: PerformedStep, recorded: Grounding, suppose: Supposition) {
    if (step._tag === "Decide" && recorded.cachedPack !== undefined) {
      return yield* needed("Decide", "other_session", recorded.cachedPack.source_stream_id)
    }
    if (SessionFacts.rereadingOf(step) > 0) return yield* unseen(step, recorded, suppose)
    const given = {
      deadline: yield* Deadline.deadlineAfter(stepMs),
      documents: recorded.researched?.documents ?? []
    }
    const module = Steps.moduleOf(step)
    if ("suppose" in module) {
      return yield* module.suppose(step, recorded, suppose, given).pipe(
        RecomputeStep.answeredAs({})
      )
    }
    const engines = yield* answersFor(module, step, recorded, suppose)
    const command = yield* Effect.suspend(() => module.compute(step, given)).pipe(
      Steps.pastBugs(step),
      RecomputeStep.answeredAs(engines),
      RecomputeStep.withTimeAt(timeOf(module, recorded))
    )
    yield* checkJudging(command, recorded, step, suppose.engines?.judge)
    return command
  }
)

/** Time of the recorded fact, of the answer where there is none, or of the request. */
const timeOf = (
  { factOf }: ComputedStep<PerformedStep["_tag"]>,
  recorded: Grounding
): string => {
  const fact = factOf(recorded)
  return (fact === undefined ? undefined : SessionFacts.timeOf(fact)) ??
    recorded.finished?.finished_at ?? recorded.requestedAt
}

/** Recorded answers of the step's engines, else the local one's. Fails where a remote is needed. */
const answersFor = Effect.fnUntraced(function*(
  { answerTo, engines: [name], factOf, isAsked }: ComputedStep<PerformedStep["_tag"]>,
  step: PerformedStep,
  recorded: Grounding,
  { engines: choices = {} }: Supposition
) {
  const none: RecordedEngines = {}
  if (name === undefined || name === "reader" || !isNeedable(step._tag) || !isAsked(step)) {
    return none
  }
  const choice = choices[name]
  if (choice === "local") return none
  const fact = factOf(recorded)
  const rung = fact === undefined ? undefined : SessionFacts.enginesOf(fact)[name]?.rung
  const { last } = (yield* Engines)[name]
  // The local engine answers any question; engines before it would fail again.
  const answer = answerTo(step, recorded) ??
    (rung !== undefined && isOf(rung, last.info) ? fact : undefined)
  if (choice === "other" || answer === undefined) {
    return yield* needed(step._tag, "engine_answer", rung?.engine)
  }
  const { judge, ...others } = SessionFacts.enginesOf(answer)
  return judge === undefined || choices.judge === "local" ? others : { ...others, judge }
})

const isNeedable = Schema.is(NeededFact.fields.step)

/** Texts that the log may not keep cannot be ranked anew: with equal inputs the record counts. */
const unseen = (
  { grounding }: PerformedStep,
  recorded: Grounding,
  { engines = {} }: Supposition
): Effect.Effect<SessionCommand, FactNeeded> => {
  const isAsRecorded = engines.ranker === undefined && engines.writer === undefined &&
    engines.judge === undefined && Equal.equals(basisOf(grounding), basisOf(recorded))
  const fact = grounding.ranking === undefined ? recorded.ranking : recorded.written
  return isAsRecorded && fact !== undefined
    ? Effect.succeed(tellFact(fact, readingOf(grounding)))
    : needed(grounding.ranking === undefined ? "Rank" : "Write", "page_texts")
}

const basisOf = ({ decision, evidence, policy, request }: Grounding) => ({
  need: decision?.need,
  pages: evidence?.pages,
  policy,
  request
})
