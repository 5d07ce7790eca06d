/**
 * Rows of one session in a read model go with its content: also those that were folded from events
 * that were read before it was erased, since the fact about the erasure comes after them all.
 */
import type { ContentErased } from "../../domain/erasure/ErasureRecord.ts"
import type { SessionEvent } from "../../domain/session/SessionEvent.ts"
import type { LoggedEvent } from "../ports/EventStore.ts"
import { keyOf } from "./SortedRows.ts"

export const erasedType = "WEB_GROUNDING_CONTENT_ERASED"

type Told = SessionEvent | ContentErased

/** Whether the fact tells that a session's content was erased. */
export const isErased = (event: Told): event is ContentErased => event._tag === erasedType

/** Key of the row of an event's session. */
export const sessionKey = (
  { event, stored }: { readonly event: Told; readonly stored: LoggedEvent }
): string =>
  isErased(event)
    ? keyOf(event.tenant_id, event.session_id)
    : keyOf(stored.tenantId, stored.sessionId)

/** The row of the fact's request; those of every request where the session was erased. */
export const requestKeys = (
  { event, stored }: { readonly event: Told; readonly stored: LoggedEvent }
): string | ReadonlyArray<string> =>
  isErased(event)
    ? event.request_ids.map((id) => keyOf(event.tenant_id, event.session_id, id))
    : keyOf(stored.tenantId, stored.sessionId, event.request_id)
