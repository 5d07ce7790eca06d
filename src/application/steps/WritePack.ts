/** Lets a writer propose claims, then lets the domain place, demote and rate them. */
import { DateTime, Effect } from "effect"
import * as Eligibility from "../../domain/need/Eligibility.ts"
import * as Confidence from "../../domain/pack/Confidence.ts"
import type { Judgeable } from "../../domain/pack/Judgement.ts"
import * as PackAssembly from "../../domain/pack/PackAssembly.ts"
import type { Rung } from "../../domain/session/EngineDetail.ts"
import { isTextKept } from "../../domain/session/Grounding.ts"
import * as Outcome from "../../domain/session/Outcome.ts"
import { type Judging, PackCreated } from "../../domain/session/SessionEvent.ts"
import {
  type ClaimJudge,
  ClaimJudges,
  EngineFailed,
  type PackWriter,
  PackWriters
} from "../ports/Engines.ts"
import { Limits } from "../ports/Limits.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import type { StepOf } from "./Step.ts"

/** Walks the writers, has claims judged, and makes the event with draft and pack. */
export const writePack = Effect.fn("WritePack.writePack")(
  function*(step: StepOf<"Write">, deadline: Deadline.Deadline) {
    const { chunks, grounding, need, pages } = step
    const { boundary, request } = grounding
    const writers = yield* PackWriters
    const { engineTimeoutMs } = yield* Limits
    const write = <E>(writer: PackWriter<E>) =>
      writer.write({ request, need, chunks, boundary }).pipe(
        Effect.map((draft) => ({ draft, judgeable: PackAssembly.judgeable({ draft, pages }) }))
      )
    /** A model whose quotes support none of its claims has not answered: the next one writes. */
    const proving = (writer: PackWriter) =>
      Effect.filterOrFail(
        write(writer),
        ({ draft, judgeable }) => draft.claims.length === 0 || judgeable.length > 0,
        () =>
          new EngineFailed({
            engine: writer.info.engine,
            reason: "refused",
            detail: "nothing_borne_out"
          })
      )
    const { answer: { draft, judgeable }, rung } = yield* RungWalk.walk(
      // Without evidence there is nothing to ask a model about: the local writer says so itself.
      chunks.length === 0 ? { ...writers, preferred: [] } : writers,
      proving,
      write,
      { leftMs: yield* Deadline.shareMs(deadline, "Write"), timeoutMs: engineTimeoutMs }
    )
    const judging = yield* judgeClaims(
      judgeable,
      { boundary, question: Eligibility.questionOf(request) },
      deadline
    )
    const written_at = DateTime.formatIso(yield* DateTime.now)
    const confidence_max = confidenceMaxOf(rung, writers.last.info.engine)
    const pack = yield* RungWalk.inTurn(Effect.sync(() =>
      PackAssembly.assemble({
        draft,
        pages,
        request,
        need,
        confidenceMax: confidence_max,
        ...(judging === undefined ? {} : { judgements: judging.judgements }),
        now: written_at
      })
    ))
    return PackCreated.make({
      request_id: request.request_id,
      draft,
      pack,
      confidence_max,
      written_at,
      ...(pages.every((page) => isTextKept(grounding, page))
        ? {}
        : { evidence_block: Outcome.blockOf(grounding, pack) }),
      ...(judging === undefined ? {} : { judging }),
      rung
    })
  }
)

/** The local writer that took over from a failed model is trusted less than one that was chosen. */
const confidenceMaxOf = ({ engine, faults }: Rung, local: string): number => {
  if (engine !== local) return 1
  return faults.length > 0 ? Confidence.afterFailureMax : Confidence.localMax
}

// Asks a judge once about all claims of a draft that stand so far.

/**
 * Asks the judges about the draft's claims; `undefined` where no judge is configured, or there is
 * nothing to be judged.
 */
const judgeClaims = Effect.fn("JudgeClaims.judgeClaims")(
  function*(
    claims: ReadonlyArray<Judgeable>,
    { boundary, question }: { readonly boundary: string; readonly question: string },
    deadline: Deadline.Deadline
  ) {
    const judges = yield* ClaimJudges
    if (judges.preferred.length === 0 || claims.length === 0) return undefined
    const { engineTimeoutMs } = yield* Limits
    const judge = <E>(engine: ClaimJudge<E>) => engine.judge({ claims, question, boundary })
    const { answer, rung } = yield* RungWalk.walk(
      judges,
      judge,
      judge,
      { leftMs: yield* Deadline.shareMs(deadline, "Judge"), timeoutMs: engineTimeoutMs }
    )
    const places = new Set(claims.map(({ claim }) => claim))
    const judging: Judging = {
      judgements: answer.filter(({ claim, judgement }, place) =>
        places.has(claim) &&
        answer.findIndex((one) => one.claim === claim && one.judgement === judgement) === place
      ),
      rung
    }
    return judging
  }
)
