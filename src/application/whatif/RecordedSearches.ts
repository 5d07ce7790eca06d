/** Searches of a supposed run, answered from those that were recorded. */
import { Effect, Equal } from "effect"
import type { Supposition } from "../../domain/audit/OutcomeChange.ts"
import type { SearchHit } from "../../domain/search/SearchStatus.ts"
import { type Grounding, isTaken } from "../../domain/session/Grounding.ts"
import type { ToldFact } from "../../domain/session/Session.ts"
import { CacheUsed, Called, CallStarted } from "../../domain/session/SessionEvent.ts"
import { Limits } from "../ports/Limits.ts"
import { searchRequestOf } from "../steps/CallSearch.ts"
import type { StepOf } from "../steps/Step.ts"
import { type FactNeeded, needed } from "./FactNeeded.ts"

/**
 * The reservation of a search, or a cached answer, that the same request recorded for the same
 * query, asked in the same way.
 */
export const open = (
  { grounding, query, queryIndex: query_index }: StepOf<"Search">,
  recorded: Grounding,
  { score_min }: Supposition
): Effect.Effect<ToldFact, FactNeeded> => {
  const asked = searchRequestOf(grounding, query)
  if (Equal.equals(asked, searchRequestOf(recorded, query))) {
    const call = recorded.calls.find((one) =>
      one.query === query && !grounding.calls.some(({ call_id }) => call_id === one.call_id)
    )
    if (call !== undefined) {
      const { call_id, expires_at, owner, request_id } = call
      return Effect.succeed(
        CallStarted.make({ request_id, call_id, query_index, query, owner, expires_at })
      )
    }
    const cached = recorded.cached.find((one) => one.query === query)
    if (cached !== undefined) {
      const hits = wellScored(cached.hits, score_min)
      const status = hits.length === 0 ? "no_results" : cached.status
      return Effect.succeed(CacheUsed.make({ ...cached, query_index, hits, status }))
    }
  }
  // Time had run out, or the tenant's searches had, before a query that is the next one here too.
  const { stopped } = recorded
  return stopped !== undefined && !isTaken(recorded, query_index)
    ? Effect.succeed(stopped)
    : needed("Search", "search", query)
}

/** Outcome of a recorded search, with the hits that the supposed score leaves. */
export const settle = Effect.fnUntraced(
  function*({ call }: StepOf<"AwaitCall">, recorded: Grounding, { score_min }: Supposition) {
    const { hitsScarceMax } = yield* Limits
    const called = recorded.calls.find(({ call_id }) => call_id === call.call_id)?.outcome
    if (called === undefined) return yield* needed("Search", "search", call.query)
    const placed = { ...called, query_index: call.query_index }
    if (score_min === undefined || called.status !== "success") return Called.make(placed)
    const hits = wellScored(called.hits, score_min)
    const lowest = Math.min(...called.hits.flatMap(({ score }) => score ?? []))
    // Below the worst hit that was recorded there may be others, which were left out.
    const isHidden = hiddenIn(called) > 0 && score_min < lowest
    const isScarce = hits.length < called.hits.length && hits.length <= hitsScarceMax
    if (isHidden || isScarce) return yield* needed("Search", "hits", call.query)
    return Called.make({ ...placed, hits })
  }
)

const wellScored = (hits: ReadonlyArray<SearchHit>, least = 0): ReadonlyArray<SearchHit> =>
  hits.filter(({ score }) => score === undefined || score >= least)

/** Hits that providers gave and that were left out. */
const hiddenIn = ({ attempts, hits }: typeof Called.Type): number =>
  attempts.reduce(
    (sum, { hits_count, status }) => status === "success" ? sum + hits_count : sum,
    0
  ) - hits.length
