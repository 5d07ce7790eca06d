/**
 * Domain events to and from their stored form. A stored event is never rewritten. A changed shape
 * needs an upcaster here, and a golden file of the old shape.
 */
import { Effect, Schema } from "effect"
import type { EventMetadata } from "../../contract/EventView.ts"
import type { NewEvent, StoredEvent } from "../ports/EventStore.ts"

/** An event whose content was erased; its link in the chain remains. */
export class EventErased extends Schema.TaggedError<EventErased>()("EventErased", {
  stream_id: Schema.String,
  /** ISO 8601 UTC, where the stream has it. */
  erased_at: Schema.optionalKey(Schema.String)
}) {}

export class EventUnreadable extends Schema.TaggedError<EventUnreadable>()("EventUnreadable", {
  stream_id: Schema.String,
  version: Schema.Int,
  type: Schema.String,
  problem: Schema.String
}) {}

export interface EventCodec<Event> {
  readonly decode: (stored: StoredEvent) => Effect.Effect<Event, EventErased | EventUnreadable>
  /** `eventId` must be derived from the command, so that a repeated append is recorded once. */
  readonly encode: (
    event: Event,
    eventId: string,
    metadata: EventMetadata
  ) => Effect.Effect<NewEvent>
}

const isRecord = (json: Schema.Json): json is { readonly [key: string]: Schema.Json } =>
  typeof json === "object" && json !== null && !Array.isArray(json)

type JsonRecord = Readonly<Record<string, unknown>>

/** Steps by stored type: from version 1 to 2, from 2 to 3, and so on. Without steps: version 1. */
export type Upcasters = Readonly<Record<string, ReadonlyArray<(data: JsonRecord) => JsonRecord>>>

/** `events` is a tagged union whose tags are the stored types. */
export const make = <Event extends { readonly _tag: string }, Encoded>(
  events: Schema.Codec<Event, Encoded>,
  upcasters: Upcasters = {}
): EventCodec<Event> => {
  const decodeEvent = Schema.decodeUnknownEffect(events)
  const encodeEvent = Schema.encodeEffect(Schema.toCodecJson(events))
  const versionOf = (type: string): number => 1 + (upcasters[type]?.length ?? 0)
  return {
    decode: ({ data, schemaVersion, streamId, type, version }) => {
      if (data === null) return new EventErased({ stream_id: streamId })
      const unreadable = (problem: string) =>
        new EventUnreadable({ stream_id: streamId, version, type, problem })
      if (schemaVersion > versionOf(type)) {
        return Effect.fail(unreadable(`of version ${schemaVersion}, which a later release wrote`))
      }
      const current = (upcasters[type] ?? []).slice(schemaVersion - 1).reduce<JsonRecord>(
        (older, upcast) => upcast(older),
        isRecord(data) ? data : {}
      )
      return decodeEvent({ ...current, _tag: type }).pipe(
        Effect.mapError(({ message }) => unreadable(message))
      )
    },
    encode: (event, eventId, metadata) =>
      encodeEvent(event).pipe(
        // The decider built the event through its schema, so it encodes.
        Effect.orDie,
        Effect.map((json) => ({
          eventId,
          type: event._tag,
          schemaVersion: versionOf(event._tag),
          data: withoutTag(json),
          metadata
        }))
      )
  }
}

const withoutTag = (json: Schema.Json): Schema.Json =>
  isRecord(json)
    ? Object.fromEntries(Object.entries(json).filter(([key]) => key !== "_tag"))
    : json
