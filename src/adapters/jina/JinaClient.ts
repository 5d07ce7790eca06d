/** Sends one request to Jina and returns the answer's text. Failures are typed, without a key. */
import * as Jina from "@web-grounding/dialects/Jina"
import { Effect, Option, type Redacted } from "effect"
import { EngineFailed } from "../../application/ports/Engines.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { EngineDetail, EngineFault } from "../../domain/session/EngineDetail.ts"
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
    const { broken, retryAfterMs, status, text } = yield* Effect.mapError(
      JsonPost.send({ baseUrl, path, headers, body, apiKey }, bodyBytesMax),
      (fault) => new EngineFailed({ engine, ...fault })
    )
    const refused = faultOf(status, text)
    if (Option.isSome(refused)) {
      return yield* new EngineFailed({
        engine,
        ...refused.value,
        ...asGiven({ retryAfterMs })
      })
    }
    return broken === undefined ? text : yield* failed({
      reason: broken === "cut_off" ? "unreachable" : "malformed",
      detail: broken
    })
  }
)

export interface JinaFault {
  readonly reason: EngineFault
  readonly detail: EngineDetail
}

export const badBody: JinaFault = { reason: "malformed", detail: "bad_body" }
