/**
 * Finds and removes what is older than it may be in the tables of the log, the caches and the
 * evidence store.
 */
import { Effect, Layer } from "effect"
import { type RawBuilder, sql } from "kysely"
import { RetentionStore } from "../../../application/erasure/ApplyRetention.ts"
import { EventStoreUnavailable } from "../../../application/ports/EventStore.ts"
import type { SourceType } from "../../../domain/store/Entry.ts"
import { Postgres } from "../../../infrastructure/postgres/Postgres.ts"

const at = (ms: number) => sql`to_timestamp(${ms}::float8 / 1000)`

/**
 * Sessions that are due and that nobody holds. One that goes on while it is erased goes all the
 * same.
 */
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
      where tenant_id = ${tenantId} and made_at_ms < ${beforeMs}) as count`

const deleteCached = (tenantId: string, beforeMs: number) =>
  sql<{ readonly count: number }>`
    with searches as (
      delete from wg.query_cache
        where tenant_id = ${tenantId} and recorded_at_ms < ${beforeMs} returning key
    ), packs as (
      delete from wg.pack_cache
        where tenant_id = ${tenantId} and made_at_ms < ${beforeMs} returning key
    )
    select ((select count(*) from searches) + (select count(*) from packs))::int as count`

const tenants = sql<{ readonly tenant_id: string }>`
  select tenant_id from wg.streams where tenant_id not like '\\_%'
    union select tenant_id from wg.query_cache
    union select tenant_id from wg.pack_cache
    union select tenant_id from wg.evidence_entries
    order by tenant_id`

export const layer = Layer.effect(
  RetentionStore,
  Effect.gen(function*() {
    const { run } = yield* Postgres
    const rowsOf = <Row>(statement: RawBuilder<Row>) =>
      run((db) => statement.execute(db)).pipe(
        Effect.map(({ rows }): ReadonlyArray<Row> => rows),
        Effect.mapError((cause) => new EventStoreUnavailable({ operation: "retention", cause }))
      )
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
