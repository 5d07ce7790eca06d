/** What the evidence store knows of a question, beside the web and without it. */
import { Context, Effect } from "effect"
import type { KnownEntry } from "../../domain/store/StoredPage.ts"

/**
 * Entries of the tenant, best first, at most `limit`. Empty where there is no store, and where it
 * cannot be asked: a grounding does not fail for it.
 */
export const StoredEvidence = Context.Reference<{
  readonly find: (
    tenantId: string,
    question: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<KnownEntry>>
}>("web-grounding/application/ports/StoredEvidence", {
  defaultValue: () => ({ find: () => Effect.succeed([]) })
})
