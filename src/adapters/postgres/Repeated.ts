/** The adapters' retries of lost connections, bounded by the caller's `RetryUntil`. */
import { Clock, Effect } from "effect"
import { retryUntilMs } from "../../application/log/CommandHandler.ts"
import type { PostgresError } from "../../infrastructure/postgres/Postgres.ts"
import * as Retry from "../../infrastructure/postgres/Retry.ts"

/**
 * Milliseconds that a dispensable statement, such as one for a cache entry, is waited for at most.
 */
const dispensableMsMax = 1_000

type Statement<A, R> = Effect.Effect<A, PostgresError, R>

/** Repeats a statement that changes nothing when it runs twice. */
export const idempotent = <A, R>(statement: Statement<A, R>): Statement<A, R> =>
  Effect.flatMap(retryUntilMs, (untilMs) => Retry.retryUntil(untilMs, "idempotent")(statement))

/** Repeats a statement that must not run twice: only when nothing was sent. */
export const once = <A, R>(statement: Statement<A, R>): Statement<A, R> =>
  Effect.flatMap(retryUntilMs, (untilMs) => Retry.retryUntil(untilMs, "unsent")(statement))

/** Repeats an idempotent statement that its caller can do without. */
export const dispensable = <A, R>(statement: Statement<A, R>): Statement<A, R> =>
  Effect.gen(function*() {
    const soonMs = (yield* Clock.currentTimeMillis) + dispensableMsMax
    const untilMs = Math.min(soonMs, yield* retryUntilMs)
    return yield* Retry.retryUntil(untilMs, "idempotent")(statement)
  })
