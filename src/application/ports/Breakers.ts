/** A circuit breaker for each search provider: who keeps failing is left alone for a while. */
import { Context, type Effect } from "effect"
import type { ProviderName } from "../../domain/search/SearchHit.ts"
import type { SearchFailed } from "./SearchProvider.ts"

export class Breakers extends Context.Service<Breakers, {
  /**
   * Runs the search, or fails at once with `circuit_open` without running it. Refused keys and
   * bad requests are no fault of the provider and do not count.
   */
  readonly guard: <A>(
    provider: ProviderName,
    search: Effect.Effect<A, SearchFailed>
  ) => Effect.Effect<A, SearchFailed>
}>()("web-grounding/application/ports/Breakers") {}
