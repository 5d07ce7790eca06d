/** Schemas of erasures and legal holds, and of their reports. */
import { Schema } from "effect"
import { ErasureReason, Removed, SessionHeld } from "../domain/erasure/ErasureRecord.ts"
import { CallerRequest, wholeBetween } from "../domain/request/GroundingRequest.ts"
import { callFailures, SessionErased, SessionNotFound } from "./PublicFailure.ts"

const { session_id } = CallerRequest.fields

export const EraseSessionInput = Schema.Struct({
  session_id,
  /** `restored`: a backup brought it back. `subject`: with all of a user. Default: `requested`. */
  reason: Schema.optionalKey(Schema.Literals(["requested", "restored", "subject"]))
})

/** Longest pseudonym, in UTF-16 code units. */
const subjectCharsMax = 200

export const EraseSubjectInput = Schema.Struct({
  /** Pseudonym of the user in the requests of the sessions to erase. */
  subject: Schema.NonEmptyString.check(Schema.isMaxLength(subjectCharsMax))
})

const matterCharsMax = 200

export const SetLegalHoldInput = Schema.Struct({
  session_id,
  /** `false` lifts it. */
  held: Schema.Boolean,
  /** Reference of the matter of the hold, without PII; not needed to lift it. */
  matter: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(matterCharsMax)))
})

const erasuresMax = 1_000

export const ListErasuresInput = Schema.Struct({
  /** Default: 100. */
  limit: Schema.optionalKey(wholeBetween(1, erasuresMax))
})

export const ErasureReport = Schema.Struct({
  tenant_id: Schema.String,
  session_id: Schema.String,
  stream_id: Schema.String,
  /** ISO 8601 UTC. */
  erased_at: Schema.String,
  reason: ErasureReason,
  actor: Schema.String,
  /** Events of the session, and the hash of the last. */
  version: Schema.Int,
  hash: Schema.String,
  removed: Removed,
  recorded: Schema.Struct({
    stream_id: Schema.String,
    version: Schema.Int,
    /** Decimal digits. */
    position: Schema.String,
    hash: Schema.String
  })
})
export type ErasureReport = typeof ErasureReport.Type

/** Erasures of a user's sessions, and those that are held. */
export const SubjectErasure = Schema.Struct({
  erasures: Schema.Array(ErasureReport),
  /** Sessions under legal hold, unchanged. */
  held: Schema.Array(Schema.Struct({ session_id: Schema.String, matter: Schema.String }))
})
export type SubjectErasure = typeof SubjectErasure.Type

/** The service's database login may not erase, or not hold. */
export class ErasureNotAllowed
  extends Schema.TaggedError<ErasureNotAllowed>()("ErasureNotAllowed", {})
{
  override get message(): string {
    return "The login of the database may not erase: set ERASURE_DATABASE_URL to one that is a " +
      "member of wg_eraser; `migrate` grants or names what that role lacks"
  }
}

export const ErasureFailure = Schema.Union([
  ...callFailures,
  SessionNotFound,
  SessionErased,
  SessionHeld,
  ErasureNotAllowed
])
export type ErasureFailure = typeof ErasureFailure.Type
