/** Verifies the whole log at intervals, one process at a time. Health alerts on the result. */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import * as VerificationLog from "../../domain/audit/VerificationLog.ts"
import type { LogUnsound } from "../../domain/health/SearchHealth.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { EventStore } from "../ports/EventStore.ts"
import { stateOf } from "../ports/ServiceState.ts"
import { VerifyLog } from "./VerifyLog.ts"

/** Start-up work goes first. */
const firstLookMs = 60_000

/** Longest interval between checks whether a verification is due. */
const lookMsMax = 600_000

const row = "log"

export class WatchLog extends Context.Service<WatchLog, {
  /** Verifies when it is due and no other process does. Never fails. */
  readonly round: Effect.Effect<void>
  readonly follow: Effect.Effect<void>
  /** The newest verification of any process. None: none was made, or the log cannot be reached. */
  readonly newest: Effect.Effect<Option.Option<VerificationLog.LogVerified>>
  readonly unsound: Effect.Effect<Option.Option<LogUnsound>>
}>()("web-grounding/application/audit/WatchLog") {}

/** `everyMs` is the time between two verifications, for all processes together; 0: none. */
export const layer = (everyMs: number) =>
  Layer.effect(
    WatchLog,
    Effect.gen(function*() {
      const { now } = yield* EventStore
      const { verify } = yield* VerifyLog
      const state = yield* stateOf("verification", VerificationLog.Verifications)
      const at = Effect.map(now, (ms) => DateTime.formatIso(DateTime.makeUnsafe(ms)))

      const round = Effect.gen(function*() {
        const beginsAt = yield* at
        const begun = yield* state.change(
          row,
          (known) => VerificationLog.begun(known, beginsAt, everyMs)
        )
        if (begun?.running === undefined) return
        const { mode } = begun.running
        const { duration_ms, events, faults, faults_count, position } = yield* verify({}, { mode })
        // A replica of an earlier release cannot decode this kind, and would verify no more.
        const first_fault = faults.find(({ kind }) => kind !== "other_log")
        const last: VerificationLog.LogVerified = {
          mode,
          at: yield* at,
          position,
          events,
          duration_ms: Math.round(duration_ms),
          faults_count,
          ...asGiven({ first_fault })
        }
        yield* state.change(row, (known) => VerificationLog.ended(known, last))
        yield* Effect.annotateLogs(
          faults_count === 0
            ? Effect.logInfo("the log was verified")
            : Effect.logError("the log is not as it was recorded", first_fault),
          { events, mode, duration_ms, faults: faults_count }
        )
      }).pipe(
        Effect.withSpan("WatchLog.round"),
        Effect.catchCause((cause) => Effect.logWarning("the log was not verified", cause))
      )

      const known = Effect.map(state.rows(), (rows) => rows[0]?.value).pipe(
        Effect.catch((failure) =>
          Effect.as(
            Effect.logWarning("what verifications found was not read", failure),
            undefined
          )
        )
      )

      const unsound = Effect.map(known, (state) => {
        const { last, unsound_since } = state ?? {}
        if (last === undefined || unsound_since === undefined) return Option.none()
        const { at, faults_count, first_fault } = last
        return Option.some<LogUnsound>({
          _tag: "LogUnsound",
          severity: "critical",
          faults_count,
          kind: first_fault?.kind ?? "unknown",
          ...asGiven({ stream_id: first_fault?.stream_id }),
          at,
          since: unsound_since
        })
      })

      return WatchLog.of({
        round,
        follow: everyMs === 0 ? Effect.void : Effect.andThen(
          Effect.sleep(Duration.millis(Math.min(firstLookMs, everyMs))),
          Effect.forever(
            Effect.andThen(round, Effect.sleep(Duration.millis(Math.min(lookMsMax, everyMs))))
          )
        ),
        newest: Effect.map(known, (state) => Option.fromUndefinedOr(state?.last)),
        unsound
      })
    })
  )
