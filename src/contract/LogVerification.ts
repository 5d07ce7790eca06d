/** What verifying the log found. */
import { Schema } from "effect"
import { Anchor, LogFault } from "../domain/audit/LogCheck.ts"

export const LogVerification = Schema.Struct({
  /** Nothing is wrong with what was looked at. */
  sound: Schema.Boolean,
  events: Schema.Int,
  streams: Schema.Int,
  /** Payloads and metadata as the store keeps them, which may be compressed. */
  bytes: Schema.Int,
  /** Events without payload, of which only the chain was checked. */
  erased: Schema.Int,
  /** Up to where events were looked at, decimal digits. */
  position: Schema.String,
  faults_count: Schema.Int,
  /** The first 100, in the order in which they were met. */
  faults: Schema.Array(LogFault),
  duration_ms: Schema.Finite,
  /** Of a whole log without a fault: to be kept outside the database, and given next time. */
  anchor: Schema.optionalKey(Anchor)
})
export type LogVerification = typeof LogVerification.Type
