/** How a request stands, in one word for lists, filters and charts. */
import { Schema } from "effect"
import * as SearchStatus from "../search/SearchStatus.ts"
import type { GroundingOutcome } from "../session/GroundingOutcome.ts"

export const RequestState = Schema.Literals([
  /** Recorded and without an answer yet; also where its process died and nobody asked again. */
  "unfinished",
  /** Claims rest on pages that were read. */
  "answered",
  /** Claims stand, but some search failed, or they rest on snippets or on old results. */
  "degraded",
  /** The searches worked, and nothing that was found answers. */
  "unanswered",
  /** Every search failed. */
  "failed",
  /** No search was needed or allowed. */
  "not_searched"
])
export type RequestState = typeof RequestState.Type

export const stateOf = (
  { mode, reason, status }: Pick<GroundingOutcome, "mode" | "reason" | "status">
): RequestState => {
  switch (mode) {
    case "grounded":
      return "answered"
    case "partial":
    case "snippets_only":
    case "stale_cache":
      return "degraded"
    case "not_searched":
      return "not_searched"
    case "ungrounded":
      return reason === "search_failed" ||
          (status !== undefined && !SearchStatus.isAnswered(status))
        ? "failed"
        : "unanswered"
  }
}
