/**
 * The event log of a simulated database, shared by all processes: the port's promises, kept as the
 * PostgreSQL adapter keeps them. Writers of a stream wait for each other's commit, positions are
 * drawn before they are visible, readers stop at the first that is not, and lost statements are
 * sent again.
 */
import { DateTime, Effect, Layer, Result, Stream } from "effect"
import * as LogStatements from "../../src/adapters/postgres/LogStatements.ts"
import {
  EventNotStorable,
  EventStore,
  EventStoreUnavailable,
  type LoggedEvent,
  type NewEvent,
  type StoredEvent,
  StreamConflict,
  type StreamHead,
  type StreamHistory,
  type StreamRef
} from "../../src/application/ports/EventStore.ts"
import * as HashChain from "../../src/domain/audit/HashChain.ts"
import type { PostgresError } from "../../src/infrastructure/postgres/Postgres.ts"
import {
  appendedBefore,
  backlogOf,
  headOf,
  keyOf,
  listed,
  positionOf,
  type Recorded,
  restored,
  sealedOrNot,
  storedOf
} from "../support/memory/MemoryEventStore.ts"
import type { Connection } from "./Connection.ts"

/** Ids and salts, which a database or a process would draw by chance. */
export interface Chance {
  /** UUIDv7. */
  readonly uuid: () => string
  /** 128 bits, lower-case hex. */
  readonly salt: () => string
}

/** The rows of the database. */
export interface LogTables {
  /** Committed events by position. */
  readonly log: Array<LoggedEvent>
  readonly streams: Map<string, Recorded>
  /** Positions that are drawn and not committed. */
  readonly underWay: Set<bigint>
  /** Waiters for a stream's row, by stream; present while the row is held. */
  readonly rows: Map<string, Array<() => void>>
  lastPosition: bigint
}

export const emptyTables = (): LogTables => ({
  log: [],
  streams: new Map(),
  underWay: new Set(),
  rows: new Map(),
  lastPosition: 0n
})

export interface LogOptions {
  readonly tables: LogTables
  readonly connection: Connection
  /** The database's clock, in whole milliseconds since the epoch. */
  readonly nowMs: () => number
  readonly chance: Chance
  /** Called right after the commit, before any answer. */
  readonly committed: (events: ReadonlyArray<LoggedEvent>) => void
  /** After a work of the database's, so much later. */
  readonly later: (ms: number, run: () => void) => void
}

type Sealed = HashChain.Sealed<NewEvent>

/** The log as one process reaches it. */
export const layer = ({ chance, committed, connection, later, nowMs, tables }: LogOptions) => {
  const unwritten = (ref: StreamRef): StreamHead =>
    headOf({ ref, streamId: chance.uuid(), createdAt: "", events: [] })

  const read = (
    ref: StreamRef,
    afterVersion = 0,
    eventsMax?: number
  ): Effect.Effect<StreamHistory, EventStoreUnavailable> =>
    LogStatements.idempotent(connection.ask("read", () => {
      const stream = tables.streams.get(keyOf(ref))
      return stream === undefined
        ? { head: unwritten(ref), events: [] }
        : { head: headOf(stream), events: stream.events.slice(afterVersion).slice(0, eventsMax) }
    })).pipe(Effect.mapError(unavailable("read")))

  const release = (key: string): void => {
    const [next, ...others] = tables.rows.get(key) ?? []
    if (next === undefined) tables.rows.delete(key)
    else {
      tables.rows.set(key, others)
      next()
    }
  }

  /** Runs it when the stream's row is free; it must `release`. */
  const holding = (key: string, run: () => void): void => {
    const waiting = tables.rows.get(key)
    if (waiting === undefined) {
      tables.rows.set(key, [])
      run()
    } else waiting.push(run)
  }

  const commit = (head: StreamHead, sealed: ReadonlyArray<Sealed>, recordedAt: string) => {
    const key = keyOf(head.ref)
    const stream = tables.streams.get(key) ??
      { ref: head.ref, streamId: head.streamId, createdAt: recordedAt, events: [] }
    const first = tables.lastPosition - BigInt(sealed.length) + 1n
    return (): ReadonlyArray<StoredEvent> => {
      const stored = sealed.map((event, index): StoredEvent => ({
        ...storedOf(event, stream.streamId, recordedAt),
        position: positionOf(first + BigInt(index))
      }))
      stored.forEach(({ position }) => tables.underWay.delete(position))
      stream.events.push(...stored)
      tables.streams.set(key, stream)
      const { session_id: sessionId, tenant_id: tenantId } = head.ref
      const logged = stored.map((event) => ({ ...event, tenantId, sessionId }))
      const place = tables.log.findLastIndex(({ position }) => position < first) + 1
      tables.log.splice(place, 0, ...logged)
      committed(logged)
      return stored
    }
  }

  /** `undefined`: the stream's head is elsewhere. */
  const write = (head: StreamHead, sealed: ReadonlyArray<Sealed>, recordedAt: string) =>
    connection.send<ReadonlyArray<StoredEvent> | undefined>("append", (commitMs, answer) => {
      const key = keyOf(head.ref)
      holding(key, () => {
        const stream = tables.streams.get(key)
        const version = stream?.events.length ?? 0
        const isAtHead = stream === undefined
          ? head.version === 0
          : headOf(stream).hash === head.hash
        if (version !== head.version || !isAtHead) {
          release(key)
          return answer(undefined)
        }
        tables.lastPosition += BigInt(sealed.length)
        sealed.forEach((_, index) => tables.underWay.add(tables.lastPosition - BigInt(index)))
        const commits = commit(head, sealed, recordedAt)
        later(commitMs, () => {
          const stored = commits()
          release(key)
          answer(stored)
        })
      })
    })

  const append: EventStore["Service"]["append"] = Effect.fnUntraced(function*(head, events) {
    if (events.length === 0) return { head, events: [] }
    const recordedAt = DateTime.formatIso(DateTime.makeUnsafe(nowMs()))
    const sealed = sealedOrNot(head, events, { recordedAt, salt: chance.salt })
    if (Result.isFailure(sealed)) return yield* new EventNotStorable(sealed.failure)
    const stored = yield* LogStatements.idempotent(write(head, sealed.success, recordedAt)).pipe(
      Effect.mapError(unavailable("append"))
    )
    const { streamId } = head
    if (stored !== undefined) {
      return {
        head: headOf({ ref: head.ref, streamId, createdAt: "", events: [...stored] }),
        events: stored
      }
    }
    const { events: recorded, head: current } = yield* read(head.ref)
    const ours = appendedBefore(
      { ref: head.ref, streamId: current.streamId, createdAt: "", events: [...recorded] },
      head,
      events
    )
    if (ours === undefined) {
      return yield* new StreamConflict({ ref: head.ref, expectedVersion: head.version })
    }
    return {
      head: headOf({ ref: head.ref, streamId: current.streamId, createdAt: "", events: [...ours] }),
      events: ours
    }
  })

  /** In one statement, which answers with the first stream that exists already. */
  const restore: EventStore["Service"]["restore"] = Effect.fnUntraced(function*(events) {
    const taken = yield* connection.ask("restore", () =>
      restored(tables, events, () => {
        tables.lastPosition += 1n
        return tables.lastPosition
      })).pipe(Effect.mapError(unavailable("restore")))
    if (taken !== undefined) return yield* taken
  })

  const settled = (): ReadonlyArray<LoggedEvent> => {
    const [first] = [...tables.underWay].sort((one, other) => one < other ? -1 : 1)
    if (first === undefined) return tables.log
    return tables.log.filter(({ position }) => position < first)
  }

  const all: EventStore["Service"]["all"] = (after) =>
    LogStatements.idempotent(
      connection.ask("all", () => settled().filter(({ position }) => position > after))
    ).pipe(Effect.mapError(unavailable("all")), Effect.map(Stream.fromIterable), Stream.unwrap)

  const backlog: EventStore["Service"]["backlog"] = (after, countMax) =>
    LogStatements.idempotent(connection.ask("backlog", () =>
      backlogOf(
        tables.log.filter(({ position }) => position > after).slice(0, countMax)
      ))).pipe(Effect.mapError(unavailable("backlog")))

  const streams: EventStore["Service"]["streams"] = (...asked) =>
    LogStatements.idempotent(connection.ask("streams", () => listed(tables.streams, ...asked)))
      .pipe(Effect.mapError(unavailable("streams")))

  return Layer.succeed(EventStore, {
    read,
    append,
    restore,
    all,
    backlog,
    streams,
    // Reckoned on by the process from an earlier reading: it costs no statement.
    now: Effect.sync(nowMs),
    state: Effect.mapError(
      connection.ask("state", () => "writable" as const),
      unavailable("state")
    )
  })
}

const unavailable = (operation: string) => (cause: PostgresError) =>
  new EventStoreUnavailable({ operation, cause })
