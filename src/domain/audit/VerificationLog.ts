/** Periodic verifications of the whole log: one process at a time, mostly incremental. */
import { Schema } from "effect"
import { LogFault } from "./LogCheck.ts"

const Mode = Schema.Literals(["full", "incremental"])

export const LogVerified = Schema.Struct({
  mode: Mode,
  /** ISO 8601 UTC. */
  at: Schema.String,
  /** Last position verified, decimal digits. */
  position: Schema.String,
  events: Schema.Int,
  duration_ms: Schema.Int,
  /** 0: the log is as it was recorded. */
  faults_count: Schema.Int,
  first_fault: Schema.optionalKey(LogFault)
})
export type LogVerified = typeof LogVerified.Type

export const Verifications = Schema.Struct({
  running: Schema.optionalKey(Schema.Struct({ mode: Mode, at: Schema.String })),
  last: Schema.optionalKey(LogVerified),
  since_full: Schema.Int,
  /** Time since which each verification found faults. ISO 8601 UTC. */
  unsound_since: Schema.optionalKey(Schema.String)
})
export type Verifications = typeof Verifications.Type

/** One verification in seven reads every payload; the others are incremental. */
const fullEach = 7

/** Milliseconds after which an unfinished verification counts as dead with its process. */
const runMsMax = 6 * 3_600_000

/** Share of the interval after which one is due: processes do not start at the same moment. */
const dueShare = 0.9

/** The first verification is a full one. */
const none: Verifications = { since_full: fullEach - 1 }

/** State with a verification that begins at `at`. Undefined: none is due after `everyMs`. */
export const begun = (
  now: Verifications = none,
  at: string,
  everyMs: number
): Verifications | undefined => {
  const isWithin = (ms: number, since?: string) =>
    since !== undefined && Date.parse(at) - Date.parse(since) < ms
  if (isWithin(runMsMax, now.running?.at) || isWithin(everyMs * dueShare, now.last?.at)) {
    return undefined
  }
  // An unsound log is verified in full until it is sound again.
  const isFull = now.since_full + 1 >= fullEach || now.unsound_since !== undefined
  return { ...now, running: { mode: isFull ? "full" : "incremental", at } }
}

export const ended = (
  { since_full, unsound_since }: Verifications = none,
  last: LogVerified
): Verifications => ({
  last,
  since_full: last.mode === "full" ? 0 : since_full + 1,
  ...(last.faults_count === 0 ? {} : { unsound_since: unsound_since ?? last.at })
})
