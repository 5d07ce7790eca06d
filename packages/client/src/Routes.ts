/**
 * Routes of the operations: method and path, fields of the answer, and how long it may take.
 * Written by `node scripts/clientContract.ts`; do not edit.
 */
import type {
  EvidenceFound,
  GroundingOutcome,
  HealthView,
  OutlineAnswer,
  PackView,
  Research,
  SessionPage
} from "./Contract.ts"

/** Version of the contract; the service refuses what it does not understand. */
export const contractVersion = "1.0"
export const versionHeader = "web-grounding-version"

/** Method and path of an operation, and the fields of its answer. */
export interface Route {
  readonly method: "GET" | "POST"
  /** Names in braces are fields of the input. */
  readonly path: string
  /** Fields that every answer has. */
  readonly requires: ReadonlyArray<string>
}

/** Whether the pack was recorded as shown; `false` when it was already. */
export interface ShownAnswer {
  readonly recorded: boolean
}

/** Type of the answer, by operation. */
export interface Answers {
  readonly Ground: GroundingOutcome
  readonly GetSession: SessionPage
  readonly GetPack: GroundingOutcome
  readonly GetPackView: PackView
  readonly RecordShown: ShownAnswer
  readonly Research: Research
  readonly Outline: OutlineAnswer
  readonly GetHealth: HealthView
  readonly SearchEvidence: EvidenceFound
}

const outcomeFields = [
  "session_id",
  "request_id",
  "mode",
  "need",
  "searches",
  "pack",
  "evidence_block",
  "llm_context",
  "rungs",
  "budget"
] as const
export const routes = {
  Ground: { method: "POST", path: "/v1/groundings", requires: outcomeFields },
  GetSession: {
    method: "GET",
    path: "/v1/sessions/{session_id}/events",
    requires: ["session_id", "events"]
  },
  GetPack: {
    method: "GET",
    path: "/v1/groundings/{session_id}/{request_id}",
    requires: outcomeFields
  },
  GetPackView: {
    method: "GET",
    path: "/v1/groundings/{session_id}/{request_id}/view",
    requires: ["audience", "text"]
  },
  RecordShown: {
    method: "POST",
    path: "/v1/groundings/{session_id}/{request_id}/shown",
    requires: ["recorded"]
  },
  Research: {
    method: "POST",
    path: "/v1/research",
    requires: [
      "search_query",
      "search_summary",
      "key_topics_found",
      "recommended_modules",
      "source_links",
      "learning_objectives_found",
      "skillset_recommendations",
      "confidence_score",
      "result_count",
      "high_quality_result_count",
      "tool_used",
      "execution_timestamp",
      "execution_time_ms",
      "fallback_used",
      "search_notes",
      "is_usable",
      "is_high_confidence"
    ]
  },
  Outline: {
    method: "POST",
    path: "/v1/outlines",
    requires: [
      "course_title",
      "modules",
      "learning_outcomes",
      "learning_outcomes_from",
      "total_duration_hours",
      "references",
      "outline_notes",
      "execution_context"
    ]
  },
  GetHealth: {
    method: "GET",
    path: "/v1/health",
    requires: [
      "as_of",
      "from",
      "hours",
      "figures",
      "by_key",
      "packs",
      "keys",
      "alerts",
      "read_models"
    ]
  },
  SearchEvidence: { method: "POST", path: "/v1/evidence/search", requires: ["found", "vectors"] }
} as const satisfies Readonly<Record<keyof Answers, Route>>

/** Milliseconds from arrival to answer: `default` by tier, and what a caller may ask for. */
export const deadlineMs = {
  default: {
    standard: 45000,
    premium: 90000
  },
  least: 250,
  most: 120000
} as const

/** Milliseconds of a research: a fixed part, and so often the time of one attempt at a provider. */
export const researchMs = {
  fixed: 30000,
  attempts: 3,
  attemptDefault: 5000
} as const
