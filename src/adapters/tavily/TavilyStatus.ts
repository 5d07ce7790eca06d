/** What an answer of Tavily's means for us, by HTTP status and body alone. */
import { Option, Schema } from "effect"
import type { SearchStatus } from "../../domain/search/SearchStatus.ts"

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
