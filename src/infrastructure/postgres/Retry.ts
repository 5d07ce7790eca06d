/** Tries a statement again on a fresh connection after the one it ran on was lost. */
import { Clock, Effect, Random } from "effect"
import { codeOf, isInTransaction, type PostgresError } from "./Postgres.ts"

/** Milliseconds between two tries; the pause doubles up to the second figure. */
const pauseMsMin = 20
const pauseMsMax = 250

/** SQLSTATE of a server that has no connection left; other exhaustion does not pass by itself. */
const tooManyConnections = "53300"

/**
 * - `unsent`: tried again only when nothing had reached the server.
 * - `idempotent`: tried again also when it may have run, as repeating it changes nothing.
 */
export type Repeatable = "unsent" | "idempotent"

/**
 * Repeats a statement whose connection was lost, with growing pauses, outside of transactions. No
 * try begins after `untilMs`, in milliseconds since the epoch.
 */
export const retryUntil = (untilMs: number, repeatable: Repeatable) =>
<A, R>(
  statement: Effect.Effect<A, PostgresError, R>
): Effect.Effect<A, PostgresError, R> => {
  const tried = (pauseMs: number): Effect.Effect<A, PostgresError, R> =>
    Effect.catch(statement, (error) =>
      Effect.gen(function*() {
        const waitMs = yield* Random.nextBetween(pauseMs / 2, pauseMs)
        const isLate = (yield* Clock.currentTimeMillis) + waitMs >= untilMs
        if (isLate || !isPassing(error) || (error.may_have_run && repeatable === "unsent")) {
          return yield* error
        }
        yield* Effect.sleep(waitMs)
        return yield* tried(Math.min(2 * pauseMs, pauseMsMax))
      }))
  return Effect.flatMap(
    isInTransaction,
    (isInside) => isInside ? statement : tried(pauseMsMin)
  )
}

const isPassing = ({ cause, fault }: PostgresError): boolean =>
  fault === "connection" || fault === "serialization" || codeOf(cause) === tooManyConnections
