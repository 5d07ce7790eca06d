/** Why a provider's answer is none: what its HTTP status or its body means for us. */
import { Option } from "effect"
import type { SearchStatus } from "./SearchStatus.ts"

export interface SearchFault {
  /** Never `success` or `no_results`. */
  readonly status: SearchStatus
  readonly detail?: string
}

/** Complete, and not what the provider promises. */
export const badBody: SearchFault = { status: "unknown_error", detail: "bad_body" }
/** More than the adapter's ceiling; nothing of it was kept. */
export const tooLarge: SearchFault = { status: "unknown_error", detail: "too_large" }
/** No answer began. What was not sent at all may be tried again. */
export const unreachable = ({ unsent }: { readonly unsent: boolean }): SearchFault => ({
  status: "network_error",
  ...(unsent ? { detail: "unsent" } : {})
})
/** The connection ended, or the compression broke, before the body was complete. */
export const cutOff: SearchFault = { status: "network_error", detail: "cut_off" }

/**
 * As `known` says, which is the provider's own table, and by the status's class otherwise. None
 * from 200 to 299, where the body decides, unless the table names the status.
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
