/** What the evidence store knows, as pages beside those that were read. */
import { Duration, Effect } from "effect"
import type { Page } from "../../domain/page/Page.ts"
import { addressesOf } from "../../domain/page/PageOrigin.ts"
import * as QueryPrivacy from "../../domain/privacy/QueryPrivacy.ts"
import { questionOf } from "../../domain/request/GroundingRequest.ts"
import type { Grounding } from "../../domain/session/Grounding.ts"
import { EvidenceRead } from "../../domain/session/SessionEvent.ts"
import { pageOfEntry } from "../../domain/store/StoredPage.ts"
import { Limits } from "../ports/Limits.ts"
import { StoredEvidence } from "../ports/StoredEvidence.ts"
import * as Deadline from "./Deadline.ts"

/** Best first. Empty when the store is not to be asked, or does not answer in time. */
export const recall = Effect.fn("JoinEntries.recall")(
  function*(tenantId: string, { policy, request }: Grounding, deadline: Deadline.Deadline) {
    const limit = policy.entries_max ?? 0
    // An embedder outside may be asked for the question's vector: no personal data goes there.
    const question = QueryPrivacy.strip(questionOf(request))
    if (limit === 0 || question === "") return []
    const store = yield* StoredEvidence
    const { engineTimeoutMs } = yield* Limits
    const leftMs = yield* Deadline.shareMs(deadline, "Read")
    const entries = yield* store.find(tenantId, question, limit).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(Math.min(engineTimeoutMs, leftMs)),
        orElse: () => Effect.succeed([])
      })
    )
    return entries.map((entry, index) => pageOfEntry(`e${index + 1}`, entry))
  }
)

/** Entries of a page that was read anyway, under whichever address, are left out. */
export const join = (
  evidence: typeof EvidenceRead.Type,
  recalled: ReadonlyArray<Page>
): typeof EvidenceRead.Type => {
  const read = new Set(evidence.pages.flatMap(addressesOf))
  const others = recalled.filter((entry) =>
    !addressesOf(entry).some((address) => read.has(address))
  )
  return EvidenceRead.make({ ...evidence, pages: [...evidence.pages, ...others] })
}
