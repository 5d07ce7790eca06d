/** Finds data older than it may be. Sessions that are held or erased are left out. */
import { Context, type Effect } from "effect"
import type { SourceRef } from "../evidence/CollectEvidence.ts"
import type { EventStoreUnavailable } from "../ports/EventStore.ts"
import type { EvidenceStoreUnavailable } from "../ports/EvidenceStore.ts"

type Answer<A> = Effect.Effect<A, EventStoreUnavailable | EvidenceStoreUnavailable>

/** Lists what each tenant has that is older than a time, in milliseconds since the epoch. */
export class RetentionStore extends Context.Service<RetentionStore, {
  /** Whoever has sessions, cached answers or entries. */
  readonly tenants: Answer<ReadonlyArray<string>>
  /** Ids of sessions whose last event is before the time, oldest first. */
  readonly sessions: (tenantId: string, beforeMs: number) => Answer<ReadonlyArray<string>>
  /** Sources of web pages that were collected before the time. */
  readonly pages: (tenantId: string, beforeMs: number) => Answer<ReadonlyArray<SourceRef>>
  /** Entries of the query cache and the pack cache from before the time. */
  readonly cached: (tenantId: string, beforeMs: number) => Answer<number>
  /** Takes them out, and answers how many went. */
  readonly dropCached: (tenantId: string, beforeMs: number) => Answer<number>
}>()("web-grounding/application/erasure/RetentionStore") {}
