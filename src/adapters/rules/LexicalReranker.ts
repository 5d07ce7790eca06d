/** Ranks passages by their words alone: the ranker that needs no network and cannot fail. */
import { Effect } from "effect"
import type { Reranker } from "../../application/ports/Reranker.ts"
import { passagesOf } from "../../domain/retrieval/PassageWords.ts"
import * as Relevance from "../../domain/retrieval/Relevance.ts"

export const make: Reranker<never> = {
  info: { engine: "lexical", version: "5" },
  score: (question, chunks) =>
    Effect.sync(() => Relevance.scores(question, passagesOf(chunks)))
      .pipe(Effect.withSpan("LexicalReranker.score"))
}
