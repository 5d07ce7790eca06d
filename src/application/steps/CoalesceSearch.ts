/**
 * Answers a planned query from an earlier search, and lets one caller of all send what is new.
 *
 * In a process one caller of a key has the turn; between processes a short lease decides, which
 * the leader keeps alive while it searches. Who waits for another's search waits a third of its own
 * time at most, and then searches alone: a leader that is frozen or slow costs others no answer.
 */
import { Context, DateTime, Duration, Effect, Fiber, Layer, Option, Ref, Semaphore } from "effect"
import * as QueryCacheEntry from "../../domain/search/QueryCacheEntry.ts"
import type { Called } from "../../domain/session/SessionEvent.ts"
import { Digest } from "../ports/Digest.ts"
import { EventStore } from "../ports/EventStore.ts"
import { Instance } from "../ports/Instance.ts"
import { type CacheKey, QueryCache } from "../ports/QueryCache.ts"
import { SearchProviders, type SearchRequest } from "../ports/SearchProvider.ts"
import * as Deadline from "./Deadline.ts"

/** Poll interval for the answer of another process's search. */
const pollEveryMs = 50

/** A leader that does not renew its lease within this time has lost it. */
export const leaseMs = 5_000

/** Interval of the heartbeat that renews a lease. Three fit into one lease. */
const heartbeatMs = 1_500

/** Of the time a caller has left, how much it may spend on somebody else's search. */
export const waitingShareMax = 1 / 3

/** What a leader holds until `release`. */
interface Held {
  /** Owner of the lease: this lead alone, so that no lead can end another's. */
  readonly owner: string
  readonly heartbeat: Fiber.Fiber<unknown>
  /** Its one permit is free when the turn in this process is. */
  readonly turn: Semaphore.Semaphore
}

/** A search that the caller is to make. */
export interface Lead {
  readonly key: CacheKey
  readonly freshMs: (status: "success" | "no_results") => number
  /** Absent: the caller searches alone, beside whoever leads, and holds nothing. */
  readonly held?: Held
}

export type Turn =
  | {
    readonly _tag: "Cached"
    readonly entry: QueryCacheEntry.QueryCacheEntry
    readonly ageMs: number
  }
  /** The caller must search, record, and then `release`. */
  | { readonly _tag: "Leads"; readonly lead: Lead }

export class CoalesceSearch extends Context.Service<CoalesceSearch, {
  /**
   * Waits at most a third of `leftMs`, which is what the caller has left. Run it uninterruptibly
   * together with what notes the lead: it can be interrupted while it waits, and only then.
   */
  readonly turn: (
    tenantId: string,
    request: SearchRequest,
    leftMs: number
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
    const instance = yield* Instance
    const scope = yield* Effect.scope
    const leadsCount = yield* Ref.make(0)
    /** By key: its one permit is taken until who has this process's turn gives it back. */
    const turns = yield* Ref.make<ReadonlyMap<string, Semaphore.Semaphore>>(new Map())

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

    /** The turn of whoever has it, or `undefined`: it is the caller's own now. */
    const claim = (key: CacheKey, mine: Semaphore.Semaphore) =>
      Ref.modify(turns, (all) => {
        const theirs = all.get(nameOf(key))
        return [theirs, theirs === undefined ? new Map(all).set(nameOf(key), mine) : all]
      })

    const giveBack = (key: CacheKey, mine: Semaphore.Semaphore) =>
      Ref.update(turns, (all) => {
        const rest = new Map(all)
        if (all.get(nameOf(key)) === mine) rest.delete(nameOf(key))
        return rest
      }).pipe(Effect.andThen(mine.release(1)))

    const renewals = (key: CacheKey, owner: string, leftMs: number) =>
      Effect.delay(cache.renew(key, owner, leaseMs), Duration.millis(heartbeatMs)).pipe(
        Effect.repeat({ while: (isHeld) => isHeld, times: Math.ceil(leftMs / heartbeatMs) })
      )

    /** With this process's turn: among the processes. `undefined`: another one leads. */
    const contend = Effect.fnUntraced(
      function*(lead: Lead, mine: Semaphore.Semaphore, time: Time) {
        const owner = `${instance.id} ${yield* Ref.updateAndGet(leadsCount, (count) => count + 1)}`
        const isFirst = yield* inTime(time.until, cache.lead(lead.key, owner, leaseMs))
        if (!(isFirst ?? false)) return undefined
        // The leader before may have finished between the look and the lease.
        const ready = yield* inTime(time.until, cached(lead.key)).pipe(
          Effect.onInterrupt(() => cache.resign(lead.key, owner))
        )
        if (ready !== undefined) return yield* Effect.as(cache.resign(lead.key, owner), ready)
        const heartbeat = yield* Effect.forkIn(
          Effect.interruptible(renewals(lead.key, owner, time.leftMs)),
          scope
        )
        const turn: Turn = {
          _tag: "Leads",
          lead: { ...lead, held: { owner, heartbeat, turn: mine } }
        }
        return turn
      }
    )

    const compete = (lead: Lead, mine: Semaphore.Semaphore, time: Time): Effect.Effect<Turn> =>
      Effect.gen(function*() {
        const turn = yield* contend(lead, mine, time)
        if (turn !== undefined) return turn
        if ((yield* Deadline.leftMs(time.until)) === 0) return { _tag: "Leads", lead }
        yield* inTime(time.until, Effect.sleep(Duration.millis(pollEveryMs)))
        return (yield* inTime(time.until, cached(lead.key))) ?? (yield* compete(lead, mine, time))
      })

    const wait = (lead: Lead, time: Time): Effect.Effect<Turn> =>
      Effect.gen(function*() {
        const ready = yield* inTime(time.until, cached(lead.key))
        if (ready !== undefined) return ready
        if ((yield* Deadline.leftMs(time.until)) === 0) return { _tag: "Leads", lead }
        const mine = yield* taken
        const theirs = yield* claim(lead.key, mine)
        if (theirs !== undefined) {
          yield* inTime(time.until, theirs.withPermit(Effect.void))
          return yield* wait(lead, time)
        }
        return yield* compete(lead, mine, time).pipe(
          Effect.onExit((exit) =>
            exit._tag === "Success" && isHolding(exit.value)
              ? Effect.void
              : giveBack(lead.key, mine)
          )
        )
      })

    const turn: CoalesceSearch["Service"]["turn"] = Effect.fn("CoalesceSearch.turn")(
      function*(tenantId, request, leftMs) {
        const key = keyOf(tenantId, request)
        const freshMs: Lead["freshMs"] = (status) =>
          QueryCacheEntry.freshMsOf(status, request.topic, key.key)
        const until = yield* Deadline.after(Math.floor(leftMs * waitingShareMax))
        return yield* wait({ key, freshMs }, { until, leftMs })
      },
      Effect.uninterruptible
    )

    const release: CoalesceSearch["Service"]["release"] = Effect.fn("CoalesceSearch.release")(
      function*({ held, key }, recorded) {
        const entry = recorded === undefined ? undefined : QueryCacheEntry.of(
          recorded.called,
          DateTime.makeUnsafe(recorded.recordedAt).epochMilliseconds,
          recorded.eventId
        )
        if (entry !== undefined) yield* cache.put(key, entry)
        if (held === undefined) return
        yield* Fiber.interrupt(held.heartbeat)
        yield* cache.resign(key, held.owner)
        yield* giveBack(key, held.turn)
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

/** How long a caller may wait for others, and what it has left in all. */
interface Time {
  readonly until: Deadline.Deadline
  readonly leftMs: number
}

/** Interruptible, and `undefined` when it did not end in time. */
const inTime = <A>(until: Deadline.Deadline, effect: Effect.Effect<A>) =>
  Effect.flatMap(Deadline.leftMs(until), (ms) =>
    effect.pipe(
      Effect.timeoutOption(Duration.millis(ms)),
      Effect.map(Option.getOrUndefined),
      Effect.interruptible
    ))

/** A turn that somebody has. */
const taken = Effect.tap(Semaphore.make(1), (semaphore) => semaphore.take(1))

const isHolding = (turn: Turn): boolean => turn._tag === "Leads" && turn.lead.held !== undefined

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
