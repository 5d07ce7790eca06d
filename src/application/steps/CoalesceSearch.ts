/**
 * Answers a planned query from an earlier search, and lets one caller of all send what is new.
 *
 * In a process the callers of one key queue behind each other; between processes a lease decides.
 * Who waits is bounded by its own deadline, and a dead leader's lease ends by itself.
 */
import { Context, DateTime, Duration, Effect, Layer, Ref, Semaphore } from "effect"
import * as QueryCacheEntry from "../../domain/search/QueryCacheEntry.ts"
import type { Called } from "../../domain/session/SessionEvent.ts"
import { Digest } from "../ports/Digest.ts"
import { EventStore } from "../ports/EventStore.ts"
import { Instance } from "../ports/Instance.ts"
import { type CacheKey, QueryCache } from "../ports/QueryCache.ts"
import { SearchProviders, type SearchRequest } from "../ports/SearchProvider.ts"

/** Between two looks for what another process is searching. */
const lookEvery = "50 millis"

/** How much longer than a search a lease lasts: its outcome must be recorded, too. */
const leaseGraceMs = 2_000

/** Keys with callers in this process; a key nobody wants is forgotten. */
interface Queue {
  readonly semaphore: Semaphore.Semaphore
  readonly callers: number
}

export interface Lead {
  readonly key: CacheKey
  readonly freshMs: (status: "success" | "no_results") => number
}

export type Turn =
  | {
    readonly _tag: "Cached"
    readonly entry: QueryCacheEntry.QueryCacheEntry
    readonly ageMs: number
  }
  /** The caller must search, record, and then `release`. */
  | { readonly _tag: "Leads"; readonly lead: Lead }
  /** No turn came in time. */
  | { readonly _tag: "Late" }

export class CoalesceSearch extends Context.Service<CoalesceSearch, {
  /** Waits at most `leftMs`. `searchMsMax`: how long the caller's search may take. */
  readonly turn: (
    tenantId: string,
    request: SearchRequest,
    time: { readonly leftMs: number; readonly searchMsMax: number }
  ) => Effect.Effect<Turn>
  /** Keeps what was recorded, if it may be given again, and lets the next caller have its turn. */
  readonly release: (
    lead: Lead,
    recorded?: {
      readonly called: typeof Called.Type
      readonly recordedAt: string
      readonly eventId: string
    }
  ) => Effect.Effect<void>
  /** An older answer that may stand in when every provider failed. */
  readonly bearable: (
    tenantId: string,
    request: SearchRequest
  ) => Effect.Effect<
    { readonly entry: QueryCacheEntry.QueryCacheEntry; readonly ageMs: number } | undefined
  >
}>()("web-grounding/application/steps/CoalesceSearch") {}

export const layer = Layer.effect(
  CoalesceSearch,
  Effect.gen(function*() {
    const cache = yield* QueryCache
    const { now } = yield* EventStore
    const { sha256 } = yield* Digest
    const { id: owner } = yield* Instance
    const queues = yield* Ref.make<ReadonlyMap<string, Queue>>(new Map())

    const names = (yield* SearchProviders).map((slots) => slots[0].name)

    const keyOf = (tenantId: string, request: SearchRequest): CacheKey => ({
      tenantId,
      key: sha256(QueryCacheEntry.textOf(identityOf(request, names)))
    })

    const lookUp = Effect.fnUntraced(function*(key: CacheKey) {
      const entry = yield* cache.find(key)
      const nowMs = yield* now
      return entry === undefined
        ? undefined
        : { entry, ageMs: Math.max(0, nowMs - entry.recorded_at_ms), nowMs }
    })

    const cached = (key: CacheKey) =>
      Effect.map(
        lookUp(key),
        (found) =>
          found !== undefined && QueryCacheEntry.isFresh(found.entry, found.nowMs)
            ? { _tag: "Cached" as const, entry: found.entry, ageMs: found.ageMs }
            : undefined
      )

    const enter = (key: CacheKey) =>
      Ref.modify(queues, (before) => {
        const name = nameOf(key)
        const { callers, semaphore } = before.get(name) ??
          { callers: 0, semaphore: Semaphore.makeUnsafe(1) }
        return [semaphore, new Map(before).set(name, { semaphore, callers: callers + 1 })]
      })

    const leave = (key: CacheKey) =>
      Ref.update(queues, (before) => {
        const name = nameOf(key)
        const queue = before.get(name)
        if (queue === undefined) return before
        const after = new Map(before)
        if (queue.callers > 1) after.set(name, { ...queue, callers: queue.callers - 1 })
        else after.delete(name)
        return after
      })

    /** First in this process; now among the processes. */
    const contend = (lead: Lead, leaseMs: number): Effect.Effect<Turn> =>
      Effect.gen(function*() {
        const before = yield* cached(lead.key)
        if (before !== undefined) return before
        if (!(yield* cache.lead(lead.key, owner, leaseMs))) {
          yield* Effect.sleep(lookEvery)
          return yield* contend(lead, leaseMs)
        }
        // The leader before may have finished between the look and the lease.
        const after = yield* cached(lead.key)
        if (after !== undefined) {
          yield* cache.resign(lead.key, owner)
          return after
        }
        const turn: Turn = { _tag: "Leads", lead }
        return turn
      })

    const turn: CoalesceSearch["Service"]["turn"] = Effect.fn("CoalesceSearch.turn")(
      function*(tenantId, request, { leftMs, searchMsMax }) {
        const key = keyOf(tenantId, request)
        const lead: Lead = {
          key,
          freshMs: (status) => QueryCacheEntry.freshMsOf(status, request.topic, key.key)
        }
        const ready = yield* cached(key)
        if (ready !== undefined) return ready
        const semaphore = yield* enter(key)
        const giveUp = Effect.andThen(semaphore.release(1), leave(key))
        const taken = semaphore.take(1).pipe(
          Effect.onInterrupt(() => leave(key)),
          Effect.andThen(
            contend(lead, searchMsMax + leaseGraceMs).pipe(Effect.onInterrupt(() => giveUp))
          ),
          Effect.tap(({ _tag }) => _tag === "Leads" ? Effect.void : giveUp)
        )
        return yield* taken.pipe(
          Effect.timeoutOrElse({
            duration: Duration.millis(leftMs),
            orElse: () => Effect.succeed<Turn>({ _tag: "Late" })
          })
        )
      }
    )

    const release: CoalesceSearch["Service"]["release"] = Effect.fn("CoalesceSearch.release")(
      function*({ key }, recorded) {
        const entry = recorded === undefined ? undefined : QueryCacheEntry.of(
          recorded.called,
          DateTime.makeUnsafe(recorded.recordedAt).epochMilliseconds,
          recorded.eventId
        )
        if (entry !== undefined) yield* cache.put(key, entry)
        yield* cache.resign(key, owner)
        const queue = (yield* Ref.get(queues)).get(nameOf(key))
        if (queue !== undefined) yield* queue.semaphore.release(1)
        yield* leave(key)
      },
      Effect.uninterruptible
    )

    const bearable: CoalesceSearch["Service"]["bearable"] = (tenantId, request) =>
      Effect.map(
        lookUp(keyOf(tenantId, request)),
        (found) =>
          found !== undefined && QueryCacheEntry.isBearable(found.entry, found.nowMs)
            ? found
            : undefined
      )

    return CoalesceSearch.of({ turn, release, bearable })
  })
)

const nameOf = ({ key, tenantId }: CacheKey): string => `${tenantId} ${key}`

const identityOf = (
  request: SearchRequest,
  providers: ReadonlyArray<string>
): QueryCacheEntry.SearchIdentity => ({
  query: request.query,
  country: request.region?.country ?? "",
  city: request.region?.city ?? "",
  locale: request.locale,
  depth: request.depth,
  topic: request.topic,
  timeRange: request.timeRange ?? "",
  includeDomains: request.includeDomains,
  excludeDomains: request.excludeDomains,
  hitsMax: request.hitsMax,
  providers
})
