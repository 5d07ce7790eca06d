/** Pages that wait to be collected into the evidence store. */
import { Context, Effect } from "effect"
import type { SourceKey } from "../../domain/store/Entry.ts"
import type { ReadPage } from "../../domain/store/PageMaterial.ts"
import type { EvidenceStoreUnavailable } from "../ports/EvidenceStore.ts"

// Pages that were read for requests which allow collecting, on their way into the evidence store.
// A queue beside the log: the log may not hold their texts. It outlives the process, holds one
// reading a source, and forgets a session's pages when the session is erased.

/** Pages of one tenant that wait at most; more are left out. */
export const waitingMax = 1_000

/** A reading with the source that it is of. */
export interface Waiting {
  readonly key: SourceKey
  readonly page: ReadPage
}

/** A reading that was taken from the queue and is given to nobody else until its lease ends. */
export interface Taken extends Waiting {
  /** The session that it was read for. */
  readonly session_id: string
  /** Token of this reading. */
  readonly token: string
  /** How often it was taken, this time included. */
  readonly tries: number
}

type QueueAnswer<A> = Effect.Effect<A, EvidenceStoreUnavailable>

/** Queue of pages, at most one reading a source. */
interface PageQueue {
  /** Whether this deployment collects what requests allow. */
  readonly isOn: boolean
  /**
   * Takes the place of older readings of the same sources. Due after `dueInMs`, or when `release`
   * says so. Answers how many wait now; those beyond `waitingMax` are left out.
   */
  readonly put: (
    tenantId: string,
    session_id: string,
    pages: ReadonlyArray<Waiting>,
    dueInMs: number
  ) => QueueAnswer<number>
  /** The session's pages are due now. */
  readonly release: (tenantId: string, session_id: string) => QueueAnswer<void>
  /** Tenants of pages that wait. */
  readonly tenants: QueueAnswer<ReadonlyArray<string>>
  /** Due pages, the longest due first; nobody else is given them within `leaseMs`. */
  readonly take: (
    tenantId: string,
    limit: number,
    leaseMs: number
  ) => QueueAnswer<ReadonlyArray<Taken>>
  /** Inside the caller's transaction if there is one. A newer reading of the source stays. */
  readonly done: (tenantId: string, taken: Pick<Taken, "key" | "token">) => QueueAnswer<void>
  /** Takes everything out that waits, and answers how much. */
  readonly clear: (tenantId: string) => QueueAnswer<number>
}

/** Queue of pages that groundings read, to be collected after the answer. */
export class PagesToCollect extends Context.Service<PagesToCollect, PageQueue>()(
  "web-grounding/application/evidence/PagesToCollect"
) {
  static readonly none = PagesToCollect.of({
    isOn: false,
    put: () => Effect.succeed(0),
    release: () => Effect.void,
    tenants: Effect.succeed([]),
    take: () => Effect.succeed([]),
    done: () => Effect.void,
    clear: () => Effect.succeed(0)
  })
}
