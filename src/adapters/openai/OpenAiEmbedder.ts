/** Embeddings of any OpenAI-compatible server, as an `Embedder`. */
import * as ChatAnswer from "@web-grounding/dialects/ChatAnswer"
import { cut } from "@web-grounding/language/Sentences"
import { Array, Effect, Option, type Redacted, Result, Schema } from "effect"
import { type Embedder, unfit } from "../../application/ports/Embedder.ts"
import { EngineFailed } from "../../application/ports/Engines.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import * as Ranking from "../../domain/retrieval/Ranking.ts"
import type { EngineDetail, EngineFault } from "../../domain/session/EngineDetail.ts"
import { dimensionsMax } from "../../domain/store/Entry.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import * as JsonPost from "../../infrastructure/JsonPost.ts"

/** Texts in one request; with `textCharsMax` each, below the 300,000 tokens of a request. */
export const batchTextsMax = 32
/** Longest text, in UTF-16 code units. OpenAI refuses one over 8,192 tokens. */
export const textCharsMax = 8_000
const bodyBytesMax = 16 * 1024 * 1024
const concurrentBatchesMax = 2

/** Models that accept `dimensions`; others refuse the field. */
const canShorten = /^text-embedding-3-/

const Answer = Schema.fromJsonString(Schema.Struct({
  data: Schema.Array(Schema.Struct({
    index: Schema.optionalKey(Schema.NullOr(Schema.Natural)),
    embedding: Schema.Array(Schema.Finite).check(Schema.isMaxLength(dimensionsMax))
  }))
}))
const decodeAnswer = Schema.decodeUnknownOption(Answer)

export interface OpenAiEmbedderOptions {
  /** None for a server without authentication. */
  readonly apiKey: Option.Option<Redacted.Redacted<string>>
  /** Base URL of `/embeddings`, e.g. `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  /** Dimensions of the model's vectors; another length is malformed. */
  readonly dimensions: number
}

/** The protocol has no task field: passages and queries are sent alike. */
export const make = ({ apiKey, baseUrl, dimensions, model }: OpenAiEmbedderOptions): Embedder => {
  const batch = Effect.fnUntraced(function*(texts: ReadonlyArray<string>) {
    const exchange = yield* HttpExchange.exchange(
      JsonPost.request({
        address: `${baseUrl.replace(/\/+$/, "")}/embeddings`,
        ...asGiven({ apiKey }),
        body: {
          model,
          input: texts.map((text) => cut(text, textCharsMax).toWellFormed()),
          encoding_format: "float",
          ...(canShorten.test(model) ? { dimensions } : {})
        }
      }),
      bodyBytesMax
    ).pipe(Effect.mapError(() => failed("unreachable")))
    return yield* vectorsOf(exchange, texts.length, dimensions)
  })
  return {
    engine,
    model,
    dimensions,
    embed: Effect.fn("OpenAiEmbedder.embed")(function*(texts) {
      const fault = unfit(texts)
      if (Option.isSome(fault)) return yield* failed("refused", fault.value)
      if (Option.exists(apiKey, (key) => !JsonPost.isSendable(key))) {
        return yield* failed("refused", "invalid_key")
      }
      const batches = Array.chunksOf(texts, batchTextsMax)
      const vectors = yield* Effect.forEach(batches, batch, { concurrency: concurrentBatchesMax })
      return vectors.flat()
    })
  }
}

const engine = "openai"

const failed = (reason: EngineFault, detail?: EngineDetail): EngineFailed =>
  new EngineFailed({ engine, reason, ...asGiven({ detail }) })

const vectorsOf = (
  { body, status }: HttpExchange.Exchange,
  textsCount: number,
  dimensions: number
): Effect.Effect<ReadonlyArray<Ranking.Vector>, EngineFailed> => {
  const text = body._tag === "Whole" ? body.text : ""
  if (status < 200 || status >= 300) return Effect.fail(failureOf(status, text))
  if (body._tag === "TooLarge") return Effect.fail(failed("malformed", "too_large"))
  if (body._tag === "Cut") return Effect.fail(failed("unreachable", "cut_off"))
  const decoded = decodeAnswer(text)
  if (Option.isNone(decoded)) {
    const { detail, reason } = ChatAnswer.toldIn(text, ChatAnswer.notJson)
    return Effect.fail(failed(reason, detail))
  }
  const { data } = decoded.value
  // Some servers omit index 0, others every index.
  const isIndexed = data.some(({ index }) => index != null)
  const vectors = data.map(({ embedding, index }, place) => ({
    embedding,
    index: index ?? (isIndexed ? 0 : place)
  }))
  const placed = Ranking.inTextOrder(vectors, textsCount, dimensions)
  return Result.isSuccess(placed)
    ? Effect.succeed(placed.success)
    : Effect.fail(failed("malformed", placed.failure))
}

const detailByStatus: Readonly<Record<number, EngineDetail>> = {
  400: "bad_request",
  401: "invalid_key",
  402: "balance",
  403: "forbidden",
  404: "no_such_model",
  413: "too_large",
  422: "bad_request"
}

/** 429 means rate limit or exhausted credit; the error's code decides. */
const failureOf = (status: number, body: string): EngineFailed => {
  if (status === 504 || status === 524) return failed("timeout", "upstream_timeout")
  if (status >= 500) return failed("unreachable", "upstream_5xx")
  if (status < 400) return failed("malformed", "redirect")
  if (status !== 429) return failed("refused", detailByStatus[status] ?? "upstream_4xx")
  const isSpent = ChatAnswer.isQuotaSpent(ChatAnswer.errorOf(body))
  return failed("refused", isSpent ? "balance" : "rate_limited")
}
