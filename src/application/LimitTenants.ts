/** Runs a tenant's calls that may cost something while its limits last, and refuses the others. */
import { Effect } from "effect"
import { LimitReached, type StoreUnavailable } from "../contract/PublicFailure.ts"
import * as InPublic from "./InPublic.ts"
import { TenantLimits } from "./sharing/TenantLimits.ts"

/** Milliseconds after which a tenant at its limit of calls may ask again. */
const retryAfterMs = 1_000

export const make = Effect.gen(function*() {
  const { concurrencyMax, enter } = yield* TenantLimits
  const running = new Map<string, number>()

  const begin = (tenantId: string) =>
    Effect.suspend(() => {
      const count = running.get(tenantId) ?? 0
      if (concurrencyMax > 0 && count >= concurrencyMax) {
        return Effect.fail(
          new LimitReached({ limit: "concurrency", retry_after_ms: retryAfterMs })
        )
      }
      running.set(tenantId, count + 1)
      return Effect.void
    })

  const end = (tenantId: string) =>
    Effect.sync(() => {
      const count = running.get(tenantId) ?? 0
      if (count > 1) running.set(tenantId, count - 1)
      else running.delete(tenantId)
    })

  /** Counts the call as the tenant's while it runs. */
  const within = (tenantId: string) =>
  <A, E, R>(
    call: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | LimitReached | StoreUnavailable, R> =>
    Effect.acquireUseRelease(
      begin(tenantId),
      () =>
        enter(tenantId).pipe(
          Effect.catchTag("EventStoreUnavailable", () => Effect.fail(InPublic.storeDown())),
          Effect.andThen(call)
        ),
      () => end(tenantId)
    )

  return { within }
})
