/** The answer to one request, as callers get it and as the log keeps it. */
import { Schema, Struct } from "effect"
import { SearchNeed } from "../need/ReasonCodes.ts"
import { GroundingPack } from "../pack/GroundingPack.ts"
import { QueryPlan } from "../plan/QueryPlan.ts"
import { Honoured, ProviderName, SearchStatus } from "../search/SearchStatus.ts"
import { Citation } from "../view/Citations.ts"
import { Rung } from "./EngineDetail.ts"

export const GroundingMode = Schema.Literals([
  /** Claims rest on pages that were read. */
  "grounded",
  /** There are claims, but some search failed. */
  "partial",
  /** Claims rest on the provider's snippets only. */
  "snippets_only",
  /** Every provider failed; claims rest on an earlier search's hits, whose age is stated. */
  "stale_cache",
  /** A search was wanted and gave no answer; claims of the pack are background. */
  "ungrounded",
  /** The gate found no need, or phase and budget forbade it. */
  "not_searched"
])
export type GroundingMode = typeof GroundingMode.Type

/** Outcome of a request in one word; each is explained in `OutcomeReason.ts`. */
export const OutcomeReason = Schema.Literals([
  "answered",
  "answered_from_cache",
  "answered_before",
  "answered_from_store",
  "answered_in_part",
  "answered_from_old_results",
  "listed",
  "sources_disagree",
  "question_not_answered",
  "not_answered_in_part",
  "nothing_found",
  "nothing_stored",
  "search_failed",
  "known_enough",
  "nothing_to_look_up",
  "refers_to_nothing",
  "budget_exhausted",
  "phase_not_eligible"
])
export type OutcomeReason = typeof OutcomeReason.Type

/** Joint result of the searches. `stale`: none answered, and hits of an earlier one are used. */
export const OutcomeStatus = Schema.Literals([...SearchStatus.literals, "stale"])
export type OutcomeStatus = typeof OutcomeStatus.Type

export const SearchReport = Schema.Struct({
  query: Schema.String,
  status: SearchStatus,
  detail: Schema.optionalKey(Schema.String),
  tool_used: Schema.optionalKey(ProviderName),
  fallback_used: Schema.Boolean,
  hits_count: Schema.Int,
  /** Age of the query cache's answer: nothing was sent and nothing spent. */
  cached_age_ms: Schema.optionalKey(Schema.Finite),
  /** Every provider failed; the hits are an earlier search's, of this age. */
  stale_age_ms: Schema.optionalKey(Schema.Finite),
  honoured: Schema.optionalKey(Honoured),
  left_out_by_date: Schema.optionalKey(Schema.Natural)
})

export const EvidenceSource = Schema.Struct({
  source_id: Schema.String,
  /** Number of the source in the whole answer. Absent where nothing cites it. */
  n: Schema.optionalKey(Schema.Int),
  url: Schema.String,
  title: Schema.String,
  site: Schema.String,
  official: Schema.Boolean,
  published_date: Schema.optionalKey(Schema.String),
  /** Reader of the page: `web`, `jina`, `store`; `snippet` is the search provider's own words. */
  reader: Schema.String
})

const EvidenceChunk = Schema.Struct({
  /** Index of its source in `sources`, from 0. */
  source_index: Schema.Natural,
  /** Offsets in the text of its source, in UTF-16 code units; `end` is exclusive. */
  start: Schema.Natural,
  end: Schema.Natural,
  /** Score by the ranker that answered; comparable within one answer only. */
  score: Schema.Finite,
  /**
   * Untrusted text of the web without invisible and control characters. Of pages only with
   * `consent_raw_content`; of snippets always. Not recorded with the answer.
   */
  text: Schema.optionalKey(Schema.String)
})

/** Whole answer to a request: how well it is grounded, why, and the pack if there is one. */
export const GroundingOutcome = Schema.Struct({
  session_id: Schema.String,
  request_id: Schema.String,
  mode: GroundingMode,
  /** Joint result of the searches. Absent where none was wanted, and in older answers. */
  status: Schema.optionalKey(OutcomeStatus),
  /** Outcome in one word, which `llm_context` begins with. Absent in older answers. */
  reason: Schema.optionalKey(OutcomeReason),
  need: SearchNeed,
  plan: Schema.optionalKey(QueryPlan),
  /** Searches in the order they were sent. */
  searches: Schema.Array(SearchReport),
  pack: GroundingPack,
  /**
   * Two to four sentences: the surest claims, cited as `[1]`. Absent without claims, and where it
   * was not requested.
   */
  answer: Schema.optionalKey(Schema.String),
  /** Sources by the number that block, pack and views cite them by. Absent in older answers. */
  citations: Schema.optionalKey(Schema.Array(Citation)),
  /** `[SOURCES]` and `[EVIDENCE EXCERPTS]`, or empty. */
  evidence_block: Schema.String,
  /** Pages read, and the passages for the writer, best first. Absent without any. */
  evidence: Schema.optionalKey(Schema.Struct({
    sources: Schema.Array(EvidenceSource),
    chunks: Schema.Array(EvidenceChunk)
  })),
  /** Made of the sandbox's invented pages. Absent for the web. */
  sandbox: Schema.optionalKey(Schema.Literal(true)),
  /** Ready for a prompt: what happened in one line, then the evidence block if any. */
  llm_context: Schema.String,
  /** For the caller's developer: what to set or fix, in English. Absent where there is nothing. */
  notes: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Engine that answered each step taken, by step. */
  rungs: Schema.Record(Schema.String, Rung),
  budget: Schema.Struct({
    tier: Schema.String,
    limit: Schema.Int,
    spent_by_request: Schema.Int
  }),
  /** Earlier request of the session with the same need, whose answer is reused. */
  reused_from_request_id: Schema.optionalKey(Schema.String),
  /** Reused answer of another session of the tenant; `age_ms` is that of its oldest search. */
  cached: Schema.optionalKey(Schema.Struct({ age_ms: Schema.Finite, made_at: Schema.String }))
})
export type GroundingOutcome = typeof GroundingOutcome.Type

/** Whole answer in the cache: replay and erasure of its session need no other stream. */
export const CachedAnswer = GroundingOutcome.mapFields(Struct.pick([
  "mode",
  "need",
  "plan",
  "pack",
  "citations",
  "evidence_block",
  "llm_context",
  "rungs"
]))
export type CachedAnswer = typeof CachedAnswer.Type

export const CachedPack = Schema.Struct({
  answer: CachedAnswer,
  /** Arrival of the request that made it; ISO 8601. Evidence collected later is newer. */
  asked_at: Schema.String,
  /** Time of the oldest search that the answer rests on, in milliseconds since the epoch. */
  made_at_ms: Schema.Finite,
  /** Expiry, in milliseconds since the epoch. */
  fresh_until_ms: Schema.Finite,
  stream_id: Schema.String,
  event_id: Schema.String
})
export type CachedPack = typeof CachedPack.Type

export const isFresh = ({ fresh_until_ms }: CachedPack, nowMs: number): boolean =>
  nowMs < fresh_until_ms
