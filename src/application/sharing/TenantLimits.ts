/** Limits of one tenant's use, over all processes that share the log. By default none. */
import { Context, Effect } from "effect"
import type { LimitReached } from "../../contract/PublicFailure.ts"
import type { EventStoreUnavailable } from "../ports/EventStore.ts"

/** 0: no limit. Days and months are of UTC, by the clock of the database. */
export interface TenantCeilings {
  readonly requestsPerMinute: number
  readonly searchesPerDay: number
  readonly searchesPerMonth: number
  /** Cost of models, in millionths of a US dollar. */
  readonly costMicrosPerDay: number
  readonly costMicrosPerMonth: number
  readonly concurrency: number
  /** Calls after a day's or month's searches or cost are used up. */
  readonly usedUp: "degrades" | "refuses"
}

export class TenantLimits extends Context.Service<TenantLimits, {
  /** Calls of a tenant at the same time in one process. 0: no limit. */
  readonly concurrencyMax: number
  /** Counts one request, or refuses it because some limit is used up. */
  readonly enter: (tenantId: string) => Effect.Effect<void, LimitReached | EventStoreUnavailable>
  /** False: none is left. Never one more than the limit. */
  readonly takeSearch: (tenantId: string) => Effect.Effect<boolean, EventStoreUnavailable>
  /** Whether models may be asked: the tenant's cost has not reached its limit. */
  readonly hasCostLeft: (tenantId: string) => Effect.Effect<boolean, EventStoreUnavailable>
  /** Adds the cost of models, known afterwards: requests in progress at the limit still finish. */
  readonly addCost: (
    tenantId: string,
    costMicros: number
  ) => Effect.Effect<void, EventStoreUnavailable>
}>()("web-grounding/application/sharing/TenantLimits") {
  static readonly none = TenantLimits.of({
    concurrencyMax: 0,
    enter: () => Effect.void,
    takeSearch: () => Effect.succeed(true),
    hasCostLeft: () => Effect.succeed(true),
    addCost: () => Effect.void
  })
}
