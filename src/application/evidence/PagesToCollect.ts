/** Queue of pages that wait to be collected into the evidence store. */
import { Context, Effect } from "effect"
import type { SourceKey } from "../../domain/store/Entry.ts"
import type { ReadPage } from "../../domain/store/PageMaterial.ts"
import type { EvidenceStoreUnavailable } from "../ports/EvidenceStore.ts"

// A queue outside the log, which may not hold the texts. It holds one reading for each source, and
// drops a session's pages when the session is erased.

export const waitingMax = 1_000

export interface Waiting {
  readonly key: SourceKey
  readonly page: ReadPage
}

export interface Taken extends Waiting {
  readonly session_id: string
  readonly token: string
  readonly tries: number
}

type QueueAnswer<A> = Effect.Effect<A, EvidenceStoreUnavailable>

interface PageQueue {
  /** Whether this deployment collects what requests allow. */
  readonly isOn: boolean
  /**
   * Replaces older readings. Due after `dueInMs`, or on `release`. Returns the number that wait;
   * those beyond `waitingMax` are left out.
   */
  readonly put: (
    tenantId: string,
    session_id: string,
    pages: ReadonlyArray<Waiting>,
    dueInMs: number
  ) => QueueAnswer<number>
  readonly release: (tenantId: string, session_id: string) => QueueAnswer<void>
  readonly tenants: QueueAnswer<ReadonlyArray<string>>
  /** Due pages, the longest due first, under a lease of `leaseMs`. */
  readonly take: (
    tenantId: string,
    limit: number,
    leaseMs: number
  ) => QueueAnswer<ReadonlyArray<Taken>>
  /** Inside the caller's transaction if there is one. A newer reading of the source stays. */
  readonly done: (tenantId: string, taken: Pick<Taken, "key" | "token">) => QueueAnswer<void>
  readonly clear: (tenantId: string) => QueueAnswer<number>
}

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
