/**
 * Erasure in PostgreSQL: by functions that only `wg_eraser` may call, and plain statements for
 * copies of a session's content.
 */
import { Effect, Layer, Option, Result } from "effect"
import { type RawBuilder, sql } from "kysely"
import { RetentionStore } from "../../../application/erasure/ApplyRetention.ts"
import {
  ErasureRefused,
  ErasureStore,
  type Purged
} from "../../../application/erasure/EraseSession.ts"
import { EventStoreUnavailable, type StreamRef } from "../../../application/ports/EventStore.ts"
import { ErasureNotAllowed } from "../../../contract/Erasure.ts"
import type { SourceType } from "../../../domain/store/Entry.ts"
import * as PayloadCipher from "../../../infrastructure/encryption/PayloadCipher.ts"
import { PayloadKeys } from "../../../infrastructure/encryption/PayloadKeys.ts"
import { Postgres, rowsIn } from "../../../infrastructure/postgres/Postgres.ts"
import * as Rights from "../../../infrastructure/postgres/Rights.ts"
import { boundKey } from "../StreamKeys.ts"

type Service = ErasureStore["Service"]

/** Read models with rows of one session each. */
const models = ["sessions", "groundings", "packs"]

export const layer = Layer.effect(
  ErasureStore,
  Effect.gen(function*() {
    const postgres = yield* Postgres
    const rowsOf = rowsIn(postgres)

    const allowed = mayErase.pipe(
      Effect.provideService(Postgres, postgres),
      Effect.mapError(unavailable("rights")),
      Effect.flatMap((isAllowed) =>
        isAllowed ? Effect.void : new ErasureRefused({ reason: "not_allowed" })
      )
    )

    /** Appends to the session wait from here on. */
    const locked = Effect.fnUntraced(function*(ref: StreamRef) {
      const [stream] = yield* rowsOf(lockStream(ref))
      return stream ?? (yield* new ErasureRefused({ reason: "unknown_session" }))
    })

    const purged = Effect.fnUntraced(function*(ref: StreamRef, rowKey: string) {
      const stream = yield* locked(ref)
      if (stream.legal_hold) return yield* new ErasureRefused({ reason: "held" })
      const { stream_id } = stream
      const requests = yield* rowsOf(selectRequests(stream_id))
      const [before] = yield* rowsOf(countCopies(ref, stream_id))
      const [erased] = yield* rowsOf(
        sql<{ readonly payloads: number }>`select wg.erase(${stream_id}) as payloads`
      )
      const rows = yield* rowsOf(deleteRows(rowKey))
      const after = yield* locked(ref)
      const found: Purged = {
        streamId: stream_id,
        erasedAt: after.erased_at ?? "",
        version: stream.version,
        hash: stream.head_hash,
        requestIds: requests.map(({ id }) => id),
        removed: {
          payloads: erased?.payloads ?? 0,
          read_model_rows: rows.length,
          ...(before ?? none)
        }
      }
      return found
    })

    const erase: Service["erase"] = (ref, rowKey, record) =>
      Effect.flatMap(purged(ref, rowKey), record).pipe(
        postgres.transaction,
        Effect.catchTag("PostgresError", unavailable("erase"))
      )

    const hold: Service["hold"] = (ref, held, record) =>
      Effect.gen(function*() {
        const { stream_id } = yield* locked(ref)
        yield* rowsOf(sql`select wg.hold(${stream_id}, ${held})`)
        return yield* record(stream_id)
      }).pipe(postgres.transaction, Effect.catchTag("PostgresError", unavailable("hold")))

    return ErasureStore.of({ allowed, erase, hold })
  })
)

const lockStream = ({ session_id, tenant_id }: StreamRef) =>
  sql<{
    readonly stream_id: string
    readonly version: number
    readonly head_hash: string
    readonly legal_hold: boolean
    readonly erased_at: string | null
  }>`select stream_id, version, head_hash, legal_hold, erased_at from wg.streams
    where tenant_id = ${tenant_id} and session_id = ${session_id} for update`

const selectRequests = (streamId: string) =>
  sql<{ readonly id: string }>`select distinct metadata ->> 'correlation_id' as id from wg.events
    where stream_id = ${streamId} order by id`

const none = { data_keys: 0, cached_searches: 0, cached_packs: 0, waiting_pages: 0 }

/** Counts the copies that triggers delete with the erasure. */
const countCopies = ({ session_id, tenant_id }: StreamRef, streamId: string) =>
  sql<typeof none>`select
    (select count(*)::int from wg.payload_keys where stream_id = ${streamId}) as data_keys,
    (select count(*)::int from wg.query_cache where stream_id = ${streamId}) as cached_searches,
    (select count(*)::int from wg.pack_cache where stream_id = ${streamId}) as cached_packs,
    (select count(*)::int from wg.pages_to_collect
      where tenant_id = ${tenant_id} and session_id = ${session_id}) as waiting_pages`

/** The session's own row, and those whose keys continue after a space; `!` follows it. */
const deleteRows = (key: string) =>
  sql<{ readonly key: string }>`delete from wg.read_models
    where model = any(${models}::text[])
      and (key = ${key} or (key >= ${`${key} `} and key < ${`${key}!`}))
    returning key`

const mayErase = Effect.map(Rights.lackedByEraser, (lacked) => lacked.length === 0)

const unavailable = (operation: string) => (cause: unknown) =>
  new EventStoreUnavailable({ operation, cause })

const at = (ms: number) => sql`to_timestamp(${ms}::float8 / 1000)`

/** Sessions that are due and not on hold. A session that is still active is erased all the same. */
const dueSessions = (tenantId: string, beforeMs: number) =>
  sql<{ readonly session_id: string }>`
    select session_id from wg.streams
      join wg.events on events.stream_id = streams.stream_id and events.version = streams.version
      where streams.tenant_id = ${tenantId} and erased_at is null and not legal_hold
        and streams.created_at < ${at(beforeMs)} and events.recorded_at < ${at(beforeMs)}
      order by events.recorded_at`

const duePages = (tenantId: string, beforeMs: number) =>
  sql<{ readonly source_type: SourceType; readonly source_id: string }>`
    select distinct source_type, source_id from wg.evidence_entries
      where tenant_id = ${tenantId} and source_type = 'web_search'
        and collected_at < ${at(beforeMs)}
      order by source_id`

const countCached = (tenantId: string, beforeMs: number) =>
  sql<{ readonly count: number }>`select
    (select count(*)::int from wg.query_cache
      where tenant_id = ${tenantId} and recorded_at_ms < ${beforeMs})
    + (select count(*)::int from wg.pack_cache
      where tenant_id = ${tenantId} and made_at_ms < ${beforeMs})
    + (select count(*)::int from wg.pages_to_collect
      where tenant_id = ${tenantId} and due_at < ${at(beforeMs)}) as count`

const deleteCached = (tenantId: string, beforeMs: number) =>
  sql<{ readonly count: number }>`
    with searches as (
      delete from wg.query_cache
        where tenant_id = ${tenantId} and recorded_at_ms < ${beforeMs} returning key
    ), packs as (
      delete from wg.pack_cache
        where tenant_id = ${tenantId} and made_at_ms < ${beforeMs} returning key
    ), waiting as (
      delete from wg.pages_to_collect
        where tenant_id = ${tenantId} and due_at < ${at(beforeMs)} returning source_key
    )
    select ((select count(*) from searches) + (select count(*) from packs)
      + (select count(*) from waiting))::int as count`

const tenants = sql<{ readonly tenant_id: string }>`
  select tenant_id from wg.streams where tenant_id not like '\\_%'
    union select tenant_id from wg.query_cache
    union select tenant_id from wg.pack_cache
    union select tenant_id from wg.evidence_entries
    union select tenant_id from wg.pages_to_collect
    order by tenant_id`

export const layerPostgresRetention = Layer.effect(
  RetentionStore,
  Effect.gen(function*() {
    const asked = rowsIn(yield* Postgres)
    const rowsOf = <Row>(statement: RawBuilder<Row>) =>
      Effect.mapError(asked(statement), unavailable("retention"))
    const counted = (statement: RawBuilder<{ readonly count: number }>) =>
      Effect.map(rowsOf(statement), ([row]) => row?.count ?? 0)
    return RetentionStore.of({
      tenants: Effect.map(rowsOf(tenants), (rows) => rows.map(({ tenant_id }) => tenant_id)),
      sessions: (tenantId, beforeMs) =>
        Effect.map(
          rowsOf(dueSessions(tenantId, beforeMs)),
          (rows) => rows.map(({ session_id }) => session_id)
        ),
      pages: (tenantId, beforeMs) => rowsOf(duePages(tenantId, beforeMs)),
      cached: (tenantId, beforeMs) => counted(countCached(tenantId, beforeMs)),
      dropCached: (tenantId, beforeMs) => counted(deleteCached(tenantId, beforeMs))
    })
  })
)

// Rewraps every data key under the current wrapping key, with the privilege of `wg_eraser`.

const pageMax = 500
/** UUID before every UUIDv7. */
const nilUuid = "00000000-0000-0000-0000-000000000000"

interface Rewrapped {
  readonly rewrapped: number
  /** Unchanged keys: damaged, or wrapped under an unknown key. */
  readonly left: number
}

/**
 * Rewraps every stored data key under the current wrapping key, while services that know it run.
 * Then the ids of former keys are removed. May be repeated.
 */
export const rewrap = Effect.gen(function*() {
  const rowsOf = rowsIn(yield* Postgres)
  const wrapping = yield* PayloadKeys
  const counts = { rewrapped: 0, left: 0 }
  if (Option.isNone(wrapping)) return counts
  if (!(yield* mayErase)) return yield* new ErasureNotAllowed()
  const { id } = wrapping.value.current
  let after = nilUuid
  while (true) {
    const from = after
    const rows = yield* rowsOf(sql<{
      readonly stream_id: string
      readonly tenant_id: string
      readonly wrapped: string
    }>`select stream_id, tenant_id, wrapped
        from wg.payload_keys join wg.streams using (stream_id)
        where stream_id > ${from}::uuid and split_part(wrapped, '.', 1) <> ${id}
        order by stream_id limit ${pageMax}`)
    for (const { stream_id, tenant_id, wrapped } of rows) {
      after = stream_id
      const bound = boundKey({ streamId: stream_id, tenantId: tenant_id })
      const anew = PayloadCipher.wrapAnew(wrapping.value, wrapped, bound)
      if (Result.isFailure(anew)) {
        counts.left += 1
        continue
      }
      yield* rowsOf(sql`select wg.rewrap(${stream_id}, ${wrapped}, ${anew.success})`)
      counts.rewrapped += 1
    }
    if (rows.length < pageMax) break
  }
  if (counts.left === 0) {
    yield* rowsOf(sql`delete from wg.wrapping_keys where key_id <> ${id}`)
  }
  const done: Rewrapped = counts
  return done
})
