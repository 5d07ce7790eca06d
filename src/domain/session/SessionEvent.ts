/**
 * Facts of one session. Tags are the stored types: rename one and history is lost.
 *
 * The events hold everything that `NextStep` and replay need, and nothing that can be derived.
 */
import { Schema, Struct } from "effect"
import { SearchNeed } from "../need/ReasonCodes.ts"
import { GroundingPack, PackDraft } from "../pack/GroundingPack.ts"
import { JudgedClaim } from "../pack/Judgement.ts"
import { ChunkRef, Page } from "../page/Page.ts"
import { QueryPlan } from "../plan/QueryPlan.ts"
import { GroundingRequest } from "../request/GroundingRequest.ts"
import { OutlineFindings, ResearchDraft, ResearchFindings } from "../research/OutlineFindings.ts"
import { InternalDocument } from "../research/Research.ts"
import { StoreKnowledge } from "../retrieval/StoreKnowledge.ts"
import {
  Honoured,
  ProviderName,
  SearchAttempt,
  SearchHit,
  SearchStatus
} from "../search/SearchStatus.ts"
import { SitePolicy } from "../search/SitePolicy.ts"
import { Rung } from "./EngineDetail.ts"
import { CachedAnswer, GroundingOutcome } from "./GroundingOutcome.ts"
import { rulesVersionUnrecorded } from "./RulesVersion.ts"

/** ISO 8601 UTC with milliseconds. */
const Instant = Schema.String

/** Settings that shape the answer at the time of the request: replay needs the same. */
export const GroundingPolicy = Schema.Struct({
  pages_max: Schema.Int,
  chunks_max: Schema.Int,
  /** Length of the evidence block, in UTF-16 code units. */
  evidence_chars_max: Schema.Int,
  /** Entries of the evidence store in addition to the pages. Absent: it is not asked. */
  entries_max: Schema.optionalKey(Schema.Int),
  /** Caller and operator allow the pages that are read to be collected. Absent: they do not. */
  collects_pages: Schema.optionalKey(Schema.Literal(true)),
  /** The evidence block names addresses, beyond its characters. Absent: it does not. */
  block_addresses: Schema.optionalKey(Schema.Literal(true)),
  /** Domains that may be used. Absent: all. */
  sites: Schema.optionalKey(SitePolicy)
})

/** How much the policy of sites left out of an answer. Absent: nothing. */
const leftOut = { left_out: Schema.optionalKey(Schema.Natural) }

/** Restrictions of the search that the provider applied, and hits outside of the requested days. */
const narrowed = {
  honoured: Schema.optionalKey(Honoured),
  left_out_by_date: Schema.optionalKey(Schema.Natural)
}

export type GroundingPolicy = typeof GroundingPolicy.Type

const of = { request_id: Schema.String }

export const Requested = Schema.TaggedStruct("WEB_GROUNDING_REQUESTED", {
  ...of,
  request: GroundingRequest,
  requested_at: Instant,
  policy: GroundingPolicy,
  /** 128 random bits as hex: delimits untrusted text, so that no page can guess the delimiter. */
  boundary: Schema.String,
  rules_version: Schema.Int,
  /** Version of the language package then. Absent: `languageVersionUnrecorded`. */
  language_version: Schema.optionalKey(Schema.String)
})

export const Decided = Schema.TaggedStruct("WEB_GROUNDING_DECIDED", {
  ...of,
  proposed: SearchNeed,
  /** Need after phase and budget were applied. */
  need: SearchNeed,
  /** Further queries that the gate proposed, without PII. Absent: it was not asked. */
  queries: Schema.optionalKey(Schema.Array(Schema.String)),
  rung: Rung
})

export const QueryPlanned = Schema.TaggedStruct("WEB_GROUNDING_QUERY_PLANNED", {
  ...of,
  plan: QueryPlan,
  rung: Rung
})

/** The evidence store was asked before the web; the figures decide whether it knows enough. */
export const StoreAsked = Schema.TaggedStruct("WEB_GROUNDING_STORE_ASKED", {
  ...of,
  knowledge: StoreKnowledge,
  /** Best first. Their texts are kept outside the log. */
  entries: Schema.Array(Schema.Struct({ url: Schema.String, text_sha256: Schema.String }))
})

/** The intent, which by itself reserves one search of the session's budget. */
export const CallStarted = Schema.TaggedStruct("WEB_GROUNDING_CALL_STARTED", {
  ...of,
  call_id: Schema.String,
  /** 0-based index in the plan. */
  query_index: Schema.Natural,
  query: Schema.String,
  owner: Schema.String,
  /** The call has no answer after this time. */
  expires_at: Instant
})

export const Called = Schema.TaggedStruct("WEB_GROUNDING_CALLED", {
  ...of,
  call_id: Schema.String,
  query_index: Schema.Natural,
  status: SearchStatus,
  /** `in_doubt`: the process died before it knew. Spent; its query may be reserved once more. */
  detail: Schema.optionalKey(Schema.String),
  attempts: Schema.Array(SearchAttempt),
  hits: Schema.Array(SearchHit),
  tool_used: Schema.optionalKey(ProviderName),
  fallback_used: Schema.Boolean,
  duration_ms: Schema.Int,
  /** Cache key of this answer, and the milliseconds for which it may be reused. */
  cache: Schema.optionalKey(Schema.Struct({ key: Schema.String, fresh_ms: Schema.Finite })),
  /** Every provider failed, and `hits` are an earlier search's, of this age. */
  stale_age_ms: Schema.optionalKey(Schema.Finite),
  ...narrowed,
  ...leftOut
})

/** A planned query answered from the query cache: nothing was sent and nothing is spent. */
export const CacheUsed = Schema.TaggedStruct("WEB_GROUNDING_CACHE_USED", {
  ...of,
  query_index: Schema.Natural,
  query: Schema.String,
  status: Schema.Literals(["success", "no_results"]),
  hits: Schema.Array(SearchHit),
  age_ms: Schema.Finite,
  source_event_id: Schema.String,
  ...narrowed,
  ...leftOut
})

export const PackReused = Schema.TaggedStruct("WEB_GROUNDING_PACK_REUSED", {
  ...of,
  from_request_id: Schema.String
})

/** Another session of the tenant has answered the same need; its whole answer is reused. */
export const CachedPackUsed = Schema.TaggedStruct("WEB_GROUNDING_CACHED_PACK_USED", {
  ...of,
  source_stream_id: Schema.String,
  source_event_id: Schema.String,
  made_at: Instant,
  age_ms: Schema.Finite,
  answer: CachedAnswer
})

export const SearchStopped = Schema.TaggedStruct("WEB_GROUNDING_SEARCH_STOPPED", {
  ...of,
  reason: Schema.Literals(["deadline", "budget"])
})

/** A page as read. `text` is left out where the log holds it already or consent is missing. */
const RecordedPage = Page.mapFields((fields) => ({
  ...fields,
  text: Schema.optionalKey(Schema.String)
}))

export const EvidenceRead = Schema.TaggedStruct("WEB_GROUNDING_EVIDENCE_READ", {
  ...of,
  pages: Schema.Array(RecordedPage),
  /** Pages that the caller named and no reader could read, with a reader's word for why. */
  unread: Schema.optionalKey(
    Schema.Array(Schema.Struct({ url: Schema.String, reason: Schema.String }))
  ),
  /** Absent in older events. */
  read_at: Schema.optionalKey(Instant),
  ...leftOut,
  rung: Rung
})

export const EvidenceRanked = Schema.TaggedStruct("WEB_GROUNDING_EVIDENCE_RANKED", {
  ...of,
  /** Every passage's score, in reading order, for replay. */
  scored: Schema.Array(ChunkRef),
  /** Best first, at most the configured top K. */
  ranked: Schema.Array(ChunkRef),
  rung: Rung
})

export const Judging = Schema.Struct({
  /** Empty when none answered in time; unjudged claims rest on the checks of code alone. */
  judgements: Schema.Array(JudgedClaim),
  rung: Rung
})
export type Judging = typeof Judging.Type

export const PackCreated = Schema.TaggedStruct("WEB_GROUNDING_PACK_CREATED", {
  ...of,
  draft: PackDraft,
  pack: GroundingPack,
  /** Ceiling of confidence for the engine that wrote. 0 to 1. */
  confidence_max: Schema.Finite,
  /** Time by which the pack's freshness was judged. */
  written_at: Instant,
  /** Kept where the pages' texts are not. */
  evidence_block: Schema.optionalKey(Schema.String),
  /** Sources of that block by id, in its order. Absent without one, and in older events. */
  block_sources: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Absent where no judge was configured, or nothing was to be judged. */
  judging: Schema.optionalKey(Judging),
  rung: Rung
})

export const Researched = Schema.TaggedStruct("WEB_GROUNDING_RESEARCHED", {
  ...of,
  draft: ResearchDraft,
  findings: ResearchFindings,
  /** Passages of internal documents, for an outline. Absent where none was requested. */
  documents: Schema.optionalKey(Schema.Array(InternalDocument)),
  outline: Schema.optionalKey(OutlineFindings),
  researched_at: Instant,
  rung: Rung
})

export const Finished = Schema.TaggedStruct("WEB_GROUNDING_FINISHED", {
  ...of,
  outcome: GroundingOutcome,
  /** Version of the sentences that `outcome.llm_context` may begin with. */
  texts_version: Schema.Int,
  finished_at: Instant,
  /** Cache key of the answer, and the milliseconds for which other sessions may be given it. */
  cache: Schema.optionalKey(Schema.Struct({ key: Schema.String, fresh_ms: Schema.Finite }))
})

export const ShownToUser = Schema.TaggedStruct("WEB_GROUNDING_SHOWN_TO_USER", {
  ...of,
  audience: Schema.Literals(["roleplay_background", "coach", "user"]),
  shown_at: Instant
})

export const SessionEvent = Schema.Union([
  Requested,
  Decided,
  StoreAsked,
  QueryPlanned,
  CallStarted,
  Called,
  CacheUsed,
  SearchStopped,
  PackReused,
  CachedPackUsed,
  EvidenceRead,
  EvidenceRanked,
  PackCreated,
  Researched,
  Finished,
  ShownToUser
]).pipe(Schema.toTaggedUnion("_tag"))
export type SessionEvent = typeof SessionEvent.Type

export const sessionEventTypes = Struct.keys(SessionEvent.cases)

// Upcasts stored events when they are read; they are never rewritten.

type Json = Readonly<Record<string, unknown>>

/** Upcasters by stored type: the step from version 1 to 2, from 2 to 3, and so on. */
export const sessionUpcasters: Readonly<Record<string, ReadonlyArray<(data: Json) => Json>>> = {
  WEB_GROUNDING_REQUESTED: [
    // Version 2 adds the rules under which the request is answered.
    (data) => ({ ...data, rules_version: rulesVersionUnrecorded })
  ]
}
