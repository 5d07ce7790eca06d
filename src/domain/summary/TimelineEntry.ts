/** Timeline of a request, fact by fact, in words for a person who looks after the service. */
import { DateTime, Schema } from "effect"
import * as SearchStatus from "../search/SearchStatus.ts"
import { providerTitle, type SearchAttempt } from "../search/SearchStatus.ts"
import type { Rung } from "../session/EngineDetail.ts"
import type { Called, SessionEvent } from "../session/SessionEvent.ts"

export const TimelineEntry = Schema.Struct({
  /** ISO 8601 UTC. */
  at: Schema.String,
  /** Place of the event in the session, from 1. An attempt has that of the event it stands in. */
  stream_version: Schema.Int,
  /** Type of the event. */
  type: Schema.String,
  /** `warning`: something failed or was left out. `quiet`: bookkeeping. */
  tone: Schema.Literals(["done", "quiet", "warning"]),
  title: Schema.String,
  /** May quote the question or a query; never words of the web. */
  detail: Schema.String,
  /** How long it took, where that is known. */
  duration_ms: Schema.optionalKey(Schema.Int)
})
export type TimelineEntry = typeof TimelineEntry.Type

/** Text, figures and tone of an event. */
interface EntryText {
  readonly tone: TimelineEntry["tone"]
  readonly title: string
  readonly detail: string
}

/** A stored event, with its time and place in the stream. */
export interface Recorded {
  /** ISO 8601 UTC. */
  readonly recordedAt: string
  readonly version: number
}

/** A search has an entry for each attempt, then one for what came of it. */
export const entriesOf = (
  event: SessionEvent,
  { recordedAt, version }: Recorded,
  before: TimelineEntry | undefined
): ReadonlyArray<TimelineEntry> => {
  const own: TimelineEntry = {
    at: recordedAt,
    stream_version: version,
    type: event._tag,
    ...toldOf(event),
    ...tookOf(event, recordedAt, before)
  }
  return event._tag === "WEB_GROUNDING_CALLED"
    ? [...event.attempts.map((attempt) => ofAttempt(attempt, event, version)), own]
    : [own]
}

/** A step is recorded when it is done: it took the time since what was recorded before. */
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
  { detail, duration_ms, hits_count, http_status, key_slot, provider, started_at, status }:
    SearchAttempt,
  { _tag }: typeof Called.Type,
  stream_version: number
): TimelineEntry => ({
  at: started_at,
  stream_version,
  type: _tag,
  tone: SearchStatus.isAnswered(status) ? "quiet" : "warning",
  title: `${providerTitle(provider)} ${SearchStatus.isAnswered(status) ? "answered" : "failed"}`,
  detail: listed([
    key_slot === undefined ? "" : `key ${key_slot}`,
    SearchStatus.isAnswered(status) ? counted(hits_count, "result") : plain(status),
    detail === undefined ? "" : plain(detail),
    http_status === undefined || SearchStatus.isAnswered(status) ? "" : `HTTP ${http_status}`
  ]),
  duration_ms
})

const toldOf = (event: SessionEvent): EntryText => {
  switch (event._tag) {
    case "WEB_GROUNDING_REQUESTED": {
      const { locale, phase, tier, topic, user_question } = event.request
      return done("Requested", [quoted(user_question ?? topic), tier, plain(phase), locale])
    }
    case "WEB_GROUNDING_DECIDED":
      return {
        ...done(event.need.need_search ? "Search needed" : "No search", [
          ...event.need.reason_codes.map(plain),
          event.need.need_search ? `${counted(event.need.max_queries, "query")} at most` : "",
          event.need.need_search || !event.proposed.need_search ? "" : "the gate had asked for one",
          byEngine(event.rung)
        ]),
        ...toneOf(event.rung)
      }
    case "WEB_GROUNDING_STORE_ASKED":
      return done("Evidence store asked", [
        counted(event.entries.length, "entry"),
        `${Math.round(100 * event.knowledge.coverage)} % of the question`
      ])
    case "WEB_GROUNDING_QUERY_PLANNED":
      return {
        ...done("Planned", [...event.plan.queries.map(quoted), byEngine(event.rung)]),
        ...toneOf(event.rung)
      }
    case "WEB_GROUNDING_CALL_STARTED":
      return quiet("Search reserved", [quoted(event.query)])
    case "WEB_GROUNDING_CALLED":
      return ofCall(event)
    case "WEB_GROUNDING_CACHE_USED":
      return done("Answered by the cache", [
        quoted(event.query),
        counted(event.hits.length, "result"),
        `${ageOf(event.age_ms)} old`
      ])
    case "WEB_GROUNDING_PACK_REUSED":
      return done("Answered before", [`request ${event.from_request_id} asked the same`])
    case "WEB_GROUNDING_CACHED_PACK_USED":
      return done("Another session's pack", [`${ageOf(event.age_ms)} old`])
    case "WEB_GROUNDING_SEARCH_STOPPED":
      return warned("Search stopped", [
        event.reason === "deadline" ? "the time was up" : "the session's budget is spent"
      ])
    case "WEB_GROUNDING_EVIDENCE_READ":
      return ofReading(event)
    case "WEB_GROUNDING_EVIDENCE_RANKED":
      return {
        ...quiet("Passages ranked", [
          `${event.ranked.length} of ${event.scored.length}`,
          byEngine(event.rung)
        ]),
        ...toneOf(event.rung)
      }
    case "WEB_GROUNDING_PACK_CREATED":
      return ofPack(event)
    case "WEB_GROUNDING_RESEARCHED":
      return {
        ...done("Researched", [
          counted(event.findings.key_topics_found.length, "topic"),
          counted(event.findings.recommended_modules.length, "module"),
          byEngine(event.rung)
        ]),
        ...toneOf(event.rung)
      }
    case "WEB_GROUNDING_FINISHED":
      return done("Answered", [
        plain(event.outcome.mode),
        event.outcome.reason === undefined ? "" : plain(event.outcome.reason),
        `confidence ${event.outcome.pack.confidence.toFixed(2)}`
      ])
    case "WEB_GROUNDING_SHOWN_TO_USER":
      return quiet("Shown", [plain(event.audience)])
  }
}

const ofCall = (event: typeof Called.Type): EntryText => {
  if (event.detail === "in_doubt") {
    return warned("Search in doubt", ["its process ended before it knew", "counts as spent"])
  }
  const results = counted(event.hits.length, "result")
  if (event.stale_age_ms !== undefined) {
    return warned("Old results given", [
      plain(event.status),
      results,
      `${ageOf(event.stale_age_ms)} old`
    ])
  }
  const from = event.tool_used === undefined ? "" : `from ${providerTitle(event.tool_used)}`
  return SearchStatus.isAnswered(event.status)
    ? done("Search answered", [`${results} ${from}`, event.fallback_used ? "by a fallback" : ""])
    : warned("Search failed", [
      plain(event.status),
      event.detail === undefined ? "" : plain(event.detail)
    ])
}

const ofReading = (
  { pages, rung, unread = [] }: Extract<SessionEvent, { _tag: "WEB_GROUNDING_EVIDENCE_READ" }>
): EntryText => {
  const snippets = pages.filter(({ reader }) => reader === "snippet").length
  const stored = pages.filter(({ reader }) => reader === "store").length
  return {
    ...done("Pages read", [
      counted(pages.length, "source"),
      `${pages.length - snippets - stored} whole`,
      stored === 0 ? "" : `${stored} of the evidence store`,
      snippets === 0 ? "" : `${snippets} as snippet`,
      unread.length === 0 ? "" : `${unread.length} not read`,
      byEngine(rung)
    ]),
    ...toneOf(rung)
  }
}

const ofPack = (
  { judging, pack, rung }: Extract<SessionEvent, { _tag: "WEB_GROUNDING_PACK_CREATED" }>
): EntryText => ({
  ...done("Pack written", [
    someOf(pack.constraints_and_rules, "rule"),
    someOf(pack.norms_and_expectations, "norm"),
    someOf(pack.key_points, "key point"),
    pack.disputed_or_uncertain.length === 0
      ? ""
      : `${pack.disputed_or_uncertain.length} disputed or uncertain`,
    `confidence ${pack.confidence.toFixed(2)}`,
    byEngine(rung),
    judging === undefined ? "" : byEngine(judging.rung)
  ]),
  ...toneOf(rung),
  ...(judging === undefined ? {} : toneOf(judging.rung))
})

const told =
  (tone: EntryText["tone"]) => (title: string, parts: ReadonlyArray<string>): EntryText => ({
    tone,
    title,
    detail: listed(parts)
  })

const listed = (parts: ReadonlyArray<string>): string =>
  parts.map((part) => part.trim()).filter((part) => part !== "").join(" · ")

const done = told("done")
const quiet = told("quiet")
const warned = told("warning")

/** A preferred engine gave no answer. */
const toneOf = ({ faults }: Rung): Partial<Pick<EntryText, "tone">> =>
  faults.length === 0 ? {} : { tone: "warning" }

/**
 * Engines that failed, and the one that answered in their place; empty where the first one
 * answered.
 */
const byEngine = ({ engine, faults }: Rung): string =>
  faults.length === 0
    ? ""
    : `${
      faults.map((fault) => `${fault.engine} ${plain(fault.detail ?? fault.reason)}`).join(", ")
    }` +
      `, then ${engine}`

const quoted = (text: string): string => `“${text}”`

/** Codes as words. */
const plain = (code: string): string => code.toLowerCase().replaceAll("_", " ")

const someOf = (things: ReadonlyArray<unknown>, one: string): string =>
  things.length === 0 ? "" : counted(things.length, one)

/** "1 entry", "2 entries". */
const counted = (count: number, one: string): string =>
  `${count} ${count === 1 ? one : one.endsWith("y") ? `${one.slice(0, -1)}ies` : `${one}s`}`

const minuteMs = 60_000
const minutesInTwoHours = 120

const ageOf = (ms: number): string => {
  const minutes = Math.round(ms / minuteMs)
  return minutes < minutesInTwoHours ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
