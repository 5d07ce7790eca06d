/** Posts JSON with a bearer key through `HttpExchange`, which does not trace it. */
import { Effect, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import * as HttpExchange from "./HttpExchange.ts"

interface JsonPost {
  /** Origin, or any URL before the path, with or without a trailing slash. */
  readonly baseUrl: string
  /** Begins with a slash. */
  readonly path: string
  /** Absent: a server without authentication. */
  readonly apiKey?: Redacted.Redacted<string> | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Body of plain values, without cycles. */
  readonly body: unknown
}

/** Whether an API key fits an HTTP header. Surrounding spaces are ignored. */
export const isSendable = (apiKey: Redacted.Redacted<string>): boolean =>
  /^[\x21-\x7e]+$/.test(Redacted.value(apiKey).trim())

/** Fails before sending if the key is unsendable. `bodyBytesMax` limits the answer. */
export const send = Effect.fnUntraced(
  function*({ apiKey, baseUrl, body, headers, path }: JsonPost, bodyBytesMax: number) {
    if (apiKey !== undefined && !isSendable(apiKey)) {
      return yield* Effect.fail({ reason: "refused", detail: "invalid_key" } as const)
    }
    const request = HttpClientRequest.post(`${baseUrl.replace(/\/+$/, "")}${path}`).pipe(
      HttpClientRequest.bodyJsonUnsafe(body),
      HttpClientRequest.setHeaders({
        accept: "application/json",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "web-grounding",
        ...headers,
        ...(apiKey === undefined
          ? {}
          : { authorization: `Bearer ${Redacted.value(apiKey).trim()}` })
      })
    )
    return yield* Effect.mapError(
      HttpExchange.exchange(request, bodyBytesMax),
      () => ({ reason: "unreachable" }) as const
    )
  }
)
