/** Summary of a request for lists and pages: its state, its cost and its timeline. */
import { Schema } from "effect"
import { asGiven } from "../request/GivenFields.ts"
import { questionOf, Region, Tier } from "../request/GroundingRequest.ts"
import { isAnswered } from "../search/SearchStatus.ts"
import { msBetween } from "../session/FactText.ts"
import { isSpent } from "../session/Grounding.ts"
import {
  GroundingMode,
  type GroundingOutcome,
  OutcomeReason,
  OutcomeStatus
} from "../session/GroundingOutcome.ts"
import type { Finished, SessionEvent } from "../session/SessionEvent.ts"
import * as SessionFacts from "../session/SessionFacts.ts"
import * as TimelineEntry from "./TimelineEntry.ts"

// State of a request in one word, for lists, filters and charts.

export const RequestState = Schema.Literals([
  /** Recorded and without an answer yet; also where its process died and it was not repeated. */
  "unfinished",
  "answered",
  /** There are claims, but some search failed, or they rest on snippets or on old results. */
  "degraded",
  /** The searches worked, and nothing that was found answers. */
  "unanswered",
  /** Hits or page texts alone were requested and returned. */
  "listed",
  "failed",
  "not_searched"
])

export const GroundingSummary = Schema.Struct({
  session_id: Schema.String,
  request_id: Schema.String,
  /** The user's question, else the topic. */
  question: Schema.String,
  tier: Tier,
  locale: Schema.String,
  region: Schema.optionalKey(Region),
  /** ISO 8601 UTC. */
  requested_at: Schema.String,
  state: RequestState,
  mode: Schema.optionalKey(GroundingMode),
  reason: Schema.optionalKey(OutcomeReason),
  status: Schema.optionalKey(OutcomeStatus),
  /** Milliseconds from the request to the recorded answer. Absent while there is none. */
  duration_ms: Schema.optionalKey(Schema.Int),
  searches: Schema.Int,
  /** Searches that the session may make. Absent while there is no answer. */
  searches_limit: Schema.optionalKey(Schema.Int),
  credits: Schema.Finite,
  /** Millionths of a US dollar, of models whose price is set. */
  cost_micros: Schema.Int,
  /** 0 to 1. Absent while there is no answer. */
  confidence: Schema.optionalKey(Schema.Finite),
  timeline: Schema.Array(TimelineEntry.TimelineEntry)
})
export type GroundingSummary = typeof GroundingSummary.Type

/** `undefined`: nothing is known of the request. Events before its first one are skipped. */
export const evolve = (
  summary: GroundingSummary | undefined,
  event: SessionEvent,
  of: TimelineEntry.Recorded & { readonly sessionId: string }
): GroundingSummary | undefined => {
  const begun = summary ?? begin(event, of.sessionId)
  if (begun === undefined) return undefined
  const timeline = [...begun.timeline, ...TimelineEntry.entriesOf(event, of, begun.timeline.at(-1))]
  return {
    ...begun,
    ...(event._tag === "WEB_GROUNDING_FINISHED" ? finished(begun, event, of.recordedAt) : {}),
    ...withSpent(begun, event),
    timeline
  }
}

type Spent = Pick<GroundingSummary, "cost_micros" | "credits" | "searches">

/** The sums with what one more event says was spent. */
export const withSpent = (
  { cost_micros, credits, searches }: Spent,
  event: SessionEvent
): Spent => ({
  searches: searches + searchesOf(event),
  credits: credits + creditsOf(event),
  cost_micros: cost_micros + SessionFacts.modelCostMicros(event)
})

/** A call of which nothing was sent is no search after all. */
const searchesOf = (event: SessionEvent): number =>
  event._tag === "WEB_GROUNDING_CALL_STARTED"
    ? 1
    : event._tag === "WEB_GROUNDING_CALLED" && !isSpent({ outcome: event })
    ? -1
    : 0

const creditsOf = (event: SessionEvent): number =>
  event._tag === "WEB_GROUNDING_CALLED"
    ? event.attempts.reduce((sum, { credits = 0 }) => sum + credits, 0)
    : 0

const begin = (event: SessionEvent, session_id: string): GroundingSummary | undefined => {
  if (event._tag !== "WEB_GROUNDING_REQUESTED") return undefined
  const { request, request_id, requested_at } = event
  return {
    session_id,
    request_id,
    question: questionOf(request),
    tier: request.tier,
    locale: request.locale,
    ...asGiven({ region: request.region }),
    requested_at,
    state: "unfinished",
    searches: 0,
    credits: 0,
    cost_micros: 0,
    timeline: []
  }
}

const finished = (
  { requested_at }: GroundingSummary,
  { outcome }: typeof Finished.Type,
  recordedAt: string
): Partial<GroundingSummary> => ({
  state: stateOf(outcome),
  mode: outcome.mode,
  ...asGiven({ reason: outcome.reason, status: outcome.status }),
  duration_ms: msBetween(requested_at, recordedAt),
  searches_limit: outcome.budget.limit,
  confidence: outcome.pack.confidence
})

export type RequestState = typeof RequestState.Type

export const stateOf = (
  { mode, reason, status }: Pick<GroundingOutcome, "mode" | "reason" | "status">
): RequestState => {
  if (reason === "listed") return "listed"
  switch (mode) {
    case "grounded":
      return "answered"
    case "partial":
    case "snippets_only":
    case "stale_cache":
      return "degraded"
    case "not_searched":
      return "not_searched"
    case "ungrounded":
      return reason === "search_failed" ||
          (status !== undefined && (status === "stale" || !isAnswered(status)))
        ? "failed"
        : "unanswered"
  }
}
