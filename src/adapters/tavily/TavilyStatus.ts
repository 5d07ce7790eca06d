/** What an answer of Tavily's means for us, by HTTP status and body alone. */
import { DateTime, Option, Schema } from "effect"
import type { SearchStatus } from "../../domain/search/SearchStatus.ts"

/** A provider that asks for more is asked again the next day. */
export const retryAfterMsMax = 24 * 60 * 60 * 1_000

export interface Fault {
  readonly status: SearchStatus
  readonly detail?: string
}

export const badBody: Fault = { status: "unknown_error", detail: "bad_body" }
export const tooLarge: Fault = { status: "unknown_error", detail: "too_large" }
export const cutOff: Fault = { status: "network_error", detail: "cut_off" }

const faultByStatus: Readonly<Record<number, Fault>> = {
  400: { status: "bad_request" },
  401: { status: "invalid_key" },
  403: { status: "unknown_error", detail: "forbidden" },
  413: { status: "bad_request" },
  422: { status: "bad_request" },
  432: { status: "quota_exhausted" },
  433: { status: "quota_exhausted", detail: "paygo_exhausted" }
}

/** The fault of a status; none from 200 to 299, where the body decides. */
export const faultOf = (httpStatus: number, body: string): Option.Option<Fault> => {
  if (httpStatus >= 200 && httpStatus < 300) return Option.none()
  if (httpStatus === 429) return Option.some(limitOf(body))
  return Option.some(faultByStatus[httpStatus] ?? faultOfClass(Math.trunc(httpStatus / 100)))
}

const faultOfClass = (hundreds: number): Fault => {
  if (hundreds === 5) return { status: "network_error", detail: "upstream_5xx" }
  if (hundreds === 3) return { status: "unknown_error", detail: "redirect" }
  return { status: "unknown_error", detail: "upstream_4xx" }
}

const ErrorBody = Schema.fromJsonString(
  Schema.Struct({ detail: Schema.Struct({ error: Schema.String }) })
)
const decodeErrorBody = Schema.decodeUnknownOption(ErrorBody)

/** An exhausted plan answered 429 too in 2024-09; only the words tell it from too many requests. */
const limitOf = (body: string): Fault => {
  const words = Option.match(decodeErrorBody(body), {
    onNone: () => "",
    onSome: ({ detail }) => detail.error
  })
  return /\bplan\b|usage limit/i.test(words)
    ? { status: "quota_exhausted" }
    : { status: "rate_limited" }
}

const seconds = /^\d{1,12}(?:\.\d{1,6})?$/
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Milliseconds from `now`, 0 for a date gone by, at most a day; none for what is neither form. */
export const retryAfterMs = (header: string, now: DateTime.Utc): Option.Option<number> => {
  const value = header.trim()
  if (seconds.test(value)) return Option.some(within(Number(value) * 1_000))
  if (!httpDate.test(value)) return Option.none()
  return Option.map(
    DateTime.make(value),
    (until) => within(DateTime.toEpochMillis(until) - DateTime.toEpochMillis(now))
  )
}

const within = (ms: number): number => Math.min(retryAfterMsMax, Math.max(0, Math.ceil(ms)))
