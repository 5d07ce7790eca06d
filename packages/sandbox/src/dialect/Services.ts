/** Other services played by the sandbox: Jina's, and embeddings. */
import { type PlayedAnswer, textAt } from "@web-grounding/dialects/Dialect"
import * as Jina from "@web-grounding/dialects/Jina"
import * as Relevance from "@web-grounding/language/Relevance"
import { words } from "@web-grounding/language/Words"
import { Effect, Option, Result } from "effect"
import type { CorpusPage } from "../corpus/Corpus.ts"
import { addressOf, jsonSent, type Played } from "./Dialect.ts"

const pageAt = (pages: ReadonlyArray<CorpusPage>, url: string): CorpusPage | undefined => {
  const wanted = addressOf(url)
  return wanted === "" ? undefined : pages.find((known) => addressOf(known.url) === wanted)
}

export const JinaReader: Played<Jina.Reading> = {
  ...Jina.telling,
  provider: "jina",
  contentType: "application/json; charset=utf-8",
  asked: Effect.map(jsonSent("jina", "openai"), (sent) => {
    const url = textAt(sent.body, "url")
    return {
      ...sent,
      query: `${url}${directiveOf(url)}`,
      parameters: Jina.readingOf(addressOf(url) === "" ? {} : sent.body, sent.headers)
    }
  }),
  render: Jina.readerBody
}

/** A URL cannot carry a fault's word: `?fault=404` requests one. */
const directiveOf = (url: string): string => {
  const fault = URL.parse(url)?.searchParams.get("fault") ?? ""
  return fault === "" ? "" : ` fault:${fault}`
}

/** The page with that URL, else Jina's answer for a missing page. */
export const readCorpusPage = (
  pages: ReadonlyArray<CorpusPage>,
  { tokensMax, url }: Jina.Reading
): PlayedAnswer => {
  const page = pageAt(pages, url)
  if (page === undefined) {
    return {
      results: [{ url, title: "", content: "Not Found" }],
      warning: "Target URL returned error 404: Not Found"
    }
  }
  const content = markdownOf(page).slice(0, tokensMax * 4)
  return {
    results: [{ url, title: page.title, content, published_date: page.published_date ?? "" }]
  }
}

/** As from Jina's converter: the title underlined, possible markup escaped. */
const markdownOf = ({ paragraphs, title }: CorpusPage): string =>
  [`${title}\n===============`, ...paragraphs.map(escaped)].join("\n\n")

const escaped = (text: string): string => text.replace(/[\\`*_[\]]|^(?=[-+#>=])/gm, "\\$&")

// Rerankers: documents in the order of their lexical scores.

/** About the largest lexical score; results are scaled to 0 to 1. */
const scoreMost = 17

/** Jina's reranker, or a self-hosted one, which needs no key. Refusals use Jina's messages. */
export const reranker = (wire: keyof typeof Jina.rerankWires): Played<Jina.Ranking> => ({
  ...Jina.telling,
  provider: wire,
  contentType: "application/json",
  asked: Effect.map(jsonSent("jina", "openai"), (sent) => ({
    ...sent,
    key: sent.secret === "" ? Option.some("") : sent.key,
    query: textAt(sent.body, "query"),
    parameters: Result.fromOption(
      Jina.rerankWires[wire].askedOf(sent.body),
      () => Jina.oddParameter
    )
  })),
  render: (said, { body }) => Jina.rerankWires[wire].bodyOf(said, body)
})

/** Documents by relevance, best first, as Jina answers: a caller must use the index. */
export const rank = ({ documents, query, top_n }: Jina.Ranking): PlayedAnswer => {
  const scores = Relevance.scores(query, documents.map((text) => ({ title: "", text, page: "" })))
  const results = scores.map((score, index) => ({
    index,
    relevance_score: Math.round(Math.min(1, score / scoreMost) * 1e6) / 1e6
  }))
  return {
    results: results
      .toSorted((left, right) => right.relevance_score - left.relevance_score)
      .slice(0, top_n ?? documents.length)
  }
}

// Embeddings, whose formats at OpenAI and Jina differ in a few fields; the key decides.

/** Inputs of a request kept in the ledger, and characters of each. */
const inputsShown = 8
const inputCharsShown = 200

const embeddings = (provider: "jina" | "openai"): Played<Jina.Embedding> => ({
  ...(provider === "jina" ? Jina.telling : Jina.openAiTelling),
  provider,
  contentType: "application/json",
  asked: Effect.map(jsonSent("jina", "openai"), (sent) => {
    const decoded = Jina.embeddingOf(sent.body)
    const inputs = Option.match(decoded, { onNone: () => [], onSome: Jina.inputsOf })
    return {
      ...sent,
      query: inputs[0] ?? "",
      body: {
        ...Object(sent.body),
        input: inputs.slice(0, inputsShown).map((text) => text.slice(0, inputCharsShown)),
        inputs: inputs.length
      },
      parameters: Result.fromOption(
        decoded,
        () => provider === "jina" ? Jina.oddParameter : Jina.openAiOdd
      )
    }
  }),
  render: (said, { body }) => Jina.embeddedBody(said, body)
})

const jinaEmbeddings = embeddings("jina")
const openAiEmbeddings = embeddings("openai")

export const embeddingsFor = (authorization: string | undefined): Played<Jina.Embedding> =>
  /^Bearer jina-/.test(authorization ?? "") ? jinaEmbeddings : openAiEmbeddings

const dimensionsDefault = 1_024

/** Vectors of the input, in reverse order on purpose: a caller must use the index. */
export const embed = (asked: Jina.Embedding): PlayedAnswer => ({
  results: Jina.inputsOf(asked).map((text, index) => ({
    object: "embedding",
    index,
    embedding: hashedVector(text, asked.dimensions ?? dimensionsDefault)
  })).toReversed()
})

const gramLength = 3
/** Weight of a shared word relative to a shared n-gram. */
const wordWeight = 2

/** Vector of length 1, the same on every machine; texts that share words are near each other. */
const hashedVector = (text: string, dimensions: number): ReadonlyArray<number> => {
  const vector = new Float64Array(dimensions)
  const add = (feature: string, weight: number) => {
    const hash = hashOf(feature)
    const place = (hash >>> 1) % dimensions
    vector[place] = (vector[place] ?? 0) + ((hash & 1) === 0 ? weight : -weight)
  }
  add("", 0.01)
  for (const word of words(text)) {
    add(`word ${word}`, wordWeight)
    const padded = ` ${word} `
    for (let start = 0; start + gramLength <= padded.length; start++) {
      add(padded.slice(start, start + gramLength), 1)
    }
  }
  const length = Math.hypot(...vector)
  return Array.from(vector, (value) => value / length)
}

/** FNV-1a over UTF-16 code units, 32 bits, then mixed so that the low bits depend on all. */
const hashOf = (feature: string): number => {
  let hash = 0x811c9dc5
  for (let place = 0; place < feature.length; place++) {
    hash = Math.imul(hash ^ feature.charCodeAt(place), 0x01000193)
  }
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}
