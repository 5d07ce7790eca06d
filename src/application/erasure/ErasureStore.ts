/**
 * Erases sessions under a right that the rest of the service lacks, with all that was copied from
 * them, in one transaction with the fact about it.
 */
import { Context, type Effect, Schema } from "effect"
import type { Removed } from "../../domain/erasure/ErasureRecord.ts"
import type { EventStoreUnavailable, StreamRef } from "../ports/EventStore.ts"

/** Nothing was changed. `not_allowed`: the login lacks the right. */
export class ErasureRefused extends Schema.TaggedError<ErasureRefused>()("ErasureRefused", {
  reason: Schema.Literals(["unknown_session", "held", "not_allowed"])
}) {}

/** Facts about a session whose payloads and copies are gone by then. */
export interface Purged {
  readonly streamId: string
  /** ISO 8601 UTC; of the first time. */
  readonly erasedAt: string
  readonly version: number
  /** Lower-case hex. */
  readonly hash: string
  readonly requestIds: ReadonlyArray<string>
  /** But for the evidence store's entries, which the caller takes out. */
  readonly removed: Omit<Removed, "evidence_entries">
}

type Answer<A, E, R> = Effect.Effect<A, E | ErasureRefused | EventStoreUnavailable, R>

/** Destroys the content of a session in every table that has some. */
export class ErasureStore extends Context.Service<ErasureStore, {
  /**
   * Erases a session in one transaction: destroys its data key, takes away its payloads, its rows
   * of read models (`rowKey`, and keys that go on after it with a space) and what caches and queues
   * have of it, and runs `record`. When anything fails, nothing has changed. Done again it finds
   * what is left.
   */
  readonly erase: <A, E, R>(
    ref: StreamRef,
    rowKey: string,
    record: (purged: Purged) => Effect.Effect<A, E, R>
  ) => Answer<A, E, R>

  /** Sets or lifts, in one transaction, the hold that `erase` respects, and runs `record`. */
  readonly hold: <A, E, R>(
    ref: StreamRef,
    held: boolean,
    record: (streamId: string) => Effect.Effect<A, E, R>
  ) => Answer<A, E, R>
}>()("web-grounding/application/erasure/ErasureStore") {}
