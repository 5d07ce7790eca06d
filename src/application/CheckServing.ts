/** Whether this process should get requests now, for load balancers and orchestrators. */
import { Context, DateTime, Deferred, Effect, Layer, Option, Schedule, Stream } from "effect"
import { Interrupted } from "../contract/PublicFailure.ts"
import { EventStore } from "./ports/EventStore.ts"
import { Limits } from "./ports/Limits.ts"
import { ProjectionRunner } from "./projections/ProjectionRunner.ts"

/**
 * `database_unreachable`: no answer within a second. `read_models_behind`: more than the set lag.
 */
type NotServing =
  | "draining"
  | "database_unreachable"
  | "read_only"
  | "schema_behind"
  | "schema_newer"
  | "read_models_behind"

const answerMsMax = 1_000
/** Concurrent probes share an answer, so that they take no connections from calls. */
const freshMs = 100
const lagFreshMs = 5_000
const lookEvery = "5 seconds"

export class CheckServing extends Context.Service<CheckServing, {
  /** None: it serves. Queries the database at most once in 100 ms, the lag once in 5 s. */
  readonly reason: Effect.Effect<Option.Option<NotServing>>
  readonly isStarted: Effect.Effect<boolean>
  /** Logs when the database is lost and when it is back, until it is interrupted. */
  readonly follow: Effect.Effect<void>
}>()("web-grounding/application/CheckServing") {}

export const layer = Layer.effect(
  CheckServing,
  Effect.gen(function*() {
    const { state } = yield* EventStore
    const { isDraining } = yield* Draining
    const { isBegun, ownLagMs } = yield* ProjectionRunner
    const { readModelLagMsMax } = yield* Limits

    const ofDatabase = state.pipe(
      Effect.map((log): Option.Option<NotServing> =>
        log === "writable" ? Option.none() : Option.some(log)
      ),
      Effect.timeout(answerMsMax),
      Effect.catch(() => Effect.succeed(Option.some<NotServing>("database_unreachable")))
    )

    const isBehind = readModelLagMsMax === 0
      ? Effect.succeed(false)
      : ownLagMs.pipe(
        Effect.map((ms) => ms > readModelLagMsMax),
        Effect.timeout(answerMsMax),
        // An unknown lag is no reason: the database was just queried.
        Effect.orElseSucceed(() => false)
      )
    const behindLately = yield* Effect.cachedWithTTL(isBehind, lagFreshMs)

    const ofProcess = yield* Effect.cachedWithTTL(
      Effect.gen(function*() {
        const reason = yield* ofDatabase
        if (Option.isSome(reason)) return reason
        return (yield* behindLately)
          ? Option.some("read_models_behind" as const)
          : Option.none<NotServing>()
      }),
      freshMs
    )

    const follow = Stream.fromEffectSchedule(ofDatabase, Schedule.spaced(lookEvery)).pipe(
      Stream.changes,
      Stream.dropWhile(Option.isNone),
      Stream.runForEach(Option.match({
        onNone: () => Effect.logInfo("the database can be used again"),
        onSome: Effect.fnUntraced(function*(reason) {
          const since = DateTime.formatIso(yield* DateTime.now)
          yield* Effect.annotateLogs(Effect.logWarning("the database cannot be used"), {
            reason,
            since
          })
        })
      }))
    )

    return CheckServing.of({
      follow,
      isStarted: isBegun,
      reason: Effect.flatMap(
        isDraining,
        (draining) => draining ? Effect.succeedSome("draining" as const) : ofProcess
      )
    })
  })
)

// Graceful shutdown: not ready, then no new groundings, then running ones end with a retryable
// failure.

/** Milliseconds after which a refused caller may retry: another replica can answer at once. */
const retryAfterMs = 0

/** State of the shutdown, which only moves forward. */
export class Draining extends Context.Service<Draining, {
  /** The process is not ready, and keeps no connection alive. */
  readonly isDraining: Effect.Effect<boolean>
  /** Groundings still begin: callers may not have noticed. */
  readonly begin: Effect.Effect<void>
  readonly isRefusing: Effect.Effect<boolean>
  readonly refuse: Effect.Effect<void>
  readonly cut: Effect.Effect<void>
  /** Runs a grounding, unless groundings are refused or until they are cut. */
  readonly guard: (
    requestId: string
  ) => <A, E, R>(grounding: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Interrupted, R>
}>()("web-grounding/application/CheckServing/Draining") {}

export const layerDraining = Layer.effect(
  Draining,
  Effect.gen(function*() {
    const begun = yield* Deferred.make<void>()
    const refused = yield* Deferred.make<void>()
    const ended = yield* Deferred.make<void>()
    const isRefusing = Deferred.isDone(refused)
    const refuse = Effect.asVoid(Deferred.succeed(refused, undefined))

    const guard: Draining["Service"]["guard"] = (request_id) => (grounding) => {
      const interrupted = Effect.suspend(() =>
        new Interrupted({ request_id, retry_after_ms: retryAfterMs })
      )
      return Effect.flatMap(isRefusing, (refusing) =>
        refusing
          ? interrupted
          : Effect.raceFirst(grounding, Effect.andThen(Deferred.await(ended), interrupted)))
    }

    return Draining.of({
      isDraining: Deferred.isDone(begun),
      begin: Effect.asVoid(Deferred.succeed(begun, undefined)),
      isRefusing,
      refuse,
      cut: Effect.andThen(refuse, Effect.asVoid(Deferred.succeed(ended, undefined))),
      guard
    })
  })
)
