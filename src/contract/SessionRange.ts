/** Sessions by range, and the result of an export. */
import { DateTime, Effect, Option, Schema } from "effect"
import { CallerRequest, wholeOr } from "../domain/request/GroundingRequest.ts"

const sessionsMax = 100

const sessionsDefault = 20

export const momentCharsMax = 64

/** ISO 8601, with a zone or `Z`; a date alone is midnight UTC. */
const Moment = Schema.String.check(
  Schema.isMaxLength(momentCharsMax),
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
  /** `next` of the page before; valid in later processes too. */
  cursor: Schema.optionalKey(Schema.String.check(
    Schema.isPattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, { expected: "a cursor" })
  )),
  /** Default 20. */
  limit: wholeOr(sessionsDefault, 1, sessionsMax)
})

export type SessionRange = typeof SessionRange.Type

export const ExportInput = Schema.Struct({
  ...SessionRange.fields,
  /** This session alone, whatever the range. */
  session_id: Schema.optionalKey(CallerRequest.fields.session_id),
  /** Number of the part, from 1; default 1. */
  part: Schema.Int.check(Schema.isGreaterThan(0)).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(1))
  ),
  /** `digest` of the part before. Absent of the first. */
  previous: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)))
})

export type ExportInput = typeof ExportInput.Type

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
