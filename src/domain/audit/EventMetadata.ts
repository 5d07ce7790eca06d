/** What every recorded event says beside its data. */
import { Schema } from "effect"

/** Who caused an event and in answer to what. Holds no personal data: it survives erasure. */
export const EventMetadata = Schema.Struct({
  /** The request (its grounding id) this event belongs to. */
  correlation_id: Schema.String,
  /** The event or command that led to this one. */
  causation_id: Schema.String,
  /** Pseudonym of the caller or component, e.g. `service`, `cli`. */
  actor: Schema.String
})
export type EventMetadata = typeof EventMetadata.Type
