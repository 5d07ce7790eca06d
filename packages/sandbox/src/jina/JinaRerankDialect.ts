/** The protocol of Jina's reranker; documents are put in the order of their words. */
import * as Relevance from "@web-grounding/language/Relevance"
import { Effect, Option, Result, Schema } from "effect"
import { type Answer, type Dialect, resultsOf } from "../dialect/Dialect.ts"
import * as JinaWords from "./JinaWords.ts"

/** About what the word score can reach: scores are told between 0 and 1. */
const scoreMost = 17
const documentsMost = 2_048

const Ranking = Schema.Struct({
  model: Schema.NonEmptyString,
  query: Schema.NonEmptyString,
  documents: Schema.NonEmptyArray(
    Schema.Union([Schema.String, Schema.Struct({ text: Schema.String })])
  ).check(Schema.isMaxLength(documentsMost)),
  top_n: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  return_documents: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
export type Ranking = typeof Ranking.Type
const decodeRanking = Schema.decodeUnknownOption(Ranking)
const decodeQuery = Schema.decodeUnknownOption(Schema.Struct({ query: Schema.String }))

export const JinaRerankDialect: Dialect<Ranking> = {
  provider: "jina",
  contentType: "application/json",
  noKey: JinaWords.noKey,
  plainFaults: JinaWords.plainFaults,
  errorBody: JinaWords.errorBody,
  asked: Effect.map(JinaWords.askedInput, (request) => ({
    ...request,
    query: Option.match(decodeQuery(request.body), {
      onNone: () => "",
      onSome: ({ query }) => query
    }),
    parameters: Result.fromOption(
      decodeRanking(request.body),
      () => JinaWords.refusal(422, "ParamValidationError", "Odd parameter.")
    )
  })),
  render: (answer, { body }) =>
    JSON.stringify({
      model: Reflect.get(Object(body), "model"),
      results: Array.isArray(answer.results) ? resultsOf(answer) : answer.results,
      usage: { total_tokens: JinaWords.tokensOf(JSON.stringify(body)) }
    })
}

/** Documents by relevance, best first, as Jina answers: a caller must go by the index. */
export const rank = ({ documents, query, return_documents, top_n }: Ranking): Answer => {
  const texts = documents.map((document) => typeof document === "string" ? document : document.text)
  const scores = Relevance.scores(query, texts.map((text) => ({ title: "", text, page: "" })))
  const results = texts.map((text, index) => ({
    index,
    relevance_score: Math.round(Math.min(1, (scores[index] ?? 0) / scoreMost) * 1e6) / 1e6,
    ...(return_documents === true ? { document: { text } } : {})
  }))
  return {
    results: results
      .toSorted((left, right) => right.relevance_score - left.relevance_score)
      .slice(0, top_n ?? documents.length)
  }
}
