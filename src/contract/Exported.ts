/** Selection of the sessions to export, and a part of an export. */
import { Effect, Schema } from "effect"
import { CallerRequest } from "../domain/request/GroundingRequest.ts"
import { SessionRange } from "./SessionRange.ts"

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
