/**
 * Erases and holds sessions, and lists erasures. One transaction removes payloads, data key, rows
 * of read models and caches, and collected pages, and records the fact.
 */
import { Context, DateTime, Effect, Schema } from "effect"
import type { ErasureReport } from "../../contract/Erasure.ts"
import * as ErasureRecord from "../../domain/erasure/ErasureRecord.ts"
import {
  ContentErased,
  type ErasureEvent,
  type ErasureReason,
  LegalHoldLifted,
  LegalHoldSet,
  type Removed,
  SessionHeld
} from "../../domain/erasure/ErasureRecord.ts"
import * as CollectEvidence from "../evidence/CollectEvidence.ts"
import * as CommandHandler from "../log/CommandHandler.ts"
import type { Fact } from "../log/CommandHandler.ts"
import * as EventCodec from "../log/EventCodec.ts"
import { EventStore, type EventStoreUnavailable, type StreamRef } from "../ports/EventStore.ts"
import { EvidenceStore } from "../ports/EvidenceStore.ts"
import type { Digest, Ids } from "../ports/Platform.ts"
import { keyOf } from "../projections/ReadRows.ts"

const collector = "erasure"

export type Needs = Digest | ErasureList | ErasureStore | EventStore | EvidenceStore | Ids

interface Why {
  readonly reason: ErasureReason
  readonly actor: string
}

/** A session that was erased before keeps its first report. */
export const erased = Effect.fn("EraseSession.erased")(function*(
  ref: StreamRef,
  { actor, reason }: Why
) {
  const { allowed, erase } = yield* ErasureStore
  yield* allowed
  const stream = streamOf(ref)
  const { state } = yield* erasureFacts.load(stream)
  if (state.matter !== undefined) {
    return yield* new SessionHeld({ session_id: ref.session_id, matter: state.matter })
  }
  const rowKey = keyOf(ref.tenant_id, ref.session_id)
  yield* erase(ref, rowKey, (purged) => recorded(ref, purged, { actor, reason }))
  const { facts } = yield* erasureFacts.facts(stream)
  const report = facts.flatMap(reportOf).at(-1)
  // The transaction that has just ended recorded it, if not an earlier one.
  if (report === undefined) return yield* Effect.die("an erasure left no record")
  yield* (yield* ErasureList).keep(report)
  return report
})

const recorded = Effect.fnUntraced(
  function*(ref: StreamRef, purged: Purged, { actor, reason }: Why) {
    const { erasedAt, hash, removed, requestIds, streamId, version } = purged
    const evidence_entries = yield* removeEvidence(ref, actor)
    const loaded = yield* erasureFacts.load(streamOf(ref))
    const fact = ContentErased.make({
      ...ref,
      stream_id: streamId,
      erased_at: erasedAt,
      reason,
      version,
      hash,
      request_ids: requestIds,
      removed: { ...removed, evidence_entries }
    })
    yield* erasureFacts.handle(loaded, fact, actor)
  }
)

const removeEvidence = Effect.fnUntraced(
  function*({ session_id, tenant_id }: StreamRef, actor: string) {
    const { collectedFor } = yield* EvidenceStore
    const sources = yield* collectedFor(tenant_id, session_id)
    const gone = yield* Effect.forEach(
      sources,
      (source) => CollectEvidence.remove(source, { tenantId: tenant_id, actor, collector })
    )
    return gone.reduce((sum, { removed }) => sum + removed, 0)
  }
)

export const holding = Effect.fn("EraseSession.holding")(
  function*(ref: StreamRef, fact: { readonly matter: string } | undefined, actor: string) {
    const { allowed, hold } = yield* ErasureStore
    yield* allowed
    const at = DateTime.formatIso(yield* DateTime.now)
    yield* hold(
      ref,
      fact !== undefined,
      Effect.fnUntraced(function*(stream_id: string) {
        const loaded = yield* erasureFacts.load(streamOf(ref))
        const of = { ...ref, stream_id, at }
        yield* erasureFacts.handle(
          loaded,
          fact === undefined ? LegalHoldLifted.make(of) : LegalHoldSet.make({ ...of, ...fact }),
          actor
        )
      })
    )
  }
)

/** The newest first. A stream with only holds lists nothing, but counts towards `limit`. */
export const listErasures = Effect.fn("EraseSession.listErasures")(
  function*(tenantId: string, limit: number) {
    const store = yield* EventStore
    const streams = yield* store.streams(tenantOf(tenantId), limit)
    const records = yield* Effect.forEach(streams, ({ ref }) => erasureFacts.facts(ref))
    return { erasures: records.flatMap(({ facts }) => facts.flatMap(reportOf)) }
  }
)

const isErased = (event: ErasureEvent): event is ContentErased =>
  event._tag === "WEB_GROUNDING_CONTENT_ERASED"

const reportOf = ({ event, stored }: Fact<ErasureEvent>): ReadonlyArray<ErasureReport> => {
  if (!isErased(event)) return []
  const { _tag, request_ids: _, ...fields } = event
  const { hash, metadata, position, streamId, version } = stored
  return [{
    ...fields,
    actor: metadata.actor,
    recorded: { stream_id: streamId, version, position: String(position), hash }
  }]
}

// Erases sessions, under a database right that the rest of the service lacks.

/** Nothing was changed. `not_allowed`: the login lacks a right. */
export class ErasureRefused extends Schema.TaggedError<ErasureRefused>()("ErasureRefused", {
  reason: Schema.Literals(["unknown_session", "held", "not_allowed"])
}) {}

export interface Purged {
  readonly streamId: string
  /** ISO 8601 UTC; of the first time. */
  readonly erasedAt: string
  readonly version: number
  /** Lower-case hex. */
  readonly hash: string
  readonly requestIds: ReadonlyArray<string>
  /** Without the evidence store's entries, which the caller removes. */
  readonly removed: Omit<Removed, "evidence_entries">
}

type ErasureAnswer<A, E, R> = Effect.Effect<A, E | ErasureRefused | EventStoreUnavailable, R>

export class ErasureStore extends Context.Service<ErasureStore, {
  /**
   * Fails unless the login has every right to erase and to hold: where no hold can be set, nothing
   * is erased either.
   */
  readonly allowed: ErasureAnswer<void, never, never>

  /**
   * Erases a session in one transaction: data key, payloads, rows of read models (`rowKey`, and
   * keys that continue it after a space), caches and queues; and runs `record`. When anything
   * fails, nothing has changed. Repeated, it removes what is left.
   */
  readonly erase: <A, E, R>(
    ref: StreamRef,
    rowKey: string,
    record: (purged: Purged) => Effect.Effect<A, E, R>
  ) => ErasureAnswer<A, E, R>

  /** Sets or lifts, in one transaction, the hold that `erase` respects, and runs `record`. */
  readonly hold: <A, E, R>(
    ref: StreamRef,
    held: boolean,
    record: (streamId: string) => Effect.Effect<A, E, R>
  ) => ErasureAnswer<A, E, R>
}>()("web-grounding/application/erasure/EraseSession/ErasureStore") {}

/** A reserved tenant for erasures of another, which no caller can have. */
export const tenantOf = (tenantId: string): string => `_erasure/${tenantId}`

export const streamOf = ({ session_id, tenant_id }: StreamRef): StreamRef => ({
  tenant_id: tenantOf(tenant_id),
  session_id
})

export const codec = EventCodec.make(ErasureRecord.ErasureEvent)

const erasureFacts = CommandHandler.make({
  name: "ErasureLog",
  decider: ErasureRecord,
  codec,
  correlationOf: () => "erasure"
})

/**
 * Reports of erasures outside the database: a restored backup is erased again. A report that cannot
 * be kept is written to the process's log.
 */
export class ErasureList extends Context.Service<ErasureList, {
  readonly keep: (report: ErasureReport) => Effect.Effect<void>
}>()("web-grounding/application/erasure/EraseSession/ErasureList") {
  static readonly none = ErasureList.of({ keep: () => Effect.void })
}
