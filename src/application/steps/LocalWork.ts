/**
 * Lets one piece of this process's own text work run at a time, and looks at sockets and timers in
 * between: many groundings that begin together must not hold up a health check.
 */
import { Clock, Effect, Semaphore } from "effect"

/** Longest stretch of work between two pauses. */
const stretchNanosMax = 20_000_000n

const turn = Semaphore.makeUnsafe(1)

/** Nanoseconds of work since the event loop last looked at its sockets between two pieces. */
let workedNanos = 0n

const pause = Effect.callback<void>((resume) => {
  const handle = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(handle))
})

const pauseIfDue = Effect.suspend(() => {
  if (workedNanos < stretchNanosMax) return Effect.void
  workedNanos = 0n
  return pause
})

/** `work` must not wait for anything outside of the process. */
export const inTurn = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  turn.withPermits(1)(Effect.gen(function*() {
    yield* pauseIfDue
    const startNanos = yield* Clock.monotonicTimeNanos
    const done = yield* work
    workedNanos += (yield* Clock.monotonicTimeNanos) - startNanos
    return done
  }))
