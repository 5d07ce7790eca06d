/** What an answer of DuckDuckGo's means for us, by HTTP status and page alone. */
import { Option } from "effect"
import type { SearchStatus } from "../../domain/search/SearchStatus.ts"

/** Blocking is by address and says no end; asking again soon prolongs it. */
export const retryAfterMsOtherwise = 10 * 60 * 1_000

export interface Fault {
  readonly status: SearchStatus
  readonly detail?: string
}

export const badBody: Fault = { status: "unknown_error", detail: "bad_body" }
export const tooLarge: Fault = { status: "unknown_error", detail: "too_large" }
export const cutOff: Fault = { status: "network_error", detail: "cut_off" }
export const captcha: Fault = { status: "rate_limited", detail: "captcha" }
const throttled: Fault = { status: "rate_limited", detail: "throttled" }

/** 202 and 303 are how the endpoint turns scrapers away (seen by several clients, 2024 to 2026). */
const faultByStatus: Readonly<Record<number, Fault>> = {
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
export const faultOf = (httpStatus: number): Option.Option<Fault> => {
  const known = faultByStatus[httpStatus]
  if (known !== undefined) return Option.some(known)
  return httpStatus >= 200 && httpStatus < 300
    ? Option.none()
    : Option.some(faultOfClass(Math.trunc(httpStatus / 100)))
}

const faultOfClass = (hundreds: number): Fault => {
  if (hundreds === 5) return { status: "network_error", detail: "upstream_5xx" }
  if (hundreds === 3) return { status: "unknown_error", detail: "redirect" }
  return { status: "unknown_error", detail: "upstream_4xx" }
}
