/** What an answer of SerpAPI's means for us, by HTTP status and body alone. */
import { Option } from "effect"
import type { SearchStatus } from "../../domain/search/SearchStatus.ts"

export interface Fault {
  readonly status: SearchStatus
  readonly detail?: string
}

export const badBody: Fault = { status: "unknown_error", detail: "bad_body" }
export const tooLarge: Fault = { status: "unknown_error", detail: "too_large" }
export const cutOff: Fault = { status: "network_error", detail: "cut_off" }
/** The engine behind it did not answer; the search was taken and came to nothing. */
const engineFailed: Fault = { status: "network_error", detail: "engine_failed" }
/** Still being searched: an answer that we do not wait for. */
const unfinished: Fault = { status: "unknown_error", detail: "unfinished" }
const refused: Fault = { status: "unknown_error", detail: "refused" }

const faultByStatus: Readonly<Record<number, Fault>> = {
  400: { status: "bad_request" },
  401: { status: "invalid_key" },
  403: { status: "unknown_error", detail: "forbidden" },
  413: { status: "bad_request" },
  414: { status: "bad_request" },
  422: { status: "bad_request" }
}

/** The fault of a status and its words; none from 200 to 299, where the body decides. */
export const faultOf = (httpStatus: number, error: string): Option.Option<Fault> => {
  if (httpStatus >= 200 && httpStatus < 300) return Option.none()
  if (httpStatus === 429) return Option.some(limitOf(error))
  return Option.some(faultByStatus[httpStatus] ?? faultOfClass(Math.trunc(httpStatus / 100)))
}

const faultOfClass = (hundreds: number): Fault => {
  if (hundreds === 5) return { status: "network_error", detail: "upstream_5xx" }
  if (hundreds === 3) return { status: "unknown_error", detail: "redirect" }
  return { status: "unknown_error", detail: "upstream_4xx" }
}

/** 429 is too many in an hour, or none left in the plan; only the words tell which. */
const limitOf = (error: string): Fault =>
  /run out of searches|searches (?:left|remaining)|monthly|\bplan\b.*\b(?:limit|exhausted)/i
      .test(error) && !/hour/i.test(error)
    ? { status: "quota_exhausted" }
    : { status: "rate_limited" }

/** An error's words in an answer with 200: nothing found is an answer, all else is not. */
export const saysNothing = (error: string): boolean => /hasn['’]t returned any results/i.test(error)

/** The fault of an answer with 200 that holds no results and does not say that there are none. */
export const faultOfAnswer = (searchStatus: string, error: string): Fault => {
  if (/^(?:Processing|Queued)$/i.test(searchStatus)) return unfinished
  if (/run out of searches/i.test(error)) return { status: "quota_exhausted" }
  if (/invalid api key/i.test(error)) return { status: "invalid_key" }
  if (/^Error$/i.test(searchStatus)) return engineFailed
  return error === "" ? badBody : refused
}
