/** The evidence store as groundings ask it. */
import { Effect, Layer } from "effect"
import { sourceKeyOfEntry } from "../../domain/store/Entry.ts"
import { EvidenceStore } from "../ports/EvidenceStore.ts"
import { StoredEvidence } from "../ports/StoredEvidence.ts"
import { Embedding } from "./Embedding.ts"
import * as SearchEvidence from "./SearchEvidence.ts"

/** `siteOf`: the registrable domain of an address's host. */
export const layer = (siteOf: (host: string) => string) =>
  Layer.effect(
    StoredEvidence,
    Effect.gen(function*() {
      const services = yield* Effect.context<EvidenceStore | Embedding>()
      return {
        find: (tenantId: string, question: string, limit: number) =>
          SearchEvidence.search(tenantId, question, {}, limit).pipe(
            Effect.map(({ found }) =>
              found.map((entry) => ({
                entry,
                site: siteOf(URL.parse(entry.source_url ?? "")?.hostname ?? "") ||
                  sourceKeyOfEntry(entry.id)
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
