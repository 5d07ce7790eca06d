/**
 * The rows of the log as they stand in the store, for their verification: nothing is refused,
 * repaired or left out. Order and bounds are promised even of rows that somebody changed.
 */
import { Context, type Effect, type Stream } from "effect"
import type { EventRow, Resurrected, StreamRow } from "../../domain/audit/LogCheck.ts"
import type { Place } from "../../domain/audit/MerkleTree.ts"
import type { EventStoreUnavailable } from "../ports/EventStore.ts"

/** A session's stream, a tenant's events, or the whole log. */
export type LogScope =
  | { readonly tenantId: string; readonly sessionId: string }
  | { readonly tenantId: string; readonly sessionId?: undefined }
  | { readonly tenantId?: undefined; readonly sessionId?: undefined }

/** A stored event as the verification reads it, unverified. */
export interface ReadEventRow extends EventRow {
  /** Bytes of payload and metadata as the store keeps them, which may be compressed. */
  readonly bytes: number
}

/** Raw rows of events and streams, also those that the service itself would refuse. */
export class LogRows extends Context.Service<LogRows, {
  /** The position up to which no event can become visible any more. */
  readonly settled: Effect.Effect<bigint, EventStoreUnavailable>
  /**
   * Events with a position above `after` (`undefined`: all) and up to `until`, by position. A few
   * pages are in memory at a time. Those of a tenant are those that either row says are of it.
   */
  readonly events: (
    scope: LogScope,
    range: { readonly after: bigint | undefined; readonly until: bigint }
  ) => Stream.Stream<ReadEventRow, EventStoreUnavailable>
  /** Every event up to `until`, by position, without what an anchor does not cover. */
  readonly places: (until: bigint) => Stream.Stream<Place, EventStoreUnavailable>
  /** Rows of the streams, in the order of their ids. */
  readonly streams: (scope: LogScope) => Stream.Stream<StreamRow, EventStoreUnavailable>
  /** Sessions that stand there although the log records their erasure, by their ids. */
  readonly resurrected: (scope: LogScope) => Stream.Stream<Resurrected, EventStoreUnavailable>
}>()("web-grounding/application/audit/LogRows") {}
