/**
 * Which needs are the same across a tenant's sessions (equal after normalisation), and which
 * answers may be reused. Never those that depend on PII or the evidence store, whose texts may be
 * erased.
 */
import * as Languages from "@web-grounding/language/Languages"
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import { DateTime, Struct } from "effect"
import { type GroundingRequest, wordsOf } from "../request/GroundingRequest.ts"
import type { Recorded } from "../search/QueryCacheEntry.ts"
import { type Grounding, isTextMissing } from "./Grounding.ts"
import { CachedAnswer, type CachedPack } from "./GroundingOutcome.ts"
import * as Outcome from "./Outcome.ts"
import { rulesVersion } from "./RulesVersion.ts"
import type { Finished } from "./SessionEvent.ts"

/** Milliseconds for which an answer may be given to another session; 0: never. */
export interface MaxAge {
  readonly general: number
  /** News, finance, and what the gate calls time-sensitive. */
  readonly timely: number
}

/** Whether the request holds nothing private: no known facts, no texts that may hold PII. */
export const isShareable = (request: GroundingRequest): boolean => {
  const { course, known_facts, listing, overrides, topic, unknown_required_slots } = request
  const texts = [
    topic,
    request.user_question ?? "",
    request.region?.city ?? "",
    ...unknown_required_slots.map(wordsOf),
    ...overrides?.queries ?? []
  ]
  return course === undefined && listing === undefined && known_facts.length === 0 &&
    overrides?.sources !== "store" &&
    texts.every(QueryPrivacy.isOpen)
}

/** Fields on which the answer's contents do not depend. */
const immaterial = [
  "allow_collecting",
  "answer",
  "consent_raw_content",
  "deadline_ms",
  "phase",
  "realism_blocked",
  "request_id",
  "session_id",
  "user_asked_for_facts"
] as const

/**
 * One line, to be hashed. `deployment`: providers, engines and limits that the answer depends on.
 */
export const textOf = (request: GroundingRequest, deployment: unknown): string => {
  const { topic, user_question, ...need } = Struct.omit(request, immaterial)
  return JSON.stringify([
    rulesVersion,
    Languages.version,
    normal(topic),
    user_question === undefined ? null : normal(user_question),
    sorted(need),
    sorted(deployment)
  ])
}

const normal = (text: string): string =>
  QueryPrivacy.strip(text).normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim()

/** Equal values are spelt alike, in whatever order their keys came. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.entries(value).toSorted(([one], [other]) => one < other ? -1 : 1)
    .map(([key, own]) => [key, sorted(own)])
}

/** Milliseconds for which another session may be given the answer; `undefined`: never. */
export const freshMsOf = (
  grounding: Grounding,
  { mode, need, pack }: CachedAnswer,
  maxAge: MaxAge
): number | undefined => {
  const { cached, cachedPack, evidence, request, reused } = grounding
  const isWhole = mode === "grounded" || mode === "snippets_only"
  const isOwn = reused === undefined && cachedPack === undefined
  // The model may answer the next one.
  if (pack.notes.some((note) => note === "llm_failed" || note === "judge_failed")) return undefined
  if (!isOwn || !isWhole || pack.confidence <= 0 || !isShareable(request)) return undefined
  // Without the texts it is unknown what the block shows.
  if (evidence?.pages.some(isTextMissing) === true) return undefined
  if (Outcome.shownSources(grounding, pack).some((id) => isStored(grounding, id))) return undefined
  const isTimely = need.topic !== "general" || need.reason_codes.includes("TIME_SENSITIVE")
  // An answer from the cache is as old as its search.
  const age = Math.max(0, ...cached.map(({ age_ms }) => age_ms))
  const freshMs = maxAge[isTimely ? "timely" : "general"] - age
  return freshMs > 0 ? freshMs : undefined
}

const isStored = ({ evidence }: Grounding, id: string): boolean =>
  evidence?.pages.some(({ reader, source_id }) => source_id === id && reader === "store") === true

/** Cache entry of a recorded answer; `undefined`: nothing may be reused. */
export const packOf = (
  { cache, outcome }: typeof Finished.Type,
  asked_at: string,
  { eventId, recordedAt, streamId }: Recorded
): CachedPack | undefined => {
  const recordedAtMs = DateTime.makeUnsafe(recordedAt).epochMilliseconds
  return cache === undefined ? undefined : {
    answer: answerOf(outcome),
    asked_at,
    stream_id: streamId,
    event_id: eventId,
    made_at_ms: recordedAtMs - Outcome.oldestMs(outcome.searches),
    fresh_until_ms: recordedAtMs + cache.fresh_ms
  }
}

export const answerOf = (outcome: typeof Finished.Type["outcome"]): CachedAnswer =>
  Struct.pick(outcome, Struct.keys(CachedAnswer.fields))
