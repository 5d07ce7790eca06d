/**
 * Erases a session, holds it, and lists what was erased.
 *
 * A session's payloads, its key, its rows of read models and caches, the pages that were collected
 * for it and the fact about all this go and come in one transaction.
 */
import { Context, DateTime, Effect, Schema } from "effect"
import type { ErasureReport } from "../../contract/Erasure.ts"
import * as ErasureRecord from "../../domain/erasure/ErasureRecord.ts"
import {
  type ContentErased,
  type ErasureEvent,
  type ErasureReason,
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

/** Collector under which the evidence store's facts name an erasure. */
const collector = "erasure"

export type Needs = Digest | ErasureList | ErasureStore | EventStore | EvidenceStore | Ids

interface Why {
  readonly reason: ErasureReason
  readonly actor: string
}

/** Report of an erasure. A session that was erased before keeps its first report. */
export const erased = Effect.fn("EraseSession.erased")(function*(
  ref: StreamRef,
  { actor, reason }: Why
) {
  const { erase } = yield* ErasureStore
  const stream = streamOf(ref)
  const { state } = yield* erasureFacts.load(stream)
  if (state.matter !== undefined) {
    return yield* new SessionHeld({ session_id: ref.session_id, matter: state.matter })
  }
  const rowKey = keyOf(ref.tenant_id, ref.session_id)
  yield* erase(ref, rowKey, (purged) => recorded(ref, purged, { actor, reason }))
  const { facts } = yield* erasureFacts.facts(stream)
  const report = facts.flatMap(reportOf).at(-1)
  // It was recorded in the transaction that has just ended, if not before.
  if (report === undefined) return yield* Effect.die("an erasure left no record")
  yield* (yield* ErasureList).keep(report)
  return report
})

const recorded = Effect.fnUntraced(
  function*(ref: StreamRef, purged: Purged, { actor, reason }: Why) {
    const { erasedAt, hash, removed, requestIds, streamId, version } = purged
    const evidence_entries = yield* removeEvidence(ref, actor)
    const loaded = yield* erasureFacts.load(streamOf(ref))
    yield* erasureFacts.handle(loaded, {
      _tag: "RecordErasure",
      fact: {
        ...ref,
        stream_id: streamId,
        erased_at: erasedAt,
        reason,
        version,
        hash,
        request_ids: requestIds,
        removed: { ...removed, evidence_entries }
      }
    }, actor)
  }
)

/** Pages that were collected for the session go, and the log says so. */
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

/** Sets the hold that `erased` respects, or lifts it. */
export const holding = Effect.fnUntraced(
  function*(ref: StreamRef, fact: { readonly matter: string } | undefined, actor: string) {
    const { hold } = yield* ErasureStore
    const at = DateTime.formatIso(yield* DateTime.now)
    yield* hold(
      ref,
      fact !== undefined,
      Effect.fnUntraced(function*(stream_id: string) {
        const loaded = yield* erasureFacts.load(streamOf(ref))
        const of = { ...ref, stream_id, at }
        yield* erasureFacts.handle(
          loaded,
          fact === undefined
            ? { _tag: "LiftHold", fact: of }
            : { _tag: "SetHold", fact: { ...of, ...fact } },
          actor
        )
      })
    )
  }
)

/**
 * Erasures, the newest first. A stream that only tells of holds has nothing to list, and takes a
 * place of those asked for.
 */
export const listErasures = Effect.fnUntraced(function*(tenantId: string, limit: number) {
  const store = yield* EventStore
  const streams = yield* store.streams(tenantOf(tenantId), limit)
  const erasures = yield* Effect.forEach(
    streams,
    ({ ref }) => Effect.map(erasureFacts.facts(ref), ({ facts }) => facts.flatMap(reportOf))
  )
  return { erasures: erasures.flat() }
})

const isErased = (event: ErasureEvent): event is ContentErased =>
  event._tag === "WEB_GROUNDING_CONTENT_ERASED"

const reportOf = ({ event, stored }: Fact<ErasureEvent>): ReadonlyArray<ErasureReport> => {
  if (!isErased(event)) return []
  const { _tag, request_ids: _, ...told } = event
  const { hash, metadata, position, streamId, version } = stored
  return [{
    ...told,
    actor: metadata.actor,
    recorded: { stream_id: streamId, version, position: String(position), hash }
  }]
}

// Erases sessions under a right that the rest of the service lacks, with all that was copied from
// them, in one transaction with the fact about it.

/** Nothing was changed. `not_allowed`: the login lacks the right. */
export class ErasureRefused extends Schema.TaggedError<ErasureRefused>()("ErasureRefused", {
  reason: Schema.Literals(["unknown_session", "held", "not_allowed"])
}) {}

/** Facts about a session whose payloads and copies are gone by then. */
export interface Purged {
  readonly streamId: string
  /** ISO 8601 UTC; of the first time. */
  readonly erasedAt: string
  readonly version: number
  /** Lower-case hex. */
  readonly hash: string
  readonly requestIds: ReadonlyArray<string>
  /** But for the evidence store's entries, which the caller takes out. */
  readonly removed: Omit<Removed, "evidence_entries">
}

type ErasureAnswer<A, E, R> = Effect.Effect<A, E | ErasureRefused | EventStoreUnavailable, R>

/** Destroys the content of a session in every table that has some. */
export class ErasureStore extends Context.Service<ErasureStore, {
  /**
   * Erases a session in one transaction: destroys its data key, takes away its payloads, its rows
   * of read models (`rowKey`, and keys that go on after it with a space) and what caches and queues
   * have of it, and runs `record`. When anything fails, nothing has changed. Done again it finds
   * what is left.
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

// The log's streams about erasure and legal hold: one for each session that had either.

/**
 * Tenant under which erasures of another tenant stand. Callers name their sessions freely, so it is
 * none that a caller can be of.
 */
export const tenantOf = (tenantId: string): string => `_erasure/${tenantId}`

/** Stream in which the erasures and legal holds of a session stand. */
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

// List of the reports of erasures outside the database, so that a restored backup is erased
// again.

/**
 * Record of erasures outside the database. A report that cannot be kept is written to the process's
 * log.
 */
export class ErasureList extends Context.Service<ErasureList, {
  readonly keep: (report: ErasureReport) => Effect.Effect<void>
}>()("web-grounding/application/erasure/EraseSession/ErasureList") {
  static readonly none = ErasureList.of({ keep: () => Effect.void })
}
