/** Rerankers: Jina's, or a server with its protocol or that of Text Embeddings Inference. */
import * as Jina from "@web-grounding/dialects/Jina"
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import * as Relevance from "@web-grounding/language/Relevance"
import { cut } from "@web-grounding/language/Sentences"
import { Effect, Option } from "effect"
import { type Engine, EngineFailed, type RankingTask } from "../../application/ports/Engines.ts"
import type { Chunk } from "../../domain/page/Page.ts"
import * as JinaClient from "./JinaClient.ts"

/** Longest document, with its title and heading, in UTF-16 code units. */
const documentCharsMax = 2_000
/** Longest question, in UTF-16 code units. */
const questionCharsMax = 1_000
const bodyBytesMax = 1024 * 1024

interface JinaRerankerOptions extends JinaClient.JinaOptions {
  /** Absent: the server's default. */
  readonly model?: string | undefined
  /** Default: Jina's. */
  readonly wire?: keyof typeof Jina.rerankWires
  /** Name of the engine. Default: Jina's. */
  readonly engine?: string
}

/**
 * Scores are the server's, by index. Passages without one rank below all others, by lexical score.
 */
export const make = (
  { engine = JinaClient.engine, model, wire: name = "jina", ...options }: JinaRerankerOptions
): Engine<"ranker"> => {
  const wire = Jina.rerankWires[name]
  return {
    info: { engine, version: model ?? name, upstream: `${engine} reranker` },
    ask: Effect.fn("JinaReranker.score")(
      function*({ chunks, question }: RankingTask) {
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
        const sent = order.slice(0, wire.documentsMax)
        const documents = sent.flatMap((place) => chunks[place] ?? []).map(documentOf)
        const body = yield* JinaClient.askJina(options, {
          path: wire.path,
          body: wire.fieldsOf({ model, query, documents }),
          bodyBytesMax
        })
        const told = Option.flatMap(wire.scoresOf(body), (scores) => scoresBy(scores, sent))
        if (Option.isNone(told)) return yield* JinaClient.failed(JinaClient.badBody)
        return withoutGaps(told.value, order)
      },
      Effect.mapError(({ _tag, ...failure }) => new EngineFailed({ ...failure, engine }))
    )
  }
}

/** The user's words leave the service here: PII is removed, as in a search. */
const questionSent = (question: string): string =>
  cut(QueryPrivacy.strip(question), questionCharsMax)

const documentOf = ({ heading, page, text }: Chunk): string =>
  cut([page.title, heading ?? "", text].filter((part) => part !== "").join("\n"), documentCharsMax)
    .toWellFormed()

/** Scores by passage index. None if an index occurs twice or was never sent. */
const scoresBy = (
  told: ReadonlyArray<{ readonly index: number; readonly score: number }>,
  sent: ReadonlyArray<number>
): Option.Option<ReadonlyMap<number, number>> => {
  const pairs = told.flatMap(({ index, score }) => {
    const place = sent[index]
    return place === undefined ? [] : [[place, score] as const]
  })
  const scores = new Map(pairs)
  return scores.size === told.length ? Option.some(scores) : Option.none()
}

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
