/**
 * What is asked about a course's subject, with the three queries it becomes, and what was found,
 * in the fields that course builders read.
 */
import { Effect, Schema } from "effect"
import { CourseSubject, GroundingRequest, newId } from "../request/GroundingRequest.ts"
import { ProviderName } from "../search/SearchHit.ts"

/** From here on, used as it is. */
const confidenceThreshold = 0.7
/** From here on, used with care; below, only internal knowledge is used. */
const usableMin = 0.3
/** What simple extraction by rule is trusted with. */
export const extractionMax = 0.3

export const RecommendedModule = Schema.Struct({
  title: Schema.String,
  description: Schema.String,
  /** Where it was found. */
  source_url: Schema.String
})
const SourceLink = Schema.Struct({
  url: Schema.String,
  title: Schema.String,
  /** Registrable domain. */
  site: Schema.String
})

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
  /** Different pages found. */
  result_count: Schema.Natural,
  /** Of these, official ones and those that the provider rates well. */
  high_quality_result_count: Schema.Natural,
  /** The provider that answered most. `unknown`: none did. */
  tool_used: Schema.Literals([...ProviderName.literals, "unknown"]),
  /** ISO 8601 UTC, when it was asked. */
  execution_timestamp: Schema.String,
  execution_time_ms: Schema.Natural,
  /** A provider after the first one answered, or none did. */
  fallback_used: Schema.Boolean,
  search_notes: Schema.String
}) {
  get is_high_confidence(): boolean {
    return this.confidence_score >= confidenceThreshold
  }
  get is_usable(): boolean {
    return this.confidence_score >= usableMin
  }
}

export interface Attempted {
  readonly query: string
  readonly at: string
  readonly durationMs: number
  readonly notes: string
}

/** Nothing came of it; whoever asked goes on without. */
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
    search_notes: notes
  })

const { locale, region } = GroundingRequest.fields

/** How long each attempt at a provider may take, in milliseconds. */
const timeoutMs = { default: 5_000, minimum: 250, maximum: 30_000 }

export const ResearchInput = Schema.Struct({
  session_id: newId,
  /** Asked again with the same one, it is answered from the log. Default: made up. */
  request_id: Schema.optionalKey(newId),
  ...CourseSubject.fields,
  locale,
  region,
  timeout_ms: Schema.Int.check(
    Schema.isBetween({ minimum: timeoutMs.minimum, maximum: timeoutMs.maximum })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(timeoutMs.default)))
})
export type ResearchInput = typeof ResearchInput.Type

/** Queries that one research may send. */
const searchBudget = 3
/** Reading, ranking and writing, beside the searches. In milliseconds. */
const afterSearchMs = 30_000

/** In this order: what is taught, to whom, and to what end. */
const queriesOf = (
  { audience_category, course_title, depth_requirement }: ResearchInput
): ReadonlyArray<string> =>
  [
    `${course_title} syllabus curriculum`,
    `${course_title} ${spoken(audience_category)} course outline`,
    `${course_title} ${spoken(depth_requirement)} learning objectives`
  ].slice(0, searchBudget)

const spoken = (word: string): string => word.replaceAll(/[_-]+/g, " ")

/** Milliseconds from arrival to answer. `timeout_ms`: of each attempt at a provider. */
export const deadlineMsOf = (timeout_ms = timeoutMs.default): number =>
  searchBudget * timeout_ms + afterSearchMs

/** The research as a grounding: asked for, with its queries fixed and a budget that holds them. */
export const groundingOf = (input: ResearchInput) => ({
  session_id: input.session_id,
  ...(input.request_id === undefined ? {} : { request_id: input.request_id }),
  tier: "premium",
  phase: "mid_chat",
  topic: `${input.course_title}: syllabus, course outline and learning objectives`,
  user_asked_for_facts: true,
  locale: input.locale,
  ...(input.region === undefined ? {} : { region: input.region }),
  course: {
    course_title: input.course_title,
    audience_category: input.audience_category,
    depth_requirement: input.depth_requirement,
    learning_mode: input.learning_mode
  },
  deadline_ms: deadlineMsOf(input.timeout_ms),
  overrides: {
    queries: queriesOf(input),
    max_queries: searchBudget,
    search_timeout_ms: input.timeout_ms
  }
})
