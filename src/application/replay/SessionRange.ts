/** A tenant's sessions in pages, newest first, by the time in the ids of their streams. */
import { DateTime, Effect } from "effect"
import type { SessionRange } from "../../contract/SessionRange.ts"
import { EventStore } from "../ports/EventStore.ts"

/**
 * One page of a tenant's streams in a range, newest first. `next` is where the following page
 * begins, absent at the end.
 */
export const page = Effect.fnUntraced(function*(tenantId: string, range: SessionRange) {
  const { streams } = yield* EventStore
  const from = range.since === undefined ? "" : firstIdAt(range.since)
  const read = yield* streams(tenantId, range.limit, beforeOf(range))
  const found = read.filter(({ streamId }) => streamId >= from)
  const last = found.at(-1)
  const isLast = last === undefined || found.length < range.limit
  return { streams: found, ...(isLast ? {} : { next: last.streamId }) }
})

const beforeOf = ({ cursor, until }: SessionRange): string | undefined => {
  if (until === undefined) return cursor
  const end = firstIdAt(until)
  return cursor !== undefined && cursor < end ? cursor : end
}

/** The smallest UUIDv7 of the millisecond. Ids compare as text as they do as numbers. */
const firstIdAt = (iso: string): string => {
  const time = Math.max(0, DateTime.makeUnsafe(iso).epochMilliseconds).toString(16).padStart(
    12,
    "0"
  )
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
