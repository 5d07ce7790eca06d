/** The adapters' retries of lost connections, bounded by the caller's `RetryUntil`. */
import { Clock, Effect } from "effect"
import { retryUntilMs } from "../../application/log/RetryUntil.ts"
import type { PostgresError } from "../../infrastructure/postgres/Postgres.ts"
import * as Retry from "../../infrastructure/postgres/Retry.ts"

/** What may be lost, such as a cache entry, is not waited for longer than this. */
const dispensableMsMax = 1_000

type Statement<A, R> = Effect.Effect<A, PostgresError, R>

/** For statements that change nothing when they run twice. */
export const idempotent = <A, R>(statement: Statement<A, R>): Statement<A, R> =>
  Effect.flatMap(retryUntilMs, (untilMs) => Retry.until(untilMs, "idempotent")(statement))

/** For statements that must not run twice: tried again only when nothing was sent. */
export const once = <A, R>(statement: Statement<A, R>): Statement<A, R> =>
  Effect.flatMap(retryUntilMs, (untilMs) => Retry.until(untilMs, "unsent")(statement))

/** For idempotent statements that their caller can do without. */
export const dispensable = <A, R>(statement: Statement<A, R>): Statement<A, R> =>
  Effect.gen(function*() {
    const soonMs = (yield* Clock.currentTimeMillis) + dispensableMsMax
    const untilMs = Math.min(soonMs, yield* retryUntilMs)
    return yield* Retry.until(untilMs, "idempotent")(statement)
  })
