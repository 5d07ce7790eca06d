/**
 * Circuit breakers in this process: each replica detects faults itself, at the cost of a few
 * failures.
 */
import { Duration, Effect, Exit, Layer, Option, Schedule } from "effect"
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
    return Breakers.of({
      guard: <A, E>(ask: Effect.Effect<A, E>, { faultOf, key, resting }: GuardOptions<E>) => {
        const faultIn = (exit: Exit.Exit<A, E>) => Option.map(Exit.findErrorOption(exit), faultOf)
        return ask.pipe(
          broken.execute({ key, classify: (exit) => brokenBy(exit, faultIn(exit)) }),
          Effect.catchTag("CircuitBreakerError", () => Effect.fail(resting)),
          told.execute({ key: `${key} rest`, classify: (exit) => restedBy(exit, faultIn(exit)) }),
          Effect.catchTag("CircuitBreakerError", () => Effect.fail(resting))
        )
      }
    })
  })
).pipe(Layer.provide(CircuitBreaker.layerStoreMemory()))

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
