/** Timeline of a request, fact by fact, in words for an operator. */
import { Schema } from "effect"
import * as SearchStatus from "../search/SearchStatus.ts"
import { providerTitle, type SearchAttempt } from "../search/SearchStatus.ts"
import {
  byEngine,
  counted,
  type EntryText,
  inDone,
  inQuiet,
  inWarning,
  listed,
  msBetween,
  ofAge,
  plain,
  quoted,
  someOf,
  Tone
} from "../session/FactText.ts"
import { type Called, SessionEvent } from "../session/SessionEvent.ts"
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
    ...textOf(event),
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
  return { duration_ms: msBetween(before.at, recordedAt) }
}

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

const ownTextOf = (fact: SessionEvent): EntryText =>
  SessionEvent.match(fact, {
    WEB_GROUNDING_REQUESTED: ({ request: { locale, phase, tier, topic, user_question } }) =>
      inDone("Requested", [quoted(user_question ?? topic), tier, plain(phase ?? ""), locale]),
    WEB_GROUNDING_DECIDED: ({ need, proposed }) =>
      inDone(need.need_search ? "Search needed" : "No search", [
        ...need.reason_codes.map(plain),
        need.need_search ? `${counted(need.max_queries, "query")} at most` : "",
        need.need_search || !proposed.need_search ? "" : "the gate had asked for one"
      ]),
    WEB_GROUNDING_STORE_ASKED: ({ entries, knowledge }) =>
      inDone("Evidence store asked", [
        counted(entries.length, "entry"),
        `${Math.round(100 * knowledge.coverage)} % of the question`
      ]),
    WEB_GROUNDING_QUERY_PLANNED: ({ plan }) => inDone("Planned", plan.queries.map(quoted)),
    WEB_GROUNDING_CALL_STARTED: ({ query }) => inQuiet("Search reserved", [quoted(query)]),
    WEB_GROUNDING_CALLED: (event) => {
      const { detail, fallback_used, hits, stale_age_ms, status, tool_used } = event
      if (detail === "in_doubt") {
        return inWarning("Search in doubt", [
          "its process ended before it knew",
          "counts as spent"
        ])
      }
      const results = counted(hits.length, "result")
      if (stale_age_ms !== undefined) {
        return inWarning("Old results given", [
          plain(status),
          results,
          `${ofAge(stale_age_ms)} old`
        ])
      }
      const from = tool_used === undefined ? "" : `from ${providerTitle(tool_used)}`
      return SearchStatus.isAnswered(status)
        ? inDone("Search answered", [`${results} ${from}`, fallback_used ? "by a fallback" : ""])
        : inWarning("Search failed", [plain(status), plain(detail ?? "")])
    },
    WEB_GROUNDING_CACHE_USED: ({ age_ms, hits, query, source_event_id }) =>
      inDone("Answered by the cache", [
        quoted(query),
        counted(hits.length, "result"),
        `${ofAge(age_ms)} old`,
        `event ${source_event_id}`
      ]),
    WEB_GROUNDING_PACK_REUSED: ({ from_request_id }) =>
      inDone("Answered before", [`request ${from_request_id} asked the same`]),
    WEB_GROUNDING_CACHED_PACK_USED: ({ age_ms, source_event_id }) =>
      inDone("Another session's pack", [`${ofAge(age_ms)} old`, `event ${source_event_id}`]),
    WEB_GROUNDING_SEARCH_STOPPED: ({ reason }) =>
      inWarning("Search stopped", [
        reason === "deadline" ? "the time was up" : "the session's budget is spent"
      ]),
    WEB_GROUNDING_EVIDENCE_READ: ({ pages, unread = [] }) => {
      const snippets = pages.filter(({ reader }) => reader === "snippet").length
      const stored = pages.filter(({ reader }) => reader === "store").length
      return inDone("Pages read", [
        counted(pages.length, "source"),
        `${pages.length - snippets - stored} whole`,
        stored === 0 ? "" : `${stored} of the evidence store`,
        snippets === 0 ? "" : `${snippets} as snippet`,
        unread.length === 0 ? "" : `${unread.length} not read`
      ])
    },
    WEB_GROUNDING_EVIDENCE_RANKED: ({ ranked, scored }) =>
      inQuiet("Passages ranked", [`${ranked.length} of ${scored.length}`]),
    WEB_GROUNDING_PACK_CREATED: ({ pack }) =>
      inDone("Pack written", [
        someOf(pack.constraints_and_rules, "rule"),
        someOf(pack.norms_and_expectations, "norm"),
        someOf(pack.key_points, "key point"),
        pack.disputed_or_uncertain.length === 0
          ? ""
          : `${pack.disputed_or_uncertain.length} disputed or uncertain`,
        `confidence ${pack.confidence.toFixed(2)}`
      ]),
    WEB_GROUNDING_RESEARCHED: ({ findings }) =>
      inDone("Researched", [
        counted(findings.key_topics_found.length, "topic"),
        counted(findings.recommended_modules.length, "module")
      ]),
    WEB_GROUNDING_FINISHED: ({ outcome: { mode, pack, reason } }) =>
      inDone("Answered", [
        plain(mode),
        plain(reason ?? ""),
        `confidence ${pack.confidence.toFixed(2)}`
      ]),
    WEB_GROUNDING_SHOWN_TO_USER: ({ audience }) => inQuiet("Shown", [plain(audience)])
  })

/** Words of a fact for a person. May quote the question or a query; never text of the web. */
export const textOf = (fact: SessionEvent): EntryText => {
  const { detail, title, tone } = ownTextOf(fact)
  const rungs = SessionFacts.rungsOf(fact).map(([, rung]) => rung)
  return {
    tone: rungs.some(({ faults }) => faults.length > 0) ? "warning" : tone,
    title,
    detail: listed([detail, ...rungs.map(byEngine)])
  }
}
