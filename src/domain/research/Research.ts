/** Research about a course's subject: input, its three queries, and result for course builders. */
import { Effect, Schema, Struct } from "effect"
import {
  CourseSubject,
  GroundingRequest,
  newId,
  newLocale,
  type Tier,
  wholeOr
} from "../request/GroundingRequest.ts"
import { ProviderName } from "../search/SearchStatus.ts"

/** Score from which the research is used as it is. */
const confidenceThreshold = 0.7
/** Score from which it is used with care; below, only internal knowledge is used. */
const usableMin = 0.3

export const RecommendedModule = Schema.Struct({
  title: Schema.String,
  description: Schema.String,
  source_url: Schema.String
})

const SourceLink = Schema.Struct({
  url: Schema.String,
  title: Schema.String,
  /** Registrable domain. */
  site: Schema.String
})

/** Findings about a course's subject, with their sources and a confidence. */
export class Research extends Schema.Class<Research>("Research")({
  search_query: Schema.String,
  search_summary: Schema.String,
  key_topics_found: Schema.Array(Schema.String),
  recommended_modules: Schema.Array(RecommendedModule),
  source_links: Schema.Array(SourceLink),
  learning_objectives_found: Schema.Array(Schema.String),
  skillset_recommendations: Schema.Array(Schema.String),
  /** 0 to 1; exactly 0 when nothing was found. */
  confidence_score: Schema.Finite,
  result_count: Schema.Natural,
  /** Pages among these that are official or that the provider rates well. */
  high_quality_result_count: Schema.Natural,
  /** The provider that answered most. `unknown`: none did. */
  tool_used: Schema.Union([ProviderName, Schema.Literal("unknown")]),
  /** ISO 8601 UTC, when it was asked. */
  execution_timestamp: Schema.String,
  execution_time_ms: Schema.Natural,
  /** A provider after the first one answered, or none did. */
  fallback_used: Schema.Boolean,
  /** How the searches went, and what limits the confidence. */
  search_notes: Schema.String,
  /** `confidence_score` is 0.3 or more. */
  is_usable: Schema.Boolean,
  /** `confidence_score` is the caller's `confidence_threshold` or more. */
  is_high_confidence: Schema.Boolean
}) {}

export const bandsOf = (score: number, threshold = confidenceThreshold) => ({
  is_usable: score >= usableMin,
  is_high_confidence: score >= threshold
})

interface Attempted {
  readonly query: string
  readonly at: string
  readonly durationMs: number
  readonly notes: string
}

export const empty = ({ at, durationMs, notes, query }: Attempted): Research =>
  new Research({
    search_query: query,
    search_summary: "",
    key_topics_found: [],
    recommended_modules: [],
    source_links: [],
    learning_objectives_found: [],
    skillset_recommendations: [],
    confidence_score: 0,
    result_count: 0,
    high_quality_result_count: 0,
    tool_used: "unknown",
    execution_timestamp: at,
    execution_time_ms: durationMs,
    fallback_used: true,
    search_notes: notes,
    ...bandsOf(0)
  })

const { region } = GroundingRequest.fields

/** Milliseconds for each attempt at a provider. */
const timeoutMs = { default: 5_000, minimum: 250, maximum: 30_000 }
/** Queries that one research may send. */
const searchBudget = { default: 3, minimum: 1, maximum: 3 }
/** Results about the subject below which the confidence falls. */
const resultsMin = { default: 2, minimum: 1, maximum: 10 }

const whole = ({ default: otherwise, maximum, minimum }: typeof timeoutMs) =>
  wholeOr(otherwise, minimum, maximum)

export const ResearchInput = Schema.Struct({
  /** Absent: a session of its own, under the request's id. */
  session_id: Schema.optionalKey(newId),
  /** A repeated one is answered from the log. Default: generated. */
  request_id: Schema.optionalKey(newId),
  ...CourseSubject.fields,
  locale: newLocale,
  region,
  timeout_ms: whole(timeoutMs),
  /** Queries that may be sent; an existing session's remaining searches still apply. */
  search_budget: whole(searchBudget),
  min_results: whole(resultsMin),
  confidence_threshold: Schema.Finite.check(Schema.isBetween({ minimum: usableMin, maximum: 1 }))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(confidenceThreshold))),
  /** `enabled`: never fails; `blocking`: fails when no search is answered; `skip`: no search. */
  mode: Schema.Literals(["enabled", "blocking", "skip"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("enabled" as const))
  )
})
export type ResearchInput = typeof ResearchInput.Type

export interface IdentifiedResearch extends ResearchInput {
  readonly session_id: string
  readonly request_id: string
}

/** Reading, ranking and writing after the searches. In milliseconds. */
const afterSearchMs = 30_000

/** Queries in this order: subject, audience, purpose. */
const queriesOf = (
  { audience_category, course_title, depth_requirement, search_budget }: ResearchInput
) =>
  [
    `${course_title} syllabus curriculum`,
    `${course_title} ${spoken(audience_category)} course outline`,
    `${course_title} ${spoken(depth_requirement)} learning objectives`
  ].slice(0, search_budget)

const spoken = (word: string): string => word.replaceAll(/[_-]+/g, " ")

/** Milliseconds from arrival to answer. `timeout_ms` is of each attempt at a provider. */
export const deadlineMsOf = (timeout_ms = timeoutMs.default): number =>
  searchBudget.maximum * timeout_ms + afterSearchMs

/** `tier` applies if it is the session's first request. */
export const groundingOf = (
  input: IdentifiedResearch,
  { purpose, tier }: { readonly purpose: "research" | "outline"; readonly tier: Tier }
) => ({
  ...Struct.pick(input, ["session_id", "request_id", "locale", "region"]),
  tier,
  phase: "mid_chat" as const,
  topic: `${input.course_title}: syllabus, course outline and learning objectives`,
  user_asked_for_facts: true,
  course: {
    ...Struct.pick(input, Struct.keys(CourseSubject.fields)),
    ...(purpose === "outline" ? { purpose } : {})
  },
  deadline_ms: deadlineMsOf(input.timeout_ms),
  overrides: {
    queries: queriesOf(input),
    max_queries: input.mode === "skip" ? 0 : input.search_budget,
    search_timeout_ms: input.timeout_ms
  }
})

// Outline of a course in the fields that course builders read, each part with its support.

export const Origin = Schema.Literals(["internal", "external"])

export const InternalDocument = Schema.Struct({
  title: Schema.String,
  /** The document's id where it has no address. */
  url: Schema.String,
  text: Schema.String
})
export type InternalDocument = typeof InternalDocument.Type

/** Support of a module or an outcome, in the source's own words. */
export const Bearing = Schema.Struct({
  type: Origin,
  title: Schema.String,
  /** The document's id where it has no address. */
  url: Schema.String,
  quote: Schema.String
})
export type Bearing = typeof Bearing.Type

export const OutlineModule = Schema.Struct({
  title: Schema.String,
  description: Schema.String,
  references_from: Schema.NonEmptyArray(Bearing)
})
export type OutlineModule = typeof OutlineModule.Type

const Reference = Schema.Struct({
  from: Origin,
  title: Schema.String,
  /** The document's id where it has no address. */
  url: Schema.String
})

export const CourseOutline = Schema.Struct({
  course_title: Schema.String,
  modules: Schema.Array(OutlineModule),
  learning_outcomes: Schema.Array(Schema.String),
  /** Support of each outcome, in the same order. */
  learning_outcomes_from: Schema.Array(Bearing),
  /** Hours of reading the supporting sources, and of practice; 0 without modules. */
  total_duration_hours: Schema.Natural,
  references: Schema.Array(Reference),
  /** What made the outline, and what was left out of it. */
  outline_notes: Schema.String
})
export type CourseOutline = typeof CourseOutline.Type

/** Knowledge stage by stage: the input, internal documents, the web's results. */
const ExecutionContext = Schema.Struct({
  user_input: ResearchInput,
  session_id: Schema.String,
  timestamps: Schema.Struct({ started: Schema.String, finished: Schema.String }),
  retrieved_documents: Schema.Struct({
    chunks: Schema.Array(InternalDocument),
    summary: Schema.String
  }),
  web_search_results: Schema.Struct({
    topics: Schema.Array(Schema.String),
    links: Schema.Array(Schema.String),
    confidence: Schema.Finite
  })
})

export const OutlineAnswer = Schema.Struct({
  ...CourseOutline.fields,
  execution_context: ExecutionContext
})
export type OutlineAnswer = typeof OutlineAnswer.Type
