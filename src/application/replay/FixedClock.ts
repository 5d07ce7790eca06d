/** Runs an effect at one fixed moment, so that what it stamps is what was stamped then. */
import { Clock, DateTime, Effect } from "effect"

/**
 * Runs an effect with a clock that stands at `iso` (ISO 8601). The effect must not wait for time to
 * pass: it never does.
 */
export const withTimeAt = (iso: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Clock.clockWith((clock) => {
    const millis = DateTime.makeUnsafe(iso).epochMilliseconds
    const nanos = BigInt(millis) * 1_000_000n
    const fixed: Clock.Clock = {
      currentTimeMillisUnsafe: () => millis,
      currentTimeMillis: Effect.succeed(millis),
      currentTimeNanosUnsafe: () => nanos,
      currentTimeNanos: Effect.succeed(nanos),
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    }
    return Effect.provideService(effect, Clock.Clock, fixed)
  })
