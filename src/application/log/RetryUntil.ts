/**
 * Time until which an operation on the log is tried again after a lost connection or a lost append.
 * A grounding sets it to its deadline, so that a fault of the database that ends in time costs the
 * caller nothing.
 */
import { Clock, Context, Effect } from "effect"

/** Milliseconds for operations whose caller named no deadline. */
const retryMsDefault = 5_000

/**
 * Time until which database work of this fiber may be retried, in milliseconds since the epoch by
 * this process's clock. `undefined`: five seconds from now.
 */
export const RetryUntil = Context.Reference<number | undefined>(
  "web-grounding/application/log/RetryUntil",
  { defaultValue: () => undefined }
)

/** Time until which the running operation may retry, in milliseconds since the epoch. */
export const retryUntilMs: Effect.Effect<number> = Effect.gen(function*() {
  return (yield* RetryUntil) ?? (yield* Clock.currentTimeMillis) + retryMsDefault
})

/** Whether there is time for another try. */
export const mayRetry = (untilMs: number): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => nowMs < untilMs)
