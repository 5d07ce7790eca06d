/** Faults of a provider's answer, by its HTTP status or its body. */
import { Option, Schema } from "effect"
import type { SearchStatus } from "./SearchStatus.ts"

/** Finer words for the fault of a provider's answer. Recorded events may hold older ones. */
export const SearchDetail = Schema.Literals([
  /** Nothing of the request can have arrived: the only failure that is tried again. */
  "unsent",
  "cut_off",
  "bad_body",
  "too_large",
  "redirect",
  "upstream_4xx",
  "upstream_5xx",
  /** The key may not do this: of all keys that are told so often, one is disabled. */
  "forbidden",
  "paygo_exhausted",
  "captcha",
  "throttled",
  "engine_failed",
  "unfinished",
  "refused",
  /** The operator's own ceiling for the month; the provider was not asked. */
  "own_ceiling",
  /** The ledger could not be asked, so the provider was not either. */
  "credits_unknown"
])
export type SearchDetail = typeof SearchDetail.Type

export interface SearchFault {
  /** Status of the failure; never `success` or `no_results`. */
  readonly status: SearchStatus
  readonly detail?: SearchDetail
}

/** Statuses with which the provider has certainly charged nothing. */
const unchargedStatuses: ReadonlySet<SearchStatus> = new Set<SearchStatus>([
  "api_key_missing",
  "invalid_key",
  "rate_limited",
  "quota_exhausted",
  "bad_request",
  "circuit_open"
])

/** Details that add to `unchargedStatuses` where the status alone does not tell. */
const unchargedDetails: ReadonlySet<SearchDetail | undefined> = new Set<SearchDetail>([
  "unsent",
  "forbidden"
])

/** Whether the call may have been charged: the work may have been done before it failed. */
export const mayBeCharged = ({ detail, status }: SearchFault): boolean =>
  !unchargedStatuses.has(status) && !unchargedDetails.has(detail)

const brokenStatuses: ReadonlySet<SearchStatus> = new Set<SearchStatus>([
  "network_error",
  "timeout",
  "unknown_error"
])

/** Whether the failure says that the provider does not work. A 403 is about the key. */
export const isBroken = ({ detail, status }: SearchFault): boolean =>
  brokenStatuses.has(status) && detail !== "forbidden"

/** Fault of an answer that is complete and not what the provider promises. */
export const badBody: SearchFault = { status: "unknown_error", detail: "bad_body" }
/** Fault of an answer larger than the adapter's ceiling; nothing of it was kept. */
export const tooLarge: SearchFault = { status: "unknown_error", detail: "too_large" }
/**
 * Fault of a request that no answer began to. `unsent` tells that it was not sent at all, so that
 * it may be sent again.
 */
export const unreachable = ({ unsent }: { readonly unsent: boolean }): SearchFault => ({
  status: "network_error",
  ...(unsent ? { detail: "unsent" } : {})
})
/**
 * Fault of an answer whose connection ended, or whose compression broke, before its body was
 * complete.
 */
export const cutOff: SearchFault = { status: "network_error", detail: "cut_off" }

/**
 * Fault of an HTTP status: as the provider's own table `known` says, otherwise by the status's
 * class. None from 200 to 299, where the body decides, unless the table names the status.
 */
export const ofStatus = (
  httpStatus: number,
  known: Readonly<Record<number, SearchFault>>
): Option.Option<SearchFault> => {
  const fault = known[httpStatus]
  if (fault !== undefined) return Option.some(fault)
  return httpStatus >= 200 && httpStatus < 300
    ? Option.none()
    : Option.some(ofClass(Math.trunc(httpStatus / 100)))
}

const ofClass = (hundreds: number): SearchFault => {
  if (hundreds === 5) return { status: "network_error", detail: "upstream_5xx" }
  if (hundreds === 3) return { status: "unknown_error", detail: "redirect" }
  return { status: "unknown_error", detail: "upstream_4xx" }
}
