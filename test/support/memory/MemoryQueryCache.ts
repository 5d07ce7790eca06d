/** The query cache in a `Ref`: for tests. */
import { Clock, Effect, Layer, Ref } from "effect"
import { type CacheKey, QueryCache } from "../../../src/application/ports/SearchProvider.ts"
import type { QueryCacheEntry } from "../../../src/domain/search/QueryCacheEntry.ts"

interface Lease {
  readonly owner: string
  readonly untilMs: number
}

export const layer = Layer.effect(
  QueryCache,
  Effect.gen(function*() {
    const entries = yield* Ref.make<ReadonlyMap<string, QueryCacheEntry>>(new Map())
    const leases = yield* Ref.make<ReadonlyMap<string, Lease>>(new Map())
    return QueryCache.of({
      find: (key) => Effect.map(Ref.get(entries), (all) => all.get(nameOf(key))),
      put: (key, entry) =>
        Ref.update(entries, (all) => {
          const known = all.get(nameOf(key))
          return known !== undefined && known.recorded_at_ms > entry.recorded_at_ms
            ? all
            : new Map(all).set(nameOf(key), entry)
        }),
      lead: (key, owner, leaseMs) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
          Ref.modify(leases, (all) => {
            const held = all.get(nameOf(key))
            if (held !== undefined && held.owner !== owner && held.untilMs > nowMs) {
              return [false, all]
            }
            return [true, new Map(all).set(nameOf(key), { owner, untilMs: nowMs + leaseMs })]
          })),
      isLed: (key) =>
        Effect.zipWith(
          Clock.currentTimeMillis,
          Ref.get(leases),
          (nowMs, all) => (all.get(nameOf(key))?.untilMs ?? 0) > nowMs
        ),
      renew: (key, owner, leaseMs) =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          (nowMs) =>
            Ref.modify(leases, (all) =>
              all.get(nameOf(key))?.owner === owner
                ? [true, new Map(all).set(nameOf(key), { owner, untilMs: nowMs + leaseMs })]
                : [false, all])
        ),
      resign: (key, owner) =>
        Ref.update(leases, (all) =>
          all.get(nameOf(key))?.owner === owner
            ? new Map([...all].filter(([name]) => name !== nameOf(key)))
            : all)
    })
  })
)

const nameOf = ({ key, tenantId }: CacheKey): string => `${tenantId} ${key}`
