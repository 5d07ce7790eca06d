/**
 * Verifies the whole log each interval while the service runs, one process at a time. What it finds
 * is a fact; health alerts on it.
 */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import * as VerificationLog from "../../domain/audit/VerificationLog.ts"
import type { LogUnsound } from "../../domain/health/SearchHealth.ts"
import * as CommandHandler from "../log/CommandHandler.ts"
import * as EventCodec from "../log/EventCodec.ts"
import * as KnownStreams from "../log/KnownStreams.ts"
import { EventStore } from "../ports/EventStore.ts"
import type { Ids } from "../ports/Ids.ts"
import { VerifyLog } from "./VerifyLog.ts"

/** A start has better to do than this. */
const firstLookMs = 60_000

/** Milliseconds between two looks at whether a verification is due, at most. */
const lookMsMax = 600_000

const { catchUp, handle, load } = CommandHandler.make({
  name: "VerificationLog",
  decider: VerificationLog,
  codec: EventCodec.make(VerificationLog.VerificationEvent),
  correlationOf: () => "verification"
})

const streamOf = () => ({ tenant_id: "_service", session_id: "verification" })

/** Scheduled verification of the log, shared by all processes. */
export class WatchLog extends Context.Service<WatchLog, {
  /** Verifies when it is due and no other process does. Never fails. */
  readonly round: Effect.Effect<void>
  /** A look at it from time to time, for ever; with no interval never. */
  readonly follow: Effect.Effect<void>
  /** The newest verification of whatever process. None: none was made, or the log is away. */
  readonly newest: Effect.Effect<Option.Option<VerificationLog.LogVerified>>
  /** Alert of the newest verification, if it found a fault in the log. */
  readonly unsound: Effect.Effect<Option.Option<LogUnsound>>
}>()("web-grounding/application/audit/WatchLog") {}

/**
 * Verifies the whole log again and again. `everyMs` is the time between two verifications, whatever
 * the number of processes; 0 for never.
 */
export const layer = (everyMs: number) =>
  Layer.effect(
    WatchLog,
    Effect.gen(function*() {
      const services = yield* Effect.context<EventStore | Ids>()
      const { now } = yield* EventStore
      const { verify } = yield* VerifyLog
      const { current, keep } = yield* KnownStreams.make({ catchUp, load, streamOf })

      type Command = Parameters<typeof handle>[1]
      /** Appends a command, and gives the facts that it added. */
      const tell = Effect.fnUntraced(function*(command: Command) {
        const handled = yield* handle(yield* current("log"), command, "service")
        yield* keep("log", handled)
        return handled.facts.map(({ event }) => event)
      })
      const at = Effect.map(now, (ms) => DateTime.formatIso(DateTime.makeUnsafe(ms)))

      const round = Effect.gen(function*() {
        const [begun] = yield* tell(
          VerificationLog.BeginVerification.make({ at: yield* at, every_ms: everyMs })
        )
        if (begun === undefined) return
        const { duration_ms, events, faults, faults_count, position } = yield* verify({}, {
          mode: begun.mode
        })
        const [first_fault] = faults
        yield* tell(VerificationLog.NoteVerification.make({
          mode: begun.mode,
          at: yield* at,
          position,
          events,
          duration_ms: Math.round(duration_ms),
          faults_count,
          ...(first_fault === undefined ? {} : { first_fault })
        }))
        const told = { events, mode: begun.mode, duration_ms, faults: faults_count }
        yield* Effect.annotateLogs(
          faults_count === 0
            ? Effect.logInfo("the log was verified")
            : Effect.logError("the log is not as it was recorded", first_fault),
          told
        )
      }).pipe(
        Effect.provide(services),
        Effect.withSpan("WatchLog.round"),
        Effect.catchCause((cause) => Effect.logWarning("the log was not verified", cause))
      )

      const known = Effect.map(current("log"), ({ state }) => state).pipe(
        Effect.provide(services),
        Effect.catch((failure) =>
          Effect.as(
            Effect.logWarning("what verifications found was not read", failure),
            VerificationLog.initial
          )
        )
      )

      const unsound = Effect.map(known, ({ last, unsoundSince }) =>
        Option.all({ last, since: unsoundSince }).pipe(
          Option.map(({ last, since }): LogUnsound => ({
            _tag: "LogUnsound",
            severity: "critical",
            faults_count: last.faults_count,
            kind: last.first_fault?.kind ?? "unknown",
            ...(last.first_fault?.stream_id === undefined
              ? {}
              : { stream_id: last.first_fault.stream_id }),
            at: last.at,
            since
          }))
        ))

      return WatchLog.of({
        round,
        follow: everyMs === 0 ? Effect.void : Effect.andThen(
          Effect.sleep(Duration.millis(Math.min(firstLookMs, everyMs))),
          Effect.forever(
            Effect.andThen(round, Effect.sleep(Duration.millis(Math.min(lookMsMax, everyMs))))
          )
        ),
        newest: Effect.map(known, ({ last }) =>
          last),
        unsound
      })
    })
  )

/** Verifies the log in the background until the scope closes. */
export const layerFollowing = Layer.effectDiscard(
  Effect.flatMap(WatchLog, ({ follow }) => Effect.forkScoped(follow))
)
