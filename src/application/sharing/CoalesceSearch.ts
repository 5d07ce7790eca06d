/** Answers a planned query from an earlier search, and lets one caller of all send a new one. */
import { Context, Effect, Layer } from "effect"
import * as QueryCacheEntry from "../../domain/search/QueryCacheEntry.ts"
import type { Called } from "../../domain/session/SessionEvent.ts"
import type { Fact } from "../log/CommandHandler.ts"
import { EventStore } from "../ports/EventStore.ts"
import { Digest } from "../ports/Platform.ts"
import {
  type CacheKey,
  providersBy,
  QueryCache,
  type SearchRequest
} from "../ports/SearchProvider.ts"
import * as SingleFlight from "./SingleFlight.ts"

/** An earlier answer, and its age in milliseconds. */
interface Kept {
  readonly entry: QueryCacheEntry.QueryCacheEntry
  readonly ageMs: number
}

/** Single flight of equal searches over all processes of a tenant, behind the query cache. */
export class CoalesceSearch extends Context.Service<CoalesceSearch, {
  /**
   * Waits at most a third of `leftMs`. Run it uninterruptibly together with the code that notes the
   * lead: it is interruptible only while it waits.
   */
  readonly turn: (
    tenantId: string,
    request: SearchRequest,
    leftMs: number
  ) => Effect.Effect<SingleFlight.Turn<Kept>>
  readonly release: (
    lead: SingleFlight.Lead,
    recorded?: Fact<typeof Called.Type>
  ) => Effect.Effect<void>
  /** Whether a process leads. It has released its lease, or is dead, where none does. */
  readonly isLed: (key: CacheKey) => Effect.Effect<boolean>
  /** An older answer that may be used when every provider failed (stale-if-error). */
  readonly bearable: (
    tenantId: string,
    request: SearchRequest
  ) => Effect.Effect<Kept | undefined>
}>()("web-grounding/application/sharing/CoalesceSearch") {}

export const layer = Layer.effect(
  CoalesceSearch,
  Effect.gen(function*() {
    const cache = yield* QueryCache
    const { now } = yield* EventStore
    const { sha256 } = yield* Digest
    const flights = yield* SingleFlight.make

    const providersOf = yield* providersBy

    const keyOf = (tenantId: string, request: SearchRequest): CacheKey => {
      const names = providersOf(tenantId).map((slots) => slots[0].name)
      return { tenantId, key: sha256(QueryCacheEntry.textOf(request, names)) }
    }

    const lookUp = Effect.fnUntraced(
      function*(key: CacheKey, mayBeUsed: typeof QueryCacheEntry.isFresh) {
        const entry = yield* cache.find(key)
        const nowMs = yield* now
        return entry !== undefined && mayBeUsed(entry, nowMs)
          ? { entry, ageMs: Math.max(0, nowMs - entry.recorded_at_ms) }
          : undefined
      }
    )

    const turn: CoalesceSearch["Service"]["turn"] = (tenantId, request, leftMs) => {
      const key = keyOf(tenantId, request)
      return flights.turn(key, leftMs, lookUp(key, QueryCacheEntry.isFresh))
    }

    const release: CoalesceSearch["Service"]["release"] = Effect.fn("CoalesceSearch.release")(
      function*(lead, recorded) {
        const entry = recorded && QueryCacheEntry.cacheEntryOf(recorded.event, recorded.stored)
        if (entry !== undefined) yield* cache.put(lead.key, entry)
        yield* flights.end(lead)
      },
      Effect.uninterruptible
    )

    const bearable: CoalesceSearch["Service"]["bearable"] = (tenantId, request) =>
      lookUp(keyOf(tenantId, request), QueryCacheEntry.isBearable)

    return CoalesceSearch.of({ turn, release, isLed: cache.isLed, bearable })
  })
)
