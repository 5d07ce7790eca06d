/** The evidence store as groundings ask it. */
import { Effect, Layer, Option } from "effect"
import { sourceKeyOfEntry } from "../../domain/store/Entry.ts"
import { addressOf } from "../../domain/store/StoredPage.ts"
import { EvidenceStore } from "../ports/EvidenceStore.ts"
import { Sites } from "../ports/Sites.ts"
import { StoredEvidence, type Wanted } from "../ports/StoredEvidence.ts"
import { Embedding } from "./Embedding.ts"
import * as SearchEvidence from "./SearchEvidence.ts"

export const layer = Layer.effect(
  StoredEvidence,
  Effect.gen(function*() {
    const { siteOf } = yield* Sites
    const services = yield* Effect.context<EvidenceStore | Embedding>()
    return {
      find: (tenantId: string, { collected_from, ...wanted }: Wanted) =>
        SearchEvidence.search(tenantId, {
          ...wanted,
          filter: collected_from === undefined ? {} : { collected_from }
        }).pipe(
          Effect.map(({ found }) =>
            found.map((entry) => ({
              entry,
              site: Option.match(addressOf(entry), {
                onNone: () => sourceKeyOfEntry(entry.id),
                onSome: ({ host }) => siteOf(host)
              })
            }))
          ),
          Effect.catch((cause) =>
            Effect.as(Effect.logWarning("the evidence store was not asked", cause), [])
          ),
          Effect.provide(services)
        )
    }
  })
)
