/** Sends one request to Jina and returns the answer's text. Failures are typed, without a key. */
import * as Jina from "@web-grounding/dialects/Jina"
import { Effect, Option, type Redacted } from "effect"
import { EngineFailed } from "../../application/ports/Engines.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { EngineDetail, EngineFault } from "../../domain/session/EngineDetail.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import * as JsonPost from "../../infrastructure/JsonPost.ts"

export const engine = "jina"

export interface JinaOptions {
  /** An unsendable key fails every call as `invalid_key` before sending. Absent: no key is sent. */
  readonly apiKey?: Redacted.Redacted<string> | undefined
  /** Origin of the API, with or without a trailing slash. */
  readonly baseUrl: string
}

interface JinaRequest {
  /** Begins with a slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
  readonly bodyBytesMax: number
  /** Fault of a status and a body. Default: Jina's. */
  readonly faultOf?: (status: number, body: string) => Option.Option<JinaFault>
}

export const failed = ({ detail, reason }: JinaFault): EngineFailed =>
  new EngineFailed({ engine, reason, detail })

/** The body of an answer with a status from 200 to 299. */
export const askJina = Effect.fnUntraced(
  function*(
    { apiKey, baseUrl }: JinaOptions,
    { body, bodyBytesMax, faultOf = Jina.faultOf, headers = {}, path }: JinaRequest
  ): Effect.fn.Return<string, EngineFailed> {
    if (apiKey !== undefined && !JsonPost.isSendable(apiKey)) {
      return yield* failed({ reason: "refused", detail: "invalid_key" })
    }
    const address = `${baseUrl.replace(/\/+$/, "")}${path}`
    const exchange = yield* HttpExchange.exchange(
      JsonPost.request({ address, headers, body, ...asGiven({ apiKey }) }),
      bodyBytesMax
    ).pipe(Effect.mapError(() => new EngineFailed({ engine, reason: "unreachable" })))
    const text = exchange.body._tag === "Whole" ? exchange.body.text : ""
    const refused = faultOf(exchange.status, text)
    if (Option.isSome(refused)) {
      return yield* new EngineFailed({
        engine,
        ...refused.value,
        ...asGiven({ retryAfterMs: exchange.retryAfterMs })
      })
    }
    if (exchange.body._tag === "TooLarge") return yield* failed(tooLarge)
    if (exchange.body._tag === "Cut") return yield* failed(cutOff)
    return text
  }
)

export interface JinaFault {
  readonly reason: EngineFault
  readonly detail: EngineDetail
}

export const badBody: JinaFault = { reason: "malformed", detail: "bad_body" }
/** Fault of an answer above the size limit; nothing of it is kept. */
const tooLarge: JinaFault = { reason: "malformed", detail: "too_large" }
/** Fault of an answer whose connection or compression ended early. */
const cutOff: JinaFault = { reason: "unreachable", detail: "cut_off" }
