/**
 * Append-only log of facts: one stream per session, one total order over all. A stream is named by
 * tenant and session; the store mints the UUIDv7 that keys it.
 */
import { Context, type Effect, Schema, type Stream } from "effect"
import type { EventMetadata } from "../../contract/EventView.ts"
import type * as HashChain from "../../domain/audit/HashChain.ts"

export const appendEventsMax = 64

/** Names a stream by the caller's own ids, which are free-form text. */
export const StreamRef = Schema.Struct({
  tenant_id: Schema.NonEmptyString,
  session_id: Schema.NonEmptyString
})
export type StreamRef = typeof StreamRef.Type

/** Position in the whole log, growing in the order events became visible. 0: before all. */
export const LogPosition = Schema.BigInt.pipe(Schema.brand("LogPosition"))
export type LogPosition = typeof LogPosition.Type

export const logStart = LogPosition.make(0n)

/** An event as it is appended; the log adds position, time and hash. */
export interface NewEvent extends HashChain.Draft {
  readonly metadata: EventMetadata
}

export interface StoredEvent extends HashChain.Link {
  readonly streamId: string
  readonly position: LogPosition
  readonly metadata: EventMetadata
}

export interface LoggedEvent extends StoredEvent {
  readonly tenantId: string
  readonly sessionId: string
}

/** Base of an append: the version and hash of the stream as it was read. */
export interface StreamHead extends HashChain.Head {
  readonly ref: StreamRef
  /** ISO 8601 UTC. Absent: the stream was not erased. An erased one takes no append. */
  readonly erasedAt?: string
}

export interface StreamHistory {
  readonly head: StreamHead
  readonly events: ReadonlyArray<StoredEvent>
}

export interface StreamSummary extends StreamHead {
  readonly createdAt: string
}

/** Another writer appended to the stream since it was read. Retry from a fresh read. */
export class StreamConflict extends Schema.TaggedError<StreamConflict>()("StreamConflict", {
  ref: StreamRef,
  expectedVersion: Schema.Int
}) {}

/** Data that the log could not give back unchanged. The caller's input, never retried. */
export class EventNotStorable extends Schema.TaggedError<EventNotStorable>()("EventNotStorable", {
  type: Schema.String,
  problem: Schema.String
}) {}

/** The log could not be reached, or refused the statement. */
export class EventStoreUnavailable
  extends Schema.TaggedError<EventStoreUnavailable>()("EventStoreUnavailable", {
    operation: Schema.String,
    cause: Schema.Defect()
  })
{}

/**
 * The database was changed behind the service. No answer comes from the stream, no append goes to
 * it.
 */
export class LogTampered extends Schema.TaggedError<LogTampered>()("LogTampered", {
  stream_id: Schema.String,
  /** Version of the first event at which the change shows. */
  version: Schema.Int,
  kind: Schema.Literals([
    "payload_edited",
    "link_broken",
    "version_gap",
    "head_mismatch",
    /** The stream was longer, or another one, when this process read it before. */
    "rewound"
  ])
}) {
  override get message(): string {
    return `Stream ${this.stream_id} was changed at event ${this.version}: ${this.kind}`
  }
}

export interface Backlog {
  readonly count: number
  readonly oldestAt?: string
}

/**
 * `read_only`: a standby, or a server set so. `schema_behind`, `schema_newer`: it lacks a migration
 * of this release, or has a later one.
 */
export type LogState = "writable" | "read_only" | "schema_behind" | "schema_newer"

export class PayloadsKept extends Context.Service<PayloadsKept, "encrypted" | "plaintext">()(
  "web-grounding/application/ports/EventStore/PayloadsKept"
) {}

export interface StreamState {
  /** ISO 8601 UTC. Absent: it was not erased. Its events have no payloads. */
  readonly erasedAt?: string
  readonly isHeld: boolean
}

/** The log: appends to one stream conflict by its version, and all events have one order. */
export class EventStore extends Context.Service<EventStore, {
  /**
   * The stream's head, and its events after `afterVersion` (default 0: all). A stream never written
   * to has version 0. The head may be lower when a backup was restored.
   */
  readonly read: (
    ref: StreamRef,
    afterVersion?: number,
    eventsMax?: number
  ) => Effect.Effect<StreamHistory, EventStoreUnavailable | LogTampered>

  /**
   * All or nothing, in one round trip, at the head given. Succeeds without writing when the events
   * are already recorded there: the first try had committed.
   */
  readonly append: (
    head: StreamHead,
    events: ReadonlyArray<NewEvent>
  ) => Effect.Effect<StreamHistory, StreamConflict | EventNotStorable | EventStoreUnavailable>

  /**
   * Records another log's events unchanged, with new positions in the order given. All or nothing.
   * The caller has verified chains and order; none of the streams may exist here. `states`: by
   * stream id, of streams that were erased or are held.
   */
  readonly restore: (
    events: ReadonlyArray<LoggedEvent>,
    states?: ReadonlyMap<string, StreamState>
  ) => Effect.Effect<void, StreamConflict | EventNotStorable | EventStoreUnavailable>

  /**
   * Every settled event after `position`, in log order, up to now. Skips none: an event that may
   * still appear earlier holds the stream back.
   */
  readonly all: (position: LogPosition) => Stream.Stream<LoggedEvent, EventStoreUnavailable>

  /** Number of events after `position`, settled or not, up to `countMax`, without reading them. */
  readonly backlog: (
    position: LogPosition,
    countMax: number
  ) => Effect.Effect<Backlog, EventStoreUnavailable>

  /**
   * The log's clock in milliseconds since the epoch, within a second the same for all processes
   * that share the log: it dates cool-downs, expiries, ages and events. Never fails.
   */
  readonly now: Effect.Effect<number>
  /** Read anew each time. Fails when the log cannot be reached. */
  readonly state: Effect.Effect<LogState, EventStoreUnavailable>

  /** Streams of a tenant, newest first, at most `limit`; with `before`, a UUID, those below it. */
  readonly streams: (
    tenantId: string,
    limit: number,
    before?: string
  ) => Effect.Effect<ReadonlyArray<StreamSummary>, EventStoreUnavailable>
}>()("web-grounding/application/ports/EventStore") {}
