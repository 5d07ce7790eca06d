/** Counts what the facts of groundings tell, as they are recorded. */
import type { SearchAttempt } from "../../domain/search/SearchStatus.ts"
import type { Rung } from "../../domain/session/EngineDetail.ts"
import type { SessionEvent } from "../../domain/session/SessionEvent.ts"
import type { Meters } from "./Meters.ts"

const msInSecond = 1_000
const microsInDollar = 1_000_000

const attempted = (
  meters: Meters,
  { duration_ms, hits_count, provider, status }: SearchAttempt
): void => {
  meters.add("web_search_total", { provider, status })
  if (status === "success") meters.add("web_search_results_total", { provider }, hits_count)
  if (status === "circuit_open" || status === "api_key_missing") return
  meters.observe("web_search_duration_seconds", { provider }, duration_ms / msInSecond)
}

const cached = (meters: Meters, cache: "search" | "pack" | "session", result: "hit" | "miss") =>
  meters.add("web_grounding_cache_total", { cache, result })

const paid = (meters: Meters, step: string, rung: Rung | undefined): void => {
  const micros = rung?.usage?.cost_micros ?? 0
  if (micros > 0) {
    meters.add("web_grounding_model_cost_usd_total", { step }, micros / microsInDollar)
  }
}

/** Counts one fact. A fact is counted by the process that recorded it, once. */
export const count = (meters: Meters, event: SessionEvent): void => {
  meters.add("web_grounding_facts_total", { type: event._tag })
  switch (event._tag) {
    case "WEB_GROUNDING_CALLED":
      for (const attempt of event.attempts) attempted(meters, attempt)
      return
    case "WEB_GROUNDING_CALL_STARTED":
      return cached(meters, "search", "miss")
    case "WEB_GROUNDING_CACHE_USED":
      return cached(meters, "search", "hit")
    case "WEB_GROUNDING_CACHED_PACK_USED":
      return cached(meters, "pack", "hit")
    case "WEB_GROUNDING_PACK_REUSED":
      return cached(meters, "session", "hit")
    case "WEB_GROUNDING_DECIDED":
      return paid(meters, "gate", event.rung)
    case "WEB_GROUNDING_QUERY_PLANNED":
      cached(meters, "session", "miss")
      cached(meters, "pack", "miss")
      return paid(meters, "planner", event.rung)
    case "WEB_GROUNDING_EVIDENCE_READ":
      return paid(meters, "reader", event.rung)
    case "WEB_GROUNDING_EVIDENCE_RANKED":
      return paid(meters, "ranker", event.rung)
    case "WEB_GROUNDING_RESEARCHED":
      return paid(meters, "researcher", event.rung)
    case "WEB_GROUNDING_PACK_CREATED":
      paid(meters, "writer", event.rung)
      return paid(meters, "judge", event.judging?.rung)
    default:
      return
  }
}
