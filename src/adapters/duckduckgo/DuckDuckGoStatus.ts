/** Maps an answer of DuckDuckGo's to a status, by HTTP status and page alone. */
import { Option } from "effect"
import { ofStatus, type SearchFault } from "../../domain/search/SearchStatus.ts"

/**
 * Milliseconds that a block is taken to last. It is by address and names no end; asking again soon
 * prolongs it.
 */
export const retryAfterMsOtherwise = 10 * 60 * 1_000

export const captcha: SearchFault = { status: "rate_limited", detail: "captcha" }
const throttled: SearchFault = { status: "rate_limited", detail: "throttled" }

/** 202 and 303 are how the endpoint turns scrapers away (seen by several clients, 2024 to 2026). */
const faultByStatus: Readonly<Record<number, SearchFault>> = {
  202: throttled,
  303: throttled,
  400: { status: "bad_request" },
  403: throttled,
  413: { status: "bad_request" },
  414: { status: "bad_request" },
  422: { status: "bad_request" },
  429: throttled
}

/** The fault of a status; none where the page decides. */
export const faultOf = (httpStatus: number): Option.Option<SearchFault> =>
  ofStatus(httpStatus, faultByStatus)
