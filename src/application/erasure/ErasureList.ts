/**
 * List of the reports of erasures outside the database, so that a restored backup is erased again.
 */
import { Context, Effect } from "effect"
import type { ErasureReport } from "../../contract/Erasure.ts"

/** Kept nowhere by default. A report that cannot be kept is told in the log of the process. */
export const ErasureList = Context.Reference<{
  readonly keep: (report: ErasureReport) => Effect.Effect<void>
}>("web-grounding/application/erasure/ErasureList", {
  defaultValue: () => ({ keep: () => Effect.void })
})
