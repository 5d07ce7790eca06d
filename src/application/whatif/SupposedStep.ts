/**
 * Performs one step of a supposed run: what was recorded where the step asks the same, this build's
 * own engines where they answered, and a needed fact where neither can tell. Nothing outside can be
 * reached from here: no provider, reader or model is among its needs.
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

/** Time enough for every engine: how long it took then is no part of the result. */
const stepMs = 600_000

/**
 * Performs a step under the supposition, from recorded facts alone. `recorded` is the request as
 * its session's whole record tells it. Fails with `FactNeeded` for what was never recorded.
 */
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

/**
 * Recorded answers of the step's engines; of those that are left out the local one answers. Fails
 * where an engine would have to be asked that cannot be asked now.
 */
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
  // The local engine answers any question; what failed before it would fail again.
  const answer = answerTo(step, recorded) ??
    (rung !== undefined && isOf(rung, last.info) ? fact : undefined)
  if (choice === "other" || answer === undefined) {
    return yield* needed(step._tag, "engine_answer", rung?.engine)
  }
  const { judge, ...others } = SessionFacts.enginesOf(answer)
  return judge === undefined || choices.judge === "local" ? others : { ...others, judge }
})

const isNeedable = Schema.is(NeededFact.fields.step)

/**
 * Nothing can be ranked or written anew from texts that the log was not allowed to keep: ranking
 * and pack are those of the record as long as nothing before them, and nothing of their own, is
 * supposed otherwise.
 */
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

/** All that a ranking and a pack rest on. */
const basisOf = ({ decision, evidence, policy, request }: Grounding) => ({
  need: decision?.need,
  pages: evidence?.pages,
  policy,
  request
})
