/** How a search attempt, or a whole search, ended. A failure is never told as "no results". */
import { Schema } from "effect"

export const SearchStatus = Schema.Literals([
  "success",
  "no_results",
  "api_key_missing",
  "network_error",
  "timeout",
  "rate_limited",
  "unknown_error",
  "invalid_key",
  "quota_exhausted",
  "bad_request",
  "circuit_open"
])
export type SearchStatus = typeof SearchStatus.Type

/** The seven words of consumers that know no others. */
export type CoarseStatus =
  | "success"
  | "no_results"
  | "api_key_missing"
  | "network_error"
  | "timeout"
  | "rate_limited"
  | "unknown_error"

const coarseByStatus: Record<SearchStatus, CoarseStatus> = {
  success: "success",
  no_results: "no_results",
  api_key_missing: "api_key_missing",
  network_error: "network_error",
  timeout: "timeout",
  rate_limited: "rate_limited",
  unknown_error: "unknown_error",
  invalid_key: "api_key_missing",
  quota_exhausted: "rate_limited",
  bad_request: "unknown_error",
  circuit_open: "network_error"
}

export const coarse = (status: SearchStatus): CoarseStatus => coarseByStatus[status]

/** Whether the search itself worked: hits, or honestly none. */
export const isAnswered = (status: SearchStatus): boolean =>
  status === "success" || status === "no_results"
