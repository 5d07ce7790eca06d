/**
 * Invariants of every stream of the log, checked on the stored events by rules of their own:
 * versions without a gap, growing positions, unique ids, and each request's facts in a possible
 * order.
 */
import type { LoggedEvent } from "../../src/application/ports/EventStore.ts"
import { type Fact, factOf, isOfSession } from "./Fact.ts"
import type { Violated } from "./Invariants.ts"

interface Stream {
  streamId: string
  version: number
  position: bigint
}

interface Story {
  readonly seen: Set<string>
  readonly started: Map<string, number>
  readonly taken: Set<number>
  readonly called: Set<string>
  readonly shown: Set<string>
  isNeeded: boolean
}

/** At most once in a request. */
const onceOnly = new Set([
  "WEB_GROUNDING_REQUESTED",
  "WEB_GROUNDING_DECIDED",
  "WEB_GROUNDING_QUERY_PLANNED",
  "WEB_GROUNDING_SEARCH_STOPPED",
  "WEB_GROUNDING_PACK_REUSED",
  "WEB_GROUNDING_CACHED_PACK_USED",
  "WEB_GROUNDING_PACK_CREATED",
  "WEB_GROUNDING_FINISHED"
])

/** Required before: one of each list. */
const after: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>> = {
  WEB_GROUNDING_QUERY_PLANNED: [["WEB_GROUNDING_DECIDED"]],
  WEB_GROUNDING_CALL_STARTED: [["WEB_GROUNDING_QUERY_PLANNED"]],
  WEB_GROUNDING_CACHE_USED: [["WEB_GROUNDING_QUERY_PLANNED"]],
  WEB_GROUNDING_EVIDENCE_READ: [["WEB_GROUNDING_CALLED", "WEB_GROUNDING_CACHE_USED"]],
  WEB_GROUNDING_EVIDENCE_RANKED: [["WEB_GROUNDING_EVIDENCE_READ"]],
  WEB_GROUNDING_PACK_CREATED: [["WEB_GROUNDING_DECIDED"], ["WEB_GROUNDING_QUERY_PLANNED"]]
}

/** One of them ends the way to an answer. */
const answers = [
  "WEB_GROUNDING_PACK_CREATED",
  "WEB_GROUNDING_PACK_REUSED",
  "WEB_GROUNDING_CACHED_PACK_USED"
]

export const make = (violated: Violated) => {
  const streams = new Map<string, Stream>()
  const stories = new Map<string, Story>()
  /** Whose each event is, by its id. */
  const ids = new Map<string, string>()

  const inOrder = (event: LoggedEvent): void => {
    const { eventId, position, sessionId, streamId, tenantId, version } = event
    const key = `${tenantId} ${sessionId}`
    const before = streams.get(key) ?? { streamId, version: 0, position: 0n }
    if (before.streamId !== streamId) violated("a session has one stream", key)
    if (version !== before.version + 1) {
      violated("versions have no gap", `${key}: ${version} after ${before.version}`)
    }
    if (position <= before.position) violated("positions grow in a stream", `${key} ${version}`)
    if (ids.has(eventId)) violated("an event lands once", `${key} ${version} ${eventId}`)
    ids.set(eventId, tenantId)
    streams.set(key, { streamId, version, position })
  }

  const inStory = (event: LoggedEvent, fact: Fact): void => {
    const at = `${event.sessionId} ${event.version} ${event.type}`
    const key = `${event.sessionId} ${fact.request_id}`
    const story = stories.get(key) ?? emptyStory()
    stories.set(key, story)
    const { called, seen, shown, started, taken } = story
    const wrong = (what: string) => violated("a request's facts are in order", `${at}: ${what}`)

    if (seen.size === 0 && event.type !== "WEB_GROUNDING_REQUESTED") wrong("not requested")
    if (onceOnly.has(event.type) && seen.has(event.type)) wrong("told twice")
    if (seen.has("WEB_GROUNDING_FINISHED") && event.type !== "WEB_GROUNDING_SHOWN_TO_USER") {
      wrong("after the answer")
    }
    for (const choices of after[event.type] ?? []) {
      if (!choices.some((choice) => seen.has(choice))) wrong(`before ${choices.join(" or ")}`)
    }
    const isOpen = [...started.keys()].some((call) => !called.has(call))
    switch (event.type) {
      case "WEB_GROUNDING_DECIDED":
        story.isNeeded = fact.need?.need_search === true
        break
      case "WEB_GROUNDING_CALL_STARTED":
        if (isOpen) wrong("another call is open")
        if (taken.has(fact.query_index ?? -1)) wrong("its query was searched")
        taken.add(fact.query_index ?? -1)
        started.set(fact.call_id ?? "", fact.query_index ?? -1)
        break
      case "WEB_GROUNDING_CACHE_USED":
        if (taken.has(fact.query_index ?? -1)) wrong("its query was searched")
        taken.add(fact.query_index ?? -1)
        break
      case "WEB_GROUNDING_CALLED":
        if (!started.has(fact.call_id ?? "")) wrong("never started")
        if (called.has(fact.call_id ?? "")) wrong("its outcome was recorded before")
        called.add(fact.call_id ?? "")
        if (fact.detail === "in_doubt") {
          const place = started.get(fact.call_id ?? "") ?? -1
          // One lost call of a query may be followed by another one.
          if ([...started.values()].filter((one) => one === place).length === 1) taken.delete(place)
        }
        break
      case "WEB_GROUNDING_PACK_CREATED":
        if (isOpen) wrong("a call is open")
        break
      case "WEB_GROUNDING_FINISHED":
        if (story.isNeeded && !answers.some((type) => seen.has(type))) wrong("nothing to answer")
        break
      case "WEB_GROUNDING_SHOWN_TO_USER":
        if (shown.has(fact.audience ?? "")) wrong("shown before")
        shown.add(fact.audience ?? "")
    }
    const { source_event_id } = fact
    if (source_event_id !== undefined && ids.get(source_event_id) !== event.tenantId) {
      violated("nobody is given another tenant's", `${at} from ${ids.get(source_event_id)}`)
    }
    seen.add(event.type)
  }

  return {
    committed: (event: LoggedEvent): void => {
      inOrder(event)
      if (isOfSession(event)) inStory(event, factOf(event))
    }
  }
}

const emptyStory = (): Story => ({
  seen: new Set(),
  started: new Map(),
  taken: new Set(),
  called: new Set(),
  shown: new Set(),
  isNeeded: false
})
