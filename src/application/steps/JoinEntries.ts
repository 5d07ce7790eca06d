/** Makes pages of what the evidence store knows, to stand beside those that were read. */
import { Effect } from "effect"
import type { Page } from "../../domain/evidence/Evidence.ts"
import type { Grounding } from "../../domain/session/Grounding.ts"
import { questionOf } from "../../domain/session/GroundingRequest.ts"
import { pageOfEntry } from "../../domain/store/StoredPage.ts"
import { Limits } from "../ports/Limits.ts"
import { StoredEvidence } from "../ports/StoredEvidence.ts"

/** Entries of a page that was read anyway are left out; so are those that come too late. */
export const joinEntries = Effect.fn("JoinEntries.joinEntries")(
  function*(tenantId: string, grounding: Grounding, read: ReadonlyArray<Page>) {
    const limit = grounding.policy.entries_max ?? 0
    if (limit === 0) return []
    const store = yield* StoredEvidence
    const { engineTimeoutMs } = yield* Limits
    const entries = yield* store.find(tenantId, questionOf(grounding.request), limit).pipe(
      Effect.timeoutOrElse({
        duration: engineTimeoutMs,
        orElse: () => Effect.succeed([])
      })
    )
    const known = new Set<string>(read.map(({ url }) => url))
    return entries
      .map((entry, index) => pageOfEntry(`e${index + 1}`, entry))
      .filter(({ url }) => !known.has(url))
  }
)
