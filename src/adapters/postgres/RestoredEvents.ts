/** Events that another log recorded, put into this one as they were. */
import { Effect, Result } from "effect"
import { sql } from "kysely"
import {
  appendEventsMax,
  EventNotStorable,
  type LoggedEvent,
  type NewEvent,
  StreamConflict,
  type StreamHead,
  type StreamState
} from "../../application/ports/EventStore.ts"
import * as HashChain from "../../domain/audit/HashChain.ts"
import { canonical } from "../../infrastructure/CanonicalJson.ts"
import { sha256 } from "../../infrastructure/Digest.ts"
import type { Postgres } from "../../infrastructure/postgres/Postgres.ts"
import * as AppendStatement from "./AppendStatement.ts"
import type * as StreamKeys from "./StreamKeys.ts"

type Group = readonly [LoggedEvent, ...ReadonlyArray<LoggedEvent>]

/** Events after one another of one stream and one time: they go in by one statement. */
const groupsOf = (events: ReadonlyArray<LoggedEvent>): ReadonlyArray<Group> => {
  const groups: Array<[LoggedEvent, ...Array<LoggedEvent>]> = []
  for (const event of events) {
    const last = groups.at(-1)
    const isSame = last !== undefined && last.length < appendEventsMax &&
      last[0].streamId === event.streamId && last[0].recordedAt === event.recordedAt
    if (isSame) last.push(event)
    else groups.push([event])
  }
  return groups
}

/** Event sealed as it was where it was recorded. */
const resealed = (
  event: LoggedEvent
): Result.Result<HashChain.Sealed<NewEvent>, HashChain.NotSealable> =>
  Result.gen(function*() {
    const { hash, payloadDigest, salt, type, version } = event
    const refused = (problem: string): HashChain.NotSealable => ({ type, problem })
    if (salt === null) return yield* Result.fail(refused("an event without its payload"))
    const dataText = yield* Result.mapError(canonical(event.data), refused)
    const metadataText = yield* Result.mapError(canonical(event.metadata), refused)
    return { draft: event, version, dataText, metadataText, salt, payloadDigest, hash }
  })

/** A stream that is being restored: where it is, and what its payloads are encrypted with. */
interface Restoring {
  readonly head: StreamHead
  readonly key: StreamKeys.AppendKey | undefined
}

export interface Restoration {
  readonly postgres: Postgres["Service"]
  readonly keys: StreamKeys.StreamKeys
  /** By stream id. */
  readonly states: ReadonlyMap<string, StreamState>
}

/**
 * Restores events in one transaction: all or none. Each stream gets a data key of this database
 * where payloads are encrypted; salts, digests and hashes are those of the log that recorded them.
 */
export const restored = Effect.fnUntraced(function*(
  { keys, postgres, states }: Restoration,
  events: ReadonlyArray<LoggedEvent>
) {
  const streams = new Map<string, Restoring>()
  const begun = Effect.fnUntraced(function*(event: LoggedEvent) {
    const { sessionId, streamId, tenantId } = event
    const head: StreamHead = {
      ref: { tenant_id: tenantId, session_id: sessionId },
      streamId,
      version: 0,
      hash: HashChain.genesis({ sha256, canonical }, streamId)
    }
    const state = states.get(streamId)
    if (state === undefined) return { head, key: yield* keys.forAppend(head) }
    const { rows } = yield* postgres.run((db) => insertStream(head, event, state).execute(db))
    if (rows.length === 0) return yield* new StreamConflict({ ref: head.ref, expectedVersion: 0 })
    return { head, key: state.erasedAt === undefined ? yield* keys.forAppend(head) : undefined }
  })
  const recorded = Effect.fnUntraced(function*(group: Group) {
    const [{ recordedAt, streamId }] = group
    const { head, key } = streams.get(streamId) ?? (yield* begun(group[0]))
    const state = states.get(streamId)
    if (state?.erasedAt !== undefined) {
      yield* Effect.forEach(group, (event) => postgres.run((db) => insertErased(event).execute(db)))
    } else {
      const sealed = Result.all(group.map(resealed))
      if (Result.isFailure(sealed)) return yield* new EventNotStorable(sealed.failure)
      const isBegun = state !== undefined
      const rows = yield* postgres.prepared<object>(
        ...AppendStatement.appendStatement(head, sealed.success, { recordedAt, key, isBegun })
      )
      if (rows.length === 0) {
        return yield* new StreamConflict({ ref: head.ref, expectedVersion: head.version })
      }
    }
    const { hash, version } = group.at(-1) ?? group[0]
    streams.set(streamId, {
      head: { ...head, version, hash },
      key: key === undefined ? undefined : { key: key.key }
    })
  })
  yield* postgres.transaction(Effect.forEach(groupsOf(events), recorded, { discard: true }))
})

/** No row comes back when the session or the stream is there. */
const insertStream = (
  { hash, ref, streamId }: StreamHead,
  { recordedAt }: LoggedEvent,
  { erasedAt, isHeld }: StreamState
) =>
  sql`insert into wg.streams (stream_id, tenant_id, session_id, version, head_hash, created_at,
      legal_hold, erased_at)
    values (${streamId}, ${ref.tenant_id}, ${ref.session_id}, 0, ${`\\x${hash}`}, ${recordedAt},
      ${isHeld}, ${erasedAt ?? null})
    on conflict do nothing returning stream_id`

/** Inserts an event without its payload, and moves the head to it: an append refuses the stream. */
const insertErased = (event: LoggedEvent) =>
  sql`with head as (
      update wg.streams
        set version = ${event.version}::int, head_hash = ${`\\x${event.hash}`}::bytea
        where stream_id = ${event.streamId}::uuid returning stream_id, tenant_id
    )
    insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id, type,
        schema_version, metadata, seal)
      select stream_id, ${event.version}::int, tenant_id, ${event.recordedAt}::timestamptz,
          ${event.eventId}::uuid, ${event.type}::text, ${event.schemaVersion}::int2,
          ${JSON.stringify(event.metadata)}::jsonb,
          ${`\\x${event.payloadDigest}${event.hash}`}::bytea
        from head`
