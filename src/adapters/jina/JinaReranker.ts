/** Jina's reranker as a ranker: one request, for the passages closest by their words. */
import * as Jina from "@web-grounding/dialects/Jina"
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import * as Relevance from "@web-grounding/language/Relevance"
import { cut } from "@web-grounding/language/Sentences"
import { Effect, Option } from "effect"
import type { Engine, RankingTask } from "../../application/ports/Engines.ts"
import type { Chunk } from "../../domain/page/Page.ts"
import * as JinaClient from "./JinaClient.ts"

/** Sent of one question's passages, the best by their words: Jina charges by length. */
export const documentsMax = 128
/** Longest document, with its title and heading, in UTF-16 code units. */
const documentCharsMax = 2_000
/** Longest question, in UTF-16 code units. */
const questionCharsMax = 1_000
const bodyBytesMax = 1024 * 1024
export interface JinaRerankerOptions extends JinaClient.JinaOptions {
  readonly model: string
}

/**
 * Scores are Jina's own, mapped by their index. A passage that was not sent, or that the answer
 * leaves out, stands below all others, in the order of its words' score; none is lost.
 */
export const make = (options: JinaRerankerOptions): Engine<"ranker"> => ({
  info: { engine: JinaClient.engine, version: options.model, upstream: "jina reranker" },
  ask: Effect.fn("JinaReranker.score")(function*({ chunks, question }: RankingTask) {
    if (chunks.length === 0) return []
    const query = questionSent(question)
    if (query === "") {
      return yield* JinaClient.failed({ reason: "refused", detail: "nothing_to_ask" })
    }
    const byWords = Relevance.scores(
      question,
      chunks.map(({ page, text }) => ({ title: page.title, text, page: page.source_id }))
    )
    const order = chunks.map((_, place) => place)
      .sort((left, right) => (byWords[right] ?? 0) - (byWords[left] ?? 0))
    const sent = order.slice(0, documentsMax)
    const body = yield* JinaClient.askJina(options, {
      path: Jina.rerankPath,
      body: {
        model: options.model,
        query,
        documents: sent.flatMap((place) => chunks[place] ?? []).map(documentOf),
        top_n: sent.length,
        return_documents: false
      },
      bodyBytesMax
    })
    const told = toldScores(body, sent)
    if (Option.isNone(told)) return yield* JinaClient.failed(JinaClient.badBody)
    return withoutGaps(told.value, order)
  })
})

/** The user's words leave the house here: without what is personal, as in a search. */
const questionSent = (question: string): string =>
  cut(QueryPrivacy.strip(question), questionCharsMax)

const documentOf = ({ heading, page, text }: Chunk): string =>
  cut([page.title, heading ?? "", text].filter((part) => part !== "").join("\n"), documentCharsMax)
    .toWellFormed()

/** Scores by the index of their passage. None where an index occurs twice or was never sent. */
const toldScores = (
  body: string,
  sent: ReadonlyArray<number>
): Option.Option<ReadonlyMap<number, number>> =>
  Option.flatMap(Jina.rankedOf(body), ({ results }) => {
    const pairs = results.flatMap(({ index, relevance_score }) => {
      const place = sent[index]
      return place === undefined ? [] : [[place, relevance_score] as const]
    })
    const scores = new Map(pairs)
    return scores.size === results.length ? Option.some(scores) : Option.none()
  })

/** Gives each passage a score; those without one follow the lowest, at most 1 below it. */
const withoutGaps = (
  told: ReadonlyMap<number, number>,
  order: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const lowest = Array.from(told.values()).reduce((least, one) => Math.min(least, one), Infinity)
  const left = order.filter((place) => !told.has(place))
  const below = new Map(
    left.map((place, rank) => [place, lowest - (rank + 1) / left.length] as const)
  )
  return order.map((_, place) => told.get(place) ?? below.get(place) ?? lowest - 1)
}
