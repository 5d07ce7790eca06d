/** A recorded event as callers and auditors see it. */
import { Schema } from "effect"
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
