/**
 * Erases sessions, holds them, and tells what was erased.
 *
 * A session's payloads, its key, its rows of read models and caches, the pages that were collected
 * for it and the fact about all this go and come in one transaction.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import {
  EraseSessionInput,
  type ErasureFailure,
  ErasureNotAllowed,
  type ErasureReport,
  ListErasuresInput,
  SetLegalHoldInput
} from "../contract/Erasure.ts"
import * as Input from "../contract/Input.ts"
import { InternalFailure, InvalidInput, SessionNotFound } from "../contract/PublicFailure.ts"
import {
  type ContentErased,
  type ErasureEvent,
  type ErasureReason,
  SessionHeld
} from "../domain/erasure/ErasureRecord.ts"
import { ErasureList } from "./erasure/ErasureList.ts"
import * as ErasureLog from "./erasure/ErasureLog.ts"
import { type ErasureRefused, ErasureStore, type Purged } from "./erasure/ErasureStore.ts"
import * as CollectEvidence from "./evidence/CollectEvidence.ts"
import type { Caller } from "./GroundQuestion.ts"
import * as InPublic from "./InPublic.ts"
import type { Fact } from "./log/CommandHandler.ts"
import { Digest } from "./ports/Digest.ts"
import { EventStore, type StreamRef } from "./ports/EventStore.ts"
import { EvidenceStore } from "./ports/EvidenceStore.ts"
import { Ids } from "./ports/Ids.ts"
import { keyOf } from "./projections/SortedRows.ts"

const listedDefault = 100
const collector = "erasure"

type Answer<A> = Effect.Effect<A, ErasureFailure>
type Needs = ErasureStore | EventStore | EvidenceStore | Ids | Digest

export class EraseSessions extends Context.Service<EraseSessions, {
  /** `input`: `{ session_id, reason? }`. One that was erased before is told as it was then. */
  readonly erase: (input: unknown, caller: Caller) => Answer<ErasureReport>
  /** `input`: `{ session_id, held, matter? }`. Answers whether it is held now. */
  readonly hold: (input: unknown, caller: Caller) => Answer<{ readonly held: boolean }>
  /** `input`: `{ limit? }`. The newest first. */
  readonly list: (
    input: unknown,
    caller: Caller
  ) => Answer<{ readonly erasures: ReadonlyArray<ErasureReport> }>
  /** As `erase`, for a reason that no caller gives. */
  readonly eraseFor: (
    session_id: string,
    reason: ErasureReason,
    caller: Caller
  ) => Answer<ErasureReport>
}>()("web-grounding/application/EraseSessions") {}

const decodeErase = Input.decode(EraseSessionInput)
const decodeHold = Input.decode(SetLegalHoldInput)
const decodeList = Input.decode(ListErasuresInput)

export const layer = Layer.effect(
  EraseSessions,
  Effect.gen(function*() {
    const services = yield* Effect.context<Needs>()
    const { keep } = yield* ErasureList
    const eraseFor: EraseSessions["Service"]["eraseFor"] = Effect.fn("EraseSessions.erase")(
      function*(session_id, reason, caller) {
        const report = yield* erased(
          { tenant_id: caller.tenantId, session_id },
          { reason, actor: caller.actor }
        ).pipe(Effect.provide(services), inPublic(session_id))
        yield* keep(report)
        return report
      }
    )
    return EraseSessions.of({
      eraseFor,
      erase: (input, caller) =>
        Effect.flatMap(
          decodeErase(input),
          ({ reason = "requested", session_id }) => eraseFor(session_id, reason, caller)
        ),
      hold: Effect.fn("EraseSessions.hold")(function*(input: unknown, caller: Caller) {
        const { held, matter, session_id } = yield* decodeHold(input)
        if (held && matter === undefined) {
          return yield* new InvalidInput({
            field: "matter",
            problem: "Expected what it is held for"
          })
        }
        const ref = { tenant_id: caller.tenantId, session_id }
        const fact = held ? { matter: matter ?? "" } : undefined
        yield* holding(ref, fact, caller.actor).pipe(Effect.provide(services), inPublic(session_id))
        return { held }
      }),
      list: Effect.fn("EraseSessions.list")(function*(input: unknown, { tenantId }: Caller) {
        const { limit = listedDefault } = yield* decodeList(input)
        return yield* listed(tenantId, limit).pipe(Effect.provide(services), inPublic(""))
      })
    })
  })
)

interface Why {
  readonly reason: ErasureReason
  readonly actor: string
}

const erased = Effect.fnUntraced(function*(ref: StreamRef, { actor, reason }: Why) {
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
  return report ?? (yield* Effect.die("an erasure left no record"))
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

const holding = Effect.fnUntraced(
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

/** A stream that only tells of holds has nothing to list, and takes a place of those asked for. */
const listed = Effect.fnUntraced(function*(tenantId: string, limit: number) {
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

type Failed = Effect.Error<
  ReturnType<typeof erased> | ReturnType<typeof holding> | ReturnType<typeof listed>
>

const inPublic = (session_id: string) =>
  InPublic.inPublic((error: Failed): ErasureFailure => {
    switch (error._tag) {
      case "SessionHeld":
        return error
      case "ErasureRefused":
        return refusalOf(error.reason, session_id)
      case "EventStoreUnavailable":
      case "EvidenceStoreUnavailable":
      case "StreamConflict":
        return InPublic.storeDown()
      default:
        return new InternalFailure()
    }
  }, "an erasure failed")

const refusalOf = (
  reason: ErasureRefused["reason"],
  session_id: string
): SessionNotFound | SessionHeld | ErasureNotAllowed => {
  switch (reason) {
    case "unknown_session":
      return new SessionNotFound({ session_id })
    case "held":
      // Somebody held it beside the service.
      return new SessionHeld({ session_id, matter: "not recorded" })
    case "not_allowed":
      return new ErasureNotAllowed()
  }
}
