/** The progress of a grounding as lines of the terminal: what was recorded, and how to go on. */
import type { SessionEvent } from "../../../domain/session/SessionEvent.ts"
import { explained } from "../terminal/CodeText.ts"
import type { Style } from "../terminal/Terminal.ts"
import { indent } from "../terminal/Wrapping.ts"

/** Text for a person who ended a grounding before its answer was there. */
export const cutOff = (sessionId: string, requestId: string, { columns }: Style): string =>
  indent(
    `web-grounding: cut off; the same command with --session ${quoted(sessionId)} ` +
      `--request ${quoted(requestId)} goes on from what is recorded`,
    0,
    2,
    columns
  ).join("\n")

const versionWidth = 3

/** Progress text of a recorded event while a grounding runs; one line or more. */
export const factText = (
  event: SessionEvent,
  { version }: { readonly version: number },
  { columns, faint }: Style
): string => {
  const text = `${version} ${event._tag}${detailOf(event)}`
  const first = Math.max(0, versionWidth - String(version).length)
  return indent(text, first, versionWidth + 1, columns).map(faint).join("\n")
}

const detailOf = (event: SessionEvent): string => {
  switch (event._tag) {
    case "WEB_GROUNDING_DECIDED":
      return ` ${event.need.need_search ? "search" : "no search"}: ${
        event.need.reason_codes.join(", ")
      }`
    case "WEB_GROUNDING_QUERY_PLANNED":
      return ` ${event.plan.queries.map((query) => `"${query}"`).join(", ")}`
    case "WEB_GROUNDING_STORE_ASKED":
      return ` ${counted(event.entries, "entry")}, ${
        Math.round(100 * event.knowledge.coverage)
      } % ` +
        "of the question"
    case "WEB_GROUNDING_CALL_STARTED":
      return ` "${event.query}"`
    case "WEB_GROUNDING_CALLED":
      return ` ${event.status}${
        event.detail === undefined ? "" : ` (${explained(event.detail)})`
      }, ` +
        `${counted(event.hits, "hit")} in ${event.duration_ms} ms`
    case "WEB_GROUNDING_CACHE_USED":
      return ` "${event.query}", ${counted(event.hits, "hit")}, ${ageOf(event.age_ms)} old`
    case "WEB_GROUNDING_PACK_REUSED":
      return ` of request ${event.from_request_id}`
    case "WEB_GROUNDING_CACHED_PACK_USED":
      return ` ${ageOf(event.age_ms)} old, confidence ${event.answer.pack.confidence.toFixed(2)}`
    case "WEB_GROUNDING_EVIDENCE_READ":
      return ` ${counted(event.pages, "source")}${readingOf(event.pages)}` +
        (event.unread === undefined ? "" : `, ${event.unread.length} not read`)
    case "WEB_GROUNDING_EVIDENCE_RANKED":
      return ` ${event.ranked.length} of ${event.scored.length} passages`
    case "WEB_GROUNDING_PACK_CREATED":
      return ` confidence ${event.pack.confidence.toFixed(2)}`
    case "WEB_GROUNDING_RESEARCHED":
      return ` ${counted(event.findings.key_topics_found, "topic")}, ` +
        counted(event.findings.recommended_modules, "module")
    case "WEB_GROUNDING_SEARCH_STOPPED":
      return ` ${event.reason}`
    case "WEB_GROUNDING_FINISHED":
      return ` ${event.outcome.reason === "listed" ? "listed" : event.outcome.mode}`
    case "WEB_GROUNDING_REQUESTED":
    case "WEB_GROUNDING_SHOWN_TO_USER":
      return ""
  }
}

const counted = (things: ReadonlyArray<unknown>, one: string): string =>
  countedAs(things.length, one)

/** "1 result", "2 results". */
export const countedAs = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? "" : "s"}`

const readingOf = (pages: ReadonlyArray<{ readonly reader: string }>): string => {
  const stored = pages.filter(({ reader }) => reader === "store").length
  const whole = pages.filter(({ reader }) => reader !== "snippet").length - stored
  return `, ${whole} read whole${stored === 0 ? "" : `, ${stored} of the evidence store`}`
}

const ageOf = (ms: number): string => {
  const minutes = Math.round(ms / 60_000)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/**
 * Id as one word of a command line, in double quotes unless it is plain ASCII. New ids hold nothing
 * that a shell expands there.
 */
export const quoted = (id: string): string => /^[\w.:-]+$/.test(id) ? id : JSON.stringify(id)
