/** Recorded events as callers see them, in pages of bounded length. */
import type { EventView, SessionPage } from "../../contract/EventView.ts"
import type { StoredEvent } from "../ports/EventStore.ts"

export const viewOf = (stored: StoredEvent): EventView => ({
  event_id: stored.eventId,
  stream_id: stored.streamId,
  stream_version: stored.version,
  global_position: String(stored.position),
  type: stored.type,
  schema_version: stored.schemaVersion,
  recorded_at: stored.recordedAt,
  ...stored.metadata,
  data: stored.data,
  payload_digest: stored.payloadDigest,
  hash: stored.hash
})

/** Ceiling of a page's event data, in characters. A page has at least one event, however long. */
const pageCharsMax = 256 * 1_024

export const isPageFull = (events: ReadonlyArray<StoredEvent>): boolean =>
  firstBeyond(events) !== -1

/** Index of the first event that does not fit; -1 when all do. */
const firstBeyond = (events: ReadonlyArray<StoredEvent>): number => {
  let chars = 0
  return events.findIndex(({ data }, index) => {
    chars += JSON.stringify(data).length
    return index > 0 && chars > pageCharsMax
  })
}

/** First page of `events`. `headVersion` is the version of the session's last event. */
export const pageOf = (
  session_id: string,
  events: ReadonlyArray<StoredEvent>,
  headVersion: number
): SessionPage => {
  const beyond = firstBeyond(events)
  const page = beyond === -1 ? events : events.slice(0, beyond)
  const last = page.at(-1)
  return {
    session_id,
    events: page.map(viewOf),
    ...(last === undefined || last.version >= headVersion ? {} : { next: last.version })
  }
}
