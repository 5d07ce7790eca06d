/** The pack cache in a `Ref`: for tests. */
import { Effect, Layer, Ref } from "effect"
import type { CacheKey } from "../../../src/application/ports/SearchProvider.ts"
import { PackCache } from "../../../src/application/sharing/SharePacks.ts"
import type { CachedPack } from "../../../src/domain/session/GroundingOutcome.ts"

const hourMs = 3_600_000

export const layer = Layer.effect(
  PackCache,
  Effect.gen(function*() {
    const packs = yield* Ref.make<ReadonlyMap<string, CachedPack>>(new Map())
    const nameOf = ({ key, tenantId }: CacheKey) => JSON.stringify([tenantId, key])
    return {
      isOn: true,
      maxAge: { general: 24 * hourMs, timely: hourMs },
      find: (key) => Effect.map(Ref.get(packs), (all) => all.get(nameOf(key))),
      put: (key, pack) =>
        Ref.update(packs, (all) => {
          const known = all.get(nameOf(key))
          return known !== undefined && known.made_at_ms > pack.made_at_ms
            ? all
            : new Map(all).set(nameOf(key), pack)
        })
    }
  })
)
