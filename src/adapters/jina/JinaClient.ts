/**
 * Sends one request to Jina and gives the text of its answer; every failure is typed and holds no
 * key.
 */
import { Effect, Option, type Redacted, Schema } from "effect"
import { EngineFailed } from "../../application/ports/Engines.ts"
import type { EngineDetail, EngineFault } from "../../domain/session/EngineDetail.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import * as JsonPost from "../../infrastructure/JsonPost.ts"

export const engine = "jina"

export interface JinaOptions {
  /** An unsendable one fails every call as `invalid_key`, and nothing is sent. */
  readonly apiKey: Redacted.Redacted<string>
  /** Origin of the API, with or without a trailing slash. */
  readonly baseUrl: string
}

interface JinaRequest {
  /** Begins with a slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
  /** Bytes of the answer after decompression, at most. */
  readonly bodyBytesMax: number
}

export const failed = ({ detail, reason }: JinaFault): EngineFailed =>
  new EngineFailed({ engine, reason, detail })

/** The body of an answer with a status from 200 to 299. */
export const askJina = Effect.fnUntraced(
  function*(
    { apiKey, baseUrl }: JinaOptions,
    { body, bodyBytesMax, headers = {}, path }: JinaRequest
  ): Effect.fn.Return<string, EngineFailed> {
    if (!JsonPost.isSendable(apiKey)) {
      return yield* failed({ reason: "refused", detail: "invalid_key" })
    }
    const address = `${baseUrl.replace(/\/+$/, "")}${path}`
    const exchange = yield* HttpExchange.exchange(
      JsonPost.request({ address, apiKey, headers, body }),
      bodyBytesMax
    ).pipe(Effect.mapError(() => new EngineFailed({ engine, reason: "unreachable" })))
    const text = exchange.body._tag === "Whole" ? exchange.body.text : ""
    const refused = faultOf(exchange.status, text)
    if (Option.isSome(refused)) {
      return yield* new EngineFailed({
        engine,
        ...refused.value,
        ...Option.match(exchange.retryAfterMs, {
          onNone: () => ({}),
          onSome: (retryAfterMs) => ({ retryAfterMs })
        })
      })
    }
    if (exchange.body._tag === "TooLarge") return yield* failed(tooLarge)
    if (exchange.body._tag === "Cut") return yield* failed(cutOff)
    return text
  }
)

// Maps an answer of Jina's to a reason, by HTTP status and the name of its error alone.

export interface JinaFault {
  readonly reason: EngineFault
  readonly detail: EngineDetail
}

/** Fault of an answer that is complete and not what Jina promises. */
export const badBody: JinaFault = { reason: "malformed", detail: "bad_body" }
/** Fault of an answer larger than the adapter's ceiling; nothing of it was kept. */
const tooLarge: JinaFault = { reason: "malformed", detail: "too_large" }
/**
 * Fault of an answer whose connection ended, or whose compression broke, before its body was
 * complete.
 */
const cutOff: JinaFault = { reason: "unreachable", detail: "cut_off" }

const refused = (detail: EngineDetail): JinaFault => ({ reason: "refused", detail })

/** 451 and 403 also stand for a page's site that Jina will not read for us. */
const faultByStatus: Readonly<Record<number, JinaFault>> = {
  400: refused("bad_request"),
  401: refused("invalid_key"),
  402: refused("balance"),
  403: refused("forbidden"),
  409: refused("conflict"),
  412: refused("too_large"),
  413: refused("too_large"),
  422: refused("bad_request"),
  429: refused("rate_limited"),
  451: refused("blocked"),
  504: { reason: "timeout", detail: "upstream_timeout" },
  524: { reason: "timeout", detail: "upstream_timeout" }
}

/** Names that say more than their status. */
const faultByName: Readonly<Record<string, JinaFault>> = {
  AbuseAlleviationError: refused("blocked"),
  /** 422: the page's own server did not answer Jina's browser. */
  AssertionFailureError: refused("page_unreadable"),
  BudgetExceededError: refused("budget"),
  TierFeatureConstraintError: refused("plan")
}

const decodeName = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ name: Schema.String }))
)

/** The fault of a status; none from 200 to 299, where the body decides. */
const faultOf = (httpStatus: number, body: string): Option.Option<JinaFault> => {
  if (httpStatus >= 200 && httpStatus < 300) return Option.none()
  const name = Option.match(decodeName(body), { onNone: () => "", onSome: ({ name }) => name })
  const named = Object.hasOwn(faultByName, name) ? faultByName[name] : undefined
  return Option.some(named ?? faultByStatus[httpStatus] ?? ofClass(httpStatus))
}

const ofClass = (httpStatus: number): JinaFault => {
  if (httpStatus >= 500) return { reason: "unreachable", detail: "upstream_5xx" }
  return httpStatus >= 400
    ? refused("upstream_4xx")
    : { reason: "malformed", detail: "redirect" }
}
