/**
 * List of the reports of erasures outside the database, so that a restored backup is erased again.
 */
import { Context, Effect } from "effect"
import type { ErasureReport } from "../../contract/Erasure.ts"

/**
 * Record of erasures outside the database. None is kept by default. A report that cannot be kept is
 * written to the process's log.
 */
export const ErasureList = Context.Reference<{
  readonly keep: (report: ErasureReport) => Effect.Effect<void>
}>("web-grounding/application/erasure/ErasureList", {
  defaultValue: () => ({ keep: () => Effect.void })
})
