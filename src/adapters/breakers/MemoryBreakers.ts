/**
 * Circuit breakers in this process: each replica finds out for itself, which a few failures cost.
 */
import { Effect, Exit, Layer, Schedule } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { Breakers } from "../../application/ports/Breakers.ts"
import { SearchFailed } from "../../application/ports/SearchProvider.ts"
import type { ProviderName } from "../../domain/search/SearchHit.ts"
import type { SearchStatus } from "../../domain/search/SearchStatus.ts"

const failuresMax = 5
const openMsMin = 30_000
const openMsMax = 300_000

/** Statuses that say something about the provider's health. */
const faults: ReadonlyArray<SearchStatus> = ["network_error", "timeout", "unknown_error"]

/** Opens after five failures in a row, for 30 s and then twice as long each time, up to 5 min. */
export const layer = Layer.effect(
  Breakers,
  Effect.gen(function*() {
    const breaker = yield* CircuitBreaker.make({
      tripPolicy: CircuitBreaker.consecutive(failuresMax),
      openDuration: Schedule.min([Schedule.exponential(openMsMin), Schedule.spaced(openMsMax)]),
      maxOpenDuration: openMsMax
    })
    const guard = <A>(
      provider: ProviderName,
      search: Effect.Effect<A, SearchFailed>
    ): Effect.Effect<A, SearchFailed> =>
      breaker.execute(search, { key: provider, classify }).pipe(
        Effect.catchTag("CircuitBreakerError", () =>
          Effect.fail(new SearchFailed({ provider, status: "circuit_open" })))
      )
    return Breakers.of({ guard })
  })
).pipe(Layer.provide(CircuitBreaker.layerStoreMemory()))

const classify = (exit: Exit.Exit<unknown, SearchFailed>): CircuitBreaker.Outcome => {
  if (Exit.isSuccess(exit)) return CircuitBreaker.success
  const failed = Exit.findErrorOption(exit)
  return failed._tag === "Some" && isFault(failed.value)
    ? CircuitBreaker.failure()
    : CircuitBreaker.ignored
}

/** A 403 is about the key. */
const isFault = ({ detail, status }: SearchFailed): boolean =>
  faults.includes(status) && detail !== "forbidden"
