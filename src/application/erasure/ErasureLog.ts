/** The log's streams about erasure and legal hold: one for each session that had either. */
import * as ErasureRecord from "../../domain/erasure/ErasureRecord.ts"
import * as CommandHandler from "../log/CommandHandler.ts"
import * as EventCodec from "../log/EventCodec.ts"
import type { StreamRef } from "../ports/EventStore.ts"

/**
 * Tenant under which erasures of another tenant stand. Callers name their sessions freely, so it is
 * none that a caller can be of.
 */
export const tenantOf = (tenantId: string): string => `_erasure/${tenantId}`

/** Stream in which the erasures and legal holds of a session stand. */
export const streamOf = ({ session_id, tenant_id }: StreamRef): StreamRef => ({
  tenant_id: tenantOf(tenant_id),
  session_id
})

export const codec = EventCodec.make(ErasureRecord.ErasureEvent)

export const { facts, handle, load } = CommandHandler.make({
  name: "ErasureLog",
  decider: ErasureRecord,
  codec,
  correlationOf: () => "erasure"
})
