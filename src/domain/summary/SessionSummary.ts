/** Summary of a session, as a row of a list. */
import { Record, Schema } from "effect"
import { asGiven } from "../request/GivenFields.ts"
import { questionOf, Tier } from "../request/GroundingRequest.ts"
import { GroundingMode, OutcomeReason, OutcomeStatus } from "../session/GroundingOutcome.ts"
import type { Finished, SessionEvent } from "../session/SessionEvent.ts"
import * as GroundingSummary from "./GroundingSummary.ts"
import { withSpent } from "./GroundingSummary.ts"

export const SessionSummary = Schema.Struct({
  session_id: Schema.String,
  /** Question, else topic, of the first request. */
  question: Schema.String,
  tier: Tier,
  locale: Schema.String,
  /** ISO 8601 UTC, of the first and of the latest event. */
  started_at: Schema.String,
  last_at: Schema.String,
  requests: Schema.Int,
  states: Schema.Record(Schema.String, Schema.Int),
  /** Mode of the request that was answered last. Absent before the first answer. */
  mode: Schema.optionalKey(GroundingMode),
  reason: Schema.optionalKey(OutcomeReason),
  status: Schema.optionalKey(OutcomeStatus),
  confidence: Schema.optionalKey(Schema.Finite),
  searches: Schema.Int,
  credits: Schema.Finite,
  /** Millionths of a US dollar, of models whose price is set. */
  cost_micros: Schema.Int
})
export type SessionSummary = typeof SessionSummary.Type

/** `undefined`: nothing is known of the session, which begins with a request. */
export const evolve = (
  summary: SessionSummary | undefined,
  event: SessionEvent,
  { recordedAt, sessionId }: { readonly recordedAt: string; readonly sessionId: string }
): SessionSummary | undefined => {
  const before = event._tag === "WEB_GROUNDING_REQUESTED"
    ? asked(summary, event, { recordedAt, sessionId })
    : summary
  if (before === undefined) return undefined
  const begun = event._tag === "WEB_GROUNDING_FINISHED" ? answered(before, event) : before
  return {
    ...begun,
    last_at: recordedAt,
    ...withSpent(begun, event)
  }
}

type Of<Tag extends SessionEvent["_tag"]> = Extract<SessionEvent, { readonly _tag: Tag }>

const asked = (
  summary: SessionSummary | undefined,
  { request }: Of<"WEB_GROUNDING_REQUESTED">,
  { recordedAt, sessionId }: { readonly recordedAt: string; readonly sessionId: string }
): SessionSummary => {
  const { requests, states, ...known } = summary ?? {
    session_id: sessionId,
    question: questionOf(request),
    tier: request.tier,
    started_at: recordedAt,
    last_at: recordedAt,
    requests: 0,
    states: {},
    searches: 0,
    credits: 0,
    cost_micros: 0
  }
  return {
    ...known,
    locale: request.locale,
    requests: requests + 1,
    states: counted(states, "unfinished", 1)
  }
}

const answered = (
  { mode: _mode, reason: _reason, states, status: _status, ...known }: SessionSummary,
  { outcome }: Of<"WEB_GROUNDING_FINISHED">
): SessionSummary => {
  const state = GroundingSummary.stateOf(outcome)
  return {
    ...known,
    states: counted(counted(states, "unfinished", -1), state, 1),
    mode: outcome.mode,
    ...asGiven({ reason: outcome.reason, status: outcome.status }),
    // A turn without claims of its own says nothing of what was found before.
    ...(state === "not_searched" || state === "listed"
      ? {}
      : { confidence: outcome.pack.confidence })
  }
}

const counted = (
  states: SessionSummary["states"],
  state: GroundingSummary.RequestState,
  by: number
): SessionSummary["states"] =>
  Object.fromEntries(
    Object.entries({ ...states, [state]: (states[state] ?? 0) + by })
      .filter(([, count]) => count > 0)
  )

// Requests of a tenant by outcome, and their usage: by minute and by day.

/** Confidence from which a pack may be relied on. Source: the contract of the pack. */
const highConfidenceMin = 0.7

export const ActivityFigures = Schema.Struct({
  requests: Schema.Int,
  /** Answered requests by state; without zeros. */
  by_state: Schema.Record(Schema.String, Schema.Int),
  /** Answered requests whose pack has a confidence of 0.7 or more. */
  high_confidence: Schema.Int,
  asked_back: Schema.Int,
  searches: Schema.Int,
  cache_hits: Schema.Int,
  packs_reused: Schema.Int,
  store_asked: Schema.Int,
  credits: Schema.Finite,
  /** Millionths of a US dollar, of models whose price is set. */
  cost_micros: Schema.Int
})
export type ActivityFigures = typeof ActivityFigures.Type

/** Figures of one period: `2026-01-01T09:30Z` is a minute, `2026-01-01` a day, both in UTC. */
export const PeriodFigures = Schema.Struct({ period: Schema.String, ...ActivityFigures.fields })
export type PeriodFigures = typeof PeriodFigures.Type

export const none: ActivityFigures = {
  requests: 0,
  by_state: {},
  high_confidence: 0,
  asked_back: 0,
  searches: 0,
  cache_hits: 0,
  packs_reused: 0,
  store_asked: 0,
  credits: 0,
  cost_micros: 0
}

export const record = (figures: ActivityFigures, event: SessionEvent): ActivityFigures =>
  sum(figures, ofEvent(event))

const ofEvent = (event: SessionEvent): ActivityFigures => {
  const spent: ActivityFigures = { ...none, ...withSpent(none, event) }
  switch (event._tag) {
    case "WEB_GROUNDING_REQUESTED":
      return { ...spent, requests: 1 }
    case "WEB_GROUNDING_CACHE_USED":
      return { ...spent, cache_hits: 1 }
    case "WEB_GROUNDING_PACK_REUSED":
    case "WEB_GROUNDING_CACHED_PACK_USED":
      return { ...spent, packs_reused: 1 }
    case "WEB_GROUNDING_STORE_ASKED":
      return { ...spent, store_asked: 1 }
    case "WEB_GROUNDING_FINISHED":
      return { ...spent, ...ofAnswer(event) }
    default:
      return spent
  }
}

const ofAnswer = ({ outcome }: typeof Finished.Type): Partial<ActivityFigures> => ({
  by_state: { [GroundingSummary.stateOf(outcome)]: 1 },
  high_confidence: outcome.pack.confidence >= highConfidenceMin ? 1 : 0,
  asked_back: outcome.pack.what_to_ask_user.length > 0 ? 1 : 0
})

const sum = (
  { by_state, ...one }: ActivityFigures,
  { by_state: others, ...other }: ActivityFigures
): ActivityFigures => ({
  ...Record.map(one, (count, name) => count + other[name]),
  by_state: Record.union(by_state, others, (count, more) => count + more)
})

export const total = (periods: ReadonlyArray<ActivityFigures>): ActivityFigures =>
  periods.reduce(sum, none)
