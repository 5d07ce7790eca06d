/** Schemas of the lists and charts of a tenant's requests, from the read models. */
import { Schema } from "effect"
import { Alert } from "../domain/health/SearchHealth.ts"
import { CallerRequest, wholeOr } from "../domain/request/GroundingRequest.ts"
import { CitedPack } from "../domain/summary/CitedPack.ts"
import { GroundingSummary, RequestState } from "../domain/summary/GroundingSummary.ts"
import { ActivityFigures, PeriodFigures, SessionSummary } from "../domain/summary/SessionSummary.ts"

const subjectCharsMax = 200
const { session_id } = CallerRequest.fields
const subject = Schema.NonEmptyString.check(Schema.isMaxLength(subjectCharsMax))

const pageRowsMax = 200
const pageRowsDefault = 50
const wordsCharsMax = 200
const cursorCharsMax = 1_000

const limit = wholeOr(pageRowsDefault, 1, pageRowsMax)

/** The `next` of the page before. Absent: starts with the newest row. */
const cursor = Schema.optionalKey(
  Schema.String.check(
    Schema.isNonEmpty(),
    Schema.isMaxLength(cursorCharsMax),
    Schema.isPattern(/^\d{4}-/, { expected: "the `next` of a page before" })
  )
)

export const ListSessionsInput = Schema.Struct({
  cursor,
  limit,
  /** Restricts the list to sessions with a request in this state. */
  state: Schema.optionalKey(RequestState),
  /** Restricts the list to this user's sessions, by pseudonym. Not with `state`. */
  subject: Schema.optionalKey(subject),
  /** Restricts the list to sessions whose id or questions hold this text, in any case. */
  words: Schema.optionalKey(
    Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(wordsCharsMax))
  )
})

/** Absent on the last page. */
const next = Schema.optionalKey(Schema.String)

export const SessionList = Schema.Struct({
  /** The one with the latest event first. */
  sessions: Schema.Array(SessionSummary),
  next
})
export type SessionList = typeof SessionList.Type

export const SessionTimelineInput = Schema.Struct({
  session_id,
  /** Restricts the timeline to this request. */
  request_id: Schema.optionalKey(CallerRequest.fields.request_id)
})

export const SessionTimeline = Schema.Struct({
  session: SessionSummary,
  /** Oldest first; of a long session the first 200 by their ids. */
  groundings: Schema.Array(GroundingSummary)
})
export type SessionTimeline = typeof SessionTimeline.Type

export { CitedPack }

const percentiles = Schema.optionalKey(Schema.Struct({
  p50: Schema.Finite,
  p95: Schema.Finite
}))

const ActivityStep = Schema.Struct({
  /** Start of the step; ISO 8601 UTC to the minute. */
  at: Schema.String,
  figures: ActivityFigures,
  /** Attempts at search providers by status; without zeros. */
  attempts: Schema.Record(Schema.String, Schema.Int),
  /** Latency of these attempts, in milliseconds; absent where no provider was contacted. */
  search_latency_ms: percentiles
})

export const Activity = Schema.Struct({
  as_of: Schema.String,
  from: Schema.String,
  step_minutes: Schema.Int,
  /** Oldest first, without a gap; the last one is in progress. */
  steps: Schema.Array(ActivityStep),
  total: ActivityFigures
})
export type Activity = typeof Activity.Type

const daysMax = 366
const daysDefault = 31

export const UsageInput = Schema.Struct({
  /** Days up to today. Default 31. */
  days: wholeOr(daysDefault, 1, daysMax)
})

export const Usage = Schema.Struct({
  /** Days in UTC with any request, oldest first. */
  days: Schema.Array(PeriodFigures),
  total: ActivityFigures
})
export type Usage = typeof Usage.Type

export const TenantList = Schema.Struct({
  /** By name: every tenant that ever asked, with its use over these days. */
  tenants: Schema.Array(Schema.Struct({ tenant_id: Schema.String, total: ActivityFigures }))
})
export type TenantList = typeof TenantList.Type

export const ListAlertsInput = Schema.Struct({
  cursor,
  limit,
  /** Default: open and closed ones. */
  state: Schema.optionalKey(Schema.Literals(["open", "closed"]))
})

export const AlertList = Schema.Struct({
  /** The one that was opened last first. */
  alerts: Schema.Array(Schema.Struct({
    alert_key: Schema.String,
    /** The alert with its figures of when it was opened. */
    alert: Alert,
    opened_at: Schema.String,
    closed_at: Schema.optionalKey(Schema.String)
  })),
  next
})
export type AlertList = typeof AlertList.Type
