/** Ranks passages by their words alone: the ranker that needs no network and cannot fail. */
import { Effect } from "effect"
import type { Reranker } from "../../application/ports/Reranker.ts"
import * as Relevance from "../../domain/evidence/Relevance.ts"

export const make: Reranker<never> = {
  info: { engine: "lexical", version: "2" },
  score: (question, chunks) =>
    Effect.sync(() =>
      Relevance.scores(
        question,
        chunks.map(({ page, text }) => ({ title: page.title, text, page: page.source_id }))
      )
    ).pipe(Effect.withSpan("LexicalReranker.score"))
}
