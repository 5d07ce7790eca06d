/** An event as the log would give it back, for tests that look at its type and data alone. */
import { type LoggedEvent, logStart } from "../../src/application/ports/EventStore.ts"

export const storedEvent = (
  fields: Pick<LoggedEvent, "type" | "schemaVersion" | "data"> & { readonly tenantId?: string } & {
    readonly sessionId?: string
  }
): LoggedEvent => ({
  tenantId: "default",
  sessionId: "session-1",
  eventId: "00000000-0000-5000-8000-000000000000",
  streamId: "00000000-0000-7000-8000-000000000000",
  version: 1,
  position: logStart,
  metadata: { correlation_id: "", causation_id: "", actor: "" },
  recordedAt: "2026-01-01T00:00:00.000Z",
  salt: "",
  payloadDigest: "",
  hash: "",
  ...fields
})
