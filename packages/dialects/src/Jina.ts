/** Jina's protocols: Reader, reranker and embeddings; OpenAI's servers share the last. */
import { Option, Result, Schema } from "effect"
import * as ChatAnswer from "./ChatAnswer.ts"
import type { PlayedAnswer, ServerAnswer } from "./Dialect.ts"
import * as Dialect from "./Dialect.ts"
import { resultsOf, textAt } from "./Dialect.ts"

// Refusals, recognised by HTTP status and error name alone.

const refused = <const Detail extends string>(detail: Detail) =>
  ({ reason: "refused", detail }) as const

const common = {
  400: refused("bad_request"),
  401: refused("invalid_key"),
  402: refused("balance"),
  403: refused("forbidden"),
  413: refused("too_large"),
  422: refused("bad_request"),
  429: refused("rate_limited"),
  504: { reason: "timeout", detail: "upstream_timeout" },
  524: { reason: "timeout", detail: "upstream_timeout" }
} as const

/** 451 and 403 also mean a site that Jina does not read for us. */
const faultByStatus = new Map(Object.entries({
  ...common,
  409: refused("conflict"),
  412: refused("too_large"),
  451: refused("blocked")
}))

/** Error names that are more specific than their status. */
const faultByName = new Map(Object.entries({
  AbuseAlleviationError: refused("blocked"),
  /** 422: the page's own server did not answer Jina's browser. */
  AssertionFailureError: refused("page_unreadable"),
  BudgetExceededError: refused("budget"),
  TierFeatureConstraintError: refused("plan")
}))

const isDone = (httpStatus: number): boolean => httpStatus >= 200 && httpStatus < 300

/** Fault of a status; none from 200 to 299, where the body decides. */
export const faultOf = (httpStatus: number, body: string) => {
  if (isDone(httpStatus)) return Option.none()
  const name = textAt(Option.getOrNull(Dialect.jsonOf(body)), "name")
  return Option.some(
    faultByName.get(name) ?? faultByStatus.get(`${httpStatus}`) ?? ofClass(httpStatus)
  )
}

const openAiFaultByStatus = new Map(Object.entries({ ...common, 404: refused("no_such_model") }))

/** 429 means rate limit or exhausted credit; the error's code decides. */
const openAiFaultOf = (httpStatus: number, body: string) => {
  if (isDone(httpStatus)) return Option.none()
  const isSpent = httpStatus === 429 && ChatAnswer.isQuotaSpent(ChatAnswer.errorOf(body))
  return Option.some(
    isSpent
      ? refused("balance")
      : openAiFaultByStatus.get(`${httpStatus}`) ?? ofClass(httpStatus)
  )
}

const ofClass = (httpStatus: number) => {
  if (httpStatus >= 500) return { reason: "unreachable", detail: "upstream_5xx" } as const
  return httpStatus >= 400
    ? refused("upstream_4xx")
    : { reason: "malformed", detail: "redirect" } as const
}

/** Names are those of its source; the sentences are made up. */
const refusal = (status: number, name: string, message: string) =>
  Dialect.jsonAnswer(status, {
    data: null,
    code: status,
    name,
    status: status * 100,
    message,
    readableMessage: `${name}: ${message}`
  })

const noKey = refusal(401, "AuthenticationRequiredError", "Invalid API key.")
export const oddParameter = refusal(422, "ParamValidationError", "Odd parameter.")

export const telling = {
  noKey,
  faults: {
    403: refusal(403, "AbuseAlleviationError", "Access to this domain is blocked."),
    409: refusal(409, "BudgetExceededError", "Token budget exceeded.")
  }
}

/** Rough token count of a text: four characters each. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4)

// The Reader: a URL in, its page as Markdown out.

export const readerPath = "/"

export interface Reading {
  readonly url: string
  readonly tokensMax: number
}

export const readerHeaders = ({ seconds, tokensMax }: {
  readonly tokensMax: number
  readonly seconds: number
}) => ({
  "x-max-tokens": String(tokensMax),
  "x-timeout": String(seconds),
  "x-retain-images": "none",
  "x-retain-links": "text"
})

const tokensDefault = 200_000

export const readingOf = (
  body: unknown,
  headers: Readonly<Record<string, string>>
): Result.Result<Reading, ServerAnswer> => {
  const url = textAt(body, "url")
  const tokens = Number(headers["x-max-tokens"] ?? tokensDefault)
  return URL.canParse(url)
    ? Result.succeed({ url, tokensMax: Number.isInteger(tokens) ? tokens : tokensDefault })
    : Result.fail(refusal(400, "ParamValidationError", "Invalid URL."))
}

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const Page = Schema.Struct({
  content: Schema.String,
  title: text,
  url: text,
  publishedTime: Schema.optionalKey(Schema.Unknown),
  metadata: Schema.optionalKey(Schema.Unknown),
  warning: text,
  httpStatus: Schema.optionalKey(Schema.Unknown),
  usage: Schema.optionalKey(Schema.Unknown)
})
export type Page = typeof Page.Type
const decodePage = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ data: Page })))

export const pageOf = (body: string): Option.Option<Page> =>
  Option.map(decodePage(body), ({ data }) => data)

/** Always with status 200, whatever status the page's server returned. */
export const readerBody = (said: PlayedAnswer): string => {
  const page = resultsOf(said)[0]
  const { content: text, published_date, title, url } = Dialect.playedOf(page)
  const content = page === undefined ? "" : Dialect.fieldAt(page, "content")
  const usage = { tokens: tokensOf(text) }
  return JSON.stringify({
    code: 200,
    status: 20000,
    data: {
      title,
      description: "",
      url,
      content,
      ...Dialect.present({ publishedTime: Dialect.midnightOf(published_date) }),
      metadata: {},
      ...("warning" in said ? { warning: said["warning"] } : {}),
      usage
    },
    meta: { usage }
  })
}

// The reranker: documents in, scores by index out.

const rerankPath = "/v1/rerank"
const documentsMost = 2_048
/** Largest accepted score: a passage without a score must still rank below all others. */
const scoreMagnitudeMax = 1e6

const Ranking = Schema.Struct({
  /** A server of one's own may have but one. */
  model: Schema.optionalKey(Schema.NonEmptyString),
  query: Schema.NonEmptyString,
  documents: Schema.NonEmptyArray(Schema.String).check(Schema.isMaxLength(documentsMost)),
  top_n: Schema.optionalKey(Schema.NullOr(Schema.Int))
})
export type Ranking = typeof Ranking.Type
const rankingOf = Schema.decodeUnknownOption(Ranking)

const teiTextsMax = 32
const teiRankingOf = Schema.decodeUnknownOption(Schema.Struct({
  query: Schema.NonEmptyString,
  texts: Schema.NonEmptyArray(Schema.String).check(Schema.isMaxLength(teiTextsMax))
}))

const Score = Schema.Finite.check(
  Schema.isBetween({ minimum: -scoreMagnitudeMax, maximum: scoreMagnitudeMax })
)
const Scored = Schema.Struct({ index: Schema.Natural, score: Score })
const JinaScored = Scored.pipe(Schema.encodeKeys({ score: "relevance_score" }))
const rankedOf = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ results: Schema.NonEmptyArray(JinaScored) }))
)
const teiRankedOf = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.NonEmptyArray(Scored))
)

export interface RankingAsked {
  readonly query: string
  readonly documents: ReadonlyArray<string>
  readonly model?: string | undefined
}

interface RerankWire {
  readonly path: `/${string}`
  readonly documentsMax: number
  readonly fieldsOf: (asked: RankingAsked) => Readonly<Record<string, unknown>>
  /** Scores by document index. */
  readonly scoresOf: (body: string) => Option.Option<ReadonlyArray<typeof Scored.Type>>
  readonly askedOf: (fields: unknown) => Option.Option<Ranking>
  readonly bodyOf: (said: PlayedAnswer, fields: unknown) => string
}

/**
 * `jina` is also vLLM's. `tei`: Text Embeddings Inference, which accepts 32 texts at once and,
 * unless truncation is permitted, none longer than its model reads.
 */
export const rerankWires: Readonly<Record<"jina" | "tei", RerankWire>> = {
  jina: {
    path: rerankPath,
    documentsMax: 128,
    fieldsOf: ({ documents, model, query }) => ({
      ...(model === undefined ? {} : { model }),
      query,
      documents,
      top_n: documents.length,
      return_documents: false
    }),
    scoresOf: (body) => Option.map(rankedOf(body), ({ results }) => results),
    askedOf: rankingOf,
    bodyOf: (said, fields) =>
      JSON.stringify({
        model: Reflect.get(Object(fields), "model"),
        results: said.results,
        usage: { total_tokens: tokensOf(JSON.stringify(fields)) }
      })
  },
  tei: {
    path: "/rerank",
    documentsMax: teiTextsMax,
    fieldsOf: ({ documents, query }) => ({ query, texts: documents, truncate: true }),
    scoresOf: teiRankedOf,
    askedOf: (fields) =>
      Option.map(teiRankingOf(fields), ({ query, texts }) => ({ query, documents: texts })),
    bodyOf: (said) =>
      JSON.stringify(
        Dialect.written(said, (_played, _place, result) => ({
          index: Dialect.fieldAt(result, "index"),
          score: Dialect.fieldAt(result, "relevance_score")
        }))
      )
  }
}

// Embeddings: texts in, vectors by index out.

export const embeddingsPath = "/v1/embeddings"
const dimensionsMost = 4_096
const inputsMost = 2_048
/** Most dimensions of a vector that is read. */
const dimensionsRead = 8_192

const given = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const Embedding = Schema.Struct({
  model: Schema.NonEmptyString,
  input: Schema.Union([
    Schema.NonEmptyString,
    Schema.NonEmptyArray(Schema.NonEmptyString).check(Schema.isMaxLength(inputsMost))
  ]),
  dimensions: given(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: dimensionsMost }))),
  encoding_format: given(Schema.Literal("float")),
  embedding_type: given(Schema.Literal("float")),
  task: given(Schema.Literals([
    "retrieval.query",
    "retrieval.passage",
    "text-matching",
    "classification",
    "separation"
  ]))
})
export type Embedding = typeof Embedding.Type
export const embeddingOf = Schema.decodeUnknownOption(Embedding)

export const inputsOf = ({ input }: Embedding): ReadonlyArray<string> =>
  typeof input === "string" ? [input] : input

interface EmbeddingAsked {
  readonly model: string
  readonly input: ReadonlyArray<string>
  readonly dimensions: number
  readonly task: "query" | "passage"
}

/** OpenAI's models that accept `dimensions`; others refuse the field. */
const canShorten = /^text-embedding-3-/

/** By service. OpenAI's protocol, without a task field, is that of many servers. */
export const embeddingWires = {
  jina: {
    path: embeddingsPath,
    textsMax: 64,
    /** Longest text sent, in UTF-16 code units; Jina itself cuts at 8,192 tokens. */
    textCharsMax: 16_000,
    fieldsOf: ({ dimensions, input, model, task }: EmbeddingAsked) => ({
      model,
      input,
      task: `retrieval.${task}`,
      dimensions,
      embedding_type: "float",
      truncate: true
    }),
    faultOf,
    /** Fault of a complete body without vectors. */
    faultIn: (_body: string) => ChatAnswer.notJson
  },
  openai: {
    path: "/embeddings",
    /** With `textCharsMax` each, below the 300,000 tokens of a request. */
    textsMax: 32,
    /** OpenAI refuses a text over 8,192 tokens. */
    textCharsMax: 8_000,
    fieldsOf: ({ dimensions, input, model }: EmbeddingAsked) => ({
      model,
      input,
      encoding_format: "float",
      ...(canShorten.test(model) ? { dimensions } : {})
    }),
    faultOf: openAiFaultOf,
    faultIn: (body: string) => ChatAnswer.toldIn(body, ChatAnswer.notJson)
  }
}

const decodeVectors = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({
  data: Schema.Array(Schema.Struct({
    index: given(Schema.Natural),
    embedding: Schema.Array(Schema.Finite).check(Schema.isMaxLength(dimensionsRead))
  }))
})))

/** Vectors by index. Some servers omit index 0, others every index. */
export const vectorsIn = (body: string) =>
  Option.map(decodeVectors(body), ({ data }) => {
    const isIndexed = data.some(({ index }) => index != null)
    return data.map(({ embedding, index }, inOrder) => ({
      embedding,
      index: index ?? (isIndexed ? 0 : inOrder)
    }))
  })

export const embeddedBody = (said: PlayedAnswer, body: unknown): string =>
  JSON.stringify({
    object: "list",
    model: Reflect.get(Object(body), "model"),
    data: said.results,
    usage: { total_tokens: tokensOf(JSON.stringify(body)) }
  })

const openAiRefusal = (status: number, code: string, message: string) =>
  Dialect.jsonAnswer(status, { error: { message, type: code, param: null, code } })

export const openAiOdd = openAiRefusal(400, "invalid_request_error", "Odd parameter.")

export const openAiTelling = {
  noKey: openAiRefusal(401, "invalid_api_key", "Incorrect API key provided."),
  faults: {
    "429-plan": openAiRefusal(429, "insufficient_quota", "You exceeded your current quota.")
  }
}
