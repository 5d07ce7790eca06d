/**
 * Verifications of the whole log that the service made by itself: one process at a time, each
 * interval, most of them incremental. A decider.
 */
import { Option, Result, Schema } from "effect"
import { LogFault } from "./LogCheck.ts"

const Mode = Schema.Literals(["full", "incremental"])
type Mode = typeof Mode.Type

/** A process verifies the log now. */
const VerificationBegun = Schema.TaggedStruct("WEB_GROUNDING_VERIFICATION_BEGUN", {
  mode: Mode,
  /** ISO 8601 UTC. */
  at: Schema.String
})

const found = {
  mode: Mode,
  at: Schema.String,
  /** Position up to which the log was looked at, decimal digits. */
  position: Schema.String,
  events: Schema.Int,
  duration_ms: Schema.Int,
  /** 0: the log stands. */
  faults_count: Schema.Int,
  first_fault: Schema.optionalKey(LogFault)
}

const LogVerified = Schema.TaggedStruct("WEB_GROUNDING_LOG_VERIFIED", found)
export type LogVerified = typeof LogVerified.Type

export const VerificationEvent = Schema.Union([VerificationBegun, LogVerified]).pipe(
  Schema.toTaggedUnion("_tag")
)
export type VerificationEvent = typeof VerificationEvent.Type

export const BeginVerification = Schema.TaggedStruct("BeginVerification", {
  at: Schema.String,
  /** Milliseconds between two verifications. */
  every_ms: Schema.Int
})
export const NoteVerification = Schema.TaggedStruct("NoteVerification", found)

const VerificationCommand = Schema.Union([BeginVerification, NoteVerification]).pipe(
  Schema.toTaggedUnion("_tag")
)
type VerificationCommand = typeof VerificationCommand.Type

export interface Verifications {
  /** Beginning of the verification that has not ended yet. ISO 8601 UTC. */
  readonly begunAt: Option.Option<string>
  readonly last: Option.Option<LogVerified>
  /** Incremental ones since every payload was looked at; none ever was: as many as there may be. */
  readonly sinceFull: number
  /** Time since which each verification found faults. ISO 8601 UTC. */
  readonly unsoundSince: Option.Option<string>
}

/** One verification in seven reads every payload; the others are incremental. */
const fullEach = 7

/**
 * Milliseconds after which a verification that has not ended is taken to have died with its
 * process.
 */
const runMsMax = 6 * 3_600_000

/**
 * Share of the interval after which a verification is due again: processes do not look at the same
 * moment.
 */
const dueShare = 0.9

export const initial: Verifications = {
  begunAt: Option.none(),
  last: Option.none(),
  sinceFull: fullEach - 1,
  unsoundSince: Option.none()
}

type Decision = Result.Result<ReadonlyArray<VerificationEvent>, never>

export const decide = (command: VerificationCommand, now: Verifications): Decision =>
  VerificationCommand.match(command, {
    BeginVerification: ({ at, every_ms }) => {
      const isRunning = isWithin(runMsMax, now.begunAt, at)
      const lastAt = Option.map(now.last, (last) => last.at)
      if (isRunning || isWithin(every_ms * dueShare, lastAt, at)) return Result.succeed([])
      // What was found unsound is looked at whole until it is sound again.
      const isFull = now.sinceFull + 1 >= fullEach || Option.isSome(now.unsoundSince)
      const mode: Mode = isFull ? "full" : "incremental"
      return Result.succeed([VerificationBegun.make({ mode, at })])
    },
    NoteVerification: ({ _tag, ...facts }) => Result.succeed([LogVerified.make(facts)])
  })

const isWithin = (ms: number, since: Option.Option<string>, at: string): boolean =>
  Option.exists(since, (since) => Date.parse(at) - Date.parse(since) < ms)

export const evolve = (now: Verifications, event: VerificationEvent): Verifications =>
  VerificationEvent.match(event, {
    WEB_GROUNDING_VERIFICATION_BEGUN: ({ at }) => ({ ...now, begunAt: Option.some(at) }),
    WEB_GROUNDING_LOG_VERIFIED: (last) => ({
      begunAt: Option.none(),
      last: Option.some(last),
      sinceFull: last.mode === "full" ? 0 : now.sinceFull + 1,
      unsoundSince: last.faults_count === 0
        ? Option.none()
        : Option.orElse(now.unsoundSince, () => Option.some(last.at))
    })
  })
