/** Asks a judge once about all claims of a draft that stand so far. */
import { Effect } from "effect"
import type { Judgeable } from "../../domain/pack/Judgement.ts"
import type { Judging } from "../../domain/session/SessionEvent.ts"
import { type ClaimJudge, ClaimJudges } from "../ports/ClaimJudge.ts"
import { Limits } from "../ports/Limits.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"

/**
 * Asks the judges about the draft's claims; `undefined` where no judge is configured, or there is
 * nothing to be judged.
 */
export const judgeClaims = Effect.fn("JudgeClaims.judgeClaims")(
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
