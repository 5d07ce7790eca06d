/** Summary of a session, as a row of a list. */
import { Schema } from "effect"
import { questionOf, Tier } from "../request/GroundingRequest.ts"
import { SearchStatus } from "../search/SearchStatus.ts"
import { GroundingMode, OutcomeReason } from "../session/GroundingOutcome.ts"
import * as ModelCost from "../session/ModelCost.ts"
import type { SessionEvent } from "../session/SessionEvent.ts"
import { creditsOf, searchesOf } from "./GroundingSummary.ts"
import * as RequestState from "./RequestState.ts"

export const SessionSummary = Schema.Struct({
  session_id: Schema.String,
  /** Question, else topic, of the latest request. */
  question: Schema.String,
  tier: Tier,
  locale: Schema.String,
  /** ISO 8601 UTC, of the first and of the latest event. */
  started_at: Schema.String,
  last_at: Schema.String,
  requests: Schema.Int,
  /** How its requests stand: how many of each, without zeros. */
  states: Schema.Record(Schema.String, Schema.Int),
  /** Mode of the request that was answered last. Absent before the first answer. */
  mode: Schema.optionalKey(GroundingMode),
  reason: Schema.optionalKey(OutcomeReason),
  status: Schema.optionalKey(SearchStatus),
  confidence: Schema.optionalKey(Schema.Finite),
  searches: Schema.Int,
  credits: Schema.Finite,
  /** Millionths of a US dollar, of models whose price is set. */
  cost_micros: Schema.Int
})
export type SessionSummary = typeof SessionSummary.Type

/**
 * Summary of a session after one more event. `undefined` going in: nothing is known of the session,
 * which begins with a request.
 */
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
    searches: begun.searches + searchesOf(event),
    credits: begun.credits + creditsOf(event),
    cost_micros: begun.cost_micros + ModelCost.modelCostMicros(event)
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
    question: questionOf(request),
    locale: request.locale,
    requests: requests + 1,
    states: counted(states, "unfinished", 1)
  }
}

const answered = (
  { mode: _mode, reason: _reason, states, status: _status, ...known }: SessionSummary,
  { outcome }: Of<"WEB_GROUNDING_FINISHED">
): SessionSummary => ({
  ...known,
  states: counted(counted(states, "unfinished", -1), RequestState.stateOf(outcome), 1),
  mode: outcome.mode,
  ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
  ...(outcome.status === undefined ? {} : { status: outcome.status }),
  confidence: outcome.pack.confidence
})

const counted = (
  states: SessionSummary["states"],
  state: RequestState.RequestState,
  by: number
): SessionSummary["states"] =>
  Object.fromEntries(
    Object.entries({ ...states, [state]: (states[state] ?? 0) + by })
      .filter(([, count]) => count > 0)
  )
