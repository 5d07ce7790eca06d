/** What was found about a course's subject, in the fields that course builders read. */
import { Schema } from "effect"

/** From here on, used as it is. */
export const confidenceThreshold = 0.7
/** From here on, used with care; below, only internal knowledge is used. */
export const usableMin = 0.3
/** What simple extraction by rule is trusted with. */
export const extractionMax = 0.3

export const RecommendedModule = Schema.Struct({
  title: Schema.String,
  description: Schema.String,
  /** Where it was found. */
  source_url: Schema.String
})
export const SourceLink = Schema.Struct({
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
  tool_used: Schema.Literals(["tavily", "duckduckgo", "serpapi", "mock", "unknown"]),
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
