/**
 * Erases sessions, caches and collected pages whose retention time has passed. An interrupted run
 * keeps what it did. Two processes may run at once.
 */
import { Context, Duration, Effect, Layer } from "effect"
import * as CollectEvidence from "../evidence/CollectEvidence.ts"
import type { SourceRef } from "../evidence/CollectEvidence.ts"
import { EventStore, type EventStoreUnavailable } from "../ports/EventStore.ts"
import type { EvidenceStoreUnavailable } from "../ports/EvidenceStore.ts"
import * as EraseSession from "./EraseSession.ts"

/** Start-up work goes first. */
const firstLookMs = 60_000
const dayMs = 86_400_000
const actor = "retention"

/** Days for which data is kept. 0: without limit. */
interface Kept {
  readonly sessions: number
  readonly caches: number
  readonly pages: number
}

export interface Retained {
  readonly tenant_id: string
  readonly sessions: number
  readonly cached: number
  readonly pages: number
  /** Sessions and pages that could not be erased; the log of the process says why. */
  readonly failed: number
}

export class ApplyRetention extends Context.Service<ApplyRetention, {
  /** `look`: reports what would be erased, and changes nothing. Unaffected tenants are left out. */
  readonly run: (how: "look" | "erase") => Effect.Effect<
    ReadonlyArray<Retained>,
    Effect.Error<RetentionStore["Service"]["tenants"]>
  >
  readonly follow: Effect.Effect<void>
}>()("web-grounding/application/erasure/ApplyRetention") {}

interface RetentionOptions {
  readonly every: Kept
  readonly tenants: ReadonlyMap<string, Kept>
  /** Milliseconds between two runs; 0: none. */
  readonly intervalMs: number
}

export const layer = ({ every, intervalMs, tenants }: RetentionOptions) =>
  Layer.effect(
    ApplyRetention,
    Effect.gen(function*() {
      const services = yield* Effect.context<EraseSession.Needs>()
      const store = yield* RetentionStore
      const { now } = yield* EventStore
      const isSet = [every, ...tenants.values()].some((kept) =>
        Math.max(kept.sessions, kept.caches, kept.pages) > 0
      )

      const done = <A, E, R>(erasing: Effect.Effect<A, E, R>) =>
        erasing.pipe(
          Effect.as(true),
          Effect.catchCause((cause) =>
            Effect.as(Effect.logWarning("retention erased less than it should", cause), false)
          )
        )

      const removed = (tenantId: string, source: SourceRef) =>
        CollectEvidence.remove(source, { tenantId, actor, collector: actor }).pipe(
          // It was erased with a session.
          Effect.catchTag("EvidenceNotFound", () => Effect.void)
        )

      const ofTenant = Effect.fnUntraced(
        function*(tenant_id: string, how: "look" | "erase", nowMs: number) {
          const kept = tenants.get(tenant_id) ?? every
          const past = <A>(
            days: number,
            found: (tenantId: string, beforeMs: number) => RetentionAnswer<A>,
            nothing: A
          ) =>
            days === 0
              ? Effect.succeed(nothing)
              : found(tenant_id, Math.floor(nowMs - days * dayMs))
          const sessions = yield* past(kept.sessions, store.sessions, [])
          const pages = yield* past(kept.pages, store.pages, [])
          const erasing = how === "look" ? [] : [
            ...sessions.map((session_id) =>
              done(EraseSession.erased({ tenant_id, session_id }, { reason: "retention", actor }))
            ),
            ...pages.map((source) => done(removed(tenant_id, source)))
          ]
          const erased = yield* Effect.all(erasing)
          const caches = how === "look" ? store.cached : store.dropCached
          return {
            tenant_id,
            sessions: sessions.length,
            cached: yield* past(kept.caches, caches, 0),
            pages: pages.length,
            failed: erased.filter((isDone) => !isDone).length
          } satisfies Retained
        }
      )

      const run: ApplyRetention["Service"]["run"] = Effect.fn("ApplyRetention.run")(
        function*(how) {
          const nowMs = yield* now
          const all = yield* Effect.forEach(
            isSet ? yield* store.tenants : [],
            (tenant) => ofTenant(tenant, how, nowMs)
          )
          return all.filter(({ cached, pages, sessions }) => cached + pages + sessions > 0)
        },
        Effect.provide(services)
      )

      const round = run("erase").pipe(
        Effect.flatMap((retained) =>
          Effect.forEach(
            retained,
            (counts) => Effect.annotateLogs(Effect.logInfo("retention was applied"), { ...counts })
          )
        ),
        Effect.catchCause((cause) => Effect.logWarning("retention was not applied", cause))
      )

      return ApplyRetention.of({
        run,
        follow: intervalMs === 0 || !isSet ? Effect.void : Effect.andThen(
          Effect.sleep(Duration.millis(Math.min(firstLookMs, intervalMs))),
          Effect.forever(Effect.andThen(round, Effect.sleep(Duration.millis(intervalMs))))
        )
      })
    })
  )

// Finds data past its retention time. Sessions that are held or erased are left out.

/** Lists a tenant's data older than a time, in milliseconds since the epoch. */
export class RetentionStore extends Context.Service<RetentionStore, {
  readonly tenants: RetentionAnswer<ReadonlyArray<string>>
  /** Ids of sessions whose last event is before the time, oldest first. */
  readonly sessions: (tenantId: string, beforeMs: number) => RetentionAnswer<ReadonlyArray<string>>
  readonly pages: (tenantId: string, beforeMs: number) => RetentionAnswer<ReadonlyArray<SourceRef>>
  /** Entries of both caches, and pages waiting to be collected, from before the time. */
  readonly cached: (tenantId: string, beforeMs: number) => RetentionAnswer<number>
  readonly dropCached: (tenantId: string, beforeMs: number) => RetentionAnswer<number>
}>()("web-grounding/application/erasure/ApplyRetention/RetentionStore") {}

type RetentionAnswer<A> = Effect.Effect<A, EventStoreUnavailable | EvidenceStoreUnavailable>
