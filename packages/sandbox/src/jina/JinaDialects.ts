/** The protocol of Jina's Reader: an address in, its page as Markdown out. */
import * as Relevance from "@web-grounding/language/Relevance"
import { Effect, Option, Predicate, Result, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { CorpusPage } from "../corpus/Corpus.ts"
import * as PageAddress from "../dialect/Dialect.ts"
import { type Dialect, type JsonAnswer as Answer, resultsOf, textAt } from "../dialect/Dialect.ts"
import * as Fault from "../dialect/Fault.ts"
import type { PlainAnswer, PlainAnswers } from "../dialect/PlainFault.ts"

interface Reading {
  readonly url: string
  readonly tokensMax: number
}

const tokensDefault = 200_000

const decodeUrl = Schema.decodeUnknownOption(Schema.Struct({ url: Schema.NonEmptyString }))

// How Jina refuses, in the form of its error bodies, and what its protocols have in common.

/** The names and codes are those of its source; the sentences are made up. */
export const refusal = (
  status: number,
  name: string,
  message: string,
  code: number = status * 100
): PlainAnswer => ({
  status,
  body: JSON.stringify({
    data: null,
    code: status,
    name,
    status: code,
    message,
    readableMessage: `${name}: ${message}`
  })
})

export const noKey = refusal(401, "AuthenticationRequiredError", "Invalid API key.", 40103)

export const plainFaults: PlainAnswers = {
  400: refusal(400, "ParamValidationError", "Odd parameter."),
  401: noKey,
  402: refusal(402, "InsufficientBalanceError", "Account balance is not enough.", 40203),
  403: refusal(403, "AbuseAlleviationError", "Access to this domain is blocked."),
  409: refusal(409, "BudgetExceededError", "Token budget exceeded.", 40904),
  413: refusal(413, "TargetFileTooLargeError", "File too large.", 41302),
  422: refusal(422, "ParamValidationError", "Odd parameter."),
  429: refusal(429, "RateLimitTriggeredError", "Per key rate limit exceeded.", 42903),
  451: refusal(451, "SecurityCompromiseError", "Domain blocked after abuse.", 45102),
  500: refusal(500, "TypeError", "Cannot read properties of undefined."),
  503: refusal(503, "ServiceCrashedError", "Service crashed.", 50302)
}

export const errorBody = (error: string): string =>
  refusal(401, "AuthenticationRequiredError", error).body ?? ""

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The parts of a request that every one of these protocols has. */
export const askedInput = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = Option.getOrNull(decodeJson(yield* request.text))
  const { authorization = "", ...headers } = request.headers
  return {
    path: request.url,
    headers: { ...headers },
    body: Predicate.isObject(body) ? body : {},
    secret: authorization,
    key: keyOf(authorization)
  }
})

const keyOf = Fault.reader("Bearer ", "jina", "openai")

export const JinaReaderDialect: Dialect<Reading> = {
  provider: "jina",
  contentType: "application/json; charset=utf-8",
  noKey: noKey,
  plainFaults: plainFaults,
  errorBody: errorBody,
  asked: Effect.map(askedInput, (request) => {
    const url = Option.match(decodeUrl(request.body), {
      onNone: () => "",
      onSome: ({ url }) => url
    })
    const tokens = Number(request.headers["x-max-tokens"] ?? tokensDefault)
    return {
      ...request,
      query: `${url}${directivesOf(url)}`,
      parameters: Option.isNone(PageAddress.plain(url))
        ? Result.fail(refusal(400, "ParamValidationError", "Invalid URL."))
        : Result.succeed({ url, tokensMax: Number.isInteger(tokens) ? tokens : tokensDefault })
    }
  }),
  render: (answer) => JSON.stringify(bodyOf(answer))
}

/** An address has no place for words: `?fault=404` asks for it, `?body=id` for a recording. */
const directivesOf = (url: string): string => {
  const given = URL.parse(url)?.searchParams
  return ["fault", "body"].map((name) => given?.get(name) ?? "").map((value, place) =>
    value === "" ? "" : ` ${place === 0 ? "fault" : "body"}:${value}`
  ).join("")
}

/** The page of that address, else what Jina says of a page that is not there. */
export const readCorpusPage = (
  pages: ReadonlyArray<CorpusPage>,
  { tokensMax, url }: Reading
): Answer => {
  const wanted = addressOf(url)
  const page = pages.find((known) => addressOf(known.url) === wanted)
  if (page === undefined) {
    return {
      results: [{ url, title: "", content: "Not Found" }],
      warning: "Target URL returned error 404: Not Found"
    }
  }
  const content = markdownOf(page).slice(0, tokensMax * 4)
  return {
    results: [{ url, title: page.title, content, published_date: page.publishedDate ?? "" }]
  }
}

/** Address without its query: directives are no part of a page's address. */
const addressOf = (url: string): string =>
  Option.match(PageAddress.plain(url), {
    onNone: () => "",
    onSome: (href) => href.replace(/\?.*$/, "")
  })

/**
 * Markdown as Jina's converter writes it: the title underlined, what could be markup with a
 * backslash.
 */
const markdownOf = ({ paragraphs, title }: CorpusPage): string =>
  [`${title}\n===============`, ...paragraphs.map(escaped)].join("\n\n")

const escaped = (text: string): string => text.replace(/[\\`*_[\]]|^(?=[-+#>=])/gm, "\\$&")

/** Always with status 200, whatever the page's own server said. */
const bodyOf = (answer: Answer) => {
  const page = resultsOf(answer)[0]
  const content = page === undefined ? "" : Reflect.get(Object(page), "content")
  const day = textAt(page, "published_date")
  const usage = { tokens: tokensOf(textAt(page, "content")) }
  return {
    code: 200,
    status: 20000,
    data: {
      title: textAt(page, "title"),
      description: "",
      url: textAt(page, "url"),
      content,
      ...(day === "" ? {} : { publishedTime: `${day}T00:00:00.000Z` }),
      metadata: {},
      ...("warning" in answer ? { warning: answer.warning } : {}),
      usage
    },
    meta: { usage }
  }
}

// The protocol of Jina's reranker; documents are put in the order of their words.

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
  noKey: noKey,
  plainFaults: plainFaults,
  errorBody: errorBody,
  asked: Effect.map(askedInput, (request) => ({
    ...request,
    query: Option.match(decodeQuery(request.body), {
      onNone: () => "",
      onSome: ({ query }) => query
    }),
    parameters: Result.fromOption(
      decodeRanking(request.body),
      () => refusal(422, "ParamValidationError", "Odd parameter.")
    )
  })),
  render: (answer, { body }) =>
    JSON.stringify({
      model: Reflect.get(Object(body), "model"),
      results: Array.isArray(answer.results) ? resultsOf(answer) : answer.results,
      usage: { total_tokens: tokensOf(JSON.stringify(body)) }
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

/** Tokens of a text as a provider counts them, roughly: four characters each. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4)
