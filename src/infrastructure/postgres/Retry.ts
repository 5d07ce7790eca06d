/** Retries a statement on a new connection after its own was lost. */
import { Clock, Duration, Effect, Schedule } from "effect"
import { codeOf, isInTransaction, type PostgresError } from "./Postgres.ts"

/** Pauses between two tries: they double up to the second figure. */
const pauses = Schedule.jittered(
  Schedule.min([Schedule.exponential("20 millis"), Schedule.spaced("250 millis")])
)

/** SQLSTATE of a server without a free connection; other exhaustion does not pass by itself. */
const tooManyConnections = "53300"

/** `unsent`: retried only if nothing reached the server. `idempotent`: even if it may have run. */
export type Repeatable = "unsent" | "idempotent"

/**
 * Growing pauses, outside of transactions. No try begins after `untilMs`, in milliseconds since the
 * epoch.
 */
export const retryUntil = (untilMs: number, repeatable: Repeatable) =>
<A, R>(
  statement: Effect.Effect<A, PostgresError, R>
): Effect.Effect<A, PostgresError, R> =>
  Effect.flatMap(isInTransaction, (isInside) =>
    isInside ? statement : Effect.retry(statement, {
      while: (error) => isPassing(error) && (!error.may_have_run || repeatable === "idempotent"),
      schedule: Schedule.while(pauses, ({ duration }) =>
        Effect.map(
          Clock.currentTimeMillis,
          (nowMs) => nowMs + Duration.toMillis(duration) < untilMs
        ))
    }))

const isPassing = ({ cause, fault }: PostgresError): boolean =>
  fault === "connection" || fault === "serialization" || codeOf(cause) === tooManyConnections
