/** Schemas of a verification of the log: its scope and its result. */
import { Schema } from "effect"
import { LogFault } from "../domain/audit/LogCheck.ts"
import { AnchorStatement } from "../domain/audit/MerkleTree.ts"
import { CallerRequest } from "../domain/request/GroundingRequest.ts"

export const VerifyLogInput = Schema.Struct({
  /** Default: the tenant's streams. `deployment` takes the scope `admin` too. */
  reach: Schema.optionalKey(Schema.Literals(["tenant", "deployment"])),
  /** This session of the tenant alone. */
  session_id: Schema.optionalKey(CallerRequest.fields.session_id),
  /** Anchor that an earlier answer gave, to be compared too; with the reach `deployment`. */
  anchor: Schema.optionalKey(AnchorStatement)
})

export const LogVerification = Schema.Struct({
  /** Nothing is wrong with what was looked at. */
  sound: Schema.Boolean,
  events: Schema.Int,
  streams: Schema.Int,
  /** Payloads and metadata as the store keeps them, which may be compressed. */
  bytes: Schema.Int,
  /** Events without payload, of which only the chain was checked. */
  erased: Schema.Int,
  /** Position up to which events were looked at, decimal digits. */
  position: Schema.String,
  faults_count: Schema.Int,
  /** The first 100, in the order in which they were met. */
  faults: Schema.Array(LogFault),
  duration_ms: Schema.Finite,
  /** Anchors that a whole log was held against. */
  anchors: Schema.optionalKey(Schema.Struct({
    /** Different ones whose signature verifies, and one that was given. */
    count: Schema.Int,
    /** Events after the newest of them. */
    uncovered: Schema.Int,
    /** Whether `ANCHOR_FILE` was read: who can write the database can change those in it. */
    outside: Schema.Boolean
  })),
  /**
   * New anchor of a whole log without a fault: keep it outside the database and pass it next time.
   */
  anchor: Schema.optionalKey(AnchorStatement)
})
export type LogVerification = typeof LogVerification.Type
