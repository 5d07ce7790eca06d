/** A recorded event as callers and auditors see it. */
import { DateTime, Effect, Option, Schema } from "effect"
import { Alert, CreditUse, Figures, KeyFigures } from "../domain/health/SearchHealth.ts"
import { CallerRequest } from "../domain/request/GroundingRequest.ts"
import { KeyHealth } from "../domain/search/KeyPool.ts"

/** Cause and context of an event. Holds no personal data: it survives erasure. */
export const EventMetadata = Schema.Struct({
  /** The request (its grounding id) this event belongs to. */
  correlation_id: Schema.String,
  /** The event or command that led to this one. */
  causation_id: Schema.String,
  /** Pseudonym of the caller or component, e.g. `service`, `cli`. */
  actor: Schema.String
})
export type EventMetadata = typeof EventMetadata.Type

/** A recorded event with its place in the log and its link of the hash chain. */
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

/** Events of a session, oldest first, and where the next page begins. */
export const SessionPage = Schema.Struct({
  session_id: Schema.String,
  events: Schema.Array(EventView),
  /** Time at which the content was erased, ISO 8601 UTC: the events have no data any more. */
  erased_at: Schema.optionalKey(Schema.String),
  /** Value of `after` for the next page. Absent on the last one. */
  next: Schema.optionalKey(Schema.Int)
})
export type SessionPage = typeof SessionPage.Type

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

// Selection of a tenant's sessions for an audit that goes through them page by page.

/** Sessions of one page. */
const sessionsMax = 100
const sessionsDefault = 20

/** ISO 8601, with a zone or `Z`; a date alone is midnight UTC. */
const Moment = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Option.isSome(DateTime.make(text)) ? undefined : "Expected a time, e.g. 2026-03-02T09:00:00Z"
  )
)

/** The newest sessions first, by the time at which they began. */
export const SessionRange = Schema.Struct({
  /** Restricts the range to sessions that began at this time or later. */
  since: Schema.optionalKey(Moment),
  /** Restricts the range to sessions that began before this time. */
  until: Schema.optionalKey(Moment),
  /** `next` of the page before: this page goes on behind it, in this process or a later one. */
  cursor: Schema.optionalKey(Schema.String.check(
    Schema.isPattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, { expected: "a cursor" })
  )),
  /** Default 20. */
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: sessionsMax })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(sessionsDefault))
  )
})
export type SessionRange = typeof SessionRange.Type

// How the searches go. Who operates the service (`admin`) is told of the deployment; others of
// their tenant alone: no keys, no credits, no read models, and of alerts that of their own rate.

/** How far a read model is behind the log. */
export const LagView = Schema.Struct({
  model: Schema.String,
  version: Schema.Int,
  state: Schema.Literals(["running", "rebuilding", "halted", "retired"]),
  /** Place in the log, decimal digits. */
  position: Schema.String,
  /** Events not handled yet, settled or not, counted up to 1,000. */
  events: Schema.Int,
  /** Age of the oldest of them. 0: none. */
  ms: Schema.Int,
  /** Events that could not be handled and were passed. */
  parked: Schema.Int,
  error: Schema.optionalKey(Schema.String)
})
export type LagView = typeof LagView.Type

/** Health of the searches over a span: figures, alerts, and how recent the read models are. */
export const HealthView = Schema.Struct({
  /** ISO 8601 UTC. */
  as_of: Schema.String,
  /** The span that the figures are of ends at `as_of`; it begins at a full minute. */
  from: Schema.String,
  hours: Schema.Int,
  figures: Figures,
  /** Figures of each provider and key that was used in the span; a tenant's figures name no key. */
  by_key: Schema.Array(KeyFigures),
  /** How often a need was answered from another session's pack. */
  packs: Schema.Struct({
    /** Packs that were written. */
    made: Schema.Int,
    /** Answers that were taken from another session's. */
    reused: Schema.Int,
    /** Share of the reused among reused and new packs, 0 to 1; absent when there were neither. */
    reuse_rate: Schema.optionalKey(Schema.Finite)
  }),
  /** Every key that was ever used, as it stands. Empty for a tenant. */
  keys: Schema.Array(KeyHealth),
  /** Credits that each key used in this month, by ledger and provider. Absent: never compared. */
  credits: Schema.optionalKey(Schema.Array(CreditUse)),
  /** Rates of the last hour, whatever the span. Most urgent first. */
  alerts: Schema.Array(Alert),
  /** Empty for a tenant. */
  read_models: Schema.Array(LagView)
})
export type HealthView = typeof HealthView.Type

// Selection of the sessions to export, and a part of an export.

export const ExportInput = Schema.Struct({
  ...SessionRange.fields,
  /** This session alone. The range is not looked at then. */
  session_id: Schema.optionalKey(CallerRequest.fields.session_id),
  /** Number of the part, from 1; default 1. */
  part: Schema.Int.check(Schema.isGreaterThan(0)).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(1))
  ),
  /** `digest` of the part before. Absent of the first. */
  previous: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)))
})
export type ExportInput = typeof ExportInput.Type

/** One part of an export. The texts of all parts, one after the other, are the file. */
export const Exported = Schema.Struct({
  /** JSON Lines. */
  jsonl: Schema.String,
  part: Schema.Int,
  sessions: Schema.Int,
  events: Schema.Int,
  /** SHA-256, lower-case hex: `previous` of the next part. */
  digest: Schema.String,
  /** `cursor` of the next part. Absent of the last. */
  next: Schema.optionalKey(Schema.String)
})
export type Exported = typeof Exported.Type
