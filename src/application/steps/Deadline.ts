/** Deadline of a request, and how much of the time left each step may use. */
import { Clock, Deferred, Effect, Fiber, Option, type Scope } from "effect"
import type { NextStep } from "../../domain/session/NextStep.ts"

export interface Deadline {
  /** Milliseconds since the epoch, by this process's clock. */
  readonly atMs: number
  /** Reserved for the local engines and appends that follow. */
  readonly reserveMs: number
}

/** A search or a model with less time than this is not asked at all. */
export const startMsMin = 200

const reserveShare = 0.1
const reserveMsMin = 250
const reserveMsMax = 2_000
/** A short deadline keeps at most this share back. */
const reserveShareMax = 0.5

/** Steps that wait for remote services. `Judge` is a part of `Write`. */
export type TimedStep =
  | Extract<NextStep["_tag"], "Decide" | "Plan" | "Search" | "Read" | "Rank" | "Write">
  | "Judge"
  | "Research"

const shares: Record<TimedStep, number> = {
  Decide: 0.25,
  Plan: 0.33,
  Search: 2 / 3,
  Read: 0.75,
  Rank: 0.5,
  Write: 0.75,
  Judge: 0.75,
  Research: 1
}

export const ofArrival = (arrivedAtMs: number, durationMs: number): Deadline => ({
  atMs: arrivedAtMs + durationMs,
  reserveMs: Math.min(
    Math.max(durationMs * reserveShare, reserveMsMin),
    reserveMsMax,
    durationMs * reserveShareMax
  )
})

export const deadlineAfter = (durationMs: number): Effect.Effect<Deadline> =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => ofArrival(nowMs, durationMs))

/** Never negative. */
export const leftMs = ({ atMs }: Deadline): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => Math.max(0, atMs - nowMs))

/** Milliseconds that a step may use: its share of the time before the reserve. Never negative. */
export const shareMs = (deadline: Deadline, step: TimedStep): Effect.Effect<number> =>
  Effect.map(leftMs(deadline), (left) => Math.max(0, (left - deadline.reserveMs) * shares[step]))

/** Time after its deadline in which a run may still record its answer. */
const answerGraceMs = 150

/** Time that an interrupted run may take to record what was cut off. */
const abandonMsMax = 1_000

/**
 * A run's answer by the deadline. What must not stay unfinished, such as the record of a paid
 * answer, ends in the background.
 */
export const answeredBy = <A, E>(
  deadline: Deadline,
  run: Effect.Effect<A, E>,
  scope: Scope.Scope
): Effect.Effect<Option.Option<A>, E> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkIn(Effect.interruptible(run), scope)
      const answered = yield* restore(
        Effect.timeoutOption(Fiber.join(fiber), (yield* leftMs(deadline)) + answerGraceMs)
      ).pipe(Effect.onInterrupt(() => abandon(fiber, scope)))
      if (Option.isNone(answered)) fiber.interruptUnsafe()
      return answered
    })
  )

/**
 * Ends a run whose caller left, and waits up to `abandonMsMax` for its record. The calling fiber is
 * being interrupted and cannot run a timeout: the run's end and the timeout are two fibers of
 * `scope`; the first completes `done`.
 */
const abandon = <A, E>(fiber: Fiber.Fiber<A, E>, scope: Scope.Scope) =>
  Effect.gen(function*() {
    const done = yield* Deferred.make<void>()
    fiber.interruptUnsafe()
    const either = [Effect.asVoid(Fiber.await(fiber)), Effect.sleep(abandonMsMax)]
    yield* Effect.forEach(either, (wait) =>
      Effect.forkIn(Effect.andThen(wait, Deferred.succeed(done, undefined)), scope))
    yield* Deferred.await(done)
  })
