/** A recorded event as callers and auditors see it. */
import { Effect, Schema } from "effect"

export const EventMetadata = Schema.Struct({
  /** The request (its grounding id) this event belongs to. */
  correlation_id: Schema.String,
  /** The event or command that led to this one. */
  causation_id: Schema.String,
  /** Pseudonym of the caller or component, e.g. `service`, `cli`. */
  actor: Schema.String
})

export type EventMetadata = typeof EventMetadata.Type

/** A recorded event with its position in the log and its link of the hash chain. */
export const EventView = Schema.Struct({
  event_id: Schema.String,
  stream_id: Schema.String,
  /** 1-based, in the session. */
  stream_version: Schema.Int,
  /** Decimal digits: the number may exceed what a JSON number holds exactly. */
  global_position: Schema.String,
  type: Schema.String,
  schema_version: Schema.Int,
  /** ISO 8601 UTC. */
  recorded_at: Schema.String,
  ...EventMetadata.fields,
  /** `null` after erasure. */
  data: Schema.Json,
  payload_digest: Schema.String,
  hash: Schema.String
})

export type EventView = typeof EventView.Type

/** Events of a session, oldest first, and the start of the next page. */
export const SessionPage = Schema.Struct({
  session_id: Schema.String,
  events: Schema.Array(EventView),
  /** Time of the content's erasure, ISO 8601 UTC: the events have no data any more. */
  erased_at: Schema.optionalKey(Schema.String),
  /** Value of `after` for the next page. Absent on the last one. */
  next: Schema.optionalKey(Schema.Int)
})

export type SessionPage = typeof SessionPage.Type

/** All events of a session, oldest first. `page` reads those after a version. */
export const everyEvent = <E, R>(
  page: (after: number) => Effect.Effect<SessionPage, E, R>
): Effect.Effect<ReadonlyArray<EventView>, E, R> => {
  const following = (after: number): Effect.Effect<ReadonlyArray<EventView>, E, R> =>
    Effect.flatMap(page(after), ({ events, next }) =>
      next === undefined || next <= after
        ? Effect.succeed(events)
        : Effect.map(following(next), (rest) => [...events, ...rest]))
  return following(0)
}
