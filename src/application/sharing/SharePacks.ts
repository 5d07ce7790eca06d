/** Answers a need from another session of the tenant; one caller of all makes a new answer. */
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import { questionOf } from "../../domain/request/GroundingRequest.ts"
import * as StoreKnowledge from "../../domain/retrieval/StoreKnowledge.ts"
import type { Grounding } from "../../domain/session/Grounding.ts"
import { type CachedPack, isFresh } from "../../domain/session/GroundingOutcome.ts"
import * as PackSharing from "../../domain/session/PackSharing.ts"
import type { MaxAge } from "../../domain/session/PackSharing.ts"
import { type SessionCommand, tellFact } from "../../domain/session/Session.ts"
import { CachedPackUsed, Finished } from "../../domain/session/SessionEvent.ts"
import type { Fact } from "../log/SessionLog.ts"
import { Engines, infosOf } from "../ports/Engines.ts"
import { EventStore } from "../ports/EventStore.ts"
import { Limits } from "../ports/Limits.ts"
import { Digest } from "../ports/Platform.ts"
import { type CacheKey, providersBy } from "../ports/SearchProvider.ts"
import { nothingFound, StoredEvidence } from "../ports/StoredEvidence.ts"
import * as SingleFlight from "./SingleFlight.ts"

const make = Effect.gen(function*() {
  const { find, isOn, maxAge, put } = yield* PackCache
  const { now } = yield* EventStore
  const { sha256 } = yield* Digest
  const { rankTimeoutMs } = yield* Limits
  const store = yield* StoredEvidence
  const flights = yield* SingleFlight.make

  const chains = yield* Engines

  /** Part of the key: the sandbox must not answer for the web, nor one model for another. */
  const engines = (["gate", "planner", "reader", "ranker", "writer", "judge"] as const)
    .map((name) => infosOf(chains[name]))
  const providersOf = yield* providersBy

  const keyOf = (tenantId: string, { policy, request }: Grounding): CacheKey => {
    const { collects_pages: _, ...limits } = policy
    const providers = providersOf(tenantId).map((slots) => slots[0].name)
    return { tenantId, key: sha256(PackSharing.textOf(request, { providers, engines, limits })) }
  }

  const isOvertaken = Effect.fnUntraced(
    function*(tenantId: string, { policy, request }: Grounding, { asked_at }: CachedPack) {
      const limit = policy.entries_max ?? 0
      if (limit === 0) return false
      const question = QueryPrivacy.strip(questionOf(request))
      // Pages of the grounding itself are as old as its request.
      const collected_from = DateTime.formatIso(
        DateTime.add(DateTime.makeUnsafe(asked_at), { milliseconds: 1 })
      )
      const wanted = { question, limit, retrieval: "hybrid", collected_from } as const
      const { kept: newer } = yield* store.find(tenantId, wanted).pipe(
        Effect.timeout(rankTimeoutMs),
        Effect.orElseSucceed(() => nothingFound)
      )
      return StoreKnowledge.covers(question, StoreKnowledge.measure(question, newer))
    }
  )

  const ready = Effect.fnUntraced(function*(key: CacheKey, grounding: Grounding) {
    const pack = yield* find(key)
    const nowMs = yield* now
    if (pack === undefined || !isFresh(pack, nowMs)) return undefined
    if (yield* isOvertaken(key.tenantId, grounding, pack)) return undefined
    return { pack, ageMs: Math.max(0, nowMs - pack.made_at_ms) }
  })

  return Effect.fnUntraced(function*(tenantId: string) {
    const { close, noting } = yield* SingleFlight.leadOf(flights.end)
    const concluded = yield* Ref.make<Grounding | undefined>(undefined)

    /** `left`: milliseconds that the run has left. `undefined`: the run must answer itself. */
    const open = Effect.fn("SharedPack.open")(
      function*(grounding: Grounding, left: Effect.Effect<number>) {
        yield* close
        if (!isOn || !PackSharing.isShareable(grounding.request)) return undefined
        const key = keyOf(tenantId, grounding)
        const turn = yield* noting(
          Effect.flatMap(left, (leftMs) => flights.turn(key, leftMs, ready(key, grounding)))
        )
        if (turn._tag !== "Ready") return undefined
        const { ageMs, pack: { answer, event_id, made_at_ms, stream_id } } = turn.ready
        return CachedPackUsed.make({
          request_id: grounding.request.request_id,
          source_stream_id: stream_id,
          source_event_id: event_id,
          made_at: DateTime.formatIso(DateTime.makeUnsafe(made_at_ms)),
          age_ms: ageMs,
          answer
        })
      }
    )

    /** The command, with the entry of the cache where the answer may be shared. */
    const marked = Effect.fnUntraced(
      function*(grounding: Grounding, command: SessionCommand | undefined) {
        const fact = command?.fact
        if (fact?._tag !== "WEB_GROUNDING_FINISHED") return command
        yield* Ref.set(concluded, grounding)
        const fresh_ms = isOn
          ? PackSharing.freshMsOf(grounding, PackSharing.answerOf(fact.outcome), maxAge)
          : undefined
        if (fresh_ms === undefined) return command
        const { key } = keyOf(tenantId, grounding)
        return tellFact(Finished.make({ ...fact, cache: { key, fresh_ms } }))
      }
    )

    const recorded = Effect.fnUntraced(function*(facts: ReadonlyArray<Fact>) {
      for (const { event, stored } of facts) {
        if (event._tag === "WEB_GROUNDING_DECIDED" && !event.need.need_search) yield* close
        if (event._tag !== "WEB_GROUNDING_FINISHED") continue
        const grounding = yield* Ref.get(concluded)
        const pack = grounding === undefined
          ? undefined
          : PackSharing.packOf(event, grounding.requestedAt, stored)
        if (event.cache !== undefined && pack !== undefined) {
          yield* put({ tenantId, key: event.cache.key }, pack)
        }
        yield* close
      }
    })

    return { open, marked, recorded, close }
  })
})

/**
 * Single flight of equal needs over all sessions of a tenant, with the pack cache behind it: for
 * one run of one tenant, with at most one lead at a time.
 */
export class SharePacks extends Context.Service<SharePacks, Effect.Success<typeof make>>()(
  "web-grounding/application/sharing/SharePacks"
) {}

export const layer = Layer.effect(SharePacks, make)

// Cache of answers by need, with a lease. It may be lost, and a session's answers are erased with
// the session.

interface PackCacheService {
  readonly isOn: boolean
  readonly maxAge: MaxAge
  readonly find: (key: CacheKey) => Effect.Effect<CachedPack | undefined>
  /** The newest wins, regardless of the order of writes. Never fails: a lost one is made again. */
  readonly put: (key: CacheKey, pack: CachedPack) => Effect.Effect<void>
}

export class PackCache extends Context.Service<PackCache, PackCacheService>()(
  "web-grounding/application/sharing/SharePacks/PackCache"
) {
  /** Each session makes its own answers. */
  static readonly none = PackCache.of({
    isOn: false,
    maxAge: { general: 0, timely: 0 },
    find: () => Effect.undefined,
    put: () => Effect.void
  })
}
