/** The log's rows in PostgreSQL, on a server or embedded, as verification reads them. */
import { Array as Arr, Effect, Layer, Option, Result, Stream } from "effect"
import { LogRows, type LogScope, type ReadEventRow } from "../../application/audit/VerifyLog.ts"
import { EventStoreUnavailable } from "../../application/ports/EventStore.ts"
import type { EventMetadata } from "../../contract/EventView.ts"
import type { Resurrected, StreamRow } from "../../domain/audit/LogCheck.ts"
import type { Place } from "../../domain/audit/MerkleTree.ts"
import type { PayloadKeyMissing } from "../../infrastructure/encryption/PayloadKeys.ts"
import { Postgres, type Statement } from "../../infrastructure/postgres/Postgres.ts"
import * as LogRowStatements from "./LogRowStatements.ts"
import * as Repeated from "./Repeated.ts"
import * as SettledLog from "./SettledLog.ts"
import * as StreamKeys from "./StreamKeys.ts"

/** Number below every position that a row can have. */
const lowest = -(2n ** 63n)
/** UUID below every UUIDv7. */
const nilUuid = "00000000-0000-0000-0000-000000000000"
/** Digits of a SHA-256 digest in hex. */
const digestDigits = 64

export const layer = Layer.effect(
  LogRows,
  Effect.gen(function*() {
    const postgres = yield* Postgres
    const settled = yield* SettledLog.make
    const keys = yield* StreamKeys.make

    /** A row that follows its predecessor takes from it what was not looked up for it. */
    const toEventRows = (rows: ReadonlyArray<EventTableRow>) => {
      const events: Array<ReadEventRow> = []
      let wrapped: string | null = null
      for (const row of rows) {
        const before = row.follows ? events.at(-1) : undefined
        if (!row.follows) wrapped = row.wrapped
        const payload = keys.opened(row, {
          streamId: row.stream_id,
          tenantId: row.own_tenant_id ?? before?.owner?.tenantId ?? row.tenant_id,
          wrapped
        })
        if (Result.isFailure(payload)) return Result.fail(payload.failure)
        events.push({
          ...toEventRow(row, before?.owner ?? ownerOf(row), before ?? previousOf(row)),
          ...payload.success
        })
      }
      return Result.succeed(events)
    }

    const read = <Row extends object>(
      statement: Statement,
      parameters: ReadonlyArray<string | number | null>
    ) =>
      Effect.mapError(
        Repeated.idempotent(postgres.prepared<Row>(statement, parameters)),
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
            (rows) => Effect.mapError(Effect.fromResult(toEventRows(rows)), unavailable)
          ), ({ position }) => position),
      places: (until) =>
        paged(lowest, (from) =>
          Effect.map(
            read<PlaceTableRow>(LogRowStatements.places, [String(from), String(until)]),
            (rows) => rows.map(toPlace)
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
            read<ResurrectedTableRow>(resurrectedOf(scope), parametersOf(scope)),
            (rows) => rows.map(toResurrected)
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

const eventsOf = ({ sessionId, tenantId }: LogScope): Statement => {
  if (sessionId !== undefined) return LogRowStatements.sessionEvents
  return tenantId === undefined ? LogRowStatements.allEvents : LogRowStatements.tenantEvents
}

const streamsOf = ({ sessionId, tenantId }: LogScope): Statement => {
  if (sessionId !== undefined) return LogRowStatements.sessionStreams
  return tenantId === undefined ? LogRowStatements.allStreams : LogRowStatements.tenantStreams
}

const resurrectedOf = ({ sessionId, tenantId }: LogScope): Statement => {
  if (sessionId !== undefined) return LogRowStatements.sessionResurrected
  return tenantId === undefined
    ? LogRowStatements.allResurrected
    : LogRowStatements.tenantResurrected
}

/** Pages after one another until one is empty: ties may make a page longer than it was to be. */
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

interface EventTableRow {
  readonly stream_id: string
  readonly version: number
  readonly position: string
  readonly tenant_id: string
  readonly event_id: string
  readonly type: string
  readonly schema_version: number
  readonly recorded_at: string
  readonly data: ReadEventRow["data"]
  readonly metadata: EventMetadata
  readonly seal: string
  readonly bytes: number
  readonly follows: boolean
  readonly own_tenant_id: string | null
  readonly own_session_id: string | null
  readonly is_erased: boolean
  /** Looked up with the stream's row. */
  readonly wrapped: string | null
  readonly previous_hash: string | null
  readonly previous_position: string | null
}

interface PlaceTableRow {
  readonly position: string
  readonly tenant_id: string
  readonly session_id: string | null
  readonly hash: string
}

interface ResurrectedTableRow {
  readonly stream_id: string
  readonly tenant_id: string
  readonly session_id: string
  readonly position: string
}

interface StreamTableRow {
  readonly stream_id: string
  readonly tenant_id: string
  readonly session_id: string
  readonly version: number
  readonly head_hash: string
  readonly created_at: string
  readonly events: number
  readonly versions: number
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

const toEventRow = (
  row: EventTableRow,
  owner: ReadEventRow["owner"],
  previous: ReadEventRow["previous"]
): Omit<ReadEventRow, "data" | "salt"> => ({
  eventId: row.event_id,
  type: row.type,
  schemaVersion: row.schema_version,
  metadata: row.metadata,
  streamId: row.stream_id,
  version: row.version,
  position: BigInt(row.position),
  recordedAt: row.recorded_at,
  tenantId: row.tenant_id,
  payloadDigest: row.seal.slice(0, digestDigits),
  hash: row.seal.slice(digestDigits, 2 * digestDigits),
  bytes: row.bytes,
  owner,
  // Of the row before nothing else is kept alive.
  previous: previous === undefined
    ? undefined
    : { hash: previous.hash, position: previous.position }
})

const toPlace = (row: PlaceTableRow): Place => ({
  position: BigInt(row.position),
  tenantId: row.tenant_id,
  sessionId: row.session_id ?? undefined,
  hash: row.hash
})

const toResurrected = (row: ResurrectedTableRow): Resurrected => ({
  streamId: row.stream_id,
  tenantId: row.tenant_id,
  sessionId: row.session_id,
  erasedBy: BigInt(row.position)
})

const toStreamRow = (row: StreamTableRow): StreamRow => ({
  streamId: row.stream_id,
  tenantId: row.tenant_id,
  sessionId: row.session_id,
  version: row.version,
  hash: row.head_hash,
  createdAt: row.created_at,
  events: row.events,
  versions: row.versions,
  last: row.last_version === null ? undefined : {
    version: row.last_version,
    position: BigInt(row.last_position ?? 0),
    hash: row.last_hash ?? ""
  },
  firstRecordedAt: row.first_recorded_at ?? undefined,
  repeated: row.repeated === null ? undefined : {
    version: Number(row.repeated[0]),
    position: BigInt(row.repeated[1])
  }
})
