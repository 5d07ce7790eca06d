/** Entries of the evidence store that a request may use in addition to the web. */
import { Context, Effect } from "effect"
import type { Retrieval } from "../../contract/EvidenceSearch.ts"
import type { KnownEntry } from "../../domain/store/StoredPage.ts"

export interface Wanted {
  readonly question: string
  readonly limit: number
  readonly retrieval: Retrieval
  /** Collected at this instant or later; ISO 8601. Default: any time. */
  readonly collected_from?: string
}

/**
 * Entries of the tenant, best first, at most `limit`. Empty without a store, and where it cannot be
 * reached: a grounding does not fail for it.
 */
export class StoredEvidence extends Context.Service<StoredEvidence, {
  readonly find: (tenantId: string, wanted: Wanted) => Effect.Effect<ReadonlyArray<KnownEntry>>
}>()("web-grounding/application/ports/StoredEvidence") {
  static readonly none = StoredEvidence.of({ find: () => Effect.succeed([]) })
}
