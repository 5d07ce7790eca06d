/**
 * The event log in PostgreSQL, on a server or embedded. Optimistic concurrency by the stream row's
 * version and hash. Readers stop at the watermark and must be on the primary: a standby does not
 * show who holds the lock of writers. Design and cost: `docs/eventstore.md`.
 */
import { Array as Arr, Brand, Cause, DateTime, Effect, Fiber, Layer, Result, Stream } from "effect"
import { retryUntilMs } from "../../application/log/CommandHandler.ts"
import {
  appendEventsMax,
  EventNotStorable,
  EventStore,
  EventStoreUnavailable,
  type LoggedEvent,
  type LogPosition,
  type NewEvent,
  type StoredEvent,
  StreamConflict,
  type StreamHead,
  type StreamHistory,
  type StreamRef,
  type StreamSummary
} from "../../application/ports/EventStore.ts"
import * as HashChain from "../../domain/audit/HashChain.ts"
import { canonical, isStorableText } from "../../infrastructure/CanonicalJson.ts"
import { salt, sha256, uuidv7 } from "../../infrastructure/Digest.ts"
import type { PayloadKeyMissing } from "../../infrastructure/encryption/PayloadKeys.ts"
import * as Migrations from "../../infrastructure/postgres/Migrations.ts"
import { codeOf, Postgres } from "../../infrastructure/postgres/Postgres.ts"
import * as GroupAppend from "./GroupAppend.ts"
import * as LogStatements from "./LogStatements.ts"
import * as PostgresLogRows from "./PostgresLogRows.ts"
import * as SettledLog from "./SettledLog.ts"
import * as StreamKeys from "./StreamKeys.ts"

export const layer = Layer.effect(
  EventStore,
  Effect.gen(function*() {
    const postgres = yield* Postgres
    const now = yield* SettledLog.makeDatabaseClock
    const keys = yield* StreamKeys.make
    const committed = yield* GroupAppend.make
    const settled = Effect.mapError(yield* SettledLog.make, unavailable("all"))

    const toStoredEvent = (row: Row, key: StreamKeys.StreamKey) =>
      Result.map(keys.opened(row, key), (payload) => storedOf(row, payload))

    const toLoggedEvent = (row: LoggedRow) => {
      const { session_id, stream_id, tenant_id, wrapped } = row
      const key = { streamId: stream_id, tenantId: tenant_id, wrapped }
      return Result.map(toStoredEvent(row, key), (event): LoggedEvent => ({
        ...event,
        tenantId: tenant_id,
        sessionId: session_id
      }))
    }

    const read = Effect.fnUntraced(function*(
      ref: StreamRef,
      afterVersion = 0,
      eventsMax?: number
    ) {
      const parameters = [ref.tenant_id, ref.session_id, afterVersion, eventsMax ?? null]
      const rows = isStorableRef(ref)
        ? yield* LogStatements.idempotent(
          postgres.prepared<Row>(LogStatements.readStream, parameters)
        )
        : []
      const [first, ...events] = rows
      const head: HeadRow | undefined = first
      if (head === undefined) return { head: unwritten(ref, yield* now), events: [] }
      const key = { streamId: head.stream_id, tenantId: ref.tenant_id, wrapped: head.type }
      return {
        head: toHead(ref, head),
        events: yield* Effect.fromResult(Result.all(events.map((row) => toStoredEvent(row, key))))
      }
    }, Effect.mapError(unavailable("read")))

    const append: EventStore["Service"]["append"] = Effect.fnUntraced(
      function*(head, events) {
        if (events.length === 0) return { head, events: [] }
        const recordedAt = DateTime.formatIso(DateTime.makeUnsafe(yield* now))
        const sealed = sealedOrNot(head, events, recordedAt)
        if (Result.isFailure(sealed)) return yield* new EventNotStorable(sealed.failure)
        const key = yield* Effect.mapError(keys.forAppend(head), unavailable("append"))
        const untilMs = yield* retryUntilMs
        const rows = yield* Effect.mapError(
          committed({ head, sealed: sealed.success, recordedAt, key, untilMs }),
          unavailable("append")
        )
        if (rows.length === 0) return yield* alreadyAppended(head, events)
        if (key !== undefined) keys.appended(head.streamId, key)
        return appended(head, sealed.success, rows, recordedAt)
      }
    )

    /** The history of an append whose first try had committed, or the conflict. */
    const alreadyAppended = Effect.fnUntraced(
      function*(head: StreamHead, events: ReadonlyArray<NewEvent>) {
        const { events: recorded, head: current } = yield* read(head.ref, head.version)
        const ours = recorded.slice(0, events.length)
        const last = ours.at(-1)
        const same = ours.length === events.length &&
          ours.every(({ eventId }, index) => eventId === events[index]?.eventId)
        if (!same || last === undefined) {
          return yield* new StreamConflict({ ref: head.ref, expectedVersion: head.version })
        }
        return { head: { ...current, version: last.version, hash: last.hash }, events: ours }
      }
    )

    const pageAfter = (after: bigint) =>
      LogStatements.idempotent(
        postgres.prepared<LoggedRow>(LogStatements.readPage, [String(after)])
      )
        .pipe(
          Effect.flatMap((rows) => Effect.fromResult(Result.all(rows.map(toLoggedEvent)))),
          Effect.mapError(unavailable("all"))
        )

    /** Single flight: read models that need the same page share one read. */
    const page = yield* GroupAppend.shared(readingsMax, pageAfter)
    const readers = yield* GroupAppend.shared(readingsMax, () => settled)

    return EventStore.of({
      read,
      append,
      now,

      restore: (events, states = new Map()) =>
        Effect.catchTags(PostgresLogRows.restored({ postgres, keys, states }, events), {
          PostgresError: (cause) => Effect.fail(unavailable("restore")(cause)),
          PayloadKeyMissing: (cause) => Effect.fail(unavailable("restore")(cause))
        }),

      all: (position) =>
        Stream.unwrap(
          Effect.map(readers(undefined), (until) =>
            position < until
              ? pages(
                position,
                (after) => Effect.map(page(after), (events) => settledOf(events, until))
              )
              : Stream.empty)
        ),

      backlog: (position, countMax) =>
        LogStatements.idempotent(
          postgres.prepared<{ readonly count: number; readonly oldest_at: string | null }>(
            LogStatements.countAfter,
            [String(position), countMax]
          )
        ).pipe(
          Effect.mapError(unavailable("backlog")),
          Effect.map(([row]) => ({
            count: row?.count ?? 0,
            ...(row?.oldest_at ? { oldestAt: row.oldest_at } : {})
          }))
        ),

      streams: (tenantId, limit, before) =>
        LogStatements.idempotent(
          postgres.prepared<StreamSummary>(
            LogStatements.listStreams,
            [tenantId, limit, before ?? null]
          )
        ).pipe(Effect.mapError(unavailable("streams"))),

      state: Effect.gen(function*() {
        const [row] = yield* postgres.prepared<
          { readonly read_only: boolean; readonly migrations: ReadonlyArray<string> }
        >(LogStatements.readState, [])
        if (row?.read_only !== false) return "read_only"
        const schema = Migrations.schemaState(row.migrations)
        return schema === "current" ? "writable" : schema
      }).pipe(
        Effect.catchIf(
          ({ cause }) => codeOf(cause) === undefinedTable,
          () => Effect.succeed("schema_behind" as const)
        ),
        Effect.mapError(unavailable("state"))
      )
    })
  })
)

const readingsMax = 4

type Row = PostgresLogRows.EventRow

/** First row of `LogStatements.readStream`. */
interface HeadRow extends Omit<Row, "type" | "recorded_at"> {
  readonly type: string | null
  readonly recorded_at: string | null
}

interface LoggedRow extends Row {
  readonly tenant_id: string
  readonly session_id: string
  readonly wrapped: string | null
}

const digests: HashChain.Digests = { sha256, canonical }

const positionOf = Brand.nominal<LogPosition>()

/** SQLSTATE of a missing table or schema. */
const undefinedTable = "42P01"

const unavailable = (operation: string) => (cause: SettledLog.SettledFailed | PayloadKeyMissing) =>
  new EventStoreUnavailable({ operation, cause })

/** Other ids cannot name a stream, so it is empty. */
const isStorableRef = ({ session_id, tenant_id }: StreamRef) =>
  isStorableText(tenant_id) && isStorableText(session_id)

const unwritten = (ref: StreamRef, nowMs: number): StreamHead => {
  const streamId = uuidv7(nowMs)
  return { ref, streamId, version: 0, hash: HashChain.genesis(digests, streamId) }
}

const sealedOrNot = (
  head: StreamHead,
  events: ReadonlyArray<NewEvent>,
  recordedAt: string
): Result.Result<ReadonlyArray<HashChain.Sealed<NewEvent>>, HashChain.NotSealable> => {
  const type = events[0]?.type ?? ""
  if (events.length > appendEventsMax) {
    return Result.fail({ type, problem: `more than ${appendEventsMax} events in one append` })
  }
  if (!isStorableRef(head.ref)) {
    return Result.fail({ type, problem: "a tenant or session id with NUL or a lone surrogate" })
  }
  return HashChain.seal(digests, head, events, { recordedAt, salt })
}

const appended = (
  head: StreamHead,
  sealed: ReadonlyArray<HashChain.Sealed<NewEvent>>,
  positions: ReadonlyArray<GroupAppend.PositionRow>,
  recordedAt: string
): StreamHistory => {
  const events = Arr.zipWith(
    sealed,
    positions,
    ({ draft, hash, payloadDigest, salt, version }, { position }): StoredEvent => ({
      ...draft,
      streamId: head.streamId,
      version,
      position: positionOf(BigInt(position)),
      recordedAt,
      salt,
      payloadDigest,
      hash
    })
  )
  const last = events.at(-1) ?? head
  return { head: { ...head, version: last.version, hash: last.hash }, events }
}

const toHead = (ref: StreamRef, row: HeadRow): StreamHead => ({
  ref,
  streamId: row.stream_id,
  version: Number(row.position),
  hash: row.seal,
  ...(row.recorded_at === null ? {} : { erasedAt: row.recorded_at })
})

const storedOf = (row: Row, { data, salt }: StreamKeys.Payload): StoredEvent => ({
  ...PostgresLogRows.recordedOf(row),
  position: positionOf(BigInt(row.position)),
  data,
  salt
})

const settledOf = (events: ReadonlyArray<LoggedEvent>, until: bigint) => {
  const first = events.findIndex(({ position }) => position > until)
  return first === -1 ? events : events.slice(0, first)
}

/**
 * Prefetches the next page. The request waits in its own slot: if each page led to the next, as in
 * `Stream.paginate`, old pages would keep new ones alive until a full garbage collection.
 */
const pages = <E>(
  position: bigint,
  page: (after: bigint) => Effect.Effect<ReadonlyArray<LoggedEvent>, E>
): Stream.Stream<LoggedEvent, E> =>
  Stream.unwrap(Effect.gen(function*() {
    const scope = yield* Effect.scope
    const request = (after: bigint) => Effect.forkIn(page(after), scope)
    const requested = [yield* request(position)]
    const next = Effect.gen(function*() {
      const fiber = requested.pop()
      if (fiber === undefined) return yield* Cause.done()
      const events = yield* Fiber.join(fiber)
      const last = events.length < LogStatements.pageEventsMax ? undefined : events.at(-1)
      if (last !== undefined) requested.push(yield* request(last.position))
      return Arr.isReadonlyArrayNonEmpty(events) ? events : yield* Cause.done()
    })
    return Stream.fromPull(Effect.succeed(next))
  }))
