/**
 * Lets one piece of this process's own text work run at a time, and the event loop look at sockets
 * and timers after each 3 ms of it: many groundings that begin together must not hold up a health
 * check.
 */
import { Clock, Context, Effect, Semaphore } from "effect"

/** Longest stretch of work between two pauses. */
const stretchNanosMax = 3_000_000n

/** State that the pieces of work of one process share. */
interface Shared {
  readonly turn: Semaphore.Semaphore
  /** Nanoseconds of work since the event loop last looked at its sockets between two pieces. */
  workedNanos: bigint
}

/** Makes a lock and a work counter apart from the process's own, as for a simulated replica. */
export const make = (): Shared => ({ turn: Semaphore.makeUnsafe(1), workedNanos: 0n })

/** The work of this process. Default: one for all that runs in it. */
export class LocalWork
  extends Context.Reference<Shared>("web-grounding/application/steps/LocalWork", {
    defaultValue: make
  })
{}

const pauseIfDue = (shared: Shared) =>
  Effect.suspend(() => {
    if (shared.workedNanos < stretchNanosMax) return Effect.void
    shared.workedNanos = 0n
    return Effect.yieldNow
  })

/**
 * Runs CPU-bound work, one piece at a time in this process, with pauses for input and output.
 * `work` must not wait for anything outside of the process.
 */
export const inTurn = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(LocalWork, (shared) =>
    shared.turn.withPermits(1)(Effect.gen(function*() {
      yield* pauseIfDue(shared)
      const startNanos = yield* Clock.monotonicTimeNanos
      const done = yield* work
      shared.workedNanos += (yield* Clock.monotonicTimeNanos) - startNanos
      return done
    })))
