/** Maps an answer of Tavily's to a status, by HTTP status and body alone. */
import { Option, Schema } from "effect"
import { ofStatus, type SearchFault } from "../../domain/search/SearchStatus.ts"

const faultByStatus: Readonly<Record<number, SearchFault>> = {
  400: { status: "bad_request" },
  401: { status: "invalid_key" },
  403: { status: "unknown_error", detail: "forbidden" },
  413: { status: "bad_request" },
  422: { status: "bad_request" },
  432: { status: "quota_exhausted" },
  433: { status: "quota_exhausted", detail: "paygo_exhausted" }
}

/** The fault of a status; none from 200 to 299, where the body decides. */
export const faultOf = (httpStatus: number, body: string): Option.Option<SearchFault> =>
  httpStatus === 429
    ? Option.some(limitOf(body))
    : ofStatus(httpStatus, faultByStatus)

const ErrorBody = Schema.fromJsonString(
  Schema.Struct({ detail: Schema.Struct({ error: Schema.String }) })
)
const decodeErrorBody = Schema.decodeUnknownOption(ErrorBody)

/** An exhausted plan answered 429 too in 2024-09; only the words tell it from too many requests. */
const limitOf = (body: string): SearchFault => {
  const words = Option.match(decodeErrorBody(body), {
    onNone: () => "",
    onSome: ({ detail }) => detail.error
  })
  return /\bplan\b|usage limit/i.test(words)
    ? { status: "quota_exhausted" }
    : { status: "rate_limited" }
}
