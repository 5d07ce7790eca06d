/**
 * Shapes of inputs and answers as they go over the wire. Fields that an answer gains later are no
 * break of it. Written by `node scripts/clientContract.ts`; do not edit.
 */

/** A recorded event with its position in the log and its link of the hash chain. */
export interface EventView {
  readonly event_id: string
  readonly stream_id: string
  /** 1-based, in the session. */
  readonly stream_version: number
  /** Decimal digits: the number may exceed what a JSON number holds exactly. */
  readonly global_position: string
  readonly type: string
  readonly schema_version: number
  /** ISO 8601 UTC. */
  readonly recorded_at: string
  /** The request (its grounding id) this event belongs to. */
  readonly correlation_id: string
  /** The event or command that led to this one. */
  readonly causation_id: string
  /** Pseudonym of the caller or component, e.g. `service`, `cli`. */
  readonly actor: string
  /** `null` after erasure. */
  readonly data: unknown
  readonly payload_digest: string
  readonly hash: string
}

export type Tier = "standard" | "premium"

export type Phase = "session_setup" | "mid_chat"

/** Country, and perhaps city, that the question is about. */
export interface Region {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string
  /** At most 200 characters. */
  readonly city?: string
}

export type SearchDepth = "basic" | "advanced"

export type SearchTopic = "general" | "news" | "finance"

export type TimeRange = "day" | "week" | "month" | "year"

/**
 * Sources of the evidence, and how the store ranks it.
 * - `web_and_store`, or `hybrid`: the web, and the store by words and meaning fused.
 * - `web`: the web alone.
 * - `store`: the store alone, without a search.
 * - `store_first`: the store, and the web only where it knows too little.
 * - `vector_first`: likewise, with vector matches before word matches.
 */
export type Sources = "web_and_store" | "hybrid" | "web" | "store" | "store_first" | "vector_first"

export interface CourseWish {
  /** At most 250 characters. */
  readonly course_title: string
  /** Audience of the course, e.g. `professionals`. At most 100 characters. */
  readonly audience_category?: string
  /** How deep, e.g. `implementation`. At most 100 characters. */
  readonly depth_requirement?: string
  /** How it is taught, e.g. `self_paced`. At most 100 characters. */
  readonly learning_mode?: string
  /** `outline`: its modules and outcomes are recorded too. */
  readonly purpose?: "outline"
}

/** Input of `ground` as a caller sends it: an absent `request_id` is generated. */
export interface GroundInput {
  /**
   * The turns of a chat share it. It has two searches, four if its first request is `premium`.
   * At most 200 characters.
   */
  readonly session_id: string
  /**
   * Idempotency key within the session: the same key asks for the same answer.
   * At most 200 characters.
   */
  readonly request_id?: string
  /** Of the whole session, by its first request. Default: `"standard"`. */
  readonly tier?: Tier
  /** Absent: `session_setup` until the set-up has been answered, then `mid_chat`. */
  readonly phase?: Phase
  /** The question, or what `user_question` is about. At most 2000 characters. */
  readonly topic: string
  /** The application's name for this kind of conversation. At most 200 characters. */
  readonly template_id?: string
  readonly region?: Region
  /**
   * Pseudonym of the session's user, to erase all sessions of a user. Sent nowhere.
   * At most 200 characters.
   */
  readonly subject?: string
  /**
   * BCP 47. Language of messages and of a model's claims. At most 35 characters.
   * Default: `"en"`.
   */
  readonly locale?: string
  /**
   * The user's words. No earlier turn is read: of "and in winter?" the `topic` is the subject.
   * At most 2000 characters.
   */
  readonly user_question?: string
  /**
   * What the conversation holds already: a question that one of them answers is not searched.
   * At most 50.
   * Default: `[]`.
   */
  readonly known_facts?: ReadonlyArray<string>
  /**
   * What it still lacks, e.g. `monthly_rent`: searched in the set-up, else asked of the user.
   * At most 50.
   * Default: `[]`.
   */
  readonly unknown_required_slots?: ReadonlyArray<string>
  /** The user wants something looked up: searched in either phase. Default: `false`. */
  readonly user_asked_for_facts?: boolean
  /**
   * The conversation cannot go on without a real fact: searched in `mid_chat`, too.
   * Default: `false`.
   */
  readonly realism_blocked?: boolean
  /** Raw page text and model output are stored only with it. Default: `false`. */
  readonly consent_raw_content?: boolean
  /** Pages read for it may be kept in the evidence store, where the operator collects pages. */
  readonly allow_collecting?: boolean
  /** `verbatim`: claims keep their sources' own words, even if a judge confirmed others. */
  readonly wording?: "verbatim"
  /** `short`: the outcome has an `answer` of a few sentences, made of its claims. */
  readonly answer?: "short"
  /**
   * Milliseconds from arrival to answer. Default: 45,000 standard, 90,000 premium.
   * 250 to 120000.
   */
  readonly deadline_ms?: number
  readonly overrides?: {
    readonly search_depth?: SearchDepth
    readonly topic?: SearchTopic
    /** 0 to 3. 0 forbids searching. */
    readonly max_queries?: number
    /** Sent unchanged but for PII, instead of a gate's and a planner's queries. At most 3. */
    readonly queries?: ReadonlyArray<string>
    /** At most 50. */
    readonly include_domains?: ReadonlyArray<string>
    /** At most 50. */
    readonly exclude_domains?: ReadonlyArray<string>
    readonly time_range?: TimeRange
    /** First and last day of publication. Undated results are kept. At most 10 characters. */
    readonly published_from?: string
    /** At most 10 characters. */
    readonly published_until?: string
    /**
     * Milliseconds for one attempt at one provider, where fewer than the service's own.
     * 250 to 30000.
     */
    readonly search_timeout_ms?: number
    /**
     * Pages that are read for this request, best first. Default: the service's own.
     * 1 to 20.
     */
    readonly max_sources?: number
    /**
     * Length from which a passage ends with its paragraph, in UTF-16 code units. Default: the
     * service's own.
     * 200 to 4000.
     */
    readonly chunk_size?: number
    /**
     * Passages given to the writer, the best of all pages. Default: the service's own.
     * 1 to 20.
     */
    readonly top_k?: number
    /** Default: `web_and_store`. */
    readonly sources?: Sources
  }
  /** The sources are also read for a course: its topics, modules, aims and skills are recorded. */
  readonly course?: CourseWish
}

/**
 * - `grounded`: Claims rest on pages that were read.
 * - `partial`: There are claims, but some search failed.
 * - `snippets_only`: Claims rest on the provider's snippets only.
 * - `stale_cache`: Every provider failed; claims rest on an earlier search's hits, whose age is stated.
 * - `ungrounded`: A search was wanted and gave no answer; claims of the pack are background.
 * - `not_searched`: The gate found no need, or phase and budget forbade it.
 */
export type GroundingMode =
  | "grounded"
  | "partial"
  | "snippets_only"
  | "stale_cache"
  | "ungrounded"
  | "not_searched"

/** Joint result of the searches. `stale`: none answered, and hits of an earlier one are used. */
export type OutcomeStatus = SearchStatus | "stale"

/**
 * Outcome of a request in one word; each is explained in `OutcomeReason.ts`.
 * - `answered`: Claims rest on sources that were found for it.
 * - `answered_from_cache`: As `answered`; every search was answered by the cache.
 * - `answered_before`: The same need was answered before; its pack is given again, and nothing was spent.
 * - `answered_from_store`: Claims rest on the evidence store alone; the web was not searched.
 * - `answered_in_part`: There are claims, and some search failed: there may be more to find.
 * - `answered_from_old_results`: Every provider failed; claims rest on results of an earlier search.
 * - `listed`: Hits or page texts alone were wanted: they were handed out, and no pack was written.
 * - `sources_disagree`: Sources answer, and contradict each other; no claim is accepted.
 * - `question_not_answered`: Pages were read, and none of them answers.
 * - `not_answered_in_part`: As `question_not_answered` or `nothing_found`, and some search failed besides.
 * - `nothing_found`: The search worked and found nothing.
 * - `nothing_stored`: The evidence store alone was asked, and holds nothing on it.
 * - `search_failed`: Every search failed, and nothing older was kept.
 * - `known_enough`: Not searched: the known facts answer it.
 * - `nothing_to_look_up`: Not searched: nothing that can be looked up is asked.
 * - `refers_to_nothing`: Not searched: the question points at something that was not said.
 * - `budget_exhausted`: Not searched: the session has no search left, or the caller granted none.
 * - `phase_not_eligible`: Not searched: the set-up has been answered, and the turn neither asks for facts nor is blocked.
 */
export type OutcomeReason =
  | "answered"
  | "answered_from_cache"
  | "answered_before"
  | "answered_from_store"
  | "answered_in_part"
  | "answered_from_old_results"
  | "listed"
  | "sources_disagree"
  | "question_not_answered"
  | "not_answered_in_part"
  | "nothing_found"
  | "nothing_stored"
  | "search_failed"
  | "known_enough"
  | "nothing_to_look_up"
  | "refers_to_nothing"
  | "budget_exhausted"
  | "phase_not_eligible"

/**
 * - `USER_ASKED`: The user asked for facts or sources.
 * - `POLICY_LEGAL`: The answer is a law, a rule, a right or a duty.
 * - `CULTURE_NORMS`: The answer depends on customs and manners of a place.
 * - `TIME_SENSITIVE`: The answer changes with time.
 * - `NICHE_ENTITY`: The question names something that few people know.
 * - `COMMON_PRACTICE`: The question asks how something is usually done; also given when no other reason fits.
 * - `KNOWN_ENOUGH`: The known facts of the request, or the store, answer it.
 * - `PERSONAL_OR_CREATIVE`: Nothing that can be looked up is asked.
 * - `REFERS_TO_NOTHING`: The question points at something that nothing in the request names; the user is asked.
 * - `BUDGET_EXHAUSTED`: The session has no search left, or the caller granted none.
 * - `PHASE_NOT_ELIGIBLE`: The set-up has been answered, and the turn neither asks for facts nor is blocked.
 */
export type ReasonCode =
  | "USER_ASKED"
  | "POLICY_LEGAL"
  | "CULTURE_NORMS"
  | "TIME_SENSITIVE"
  | "NICHE_ENTITY"
  | "COMMON_PRACTICE"
  | "KNOWN_ENOUGH"
  | "PERSONAL_OR_CREATIVE"
  | "REFERS_TO_NOTHING"
  | "BUDGET_EXHAUSTED"
  | "PHASE_NOT_ELIGIBLE"

export interface SearchNeed {
  readonly need_search: boolean
  /** Reason codes, the main one first. Never empty. */
  readonly reason_codes: ReadonlyArray<ReasonCode>
  /** 0 exactly when `need_search` is false. 0 to 3. */
  readonly max_queries: number
  /** 1 to 10. */
  readonly max_sources_per_query: number
  readonly search_depth: SearchDepth
  readonly topic: SearchTopic
}

/** Checked on the hits. `FREE_TEXT` occurs in older plans alone and decides nothing. */
export type StopCondition = {
  readonly _tag: "N_REPUTABLE_SOURCES_AGREE"
  readonly count: number
} | {
  readonly _tag: "OFFICIAL_SOURCE_FOUND"
} | {
  readonly _tag: "ENOUGH_RESULTS"
  readonly count: number
} | {
  readonly _tag: "FREE_TEXT"
  readonly text: string
}

export interface QueryPlan {
  /** Best first, no two alike, without PII. At most 3. */
  readonly queries: ReadonlyArray<string>
  /** Words or phrases the evidence must hold; while one is missing, the next query is sent. */
  readonly must_have_evidence: ReadonlyArray<string>
  /** All must hold to skip the remaining queries. Empty: never. */
  readonly stop_conditions: ReadonlyArray<StopCondition>
}

/**
 * - `success`: The provider answered with hits.
 * - `no_results`: The provider answered, and nothing was found or nothing was good enough.
 * - `api_key_missing`: The provider needs a key and none is set; it was not asked.
 * - `network_error`: The provider could not be reached, disconnected, or failed.
 * - `timeout`: No answer came within the time of the attempt or of the request.
 * - `rate_limited`: The provider was asked too often with this key or from this address.
 * - `unknown_error`: The provider's answer does not fit its format.
 * - `invalid_key`: The provider does not know the key.
 * - `quota_exhausted`: The key has spent what its plan, or our own ceiling for the month, allows.
 * - `bad_request`: The provider refused the query.
 * - `circuit_open`: The provider failed so often that it was not asked.
 */
export type SearchStatus =
  | "success"
  | "no_results"
  | "api_key_missing"
  | "network_error"
  | "timeout"
  | "rate_limited"
  | "unknown_error"
  | "invalid_key"
  | "quota_exhausted"
  | "bad_request"
  | "circuit_open"

export type KnownProvider =
  | "tavily"
  | "duckduckgo"
  | "serpapi"
  | "searxng"
  | "brave"
  | "brave_context"
  | "exa"
  | "serper"
  | "custom"
  | "mock"

/**
 * Provider in records. A later release's unknown name is kept: two releases can read each other.
 */
export type ProviderName = KnownProvider | string

/**
 * How the provider applied a restriction: exactly, by the nearest option, or not. Absent: none set.
 */
export type Honour = "applied" | "approximated" | "ignored"

export interface Honoured {
  readonly published?: Honour
  readonly time_range?: Honour
  readonly country?: Honour
  /** Of any language but English. */
  readonly language?: Honour
}

export interface SearchReport {
  readonly query: string
  readonly status: SearchStatus
  readonly detail?: string
  readonly tool_used?: ProviderName
  readonly fallback_used: boolean
  readonly hits_count: number
  /** Age of the query cache's answer: nothing was sent and nothing spent. */
  readonly cached_age_ms?: number
  /** Every provider failed; the hits are an earlier search's, of this age. */
  readonly stale_age_ms?: number
  readonly honoured?: Honoured
  readonly left_out_by_date?: number
}

/** `verbatim`: the source's words; `judged`: a model's, which a judge found entailed. */
export type ClaimWording = "verbatim" | "judged"

/**
 * `primary`: a public body, a university, a body that makes standards. `known`: a site with a
 * public record, which a page cannot join by itself. Other sources have no class.
 */
export type SourceClass = "primary" | "known"

/** A verbatim quote: `text === source.slice(start, end)`. */
export interface Quote {
  readonly text: string
  /** UTF-16 code-unit index into the source's text. */
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** `exact`: the writer's words; `normalised`: found up to white space, quotes and width. */
  readonly match: "exact" | "normalised"
}

export interface CitedSource {
  readonly source_id: string
  /** Number in the whole answer, from 1. Absent before the answer and in older packs. */
  readonly n?: number
  readonly url: string
  readonly title: string
  readonly site: string
  readonly official: boolean
  /** Absent where the source has no class, and in older packs. */
  readonly source_class?: SourceClass
  /** From 1: sources of a claim with one number are one origin. Absent in older packs. */
  readonly origin?: number
  readonly published_date?: string
  /** Modification date that the page states, if plausible. ISO 8601. */
  readonly modified_date?: string
  /** SHA-256 of the text that the offsets index, lower-case hex. */
  readonly text_sha256: string
  /** Empty only under `disputed_or_uncertain`. */
  readonly quotes: ReadonlyArray<Quote>
}

/** Whether the quotes support the claim, apart from whether they were found. */
export type Support = "supported" | "partly" | "unsupported" | "contradicted" | "no_check_needed"

/**
 * Why a claim is listed under `disputed_or_uncertain`.
 * - `opposite_of_quote`: A copy with a word's opposite, a bound turned round, or two parties exchanged.
 * - `not_asserted`: The quotation holds the words, but asks, doubts or supposes them.
 * - `not_comparable`: The claim is in another script than its quotations, and nothing has compared them.
 * - `overtaken_by_newer_source`: The claim is of an earlier time: a newer source has another figure, or reports its end.
 * - `beside_question`: True of its source, but no answer to the question.
 * - `low_confidence`: Too unsure to be used as a fact; shown only where nothing surer is left.
 */
export type DemotionReason =
  | "quote_not_found"
  | "unknown_source"
  | "no_citation"
  | "number_not_in_quote"
  | "date_not_in_quote"
  | "name_not_in_quote"
  | "negation_mismatch"
  | "opposite_of_quote"
  | "not_in_quote"
  | "not_asserted"
  | "not_comparable"
  | "contradicted_by_other_source"
  | "overtaken_by_newer_source"
  | "needs_official_or_second_source"
  | "flagged_source"
  | "beside_question"
  | "low_confidence"
  | "judged_unsupported"
  | "judged_contradicted"

/** A statement with the quotations that were found for it in fetched text. */
export interface Claim {
  readonly text: string
  /** Absent in older packs, and where nothing was found to quote. */
  readonly wording?: ClaimWording
  /** BCP 47, by script and common words. Absent in older packs. */
  readonly language?: string
  readonly sources: ReadonlyArray<CitedSource>
  /** 0 to 1. */
  readonly confidence: number
  readonly support: Support
  /** Date of the newest source that supports the claim, when one states it; ISO 8601. */
  readonly as_of?: string
  /** A judge was configured and gave no judgement: only the checks of code apply. */
  readonly unverified_infra?: true
  /** Background: on the same matter but no answer, with a confidence below the usable minimum. */
  readonly beside_question?: true
  /** Number of independent origins. Absent in older packs. */
  readonly origins?: number
  readonly primary?: true
  /** Site that each of its sources credits, none of whose pages was read. */
  readonly credited_to?: string
  /** Texts of contradicting claims of the pack. Absent in older packs. */
  readonly against?: ReadonlyArray<string>
  /** Present exactly under `disputed_or_uncertain`. */
  readonly reason?: DemotionReason
}

export interface UserQuestion {
  readonly q: string
  readonly why: string
}

/**
 * - `based_on_sources_not_legal_advice`: "Based on sources", never legal advice.
 * - `consider_professional_advice`: Law, health or money is decided: a professional may know what the sources do not.
 * - `extractive`: Written by the local engine: sentences are quoted, not composed.
 * - `llm_failed`: The LLM failed and the local engine took over.
 * - `judge_failed`: A judge was configured and gave no judgement: no surer than without a model.
 * - `suspicious_source`: A source holds text that looks like instructions.
 * - `may_be_outdated`: The newest source is too old for a time-sensitive question.
 * - `sources_may_disagree`: Sites seem to answer differently, or speak of different things of one name.
 * - `in_other_language`: A claim is in its source's language, which is not that of the request's locale.
 * - `surer_together`: The claims together are likelier to hold the answer than the best of them alone.
 * - `sites_left_out`: Hits or pages of sites that the policy forbids were left out.
 * - `question_not_answered`: Pages were read, and no quotation seems to answer the question.
 */
export type PackNote =
  | "based_on_sources_not_legal_advice"
  | "consider_professional_advice"
  | "extractive"
  | "llm_failed"
  | "judge_failed"
  | "suspicious_source"
  | "may_be_outdated"
  | "sources_may_disagree"
  | "in_other_language"
  | "surer_together"
  | "sites_left_out"
  | "question_not_answered"

/** Checked claims by section, their sources, and how far they can be relied on. */
export interface GroundingPack {
  readonly key_points: ReadonlyArray<Claim>
  readonly norms_and_expectations: ReadonlyArray<Claim>
  readonly constraints_and_rules: ReadonlyArray<Claim>
  readonly disputed_or_uncertain: ReadonlyArray<Claim>
  readonly what_to_ask_user: ReadonlyArray<UserQuestion>
  /** 0 to 1; exactly 0 without claims. ≥ 0.7 high, 0.3–0.7 usable, below not usable. */
  readonly confidence: number
  readonly as_of?: string
  readonly notes: ReadonlyArray<PackNote>
}

export interface Citation {
  /** Number of the source throughout the answer, from 1. */
  readonly n: number
  readonly url: string
  readonly title: string
  readonly site: string
  readonly official: boolean
  /** Publication date that the page states; ISO 8601. */
  readonly published?: string
  /**
   * When its text was read for this answer; ISO 8601. Absent for entries of the evidence store.
   */
  readonly read_at?: string
}

export interface EvidenceSource {
  readonly source_id: string
  /** Number of the source in the whole answer. Absent where nothing cites it. */
  readonly n?: number
  readonly url: string
  readonly title: string
  readonly site: string
  readonly official: boolean
  readonly published_date?: string
  /** Reader of the page: `web`, `jina`, `store`; `snippet` is the search provider's own words. */
  readonly reader: string
}

export interface EvidenceChunk {
  /** Index of its source in `sources`, from 0. */
  readonly source_index: number
  /** Offsets in the text of its source, in UTF-16 code units; `end` is exclusive. */
  readonly start: number
  readonly end: number
  /** Score by the ranker that answered; comparable within one answer only. */
  readonly score: number
  /**
   * Untrusted text of the web without invisible and control characters. Of pages only with
   * `consent_raw_content`; of snippets always. Not recorded with the answer.
   */
  readonly text?: string
}

export type EngineFault = "timeout" | "unreachable" | "refused" | "malformed" | "truncated"

/**
 * Why an engine in the order of preference (a rung) gave no answer, so that the next was asked.
 */
export interface RungFault {
  readonly engine: string
  readonly reason: EngineFault
  /** E.g. `robots`, `http_404`, `too_large`. */
  readonly detail?: string
}

export interface ModelUsage {
  /** Model name that the server states, else the requested one. */
  readonly model: string
  /** Absent (unknown) where the server left it out for any of the requests. */
  readonly prompt_tokens?: number
  /** Sum over the answers. Absent like `prompt_tokens`. */
  readonly completion_tokens?: number
  /** Requests sent, repairs included. */
  readonly requests: number
  /** Millionths of a US dollar; absent where no price is set, or tokens are unknown. */
  readonly cost_micros?: number
}

/** Engine that answered a step, and the ones before it that failed. */
export interface Rung {
  readonly engine: string
  readonly version: string
  /** Engines that were asked first and failed, in order. Empty: nothing was degraded. */
  readonly faults: ReadonlyArray<RungFault>
  /** Absent: no model was asked. */
  readonly usage?: ModelUsage
}

/** Whole answer to a request: how well it is grounded, why, and the pack if there is one. */
export interface GroundingOutcome {
  readonly session_id: string
  readonly request_id: string
  readonly mode: GroundingMode
  /** Joint result of the searches. Absent where none was wanted, and in older answers. */
  readonly status?: OutcomeStatus
  /** Outcome in one word, which `llm_context` begins with. Absent in older answers. */
  readonly reason?: OutcomeReason
  readonly need: SearchNeed
  readonly plan?: QueryPlan
  /** Searches in the order they were sent. */
  readonly searches: ReadonlyArray<SearchReport>
  readonly pack: GroundingPack
  /**
   * Two to four sentences: the surest claims, cited as `[1]`. Absent without claims, and where it
   * was not requested.
   */
  readonly answer?: string
  /** Sources by the number that block, pack and views cite them by. Absent in older answers. */
  readonly citations?: ReadonlyArray<Citation>
  /** `[SOURCES]` and `[EVIDENCE EXCERPTS]`, or empty. */
  readonly evidence_block: string
  /** Pages read, and the passages for the writer, best first. Absent without any. */
  readonly evidence?: {
    readonly sources: ReadonlyArray<EvidenceSource>
    readonly chunks: ReadonlyArray<EvidenceChunk>
  }
  /** Made of the sandbox's invented pages. Absent for the web. */
  readonly sandbox?: true
  /** Ready for a prompt: what happened in one line, then the evidence block if any. */
  readonly llm_context: string
  /** For the caller's developer: what to set or fix, in English. Absent where there is nothing. */
  readonly notes?: ReadonlyArray<string>
  /** Engine that answered each step taken, by step. */
  readonly rungs: Readonly<Record<string, Rung>>
  readonly budget: {
    readonly tier: string
    readonly limit: number
    readonly spent_by_request: number
  }
  /** Earlier request of the session with the same need, whose answer is reused. */
  readonly reused_from_request_id?: string
  /** Reused answer of another session of the tenant; `age_ms` is that of its oldest search. */
  readonly cached?: {
    readonly age_ms: number
    readonly made_at: string
  }
}

export interface SessionPageInput {
  /** At most 200 characters. */
  readonly session_id: string
  /** Version after which the events begin. Default 0: the first event. 0 to 2147483647. */
  readonly after?: number
  /** 1 to 200. Default: `100`. */
  readonly limit?: number
}

/** Events of a session, oldest first, and the start of the next page. */
export interface SessionPage {
  readonly session_id: string
  readonly events: ReadonlyArray<EventView>
  /** Time of the content's erasure, ISO 8601 UTC: the events have no data any more. */
  readonly erased_at?: string
  /** Value of `after` for the next page. Absent on the last one. */
  readonly next?: number
}

export interface PackInput {
  /** At most 200 characters. */
  readonly session_id: string
  /** At most 200 characters. */
  readonly request_id: string
}

/** Audience of a view, or a host of models whose shape it has; a user is shown the pack. */
export type ViewAudience = "roleplay_background" | "coach" | "anthropic" | "openai" | "gemini"

export interface ViewInput {
  /** At most 200 characters. */
  readonly session_id: string
  /** At most 200 characters. */
  readonly request_id: string
  readonly audience: ViewAudience
}

export type Section = "key_points" | "norms_and_expectations" | "constraints_and_rules"

/** Facts that a played character may know, without sources or doubts. */
export interface RoleplayBackground {
  readonly audience: "roleplay_background"
  /** Rules, norms, key points; surest first in each. At most 24. */
  readonly facts: ReadonlyArray<{
    readonly section: Section
    readonly text: string
  }>
  /** Number of the pack's claims that are left out, disputed ones included. */
  readonly left_out: number
  readonly notes: ReadonlyArray<PackNote>
  /** The facts between delimiters for a prompt; empty when there are none. */
  readonly text: string
}

/**
 * Why a claim needs care.
 * - `beside_question`: On the same matter, but no answer.
 * - `low_confidence`: The claim's confidence is below what callers may use.
 * - `single_source`: One site says it, or several with near-duplicate texts, and none is official.
 * - `unverified_infra`: A judge was configured and gave no judgement.
 */
export type CoachDoubt =
  | "beside_question"
  | "low_confidence"
  | "partly_supported"
  | "single_source"
  | "unverified_infra"

export interface CoachClaim {
  readonly section: Section
  readonly text: string
  /** 0 to 1. */
  readonly confidence: number
  readonly citations: ReadonlyArray<{
    readonly source: number
    /** Verbatim from the source. Empty only for disputed claims. */
    readonly quotes: ReadonlyArray<string>
  }>
  readonly doubts: ReadonlyArray<CoachDoubt>
}

export interface DisputedClaim {
  readonly text: string
  /** 0 to 1. */
  readonly confidence: number
  readonly citations: ReadonlyArray<{
    readonly source: number
    /** Verbatim from the source. Empty only for disputed claims. */
    readonly quotes: ReadonlyArray<string>
  }>
  readonly reason?: DemotionReason
}

/** Pack for a coach: claims with their sources and doubts, the disputed ones apart. */
export interface CoachView {
  readonly audience: "coach"
  /** Rules, norms, key points; surest first in each. */
  readonly claims: ReadonlyArray<CoachClaim>
  /** Claims that must not be stated as facts: contradicted, or unsure. */
  readonly disputed: ReadonlyArray<DisputedClaim>
  /** Rules that one source alone states, and no official one. */
  readonly one_source: ReadonlyArray<DisputedClaim>
  /** Claims that are true of their sources and answer something else. */
  readonly beside_question: ReadonlyArray<DisputedClaim>
  readonly sources: ReadonlyArray<{
    readonly number: number
    readonly title: string
    readonly site: string
    readonly url: string
    readonly official: boolean
    readonly published_date?: string
    readonly modified_date?: string
  }>
  readonly what_to_ask_user: ReadonlyArray<UserQuestion>
  /** Confidence of the pack, 0 to 1. */
  readonly confidence: number
  readonly as_of?: string
  readonly notes: ReadonlyArray<PackNote>
  /** All of it between delimiters for a prompt; empty without claims and questions. */
  readonly text: string
}

/** The pack's claims as Anthropic's `search_result` blocks, which Claude cites natively. */
export interface AnthropicView {
  readonly audience: "anthropic"
  readonly text: string
  readonly content: ReadonlyArray<{
    readonly type: "search_result"
    readonly source: string
    readonly title: string
    /** The source's quotations, verbatim. */
    readonly content: ReadonlyArray<{
      readonly type: "text"
      readonly text: string
    }>
    readonly citations: {
      readonly enabled: true
    }
  }>
}

/** The pack's claims as OpenAI's Responses API returns them after its own search. */
export interface OpenAiView {
  readonly audience: "openai"
  readonly text: string
  readonly content: ReadonlyArray<{
    readonly type: "output_text"
    readonly text: string
    readonly annotations: ReadonlyArray<{
      readonly type: "url_citation"
      /** Offsets of the number in brackets, in UTF-16 code units; `end_index` is exclusive. */
      readonly start_index: number
      readonly end_index: number
      readonly url: string
      readonly title: string
    }>
  }>
}

export interface GeminiView {
  readonly audience: "gemini"
  readonly text: string
  readonly groundingMetadata: {
    readonly groundingChunks: ReadonlyArray<{
      readonly web: {
        readonly uri: string
        readonly title: string
      }
    }>
    readonly groundingSupports: ReadonlyArray<{
      /** Offsets of the claim in `text`, in bytes of UTF-8; `endIndex` is exclusive. */
      readonly segment: {
        readonly startIndex: number
        readonly endIndex: number
        readonly text: string
      }
      readonly groundingChunkIndices: ReadonlyArray<number>
      readonly confidenceScores: ReadonlyArray<number>
    }>
  }
}

export type PackView = RoleplayBackground | CoachView | AnthropicView | OpenAiView | GeminiView

/** A recorded request whose pack was shown to a user. */
export interface ShownInput {
  /** At most 200 characters. */
  readonly session_id: string
  /** At most 200 characters. */
  readonly request_id: string
  readonly audience: "roleplay_background" | "coach" | "user"
}

export interface ResearchInput {
  /** Absent: a session of its own, under the request's id. At most 200 characters. */
  readonly session_id?: string
  /** A repeated one is answered from the log. Default: generated. At most 200 characters. */
  readonly request_id?: string
  /** At most 250 characters. */
  readonly course_title: string
  /**
   * Audience of the course, e.g. `professionals`. At most 100 characters.
   * Default: `"general"`.
   */
  readonly audience_category?: string
  /** How deep, e.g. `implementation`. At most 100 characters. Default: `"introduction"`. */
  readonly depth_requirement?: string
  /**
   * How it is taught, e.g. `self_paced`. At most 100 characters.
   * Default: `"self_paced"`.
   */
  readonly learning_mode?: string
  /** At most 35 characters. Default: `"en"`. */
  readonly locale?: string
  readonly region?: Region
  /** 250 to 30000. Default: `5000`. */
  readonly timeout_ms?: number
  /**
   * Queries that may be sent; an existing session's remaining searches still apply.
   * 1 to 3.
   * Default: `3`.
   */
  readonly search_budget?: number
  /** 1 to 10. Default: `2`. */
  readonly min_results?: number
  /** 0.3 to 1. Default: `0.7`. */
  readonly confidence_threshold?: number
  /**
   * `enabled`: never fails; `blocking`: fails when no search is answered; `skip`: no search.
   * Default: `"enabled"`.
   */
  readonly mode?: "enabled" | "blocking" | "skip"
}

export interface RecommendedModule {
  readonly title: string
  readonly description: string
  readonly source_url: string
}

export interface SourceLink {
  readonly url: string
  readonly title: string
  /** Registrable domain. */
  readonly site: string
}

/** Findings about a course's subject, with their sources and a confidence. */
export interface Research {
  readonly search_query: string
  readonly search_summary: string
  readonly key_topics_found: ReadonlyArray<string>
  readonly recommended_modules: ReadonlyArray<RecommendedModule>
  readonly source_links: ReadonlyArray<SourceLink>
  readonly learning_objectives_found: ReadonlyArray<string>
  readonly skillset_recommendations: ReadonlyArray<string>
  /** 0 to 1; exactly 0 when nothing was found. */
  readonly confidence_score: number
  readonly result_count: number
  /** Pages among these that are official or that the provider rates well. */
  readonly high_quality_result_count: number
  /** The provider that answered most. `unknown`: none did. */
  readonly tool_used: ProviderName | "unknown"
  /** ISO 8601 UTC, when it was asked. */
  readonly execution_timestamp: string
  readonly execution_time_ms: number
  /** A provider after the first one answered, or none did. */
  readonly fallback_used: boolean
  /** How the searches went, and what limits the confidence. */
  readonly search_notes: string
  /** `confidence_score` is 0.3 or more. */
  readonly is_usable: boolean
  /** `confidence_score` is the caller's `confidence_threshold` or more. */
  readonly is_high_confidence: boolean
}

export type Origin = "internal" | "external"

/** Support of a module or an outcome, in the source's own words. */
export interface Bearing {
  readonly type: Origin
  readonly title: string
  /** The document's id where it has no address. */
  readonly url: string
  readonly quote: string
}

export interface OutlineModule {
  readonly title: string
  readonly description: string
  readonly references_from: ReadonlyArray<Bearing>
}

export interface Reference {
  readonly from: Origin
  readonly title: string
  /** The document's id where it has no address. */
  readonly url: string
}

export interface InternalDocument {
  readonly title: string
  /** The document's id where it has no address. */
  readonly url: string
  readonly text: string
}

/** Knowledge stage by stage: the input, internal documents, the web's results. */
export interface ExecutionContext {
  readonly user_input: ResearchInput
  readonly session_id: string
  readonly timestamps: {
    readonly started: string
    readonly finished: string
  }
  readonly retrieved_documents: {
    readonly chunks: ReadonlyArray<InternalDocument>
    readonly summary: string
  }
  readonly web_search_results: {
    readonly topics: ReadonlyArray<string>
    readonly links: ReadonlyArray<string>
    readonly confidence: number
  }
}

export interface OutlineAnswer {
  readonly course_title: string
  readonly modules: ReadonlyArray<OutlineModule>
  readonly learning_outcomes: ReadonlyArray<string>
  /** Support of each outcome, in the same order. */
  readonly learning_outcomes_from: ReadonlyArray<Bearing>
  /** Hours of reading the supporting sources, and of practice; 0 without modules. */
  readonly total_duration_hours: number
  readonly references: ReadonlyArray<Reference>
  /** What made the outline, and what was left out of it. */
  readonly outline_notes: string
  readonly execution_context: ExecutionContext
}

export interface HealthInput {
  /** Hours up to now. Default 24. 1 to 168. */
  readonly hours?: number
}

/** Figures of any number of attempts. Rates are 0 to 1 and absent without attempts. */
export interface Figures {
  readonly attempts: number
  /** Attempts by status; every status has an entry. */
  readonly web_search_total: Readonly<Record<string, number>>
  readonly web_search_share: Readonly<Record<string, number>>
  readonly web_search_success_rate?: number
  readonly web_search_timeout_rate?: number
  /** Hits of a successful attempt; absent without one. */
  readonly web_search_avg_results?: number
  /** Percentiles of three and more are estimates; absent when no provider was contacted. */
  readonly web_search_latency_ms?: {
    readonly avg: number
    readonly p50: number
    readonly p95: number
    readonly p99: number
    readonly max: number
  }
}

export interface KeyFigures {
  readonly provider: ProviderName
  readonly key_slot?: number
  readonly attempts: number
  /** Attempts by status; every status has an entry. */
  readonly web_search_total: Readonly<Record<string, number>>
  readonly web_search_share: Readonly<Record<string, number>>
  readonly web_search_success_rate?: number
  readonly web_search_timeout_rate?: number
  /** Hits of a successful attempt; absent without one. */
  readonly web_search_avg_results?: number
  /** Percentiles of three and more are estimates; absent when no provider was contacted. */
  readonly web_search_latency_ms?: {
    readonly avg: number
    readonly p50: number
    readonly p95: number
    readonly p99: number
    readonly max: number
  }
}

/** State of one key. A cooling key is usable again from `until` on. */
export interface KeyHealth {
  readonly provider: ProviderName
  readonly key_slot: number
  readonly state: "usable" | "cooling" | "disabled" | "missing"
  /** ISO 8601 UTC; of a missing key the first attempt that missed it. */
  readonly since: string
  /** End of a cooling key's cool-down, ISO 8601 UTC. */
  readonly until?: string
  /**
   * `invalid_key` (401), `forbidden` (403), `rate_limited` (429), `quota_exhausted` (432, 433).
   */
  readonly reason?: string
}

export interface CreditUse {
  readonly provider: ProviderName
  readonly key_slot: number
  /** `YYYY-MM` in UTC, by the clock of the ledger. */
  readonly month: string
  /** Credits in our ledger, read before the provider was asked. */
  readonly counted: number
  readonly reported: number
  readonly limit?: number
  /** ISO 8601 UTC. */
  readonly at: string
}

/** Change of the log from outside the service, as this process met it. */
export interface LogTampered {
  readonly _tag: "LogTampered"
  readonly severity: "critical"
  readonly tenant_id: string
  readonly session_id: string
  readonly stream_id: string
  readonly version: number
  readonly kind: string
  /** Time at which this process met it first; ISO 8601 UTC. */
  readonly since: string
}

export interface LogUnsound {
  readonly _tag: "LogUnsound"
  readonly severity: "critical"
  readonly faults_count: number
  readonly kind: string
  readonly stream_id?: string
  /** Of the newest verification, and of the first in a row that found faults. ISO 8601 UTC. */
  readonly at: string
  readonly since: string
}

export type Alert = LogTampered | LogUnsound | {
  readonly _tag: "SuccessRateLow"
  readonly severity: "critical" | "warning"
  /** Success rate of the last hour, 0 to 1. */
  readonly web_search_success_rate: number
  readonly attempts: number
} | {
  readonly _tag: "EngineFailing"
  /** `critical`: it answered nothing. Local engines answered instead either way. */
  readonly severity: "critical" | "warning"
  readonly engine: string
  readonly asked: number
  readonly failed: number
  readonly reason: EngineFault
} | {
  readonly _tag: "CreditsDrift"
  readonly severity: "warning"
  readonly provider: ProviderName
  readonly key_slot: number
  readonly month: string
  readonly credits_counted: number
  readonly credits_reported: number
  readonly at: string
} | {
  readonly _tag: "CeilingNear"
  readonly severity: "critical" | "warning"
  /** A key's credits, a tenant's searches, or its cost of models in millionths of a US dollar. */
  readonly of: "credits" | "searches" | "cost"
  readonly provider?: ProviderName
  readonly key_slot?: number
  readonly tenant_id?: string
  readonly month: string
  readonly used: number
  readonly ceiling: number
} | {
  readonly _tag: "KeyMissing"
  readonly severity: "info"
  readonly provider: ProviderName
  readonly key_slot: number
  readonly since: string
} | {
  readonly _tag: "KeyDisabled"
  readonly severity: "critical" | "warning" | "info"
  readonly provider: ProviderName
  readonly key_slot: number
  readonly since: string
  readonly reason: string
} | {
  readonly _tag: "KeyCooling"
  readonly severity: "info"
  readonly provider: ProviderName
  readonly key_slot: number
  readonly until: string
  readonly reason: string
}

export interface LagView {
  readonly model: string
  readonly version: number
  readonly state: "running" | "rebuilding" | "halted" | "retired"
  /** Position in the log, decimal digits. */
  readonly position: string
  /** Events not handled yet, settled or not, counted up to 1,000. */
  readonly events: number
  /** Age of the oldest of them. 0: none. */
  readonly ms: number
  /** Events that could not be handled and were passed. */
  readonly parked: number
  readonly error?: string
}

export interface HealthView {
  /** ISO 8601 UTC. */
  readonly as_of: string
  /** The span of the figures ends at `as_of`; it begins at a full minute. */
  readonly from: string
  readonly hours: number
  /** Of the sandbox only where the span has no other searches. */
  readonly figures: Figures
  /**
   * Figures of each provider and key that was used in the span; a tenant's figures name no key.
   */
  readonly by_key: ReadonlyArray<KeyFigures>
  /** Packs made, and reused from other sessions. */
  readonly packs: {
    readonly made: number
    readonly reused: number
    /** Share of the reused among reused and new packs, 0 to 1; absent when there were neither. */
    readonly reuse_rate?: number
  }
  /** State of every key that was ever used. Empty for a tenant. */
  readonly keys: ReadonlyArray<KeyHealth>
  /** Credits that each key used in this month, by ledger and provider. Absent: never compared. */
  readonly credits?: ReadonlyArray<CreditUse>
  /** Rates of the last hour, whatever the span. Most urgent first. */
  readonly alerts: ReadonlyArray<Alert>
  /** Empty for a tenant. */
  readonly read_models: ReadonlyArray<LagView>
}

export type SourceType = "kg_node" | "web_search" | "paper" | "user_note"

/** An absent field allows everything; all given ones must hold. */
export interface EntryFilter {
  readonly source_type?: SourceType
  /** At most 2048 characters. */
  readonly source_id?: string
  /** At most 2048 characters. */
  readonly source_url?: string
  /** At most 40 characters. */
  readonly collected_at?: string
  /** At most 300 characters. */
  readonly collector?: string
  /** At most 300 characters. */
  readonly node_id?: string
  /** At most 300 characters. */
  readonly node_label?: string
  /** At most 500 characters. */
  readonly title?: string
  /** At most 40 characters. */
  readonly published_date?: string
  /** At most 40 characters. */
  readonly modified_date?: string
  readonly official?: true
  readonly chunk_index?: number
  /** 1 to 5000. */
  readonly total_chunks?: number
  /** At most 300 characters. */
  readonly embedding_model?: string
  /** 1 to 8192. */
  readonly embedding_dimensions?: number
  /** Collected at this instant or later. At most 40 characters. */
  readonly collected_from?: string
  /** Collected before this instant. At most 40 characters. */
  readonly collected_until?: string
  /** Published on this day or later; undated entries are left out. At most 40 characters. */
  readonly published_from?: string
  /** Published before this day. At most 40 characters. */
  readonly published_until?: string
}

/**
 * How word and vector matches are ranked. `hybrid`: reciprocal rank fusion. `vector_first`: vector
 * matches, then other word matches; words alone without vectors.
 */
export type Retrieval = "hybrid" | "vector_first"

export interface EvidenceSearchInput {
  /** At most 2000 characters. */
  readonly query: string
  /** Default: everything. */
  readonly filter?: EntryFilter
  /** Default 10. 1 to 50. */
  readonly limit?: number
  /** Default `hybrid`. */
  readonly retrieval?: Retrieval
}

/** An entry with its rank by words and by vectors. */
export interface FoundEntry {
  /** `kg:{node_id}`, `web:{url_hash}:{chunk_index}` or `doc:{doc_id}:{chunk_index}`. */
  readonly id: string
  readonly source_type: SourceType
  /** The node's id, the canonical address or the document's id. At most 2048 characters. */
  readonly source_id: string
  /** Always present for `web_search`. At most 2048 characters. */
  readonly source_url?: string
  /** At most 40 characters. */
  readonly collected_at: string
  /** Program or person that collected the entry; a pseudonym. At most 300 characters. */
  readonly collector: string
  /** The node of a knowledge graph that the text is, or is about. At most 300 characters. */
  readonly node_id?: string
  /** At most 300 characters. */
  readonly node_label?: string
  /** At most 500 characters. */
  readonly title: string
  /**
   * Dates that the page or document states, if plausible at collection.
   * At most 40 characters.
   */
  readonly published_date?: string
  /** At most 40 characters. */
  readonly modified_date?: string
  /** A page that this service fetched itself from a public body's own site. */
  readonly official?: true
  /** 0-based, among the source's entries. */
  readonly chunk_index: number
  /** 1 to 5000. */
  readonly total_chunks: number
  /**
   * Vector that searches compare; both absent when the entry has none.
   * At most 300 characters.
   */
  readonly embedding_model?: string
  /** 1 to 8192. */
  readonly embedding_dimensions?: number
  /** At most 16000 characters. */
  readonly text: string
  /** SHA-256 of `text` as UTF-8, lower-case hex. */
  readonly text_sha256: string
  /** UTF-16 code-unit offsets of `text` in the source's text; `end` is exclusive. */
  readonly start: number
  readonly end: number
  /** Comparable within one answer only. */
  readonly score: number
  /** 1-based; absent where the ranking lacks it. */
  readonly text_rank?: number
  readonly vector_rank?: number
}

/**
 * Use of vectors. `other_model`: entries have vectors of another model, or none; `failed`: the
 * embedder did not answer; `not_configured`: no embedder; `not_kept`: no vectors in the database.
 */
export type VectorUse = "compared" | "other_model" | "failed" | "not_configured" | "not_kept"

/** Vectors of one model may be compared with each other and with no others. */
export interface EmbeddingModel {
  /** At most 300 characters. */
  readonly model: string
  /** 1 to 8192. */
  readonly dimensions: number
}

export interface EvidenceFound {
  /** Best first. */
  readonly found: ReadonlyArray<FoundEntry>
  readonly vectors: VectorUse
  /** Model whose vectors were compared; absent when none were. */
  readonly model?: EmbeddingModel
}
