/**
 * Circuit breakers in this process: each replica detects faults itself, at the cost of a few
 * failures.
 */
import { DateTime, Duration, Effect, Exit, Layer, Option, Schedule, Stream } from "effect"
import { CircuitBreaker } from "effect/persistence"
import {
  Breakers,
  type Fault,
  type GuardOptions,
  restMsMax
} from "../../application/ports/SearchProvider.ts"

const failuresMax = 5
const openMsMin = 30_000
const openMsMax = 300_000

/** Of the keys of requested pauses: both breakers share a store. */
const restSuffix = " rest"

/** Lets a requested cool-down pass unchanged: see `retryAfter` below. */
const restMsMin = 1

/**
 * Circuit breakers in this process's memory. A breaker opens after five consecutive `broken`
 * faults, for 30 s and then twice as long each time, up to 5 min. When the server requests a pause,
 * it opens at once for that time, at most 15 min.
 */
export const layer = Layer.effect(
  Breakers,
  Effect.gen(function*() {
    const broken = yield* CircuitBreaker.make({
      tripPolicy: CircuitBreaker.consecutive(failuresMax),
      openDuration: Schedule.min([Schedule.exponential(openMsMin), Schedule.spaced(openMsMax)]),
      maxOpenDuration: openMsMax
    })
    const told = yield* CircuitBreaker.make({
      tripPolicy: CircuitBreaker.consecutive(1),
      openDuration: Schedule.spaced(restMsMin),
      maxOpenDuration: restMsMax
    })
    yield* Effect.forEach([broken, told], logged)
    return Breakers.of({
      guard: <A, E>(ask: Effect.Effect<A, E>, { faultOf, key, resting }: GuardOptions<E>) => {
        const faultIn = (exit: Exit.Exit<A, E>) => Option.map(Exit.findErrorOption(exit), faultOf)
        return ask.pipe(
          broken.execute({ key, classify: (exit) => brokenBy(exit, faultIn(exit)) }),
          Effect.catchTag("CircuitBreakerError", () => Effect.fail(resting)),
          told.execute({
            key: `${key}${restSuffix}`,
            classify: (exit) => restedBy(exit, faultIn(exit))
          }),
          Effect.catchTag("CircuitBreakerError", () => Effect.fail(resting))
        )
      }
    })
  })
).pipe(Layer.provide(CircuitBreaker.layerStoreMemory()))

/** One line when an upstream is left alone, with the end of that, and one when it answers again. */
const logged = ({ transitions }: CircuitBreaker.CircuitBreaker) =>
  transitions.pipe(
    Stream.runForEach(Effect.fnUntraced(function*(transition) {
      const provider = transition.key.replace(restSuffix, "")
      if (transition.to === "Open") {
        const until = DateTime.addDuration(yield* DateTime.now, transition.retryAfter)
        yield* Effect.logWarning("an upstream is left alone").pipe(
          Effect.annotateLogs({ provider, until: DateTime.formatIso(until) })
        )
      }
      if (transition.to === "Closed") {
        yield* Effect.annotateLogs(Effect.logInfo("an upstream answers again"), { provider })
      }
    })),
    Effect.forkScoped({ startImmediately: true })
  )

const brokenBy = (
  exit: Exit.Exit<unknown, unknown>,
  fault: Option.Option<Fault>
): CircuitBreaker.Outcome => {
  if (Exit.isSuccess(exit)) return CircuitBreaker.success
  return Option.contains(fault, "broken") ? CircuitBreaker.failure() : CircuitBreaker.ignored
}

const restedBy = (
  exit: Exit.Exit<unknown, unknown>,
  fault: Option.Option<Fault>
): CircuitBreaker.Outcome => {
  if (Exit.isSuccess(exit)) return CircuitBreaker.success
  return Option.match(fault, {
    onNone: () => CircuitBreaker.ignored,
    onSome: (fault) =>
      typeof fault === "string"
        ? CircuitBreaker.ignored
        : CircuitBreaker.failure({ retryAfter: Duration.millis(fault.restMs) })
  })
}
