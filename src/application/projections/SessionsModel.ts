/** A row for each session, newest activity first. */
import { Schema } from "effect"
import type { ContentErased } from "../../domain/erasure/ErasureRecord.ts"
import { enginesIn, MinuteAnswers, recordAnswers } from "../../domain/health/EngineHealth.ts"
import {
  MinuteFigures,
  minuteOf,
  MinutePacks,
  record as Record,
  recordPack
} from "../../domain/health/SearchHealth.ts"
import { questionOf } from "../../domain/request/GroundingRequest.ts"
import type { SearchAttempt } from "../../domain/search/SearchStatus.ts"
import { type SessionEvent, sessionEventTypes } from "../../domain/session/SessionEvent.ts"
import * as CitedPack from "../../domain/summary/CitedPack.ts"
import * as GroundingSummary from "../../domain/summary/GroundingSummary.ts"
import * as SessionSummary from "../../domain/summary/SessionSummary.ts"
import { none, PeriodFigures, record } from "../../domain/summary/SessionSummary.ts"
import type { LoggedEvent } from "../ports/EventStore.ts"
import * as Projection from "./Projection.ts"
import { keyOf, prefixOf, sorted, sortKeyOf, wordsOf } from "./ReadRows.ts"

const SessionRow = Schema.Struct({
  ...sorted,
  summary: SessionSummary.SessionSummary
})
type SessionRow = typeof SessionRow.Type

/** Id and all questions; the first ones stay where there are too many. */
const wordsOfRow = (
  row: SessionRow | undefined,
  event: SessionEvent,
  sessionId: string
): string => {
  const held = row?.words ?? wordsOf([sessionId])
  if (event._tag !== "WEB_GROUNDING_REQUESTED") return held
  const question = wordsOf([questionOf(event.request)])
  return held.includes(question) ? held : wordsOf([held, question])
}

/** Flag of a person's sessions, by the pseudonym in its requests. */
export const subjectFlag = (subject: string): string => `subject:${subject.toWellFormed()}`

const subjectsOf = (row: SessionRow | undefined, event: SessionEvent): ReadonlyArray<string> => {
  const known = row?.flags.filter((flag) => flag.startsWith(subjectFlag(""))) ?? []
  const named = event._tag === "WEB_GROUNDING_REQUESTED" ? event.request.subject : undefined
  if (named === undefined) return known
  return [...new Set([...known, subjectFlag(named)])]
}

// The erasure's fact comes last, and removes all rows of the session.

const erasedType = "WEB_GROUNDING_CONTENT_ERASED"

const isErased = (event: ModelEvent): event is ContentErased => event._tag === erasedType

const sessionKey = (
  { event, stored }: { readonly event: ModelEvent; readonly stored: LoggedEvent }
): string =>
  isErased(event)
    ? keyOf(event.tenant_id, event.session_id)
    : keyOf(stored.tenantId, stored.sessionId)

export const SessionsModel = Projection.define({
  name: "sessions",
  version: 4,
  on: [...sessionEventTypes, erasedType],
  row: SessionRow,
  key: sessionKey,
  evolve: (row: SessionRow | undefined, { event, stored }): SessionRow | undefined => {
    if (isErased(event)) return undefined
    const summary = SessionSummary.evolve(row?.summary, event, stored)
    return summary === undefined ? undefined : {
      sort_key: sortKeyOf(stored.tenantId, summary.last_at, stored.streamId),
      words: wordsOfRow(row, event, summary.session_id),
      flags: [...Object.keys(summary.states), ...subjectsOf(row, event)],
      summary
    }
  }
})

const requestKeys = (
  { event, stored }: { readonly event: ModelEvent; readonly stored: LoggedEvent }
): string | ReadonlyArray<string> =>
  isErased(event)
    ? event.request_ids.map((id) => keyOf(event.tenant_id, event.session_id, id))
    : keyOf(stored.tenantId, stored.sessionId, event.request_id)

// A row for each request, with its timeline, in the order of its session.

export const GroundingsModel = Projection.define({
  name: "groundings",
  version: 6,
  on: [...sessionEventTypes, erasedType],
  row: GroundingSummary.GroundingSummary,
  key: requestKeys,
  evolve: (row: GroundingSummary.GroundingSummary | undefined, { event, stored }) =>
    isErased(event) ? undefined : GroundingSummary.evolve(row, event, stored)
})

// The pack of each answered request with its sources; until then, what was collected.

export const PacksModel = Projection.define({
  name: "packs",
  version: 2,
  on: [
    "WEB_GROUNDING_REQUESTED",
    "WEB_GROUNDING_QUERY_PLANNED",
    "WEB_GROUNDING_CALLED",
    "WEB_GROUNDING_CACHE_USED",
    "WEB_GROUNDING_EVIDENCE_READ",
    "WEB_GROUNDING_FINISHED",
    erasedType
  ],
  row: CitedPack.Progress,
  key: requestKeys,
  evolve: (row: CitedPack.Progress | undefined, { event, stored }) =>
    isErased(event) ? undefined : CitedPack.evolve(row, event, stored)
})

// Requests of each tenant by outcome, and their usage: a row a minute and one a day.

/** Key of a day's row. Days sort before all minutes of the tenant. */
export const dayKeyOf = (tenantId: string, day: string): string => `${prefixOf(tenantId)}day ${day}`

export const minuteKeyOf = (tenantId: string, minute: string): string =>
  `${prefixOf(tenantId)}minute ${minute}`

/** Date of an ISO 8601 instant, `YYYY-MM-DD`. */
export const dayOf = (iso: string): string => iso.slice(0, "YYYY-MM-DD".length)

export const ActivityModel = Projection.define({
  name: "activity",
  version: 4,
  on: sessionEventTypes,
  row: PeriodFigures,
  key: ({ stored: { recordedAt, tenantId } }) => [
    dayKeyOf(tenantId, dayOf(recordedAt)),
    minuteKeyOf(tenantId, minuteOf(recordedAt))
  ],
  evolve: (row: PeriodFigures | undefined, { event }, key): PeriodFigures => ({
    period: key.slice(key.lastIndexOf(" ") + 1),
    ...record(row ?? none, event)
  })
})

// Searches of each minute, by provider and key; and each tenant's, by provider.

/** Keys begin with the minute, so that a span of time is a range of keys. */
const deploymentKeyOf = ({ key_slot = 0, provider, started_at }: SearchAttempt): string =>
  `${minuteOf(started_at)} ${provider} ${key_slot}`

/** A row a minute for each provider. Keys are the deployment's: no tenant's row names one. */
const ownKeyOf = (tenantId: string, { provider, started_at }: SearchAttempt): string =>
  `${prefixOf(tenantId)}${minuteOf(started_at)} ${provider}`

const withoutKey = ({ key_slot: _, ...attempt }: SearchAttempt): SearchAttempt => attempt

export const SearchHealthModel = Projection.define({
  name: "search_health",
  version: 3,
  on: ["WEB_GROUNDING_CALLED"],
  row: MinuteFigures,
  key: ({ event, stored }) =>
    event.attempts.flatMap((
      attempt
    ) => [deploymentKeyOf(attempt), ownKeyOf(stored.tenantId, attempt)]),
  evolve: (row: MinuteFigures | undefined, { event, stored }, key) =>
    event.attempts.flatMap((attempt) => {
      if (deploymentKeyOf(attempt) === key) return [attempt]
      return ownKeyOf(stored.tenantId, attempt) === key ? [withoutKey(attempt)] : []
    }).reduce(Record, row)
})

// Packs made each minute, and those reused from other sessions; in total and by tenant.

export const PackHealthModel = Projection.define({
  name: "pack_health",
  version: 3,
  on: ["WEB_GROUNDING_PACK_CREATED", "WEB_GROUNDING_CACHED_PACK_USED"],
  row: MinutePacks,
  key: ({ stored: { recordedAt, tenantId } }) => [
    minuteOf(recordedAt),
    `${prefixOf(tenantId)}${minuteOf(recordedAt)}`
  ],
  evolve: (row: MinutePacks | undefined, { event, stored }) =>
    recordPack(
      row,
      minuteOf(stored.recordedAt),
      event._tag === "WEB_GROUNDING_PACK_CREATED" ? "made" : "reused"
    )
})

// Answers and failures of each engine, each minute.

export const EngineHealthModel = Projection.define({
  name: "engine_health",
  version: 3,
  on: sessionEventTypes,
  row: MinuteAnswers,
  key: ({ event, stored: { recordedAt } }) =>
    enginesIn(event).map((engine) => `${minuteOf(recordedAt)} ${engine}`),
  evolve: (row: MinuteAnswers | undefined, { event, stored: { recordedAt } }, key) => {
    const minute = minuteOf(recordedAt)
    const engine = key.slice(minute.length + 1)
    return recordAnswers(row ?? { minute, engine, answered: 0, failed: 0 }, event)
  }
})

type ModelEvent = SessionEvent | ContentErased
