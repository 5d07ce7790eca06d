/** Schemas of erasures and legal holds, and of their reports. */
import { Schema } from "effect"
import { ErasureReason, Removed, SessionHeld } from "../domain/erasure/ErasureRecord.ts"
import { CallerRequest } from "../domain/request/GroundingRequest.ts"
import { callFailures, SessionErased, SessionNotFound } from "./PublicFailure.ts"

const { session_id } = CallerRequest.fields

export const EraseSessionInput = Schema.Struct({
  session_id,
  /**
   * Why it is erased. `restored`: it was erased before the backup that it came back with.
   * `subject`: with all sessions of a person. Default: `requested`.
   */
  reason: Schema.optionalKey(Schema.Literals(["requested", "restored", "subject"]))
})

/** Longest pseudonym, in UTF-16 code units. */
const subjectCharsMax = 200

export const EraseSubjectInput = Schema.Struct({
  /** Person whose sessions go, as the requests of these sessions named it. */
  subject: Schema.NonEmptyString.check(Schema.isMaxLength(subjectCharsMax))
})

const matterCharsMax = 200

export const SetLegalHoldInput = Schema.Struct({
  session_id,
  /** `false` lifts it. */
  held: Schema.Boolean,
  /** Reference of the matter that it is held for, which names nobody; not needed to lift it. */
  matter: Schema.optionalKey(
    Schema.NonEmptyString.check(Schema.isMaxLength(matterCharsMax))
  )
})

const erasuresMax = 1_000

export const ListErasuresInput = Schema.Struct({
  /** Default: 100. */
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: erasuresMax }))
  )
})

/** An erasure as it was recorded, and where. */
export const ErasureReport = Schema.Struct({
  tenant_id: Schema.String,
  session_id: Schema.String,
  stream_id: Schema.String,
  /** ISO 8601 UTC. */
  erased_at: Schema.String,
  reason: ErasureReason,
  /** Pseudonym of who did it. */
  actor: Schema.String,
  /** Events of the session, and the hash of the last. */
  version: Schema.Int,
  hash: Schema.String,
  removed: Removed,
  /** The event that says so, which no erasure touches. */
  recorded: Schema.Struct({
    stream_id: Schema.String,
    version: Schema.Int,
    /** Decimal digits. */
    position: Schema.String,
    hash: Schema.String
  })
})
export type ErasureReport = typeof ErasureReport.Type

/** Erasures of the sessions of a person, and what stands still. */
export const SubjectErasure = Schema.Struct({
  erasures: Schema.Array(ErasureReport),
  /** Sessions that are under legal hold, and stand as they were. */
  held: Schema.Array(Schema.Struct({ session_id: Schema.String, matter: Schema.String }))
})
export type SubjectErasure = typeof SubjectErasure.Type

/** The service's login of the database may not erase. */
export class ErasureNotAllowed
  extends Schema.TaggedError<ErasureNotAllowed>()("ErasureNotAllowed", {})
{
  override get message(): string {
    return "The login of the database may not erase: set ERASURE_DATABASE_URL to one that is a " +
      "member of wg_eraser"
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
