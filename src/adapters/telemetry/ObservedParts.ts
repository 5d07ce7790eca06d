/**
 * Ports that are observed: each function takes a service and answers the same one, whose calls are
 * timed and counted.
 */
import { Clock, Effect, Exit } from "effect"
import { EventStore } from "../../application/ports/EventStore.ts"
import { Breakers, Credits } from "../../application/ports/SearchProvider.ts"
import { Postgres } from "../../infrastructure/postgres/Postgres.ts"
import type { Meters } from "./Meters.ts"
import { outcomeOf } from "./Outcomes.ts"

const nanosInSecond = 1e9

/** Runs the effect and tells its time in seconds and how it ended. */
export const timed = <Failed = unknown>(
  told: (seconds: number, exit: Exit.Exit<unknown, Failed>) => void
) =>
<A, E extends Failed, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    Clock.currentTimeNanos,
    (startedNs) =>
      Effect.onExit(effect, (exit) =>
        Effect.map(Clock.currentTimeNanos, (endedNs) =>
          told(Number(endedNs - startedNs) / nanosInSecond, exit)))
  )

/**
 * Event store around the given one, which reports the time of appends and streams that were changed
 * beside the service.
 */
export const eventStore = (
  meters: Meters,
  store: EventStore["Service"]
): EventStore["Service"] => {
  const appending = timed((seconds, exit) =>
    meters.observe(
      "web_grounding_log_append_duration_seconds",
      { outcome: outcomeOf(exit) },
      seconds
    )
  )
  const tampered = Effect.sync(() => meters.add("web_grounding_log_tampered_total", {}))
  return EventStore.of({
    ...store,
    append: (head, events) => appending(store.append(head, events)),
    read: (ref, afterVersion, eventsMax) =>
      Effect.tapErrorTag(store.read(ref, afterVersion, eventsMax), "LogTampered", () => tampered)
  })
}

/**
 * Circuit breakers around the given ones, which report who is left alone, and how often a request
 * was not sent for it.
 */
export const breakers = (meters: Meters, { guard }: Breakers["Service"]): Breakers["Service"] =>
  Breakers.of({
    guard: (ask, options) =>
      Effect.onExit(guard(ask, options), (exit) =>
        Effect.sync(() => {
          const upstream = options.key
          // The failure of who was not asked is the one that was handed in.
          const isResting = Exit.isFailure(exit) &&
            exit.cause.reasons.some((reason) =>
              reason._tag === "Fail" && reason.error === options.resting
            )
          meters.set("web_grounding_circuit_open", { upstream }, isResting ? 1 : 0)
          if (isResting) meters.add("web_grounding_circuit_refused_total", { upstream })
        }))
  })

/** Ledger of credits around the given one, which counts what is reserved and returned. */
export const credits = (
  meters: Meters,
  { correct, reserve }: Credits["Service"]
): Credits["Service"] => {
  const took = (provider: string, keySlot: number, by: number) =>
    Effect.sync(() =>
      meters.add(
        by >= 0 ? "web_search_credits_reserved_total" : "web_search_credits_returned_total",
        { provider, key_slot: String(keySlot) },
        Math.abs(by)
      )
    )
  return Credits.of({
    reserve: (provider, keySlot, price) =>
      Effect.tap(
        reserve(provider, keySlot, price),
        (month) => month === undefined ? Effect.void : took(provider, keySlot, price)
      ),
    correct: (month, by) =>
      Effect.tap(correct(month, by), () => took(month.provider, month.keySlot, by))
  })
}

/**
 * Database around the given one, which times each statement by its name, and transactions as a
 * whole.
 */
export const postgres = (meters: Meters, inner: Postgres["Service"]): Postgres["Service"] => {
  const named = (summary: string) =>
    timed((seconds, exit) => {
      const outcome = outcomeOf(exit)
      meters.observe("db_client_operation_duration_seconds", {
        db_system_name: "postgresql",
        db_query_summary: summary,
        error_type: outcome === "ok" ? "" : outcome
      }, seconds)
    })
  const statement = named("statement")
  meters.sample(Effect.map(inner.poolUse, ({ idle, max, open, waiting }) => {
    meters.set("db_client_connection_count", { db_client_connection_state: "idle" }, idle)
    meters.set("db_client_connection_count", { db_client_connection_state: "used" }, open - idle)
    meters.set("db_client_connection_max", {}, max)
    meters.set("db_client_connection_pending_requests", {}, waiting)
  }))
  const transaction = named("transaction")
  return Postgres.of({
    ...inner,
    run: (query) => statement(inner.run(query)),
    prepared: (prepared, parameters) => named(prepared.name)(inner.prepared(prepared, parameters)),
    transaction: (effect) => transaction(inner.transaction(effect))
  })
}
