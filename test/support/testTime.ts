import { type Duration, Effect } from "effect"
import { TestClock } from "effect/testing"

/** More turns of the scheduler than any step takes between two waits. */
const turnsMax = 100

/**
 * Lets so much of the test's time pass, after everything that runs has come to its next wait.
 *
 * `TestClock.adjust` alone gives forked fibers one turn: what takes two is asleep too late.
 */
export const timePasses = (duration: Duration.Input) =>
  Effect.andThen(Effect.repeat(Effect.yieldNow, { times: turnsMax }), TestClock.adjust(duration))
