/** The log's rows in PostgreSQL, on a server or embedded, as verification reads them. */
import { Array as Arr, Effect, Layer, Option, Result, Stream } from "effect"
import { sql } from "kysely"
import { LogRows, type LogScope, type ReadEventRow } from "../../application/audit/VerifyLog.ts"
import {
  appendEventsMax,
  EventNotStorable,
  EventStoreUnavailable,
  type LoggedEvent,
  type NewEvent,
  StreamConflict,
  type StreamHead,
  type StreamState
} from "../../application/ports/EventStore.ts"
import type { EventMetadata } from "../../contract/EventView.ts"
import * as HashChain from "../../domain/audit/HashChain.ts"
import type { Resurrected, StreamRow } from "../../domain/audit/LogCheck.ts"
import type { LeafPosition as Place } from "../../domain/audit/MerkleTree.ts"
import { canonical } from "../../infrastructure/CanonicalJson.ts"
import { sha256 } from "../../infrastructure/Digest.ts"
import type { PayloadKeyMissing } from "../../infrastructure/encryption/PayloadKeys.ts"
import { Postgres, rowsIn, type Statement } from "../../infrastructure/postgres/Postgres.ts"
import * as AppendStatement from "./AppendStatement.ts"
import * as LogStatements from "./LogStatements.ts"
import * as SettledLog from "./SettledLog.ts"
import * as StreamKeys from "./StreamKeys.ts"

const lowest = -(2n ** 63n)
/** UUID below every UUIDv7. */
const nilUuid = "00000000-0000-0000-0000-000000000000"
const digestDigits = 64

export const layer = Layer.effect(
  LogRows,
  Effect.gen(function*() {
    const postgres = yield* Postgres
    const settled = yield* SettledLog.make
    const keys = yield* StreamKeys.make

    const toEventRow = (row: EventTableRow) =>
      Result.map(
        keys.opened(row, {
          streamId: row.stream_id,
          tenantId: row.own_tenant_id ?? row.tenant_id,
          wrapped: row.wrapped
        }),
        (payload): ReadEventRow => ({
          ...recordedOf(row),
          ...payload,
          position: BigInt(row.position),
          tenantId: row.tenant_id,
          bytes: row.bytes,
          owner: ownerOf(row),
          previous: previousOf(row)
        })
      )

    const read = <Row extends object>(
      statement: Statement,
      parameters: ReadonlyArray<string | number | null>
    ) =>
      Effect.mapError(
        LogStatements.idempotent(postgres.prepared<Row>(statement, parameters)),
        unavailable
      )

    return LogRows.of({
      settled: Effect.mapError(settled, unavailable),
      events: (scope, { after = lowest, until }) =>
        paged(after, (from) =>
          Effect.flatMap(
            read<EventTableRow>(eventsOf(scope), [
              String(from),
              String(until),
              ...parametersOf(scope)
            ]),
            (rows) =>
              Effect.mapError(Effect.fromResult(Result.all(rows.map(toEventRow))), unavailable)
          ), ({ position }) => position),
      places: (until) =>
        paged(lowest, (from) =>
          Effect.map(
            read<PlaceRow>(places, [String(from), String(until)]),
            (rows) =>
              rows.map(({ position, sessionId, ...row }): Place => ({
                ...row,
                position: BigInt(position),
                sessionId: sessionId ?? undefined
              }))
          ), ({ position }) => position),
      streams: (scope) =>
        paged(nilUuid, (from) =>
          Effect.map(
            read<StreamTableRow>(streamsOf(scope), [from, ...parametersOf(scope)]),
            (rows) => rows.map(toStreamRow)
          ), ({ streamId }) => streamId),
      resurrected: (scope) =>
        Stream.fromIterableEffect(
          Effect.map(
            read<ResurrectedRow>(resurrectedOf(scope), parametersOf(scope)),
            (rows) =>
              rows.map(({ erasedBy, ...row }): Resurrected => ({
                ...row,
                erasedBy: BigInt(erasedBy)
              }))
          )
        )
    })
  })
)

const unavailable = (cause: SettledLog.SettledFailed | PayloadKeyMissing) =>
  new EventStoreUnavailable({ operation: "verify", cause })

const parametersOf = ({ sessionId, tenantId }: LogScope): ReadonlyArray<string> => [
  ...(tenantId === undefined ? [] : [tenantId]),
  ...(sessionId === undefined ? [] : [sessionId])
]

/** Consecutive pages until an empty one: ties may lengthen a page. */
const paged = <Row, Key, E>(
  first: Key,
  page: (after: Key) => Effect.Effect<ReadonlyArray<Row>, E>,
  keyOf: (row: Row) => Key
): Stream.Stream<Row, E> =>
  Stream.paginate(first, (after) =>
    Effect.map(page(after), (rows) => {
      const last = Arr.last(rows)
      return [rows, Option.map(last, keyOf)] as const
    }))

export interface EventRow {
  readonly stream_id: string
  readonly version: number
  readonly position: string
  readonly event_id: string
  readonly type: string
  readonly schema_version: number
  readonly recorded_at: string
  readonly data: ReadEventRow["data"]
  readonly metadata: EventMetadata
  readonly seal: string
}

export const recordedOf = (row: EventRow) => ({
  eventId: row.event_id,
  type: row.type,
  schemaVersion: row.schema_version,
  metadata: row.metadata,
  streamId: row.stream_id,
  version: row.version,
  recordedAt: row.recorded_at,
  payloadDigest: row.seal.slice(0, digestDigits),
  hash: row.seal.slice(digestDigits, 2 * digestDigits)
})

interface EventTableRow extends EventRow {
  readonly tenant_id: string
  readonly bytes: number
  readonly own_tenant_id: string | null
  readonly own_session_id: string | null
  readonly is_erased: boolean
  /** Looked up with the stream's row. */
  readonly wrapped: string | null
  readonly previous_hash: string | null
  readonly previous_position: string | null
}

type PlaceRow = Omit<Place, "position" | "sessionId"> & {
  position: string
  sessionId: string | null
}
type ResurrectedRow = Omit<Resurrected, "erasedBy"> & { erasedBy: string }

interface StreamTableRow extends Omit<StreamRow, "firstRecordedAt" | "last" | "repeated"> {
  readonly last_version: number | null
  readonly last_position: string | null
  readonly last_hash: string | null
  readonly first_recorded_at: string | null
  readonly repeated: readonly [string, string] | null
}

const ownerOf = (row: EventTableRow): ReadEventRow["owner"] =>
  row.own_tenant_id === null || row.own_session_id === null ? undefined : {
    tenantId: row.own_tenant_id,
    sessionId: row.own_session_id,
    isErased: row.is_erased
  }

const previousOf = (row: EventTableRow): ReadEventRow["previous"] =>
  row.previous_hash === null || row.previous_position === null ? undefined : {
    hash: row.previous_hash,
    position: BigInt(row.previous_position)
  }

const toStreamRow = (
  { first_recorded_at, last_hash, last_position, last_version, repeated, ...row }: StreamTableRow
): StreamRow => ({
  ...row,
  last: last_version === null ? undefined : {
    version: last_version,
    position: BigInt(last_position ?? 0),
    hash: last_hash ?? ""
  },
  firstRecordedAt: first_recorded_at ?? undefined,
  repeated: repeated === null ? undefined : {
    version: Number(repeated[0]),
    position: BigInt(repeated[1])
  }
})

// Verification statements. `with ties` keeps rows of one position on one page. Predecessor and
// stream row are looked up behind a limit, which keeps the planner from scanning whole tables.

const eventsPageMax = 1_000
/** Positions in one page: they are short. */
const placesPageMax = 5_000
const streamsPageMax = 500

const contentErased = "WEB_GROUNDING_CONTENT_ERASED"

const hashOf = (seal: string) => `encode(substring(${seal} from 33 for 32), 'hex')`

/** Statements over the whole log, a tenant's and a session's part, each with a condition more. */
const within = (
  statement: (name: string, where: string) => Statement,
  ofTenant: string,
  ofSession: string
) => {
  const [whole, tenant, session] = [
    statement("all", ""),
    statement("tenant", ofTenant),
    statement("session", ofSession)
  ]
  return ({ sessionId, tenantId }: LogScope): Statement =>
    sessionId !== undefined ? session : tenantId === undefined ? whole : tenant
}

/** Parameters from the third: tenant and session. */
const eventsOf = within(
  (name, where) => ({
    name: `wg_rows_${name}`,
    text: `
    select page.*, own.tenant_id as own_tenant_id, own.session_id as own_session_id,
        own.erased_at is not null as is_erased, own.wrapped, earlier.hash as previous_hash,
        earlier.position as previous_position
      from (
        select stream_id, version, position, tenant_id, event_id, type, schema_version,
            recorded_at, data, metadata, seal,
            coalesce(pg_column_size(data), 0) + pg_column_size(metadata) as bytes
          from wg.events
          where position > $1::bigint and position <= $2::bigint ${where}
          order by position fetch first ${eventsPageMax} rows with ties
      ) page
      left join lateral (
        select tenant_id, session_id, erased_at,
            (select wrapped from wg.payload_keys as held
              where held.stream_id = streams.stream_id) as wrapped
          from wg.streams
          where streams.stream_id = page.stream_id limit 1
      ) own on true
      left join lateral (
        select ${hashOf("seal")} as hash, position from wg.events
          where events.stream_id = page.stream_id and events.version = page.version - 1
          order by position limit 1
      ) earlier on true
      order by page.position, page.stream_id, page.version`
  }),
  `and (tenant_id = $3 or exists (select from wg.streams
    where streams.stream_id = events.stream_id and streams.tenant_id = $3))`,
  `and stream_id = (select stream_id from wg.streams where tenant_id = $3 and session_id = $4)`
)

const places: Statement = {
  name: "wg_row_places",
  text: `
    select position, tenant_id as "tenantId", ${hashOf("seal")} as hash,
        (select session_id from wg.streams where streams.stream_id = events.stream_id)
          as "sessionId"
      from wg.events where position > $1::bigint and position <= $2::bigint
      order by position fetch first ${placesPageMax} rows with ties`
}

/** Parameters from the second: tenant and session. */
const streamsOf = within(
  (name, where) => ({
    name: `wg_stream_rows_${name}`,
    text: `
    select page.stream_id as "streamId", tenant_id as "tenantId", session_id as "sessionId",
        version, head_hash as hash, created_at as "createdAt", counted.*,
        newest.position as last_position, newest.hash as last_hash,
        (select recorded_at from wg.events
          where events.stream_id = page.stream_id and events.version = 1 limit 1)
          as first_recorded_at,
        case when counted.events > counted.versions then (
          select array[version, max(position)]::text[] from wg.events
            where events.stream_id = page.stream_id
            group by version having count(*) > 1 order by version limit 1
        ) end as repeated
      from (
        select stream_id, tenant_id, session_id, version, encode(head_hash, 'hex') as head_hash,
            created_at
          from wg.streams where stream_id > $1::uuid ${where}
          order by stream_id limit ${streamsPageMax}
      ) page
      cross join lateral (
        select count(*)::int as events, count(distinct version)::int as versions,
            max(version) as last_version
          from wg.events where events.stream_id = page.stream_id
      ) counted
      left join lateral (
        select position, ${hashOf("seal")} as hash from wg.events
          where events.stream_id = page.stream_id and events.version = counted.last_version
          order by position limit 1
      ) newest on true
      order by page.stream_id`
  }),
  "and tenant_id = $2",
  "and tenant_id = $2 and session_id = $3"
)

const resurrectedOf = within(
  (name, where) => ({
    name: `wg_resurrected_${name}`,
    text: `
    select own.stream_id as "streamId", own.tenant_id as "tenantId",
        own.session_id as "sessionId", min(fact.position) as "erasedBy"
      from wg.streams record
        join wg.events fact on fact.stream_id = record.stream_id and fact.type = '${contentErased}'
        join wg.streams own on own.tenant_id = fact.data ->> 'tenant_id'
          and own.session_id = fact.data ->> 'session_id'
      where record.tenant_id like '\\_erasure/%' and own.erased_at is null ${where}
      group by own.stream_id, own.tenant_id, own.session_id
      order by own.stream_id`
  }),
  "and own.tenant_id = $1",
  "and own.tenant_id = $1 and own.session_id = $2"
)

type Group = readonly [LoggedEvent, ...ReadonlyArray<LoggedEvent>]

/** Groups consecutive events of one stream and one time, for one statement each. */
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

/** Event with the seal of the log that recorded it. */
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

interface Restoration {
  readonly postgres: Postgres["Service"]
  readonly keys: StreamKeys.StreamKeys
  readonly states: ReadonlyMap<string, StreamState>
}

/** One transaction, with data keys of this database, and the salts and hashes of the other log. */
export const restored = Effect.fnUntraced(function*(
  { keys, postgres, states }: Restoration,
  events: ReadonlyArray<LoggedEvent>
) {
  const rowsOf = rowsIn(postgres)
  const streams = new Map<string, { head: StreamHead; key: StreamKeys.AppendKey | undefined }>()
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
    const rows = yield* rowsOf(insertStream(head, event, state))
    if (rows.length === 0) return yield* new StreamConflict({ ref: head.ref, expectedVersion: 0 })
    return { head, key: state.erasedAt === undefined ? yield* keys.forAppend(head) : undefined }
  })
  const recorded = Effect.fnUntraced(function*(group: Group) {
    const [{ recordedAt, streamId }] = group
    const { head, key } = streams.get(streamId) ?? (yield* begun(group[0]))
    const state = states.get(streamId)
    if (state?.erasedAt !== undefined) {
      yield* Effect.forEach(group, (event) => rowsOf(insertErased(event)))
    } else {
      const sealed = Result.all(group.map(resealed))
      if (Result.isFailure(sealed)) return yield* new EventNotStorable(sealed.failure)
      const kind = head.version === 0 && state === undefined ? "start" : "continue"
      const append = { head, sealed: sealed.success, recordedAt, key }
      const rows = yield* postgres.prepared<object>(
        ...AppendStatement.appendStatement(kind, [append])
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

/** Returns no row if the session or the stream exists. */
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

/** Inserts an event without its payload and moves the head to it: appends refuse the stream. */
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
