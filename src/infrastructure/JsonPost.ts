/** A request that posts JSON with a bearer key, for `HttpExchange`, which does not trace it. */
import { Redacted } from "effect"
import { HttpClientRequest } from "effect/http"

export interface JsonPost {
  readonly address: string
  /** Absent: a server without authentication. */
  readonly apiKey?: Redacted.Redacted<string>
  readonly headers?: Readonly<Record<string, string>>
  /** Body of plain values, without cycles. */
  readonly body: unknown
}

/** Whether an API key fits an HTTP header. Surrounding spaces are ignored. */
export const isSendable = (apiKey: Redacted.Redacted<string>): boolean =>
  /^[\x21-\x7e]+$/.test(Redacted.value(apiKey).trim())

export const request = (
  { address, apiKey, body, headers }: JsonPost
): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.post(address).pipe(
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
