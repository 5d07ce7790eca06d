/** Maps an answer of SerpAPI's to a status, by HTTP status and body alone. */
import { Option } from "effect"
import { badBody, ofStatus, type SearchFault } from "../../domain/search/SearchStatus.ts"

/** The engine behind it did not answer; the search was taken and came to nothing. */
const engineFailed: SearchFault = { status: "network_error", detail: "engine_failed" }
/** Still being searched: an answer that we do not wait for. */
const unfinished: SearchFault = { status: "unknown_error", detail: "unfinished" }
const refused: SearchFault = { status: "unknown_error", detail: "refused" }

const faultByStatus: Readonly<Record<number, SearchFault>> = {
  400: { status: "bad_request" },
  401: { status: "invalid_key" },
  403: { status: "unknown_error", detail: "forbidden" },
  413: { status: "bad_request" },
  414: { status: "bad_request" },
  422: { status: "bad_request" }
}

/** The fault of a status and its words; none from 200 to 299, where the body decides. */
export const faultOf = (httpStatus: number, error: string): Option.Option<SearchFault> =>
  httpStatus === 429
    ? Option.some(limitOf(error))
    : ofStatus(httpStatus, faultByStatus)

/** 429 is too many in an hour, or none left in the plan; only the words tell which. */
const limitOf = (error: string): SearchFault =>
  /run out of searches|searches (?:left|remaining)|monthly|\bplan\b.*\b(?:limit|exhausted)/i
      .test(error) && !/hour/i.test(error)
    ? { status: "quota_exhausted" }
    : { status: "rate_limited" }

/** An error's words in an answer with 200: nothing found is an answer, all else is not. */
export const saysNothing = (error: string): boolean => /hasn['’]t returned any results/i.test(error)

/** The fault of an answer with 200 that holds no results and does not say that there are none. */
export const faultOfAnswer = (searchStatus: string, error: string): SearchFault => {
  if (/^(?:Processing|Queued)$/i.test(searchStatus)) return unfinished
  if (/run out of searches/i.test(error)) return { status: "quota_exhausted" }
  if (/invalid api key/i.test(error)) return { status: "invalid_key" }
  if (/^Error$/i.test(searchStatus)) return engineFailed
  return error === "" ? badBody : refused
}
