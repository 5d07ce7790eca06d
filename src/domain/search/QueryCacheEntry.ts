/** A search's answer kept for the same search later, fresh or as stale-if-error. */
import { DateTime, Schema } from "effect"
import { asGiven } from "../request/GivenFields.ts"
import type { Region, SearchDepth, SearchTopic, TimeRange } from "../request/GroundingRequest.ts"
import {
  Honoured,
  isAnswered,
  type Published,
  SearchHit,
  type SearchStatus
} from "./SearchStatus.ts"
import * as SitePolicy from "./SitePolicy.ts"

const hourMs = 3_600_000

/** Milliseconds for which an answer is fresh: a day where topics change by the hour. */
export const freshMsByTopic: Record<SearchTopic, number> = {
  news: 24 * hourMs,
  finance: 24 * hourMs,
  general: 72 * hourMs
}

/** Milliseconds for which an empty answer is fresh: it may change soon. */
const emptyFreshMs = 10 * 60_000

/** An older answer is never used, even when every provider fails. */
const staleMsMax = 7 * 24 * hourMs

/** Share of the time by which expiries differ, so that they do not coincide. */
const spreadShare = 0.1

export const QueryCacheEntry = Schema.Struct({
  status: Schema.Literals(["success", "no_results"]),
  hits: Schema.Array(SearchHit),
  honoured: Schema.optionalKey(Honoured),
  /** Milliseconds since the epoch. */
  recorded_at_ms: Schema.Finite,
  /** Milliseconds since the epoch; later it is used only when every provider fails. */
  fresh_until_ms: Schema.Finite,
  event_id: Schema.String,
  /** Stream of that event; the entry is erased with it. */
  stream_id: Schema.optionalKey(Schema.String)
})
export type QueryCacheEntry = typeof QueryCacheEntry.Type

/** A search as a provider gets it. Equal ones are answered once. */
export interface SearchRequest extends Published {
  /** At most 400 UTF-16 code units. */
  readonly query: string
  /** 1 to 20. A longer answer is cut. */
  readonly hitsMax: number
  readonly depth: SearchDepth
  readonly topic: SearchTopic
  readonly region?: Region
  readonly locale: string
  readonly timeRange?: TimeRange
  readonly includeDomains: ReadonlyArray<string>
  readonly excludeDomains: ReadonlyArray<string>
  /** Domains that may be used, for providers that filter. The use case drops other hits. */
  readonly sites?: SitePolicy.SitePolicy
  /** Milliseconds for one attempt, where fewer than the service's own. Adapters ignore it. */
  readonly attemptTimeoutMs?: number
}

/**
 * Identity of a search on one line, to be hashed before it is used as a key. `providers`: their
 * names, since the sandbox's answers must never be used for the web's.
 */
export const textOf = (request: SearchRequest, providers: ReadonlyArray<string>): string => {
  const { from, query, region, until } = request
  const sites = SitePolicy.ofDomains(request.sites)
  return JSON.stringify([
    query.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim(),
    region?.country ?? "",
    (region?.city ?? "").normalize("NFKC").toLowerCase(),
    request.locale.toLowerCase(),
    request.depth,
    request.topic,
    request.timeRange ?? "",
    request.includeDomains.toSorted(),
    request.excludeDomains.toSorted(),
    request.hitsMax,
    providers,
    ...(sites === undefined ? [] : [sites]),
    ...((from ?? until) === undefined ? [] : [{ from, until }])
  ])
}

/** Milliseconds that an answer stays fresh. `keyHex`, the cache key, spreads the expiries. */
export const freshMsOf = (
  status: QueryCacheEntry["status"],
  topic: SearchTopic,
  keyHex: string
): number => {
  const share = Number.parseInt(keyHex.slice(0, 4), 16) / 0xffff
  const base = status === "no_results" ? emptyFreshMs : freshMsByTopic[topic]
  const spread = base * spreadShare * (Number.isFinite(share) ? share : 0)
  return Math.round(topic === "general" ? base - spread : base + spread)
}

export const isFresh = ({ fresh_until_ms }: QueryCacheEntry, nowMs: number): boolean =>
  nowMs < fresh_until_ms

/** Whether an expired entry may be used when every provider fails (stale-if-error). */
export const isBearable = (
  { recorded_at_ms, status }: QueryCacheEntry,
  nowMs: number
): boolean => status === "success" && nowMs - recorded_at_ms <= staleMsMax

/** Where and when an event was recorded. */
export interface Recorded {
  readonly eventId: string
  /** ISO 8601 UTC. */
  readonly recordedAt: string
  readonly streamId: string
}

/** Cache entry of a recorded search; `undefined`: nothing may be reused. */
export const cacheEntryOf = (
  called: {
    readonly status: SearchStatus
    readonly hits: ReadonlyArray<SearchHit>
    readonly honoured?: Honoured
    readonly cache?: { readonly fresh_ms: number }
  },
  { eventId, recordedAt, streamId }: Recorded
): QueryCacheEntry | undefined => {
  const recorded_at_ms = DateTime.makeUnsafe(recordedAt).epochMilliseconds
  return called.cache === undefined || !isAnswered(called.status) ? undefined : {
    status: called.status,
    hits: called.hits,
    ...asGiven({ honoured: called.honoured }),
    recorded_at_ms,
    fresh_until_ms: recorded_at_ms + called.cache.fresh_ms,
    event_id: eventId,
    stream_id: streamId
  }
}
