/** A recorded event as callers and auditors see it. */
import { Effect, Schema } from "effect"
import { EventMetadata, type StoredEvent } from "./ports/EventStore.ts"

export const EventView = Schema.Struct({
  event_id: Schema.String,
  stream_id: Schema.String,
  /** 1-based place in the session. */
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

export const of = (stored: StoredEvent): EventView => ({
  event_id: stored.eventId,
  stream_id: stored.streamId,
  stream_version: stored.version,
  global_position: String(stored.position),
  type: stored.type,
  schema_version: stored.schemaVersion,
  recorded_at: stored.recordedAt,
  ...stored.metadata,
  data: stored.data,
  payload_digest: stored.payloadDigest,
  hash: stored.hash
})

export const SessionPage = Schema.Struct({
  session_id: Schema.String,
  events: Schema.Array(EventView),
  /** To be sent as `after` for the next page. Absent on the last one. */
  next: Schema.optionalKey(Schema.Int)
})
export type SessionPage = typeof SessionPage.Type

/** Ceiling of a page's event data, in characters. A page has at least one event, however long. */
const pageCharsMax = 256 * 1_024

/** Whether no further event fits the page that begins with these. */
export const isPageFull = (events: ReadonlyArray<StoredEvent>): boolean =>
  firstBeyond(events) !== -1

/** Place of the first event that does not fit; -1 when all do. */
const firstBeyond = (events: ReadonlyArray<StoredEvent>): number => {
  let chars = 0
  return events.findIndex(({ data }, index) => {
    chars += JSON.stringify(data).length
    return index > 0 && chars > pageCharsMax
  })
}

/** First page of `events`. `headVersion` is the version of the session's last event. */
export const pageOf = (
  session_id: string,
  events: ReadonlyArray<StoredEvent>,
  headVersion: number
): SessionPage => {
  const beyond = firstBeyond(events)
  const page = beyond === -1 ? events : events.slice(0, beyond)
  const last = page.at(-1)
  return {
    session_id,
    events: page.map(of),
    ...(last === undefined || last.version >= headVersion ? {} : { next: last.version })
  }
}

/** All events of a session, oldest first. `page` is asked for what follows a version. */
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
