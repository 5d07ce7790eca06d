/**
 * Asks candidates in order until one answers well enough or the time is up.
 *
 * The one way in which this service degrades: search providers and the engines of a step are both
 * walked by it. Whether a failure is worth another try with the same candidate is not decided here.
 *
 * ```ts
 * import { Effect } from "effect"
 * import { walk } from "./Fallback.ts"
 *
 * const ask = (name: string) => Effect.succeed({ name, isUp: name !== "first" })
 * const time = { leftMs: 10_000, timeoutMs: 2_000 }
 * const walked = walk(["first", "second", "third"], time, ask, ({ isUp }) => isUp)
 * const made = await Effect.runPromise(walked)
 * made.map(({ name }) => name) // => ["first", "second"]
 * ```
 */
import { Clock, Effect } from "effect"

/** A candidate with less time than this is not asked. */
export const attemptMsMin = 200

/** Time that a fallback chain may take. */
export interface Time {
  /** Milliseconds for all candidates together. */
  readonly leftMs: number
  /** Milliseconds for one of them, at most. */
  readonly timeoutMs: number
}

/**
 * Asks candidates in order until an attempt is enough, and gives every attempt made; empty when
 * there was no time for any. A candidate gets `timeoutMs`, but at most half of the time that is
 * left, the last one all of it, so that one that hangs leaves time for those behind it.
 */
export const walk = <Candidate, Attempt, E, R>(
  candidates: ReadonlyArray<Candidate>,
  { leftMs, timeoutMs }: Time,
  ask: (candidate: Candidate, limitMs: number) => Effect.Effect<Attempt, E, R>,
  isEnough: (attempt: Attempt) => boolean
): Effect.Effect<ReadonlyArray<Attempt>, E, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (startMs) => {
    const from = (
      index: number,
      made: ReadonlyArray<Attempt>
    ): Effect.Effect<ReadonlyArray<Attempt>, E, R> =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
        const candidate = candidates[index]
        const restMs = leftMs - Math.max(0, nowMs - startMs)
        if (candidate === undefined || restMs < attemptMsMin) return Effect.succeed(made)
        const isLast = index === candidates.length - 1
        const limitMs = Math.min(timeoutMs, isLast ? restMs : restMs / 2)
        return Effect.flatMap(ask(candidate, limitMs), (attempt) =>
          isEnough(attempt)
            ? Effect.succeed([...made, attempt])
            : from(index + 1, [...made, attempt]))
      })
    return from(0, [])
  })
