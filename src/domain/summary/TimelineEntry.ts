/** Timeline of a request, fact by fact, in words for an operator. */
import { DateTime, Schema } from "effect"
import * as SearchStatus from "../search/SearchStatus.ts"
import { providerTitle, type SearchAttempt } from "../search/SearchStatus.ts"
import { counted, listed, plain, Tone } from "../session/FactText.ts"
import type { Called, SessionEvent } from "../session/SessionEvent.ts"
import * as SessionFacts from "../session/SessionFacts.ts"

export const TimelineEntry = Schema.Struct({
  /** ISO 8601 UTC. */
  at: Schema.String,
  /** Version of the event in the session, from 1. An attempt has that of its event. */
  stream_version: Schema.Int,
  type: Schema.String,
  tone: Tone,
  title: Schema.String,
  /** May quote the question or a query; never text of the web. */
  detail: Schema.String,
  duration_ms: Schema.optionalKey(Schema.Int)
})
export type TimelineEntry = typeof TimelineEntry.Type

export interface Recorded {
  /** ISO 8601 UTC. */
  readonly recordedAt: string
  readonly version: number
}

/** A search has an entry for each attempt, then one for its outcome. */
export const entriesOf = (
  event: SessionEvent,
  { recordedAt, version }: Recorded,
  before: TimelineEntry | undefined
): ReadonlyArray<TimelineEntry> => {
  const own: TimelineEntry = {
    at: recordedAt,
    stream_version: version,
    type: event._tag,
    ...SessionFacts.textOf(event),
    ...tookOf(event, recordedAt, before)
  }
  return event._tag === "WEB_GROUNDING_CALLED"
    ? [...event.attempts.map((attempt) => ofAttempt(attempt, event, version)), own]
    : [own]
}

/** A step is recorded when it is done: it took the time since the record before. */
const tookOf = (
  event: SessionEvent,
  recordedAt: string,
  before: TimelineEntry | undefined
): Pick<TimelineEntry, "duration_ms"> => {
  if (event._tag === "WEB_GROUNDING_CALLED") return { duration_ms: event.duration_ms }
  if (before === undefined || event._tag === "WEB_GROUNDING_SHOWN_TO_USER") return {}
  return { duration_ms: Math.max(0, msBetween(before.at, recordedAt)) }
}

export const msBetween = (from: string, until: string): number =>
  DateTime.makeUnsafe(until).epochMilliseconds - DateTime.makeUnsafe(from).epochMilliseconds

const ofAttempt = (
  { credits, key_slot, provider, status, ...of }: SearchAttempt,
  { _tag }: typeof Called.Type,
  stream_version: number
): TimelineEntry => ({
  at: of.started_at,
  stream_version,
  type: _tag,
  tone: SearchStatus.isAnswered(status) ? "quiet" : "warning",
  title: `${providerTitle(provider)} ${SearchStatus.isAnswered(status) ? "answered" : "failed"}`,
  detail: listed([
    key_slot === undefined ? "" : `key ${key_slot}`,
    SearchStatus.isAnswered(status) ? counted(of.hits_count, "result") : plain(status),
    plain(of.detail ?? ""),
    of.http_status === undefined || SearchStatus.isAnswered(status) ? "" : `HTTP ${of.http_status}`,
    credits === undefined ? "" : counted(credits, "credit")
  ]),
  duration_ms: of.duration_ms
})
