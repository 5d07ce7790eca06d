/**
 * Leaves the pages of a request to be collected later, where caller and operator allow it.
 *
 * They are left before the log is told that they were read: a run that dies in between reads them
 * again, and one that dies later has left them. A queue that fails costs the answer nothing.
 */
import { Effect, Option } from "effect"
import type { EvidenceRead } from "../../domain/session/SessionEvent.ts"
import { sourceKeyOf } from "../../domain/store/Entry.ts"
import * as Material from "../../domain/store/Material.ts"
import { PagesToCollect, waitingMax } from "../evidence/PagesToCollect.ts"
import { Digest } from "../ports/Digest.ts"
import * as Deadline from "./Deadline.ts"
import type { StepOf } from "./Step.ts"

/** The answer waits no longer for the queue. */
const queueMsMax = 1_000

/**
 * Puts pages that were read over the web into the queue of the evidence store. Never fails a
 * grounding.
 */
export const leavePages = Effect.fn("LeavePages.leavePages")(
  function*(
    tenantId: string,
    { grounding }: StepOf<"Read">,
    { pages }: typeof EvidenceRead.Type,
    deadline: Deadline.Deadline
  ) {
    const { policy, request, requestedAt } = grounding
    if (policy.collects_pages !== true) return
    const { put } = yield* PagesToCollect
    const { sha256 } = yield* Digest
    const waiting = pages.flatMap(({ text = "", ...page }) =>
      Option.match(Material.ofPage({ ...page, text }, requestedAt), {
        onNone: () => [],
        onSome: (read) => [{
          key: sourceKeyOf({ ...read.material, source_id: read.material.source_url }, sha256),
          page: read
        }]
      })
    )
    if (waiting.length === 0) return
    // Nobody has the answer before the deadline, at the latest.
    const leftMs = Math.ceil(yield* Deadline.leftMs(deadline))
    const count = yield* put(tenantId, request.session_id, waiting, leftMs)
    if (count >= waitingMax) yield* Effect.logWarning("pages are left uncollected: too many wait")
  },
  Effect.timeoutOption(queueMsMax),
  Effect.catch((cause) => Effect.logWarning("pages are left uncollected", cause)),
  Effect.asVoid
)
