/**
 * Session events to and from what the log keeps.
 *
 * A stored event is never rewritten. Whoever changes a shape adds an upcaster here, and the golden
 * file of the old shape keeps proving that it reads.
 */
import { Effect, Schema } from "effect"
import { SessionEvent, sessionEventVersion } from "../domain/session/SessionEvent.ts"
import type { EventMetadata, NewEvent, StoredEvent } from "./ports/EventStore.ts"

/** An event whose content was erased; only its place in the chain remains. */
export class EventErased extends Schema.TaggedError<EventErased>()("EventErased", {
  stream_id: Schema.String
}) {}

/** An event of the log that this build cannot read. */
export class EventUnreadable extends Schema.TaggedError<EventUnreadable>()("EventUnreadable", {
  stream_id: Schema.String,
  version: Schema.Int,
  type: Schema.String,
  problem: Schema.String
}) {}

const decodeEvent = Schema.decodeUnknownEffect(SessionEvent)
const encodeEvent = Schema.encodeEffect(Schema.toCodecJson(SessionEvent))
const isRecord = Schema.is(Schema.Record(Schema.String, Schema.Json))

export const decode = (
  stored: StoredEvent
): Effect.Effect<SessionEvent, EventErased | EventUnreadable> => {
  const { data, streamId, type, version } = stored
  if (data === null) return Effect.fail(new EventErased({ stream_id: streamId }))
  return decodeEvent({ ...(isRecord(data) ? data : {}), _tag: type }).pipe(
    Effect.mapError(({ message }) =>
      new EventUnreadable({ stream_id: streamId, version, type, problem: message })
    )
  )
}

/** `eventId` must be derived from the command, so that a repeated append lands once. */
export const encode = (
  event: SessionEvent,
  eventId: string,
  metadata: EventMetadata
): Effect.Effect<NewEvent> =>
  encodeEvent(event).pipe(
    // The decider built the event through its schema, so it encodes.
    Effect.orDie,
    Effect.map((json) => ({
      eventId,
      type: event._tag,
      schemaVersion: sessionEventVersion,
      data: withoutTag(json),
      metadata
    }))
  )

/** The tag is stored as the event's type. */
const withoutTag = (json: Schema.Json): Schema.Json =>
  isRecord(json) ? Object.fromEntries(Object.entries(json).filter(([key]) => key !== "_tag")) : json
