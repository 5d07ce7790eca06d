/** Scores every passage and keeps the best that differ. */
import { Effect } from "effect"
import * as OpenQuestion from "../../domain/need/OpenQuestion.ts"
import * as Ranking from "../../domain/retrieval/Ranking.ts"
import { EvidenceRanked } from "../../domain/session/SessionEvent.ts"
import { Limits } from "../ports/Limits.ts"
import { Rerankers } from "../ports/Reranker.ts"
import * as Deadline from "./Deadline.ts"
import * as RungWalk from "./RungWalk.ts"
import type { StepOf } from "./Step.ts"

/** Walks the rerankers and makes the event with every passage's score and the selected ones. */
export const rankEvidence = Effect.fn("RankEvidence.rankEvidence")(
  function*({ chunks, grounding }: StepOf<"Rank">, deadline: Deadline.Deadline) {
    const { policy, request } = grounding
    const rerankers = yield* Rerankers
    const { rankTimeoutMs } = yield* Limits
    const question = OpenQuestion.questionOf(request)
    const { answer, rung } = yield* RungWalk.walk(
      rerankers,
      (reranker) => reranker.score(question, chunks),
      (reranker) => reranker.score(question, chunks),
      { leftMs: yield* Deadline.shareMs(deadline, "Rank"), timeoutMs: rankTimeoutMs }
    )
    // A ranker that leaves passages out must not lose them: they come last.
    const scores = chunks.map((_, index) => answer[index] ?? 0)
    return EvidenceRanked.make({
      request_id: request.request_id,
      scored: chunks.map(({ index, page }, place) => ({
        source_id: page.source_id,
        index,
        score: scores[place] ?? 0
      })),
      ranked: Ranking.top(chunks, scores, policy.chunks_max),
      rung
    })
  }
)
