/** Ranks passages by their words alone: the ranker that needs no network and cannot fail. */
import { passagesOf } from "@web-grounding/language/PassageWords"
import * as Relevance from "@web-grounding/language/Relevance"
import { Effect } from "effect"
import type { Reranker } from "../../application/ports/Engines.ts"

export const make: Reranker<never> = {
  info: { engine: "lexical", version: "5" },
  score: (question, chunks) =>
    Effect.sync(() => Relevance.scores(question, passagesOf(chunks)))
      .pipe(Effect.withSpan("LexicalReranker.score"))
}
