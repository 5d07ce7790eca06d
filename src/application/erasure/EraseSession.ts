/**
 * Erases a session, holds it, and lists what was erased.
 *
 * A session's payloads, its key, its rows of read models and caches, the pages that were collected
 * for it and the fact about all this go and come in one transaction.
 */
import { DateTime, Effect } from "effect"
import type { ErasureReport } from "../../contract/Erasure.ts"
import {
  type ContentErased,
  type ErasureEvent,
  type ErasureReason,
  SessionHeld
} from "../../domain/erasure/ErasureRecord.ts"
import * as CollectEvidence from "../evidence/CollectEvidence.ts"
import type { Fact } from "../log/CommandHandler.ts"
import type { Digest } from "../ports/Digest.ts"
import { EventStore, type StreamRef } from "../ports/EventStore.ts"
import { EvidenceStore } from "../ports/EvidenceStore.ts"
import type { Ids } from "../ports/Ids.ts"
import { keyOf } from "../projections/SortedRows.ts"
import { ErasureList } from "./ErasureList.ts"
import * as ErasureLog from "./ErasureLog.ts"
import { ErasureStore, type Purged } from "./ErasureStore.ts"

/** Collector under which the evidence store's facts name an erasure. */
const collector = "erasure"

export type Needs = ErasureStore | EventStore | EvidenceStore | Ids | Digest

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
  const stream = ErasureLog.streamOf(ref)
  const { state } = yield* ErasureLog.load(stream)
  if (state.matter !== undefined) {
    return yield* new SessionHeld({ session_id: ref.session_id, matter: state.matter })
  }
  const rowKey = keyOf(ref.tenant_id, ref.session_id)
  yield* erase(ref, rowKey, (purged) => recorded(ref, purged, { actor, reason }))
  const { facts } = yield* ErasureLog.facts(stream)
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
    const loaded = yield* ErasureLog.load(ErasureLog.streamOf(ref))
    yield* ErasureLog.handle(loaded, {
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
        const loaded = yield* ErasureLog.load(ErasureLog.streamOf(ref))
        const of = { ...ref, stream_id, at }
        yield* ErasureLog.handle(
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
  const streams = yield* store.streams(ErasureLog.tenantOf(tenantId), limit)
  const erasures = yield* Effect.forEach(
    streams,
    ({ ref }) => Effect.map(ErasureLog.facts(ref), ({ facts }) => facts.flatMap(reportOf))
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
