/**
 * Answers a need from another session of the tenant, and lets one caller of all make a new answer.
 */
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { questionOf } from "../../domain/request/GroundingRequest.ts"
import * as StoreKnowledge from "../../domain/retrieval/StoreKnowledge.ts"
import type { Grounding } from "../../domain/session/Grounding.ts"
import { type CachedPack, isFresh } from "../../domain/session/GroundingOutcome.ts"
import * as PackSharing from "../../domain/session/PackSharing.ts"
import type { Finished } from "../../domain/session/SessionEvent.ts"
import { pageOfEntry } from "../../domain/store/StoredPage.ts"
import { ClaimJudges } from "../ports/ClaimJudge.ts"
import { Digest } from "../ports/Digest.ts"
import { EventStore } from "../ports/EventStore.ts"
import { Limits } from "../ports/Limits.ts"
import { NeedGates } from "../ports/NeedGate.ts"
import { PackWriters } from "../ports/PackWriter.ts"
import { ExtractPages, PageReaders } from "../ports/PageReader.ts"
import type { CacheKey } from "../ports/QueryCache.ts"
import { QueryPlanners } from "../ports/QueryPlanner.ts"
import { Rerankers } from "../ports/Reranker.ts"
import type { EngineInfo, Rungs } from "../ports/Rungs.ts"
import { SearchProviders } from "../ports/SearchProvider.ts"
import { StoredEvidence } from "../ports/StoredEvidence.ts"
import { PackCache } from "./PackCache.ts"
import * as SingleFlight from "./SingleFlight.ts"

/** An answer that another session recorded and this one may reuse, with its age in ms. */
export interface Ready {
  readonly pack: CachedPack
  readonly ageMs: number
}

export type Turn =
  | SingleFlight.Turn<Ready>
  /** The need is none that is shared. */
  | { readonly _tag: "Alone" }

/** Single flight of equal needs over all sessions of a tenant, with the pack cache behind it. */
export class SharePacks extends Context.Service<SharePacks, {
  /**
   * Waits at most a third of `leftMs`, which is what the caller has left. Run it uninterruptibly
   * together with what notes the lead: it can be interrupted while it waits, and only then.
   */
  readonly turn: (tenantId: string, grounding: Grounding, leftMs: number) => Effect.Effect<Turn>
  /** Cache entry to record with the answer; `undefined`: the answer must not be shared. */
  readonly cacheOf: (
    tenantId: string,
    grounding: Grounding,
    finished: typeof Finished.Type
  ) => typeof Finished.Type["cache"]
  /** Keeps what was recorded for others. */
  readonly keep: (tenantId: string, key: string, pack: CachedPack) => Effect.Effect<void>
  /** Lets the next caller have its turn. */
  readonly end: (lead: SingleFlight.Lead) => Effect.Effect<void>
}>()("web-grounding/application/steps/SharePacks") {}

export const layer = Layer.effect(
  SharePacks,
  Effect.gen(function*() {
    const { find, isOn, maxAge, put } = yield* PackCache
    const { now } = yield* EventStore
    const { sha256 } = yield* Digest
    const { engineTimeoutMs } = yield* Limits
    const store = yield* StoredEvidence
    const flights = yield* SingleFlight.make

    const { info: extractor } = yield* ExtractPages

    /**
     * Facts of the deployment that shared answers depend on: the sandbox must never answer for the
     * web, nor one model for another.
     */
    const deployment = {
      providers: (yield* SearchProviders).map((slots) => slots[0].name),
      engines: [
        infosOf(yield* NeedGates),
        infosOf(yield* QueryPlanners),
        [...infosOf(yield* PageReaders), ...(extractor === undefined ? [] : [extractor])],
        infosOf(yield* Rerankers),
        infosOf(yield* PackWriters),
        infosOf(yield* ClaimJudges)
      ]
    }

    const keyOf = (tenantId: string, { policy, request }: Grounding): CacheKey => {
      const { collects_pages: _, ...limits } = policy
      return { tenantId, key: sha256(PackSharing.textOf(request, { ...deployment, limits })) }
    }

    /** Whether the evidence store has learnt since then what the question asks for. */
    const isOvertaken = Effect.fnUntraced(
      function*(tenantId: string, { policy, request }: Grounding, { asked_at }: CachedPack) {
        const limit = policy.entries_max ?? 0
        if (limit === 0) return false
        const question = QueryPrivacy.strip(questionOf(request))
        const wanted = { question, limit, retrieval: "hybrid", collected_from: asked_at } as const
        const found = yield* store.find(tenantId, wanted).pipe(
          Effect.timeoutOrElse({
            duration: Duration.millis(engineTimeoutMs),
            orElse: () => Effect.succeed([])
          })
        )
        // Pages of the very grounding are as old as its request.
        const newer = found.filter(({ entry }) => entry.collected_at > asked_at)
          .map((entry, index) => pageOfEntry(`e${index + 1}`, entry))
        return StoreKnowledge.covers(
          question,
          StoreKnowledge.measure(question, newer.map((page) => ({ ...page, page: page.url })))
        )
      }
    )

    const ready = Effect.fnUntraced(function*(key: CacheKey, grounding: Grounding) {
      const pack = yield* find(key)
      const nowMs = yield* now
      if (pack === undefined || !isFresh(pack, nowMs)) return undefined
      if (yield* isOvertaken(key.tenantId, grounding, pack)) return undefined
      const found: Ready = { pack, ageMs: Math.max(0, nowMs - pack.made_at_ms) }
      return found
    })

    const turn: SharePacks["Service"]["turn"] = Effect.fnUntraced(
      function*(tenantId, grounding, leftMs) {
        const alone: Turn = { _tag: "Alone" }
        if (!isOn || !PackSharing.isShareable(grounding.request)) return alone
        const key = keyOf(tenantId, grounding)
        const taken: Turn = yield* flights.turn(key, leftMs, ready(key, grounding))
        return taken
      },
      Effect.uninterruptible
    )

    return SharePacks.of({
      turn,
      cacheOf: (tenantId, grounding, { outcome }) => {
        const fresh_ms = isOn
          ? PackSharing.freshMsOf(grounding, PackSharing.answerOf(outcome), maxAge)
          : undefined
        return fresh_ms === undefined
          ? undefined
          : { key: keyOf(tenantId, grounding).key, fresh_ms }
      },
      keep: (tenantId, key, pack) => put({ tenantId, key }, pack),
      end: flights.end
    })
  })
)

const infosOf = (
  { last, preferred }: Rungs<{ readonly info: EngineInfo }, { readonly info: EngineInfo }>
): ReadonlyArray<EngineInfo> => [...preferred, last].map(({ info }) => info)

/** Recording time of an answer, and its place in the log. */
export const sourceOf = (
  grounding: Grounding,
  stored: {
    readonly recordedAt: string
    readonly streamId: string
    readonly eventId: string
  }
) => ({
  asked_at: grounding.requestedAt,
  recordedAtMs: DateTime.makeUnsafe(stored.recordedAt).epochMilliseconds,
  stream_id: stored.streamId,
  event_id: stored.eventId
})
