/** A writer proposes claims; the domain places, demotes and rates them. */
import { DateTime, Effect, Equal } from "effect"
import * as Confidence from "../../domain/pack/Confidence.ts"
import { emptyPack } from "../../domain/pack/GroundingPack.ts"
import type { Judgeable, JudgedClaim } from "../../domain/pack/Judgement.ts"
import * as PackAssembly from "../../domain/pack/PackAssembly.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { Rung } from "../../domain/session/EngineDetail.ts"
import { type Grounding, isTextKept, leftOutOf, readingOf } from "../../domain/session/Grounding.ts"
import * as Outcome from "../../domain/session/Outcome.ts"
import { type SessionCommand, tellFact } from "../../domain/session/Session.ts"
import { type Judging, PackCreated } from "../../domain/session/SessionEvent.ts"
import { Engines, lastOf } from "../ports/Engines.ts"
import { Limits } from "../ports/Limits.ts"
import * as Deadline from "./Deadline.ts"
import { passageIn, passageOf } from "./RankEvidence.ts"
import * as RungWalk from "./RungWalk.ts"
import {
  type ComputedStep,
  type FactNeeded,
  type Given,
  needed,
  type PerformedStep,
  type StepOf
} from "./Step.ts"

/** Without evidence there is nothing to ask a model about: the local writer says so itself. */
const isAsked = ({ chunks }: StepOf<"Write">): boolean => chunks.length > 0

const compute = Effect.fn("WritePack.compute")(
  function*(step: StepOf<"Write">, { deadline }: Given) {
    const { chunks, grounding, need, pages } = step
    const { boundary, request, requestedAt } = grounding
    const { judge, writer } = yield* Engines
    const { engineTimeoutMs } = yield* Limits
    const task = { request, need, chunks, boundary, now: requestedAt }
    const written = yield* RungWalk.walk(
      isAsked(step) ? writer : lastOf(writer),
      task,
      {
        read: (draft) => ({ draft, judgeable: PackAssembly.judgeable({ draft, pages }) }),
        isAnswer: ({ draft, judgeable }) => draft.claims.length === 0 || judgeable.length > 0,
        time: { leftMs: yield* Deadline.shareMs(deadline, "Write"), timeoutMs: engineTimeoutMs }
      }
    )
    const { answer: { draft, judgeable }, rung } = written
    const judged = judge.preferred.length === 0 || judgeable.length === 0
      ? undefined
      : yield* RungWalk.walk(
        judge,
        { claims: judgeable, request, boundary, now: requestedAt },
        {
          read: (judgements) => judgementsOf(judgeable, judgements),
          time: { leftMs: yield* Deadline.shareMs(deadline, "Judge"), timeoutMs: engineTimeoutMs }
        }
      )
    const judging: Judging | undefined = judged === undefined
      ? undefined
      : { judgements: judged.answer, rung: judged.rung }
    const written_at = DateTime.formatIso(yield* DateTime.now)
    const packOf = (fields: Omit<PackAssembly.Materials, "need" | "now" | "pages" | "request">) =>
      RungWalk.inTurn(
        Effect.sync(() =>
          PackAssembly.assemble({
            pages,
            request,
            need,
            now: written_at,
            ...(leftOutOf(grounding) === 0 ? {} : { areSitesLeftOut: true }),
            ...fields
          })
        )
      )
    const isUnjudged = rung.engine !== writer.last.info.engine && judgeable.length > 0 &&
      (judging?.judgements ?? []).length === 0 && request.course === undefined
    // An unjudged claim is no surer than a quotation without a model; research has its own rule.
    const unjudgedMax = isUnjudged
      ? (yield* packOf({
        draft: yield* writer.last.ask(task),
        confidenceMax: Confidence.localMax
      })).confidence
      : undefined
    const confidenceMax = isUnjudged
      ? Confidence.localMax
      : confidenceMaxOf(rung, writer.last.info.engine)
    const pack = yield* packOf({
      draft,
      confidenceMax,
      ...asGiven({ unjudgedMax, judgements: judging?.judgements })
    })
    return tellFact(
      PackCreated.make({
        request_id: request.request_id,
        draft,
        pack,
        confidence_max: Math.min(confidenceMax, unjudgedMax ?? 1),
        written_at,
        ...(pages.every((page) => isTextKept(grounding, page))
          ? {}
          : Outcome.blockOf(grounding, pack)),
        ...asGiven({ judging }),
        rung
      }),
      readingOf(grounding)
    )
  }
)

const judgementsOf = (
  claims: ReadonlyArray<Judgeable>,
  judgements: ReadonlyArray<JudgedClaim>
): ReadonlyArray<JudgedClaim> => {
  const asked = new Set(claims.map(({ claim }) => claim))
  return judgements.filter(({ claim, judgement }, index) =>
    asked.has(claim) &&
    judgements.findIndex((one) => one.claim === claim && one.judgement === judgement) === index
  )
}

/** A local writer that took over from a failed model has a lower ceiling. */
const confidenceMaxOf = ({ engine, faults }: Rung, local: string): number => {
  if (engine !== local) return 1
  return faults.length > 0 ? Confidence.afterFailureMax : Confidence.localMax
}

/** The recorded pack, where the writer had the same passages and the same need. */
const answerTo = (
  { chunks, need }: StepOf<"Write">,
  recorded: Grounding
): typeof PackCreated.Type | undefined => {
  const { decision, ranking, written } = recorded
  const handed = (ranking?.ranked ?? []).map(passageIn(recorded))
  return Equal.equals(need, decision?.need) && Equal.equals(chunks.map(passageOf), handed)
    ? written
    : undefined
}

export const write: ComputedStep<"Write"> = {
  engines: ["writer", "judge"],
  compute,
  isAsked,
  factOf: ({ written }) => written,
  answerTo,
  empty: ({ grounding }, { at, rung }) =>
    tellFact(
      PackCreated.make({
        request_id: grounding.request.request_id,
        draft: { claims: [], what_to_ask_user: [] },
        pack: {
          ...emptyPack,
          notes: grounding.evidence === undefined ? [] : ["question_not_answered"]
        },
        confidence_max: 0,
        written_at: at,
        rung
      }),
      readingOf(grounding)
    )
}

/** Fails where a supposed pack has claims that no judge was asked about. */
export const checkJudging = (
  command: SessionCommand,
  { evidence, written }: Grounding,
  { grounding }: PerformedStep
): Effect.Effect<void, FactNeeded> => {
  const { fact } = command
  if (fact._tag !== "WEB_GROUNDING_PACK_CREATED" || written === undefined) return Effect.void
  const { judging } = written
  const before = PackAssembly.judgeable({ draft: written.draft, pages: evidence?.pages ?? [] })
  const now = PackAssembly.judgeable({
    draft: fact.draft,
    pages: grounding.evidence?.pages ?? []
  })
  // Without claims to judge the record does not say whether a judge was configured.
  const mayBeConfigured = judging !== undefined || before.length === 0
  return now.length > 0 && mayBeConfigured && !Equal.equals(now, before)
    ? needed("Judge", "engine_answer", judging?.rung.engine)
    : Effect.void
}
