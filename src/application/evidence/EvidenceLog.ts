/** The log's streams about the evidence store: one for each source, one for a tenant's vectors. */
import { Effect } from "effect"
import * as Entry from "../../domain/store/Entry.ts"
import { EvidenceEvent, type SourceKey } from "../../domain/store/Entry.ts"
import * as CommandHandler from "../log/CommandHandler.ts"
import * as EventCodec from "../log/EventCodec.ts"
import type { StreamRef } from "../ports/EventStore.ts"

export const codec = EventCodec.make(EvidenceEvent)

const { handle, load } = CommandHandler.make({
  name: "EvidenceLog",
  decider: Entry,
  codec,
  // Correlations outlive an erasure, so they name no source.
  correlationOf: ({ _tag }) => _tag === "WEB_GROUNDING_EVIDENCE_REEMBEDDED" ? "vectors" : "evidence"
})

/**
 * Tenant of a tenant's evidence facts. Callers name their sessions freely, so it is one that no
 * caller can be of.
 */
const tenantOf = (tenantId: string): string => `_evidence/${tenantId}`

/** Stream of a tenant's evidence facts about one source, or about its vectors. */
export const streamOf = (tenantId: string, subject: SourceKey | "vectors"): StreamRef => ({
  tenant_id: tenantOf(tenantId),
  session_id: subject
})

/** Records a fact; told again it is recorded once. */
export const record = Effect.fn("EvidenceLog.record")(
  function*(ref: StreamRef, fact: EvidenceEvent, actor: string) {
    yield* handle(yield* load(ref), fact, actor)
  }
)
