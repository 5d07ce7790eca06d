/**
 * The answer to a request, derived from its facts alone. Titles that older releases recorded with
 * markup are cleaned.
 */
import { clean } from "@web-grounding/language/Sentences"
import { Struct } from "effect"
import * as Eligibility from "../need/Eligibility.ts"
import type { SearchNeed } from "../need/ReasonCodes.ts"
import { allClaims, emptyPack, type GroundingPack, standing } from "../pack/GroundingPack.ts"
import * as UserQuestions from "../pack/UserQuestions.ts"
import * as Page from "../page/Page.ts"
import { type Chunk, chunksOf } from "../page/Page.ts"
import { asGiven } from "../request/GivenFields.ts"
import type { GroundingRequest } from "../request/GroundingRequest.ts"
import { isAnswered, type SearchStatus, sentencesOf } from "../search/SearchStatus.ts"
import * as Citations from "../view/Citations.ts"
import * as EvidenceBlock from "../view/EvidenceBlock.ts"
import * as PackTexts from "../view/PackTexts.ts"
import * as Budget from "./Budget.ts"
import type { Rung } from "./EngineDetail.ts"
import { type Grounding, isSpent, isStoreEnough, isTextKept } from "./Grounding.ts"
import type {
  GroundingMode,
  GroundingOutcome,
  OutcomeReason,
  OutcomeStatus,
  SearchReport
} from "./GroundingOutcome.ts"
import * as OutcomeReasons from "./OutcomeReason.ts"

type Report = typeof SearchReport.Type

/** The recorded answer; derived for a request that an older release finished. */
export const outcomeOf = (grounding: Grounding): GroundingOutcome =>
  withTexts(grounding, grounding.finished?.outcome ?? derived(grounding))

const labelled = (outcome: GroundingOutcome): GroundingOutcome => {
  if (!isOfSandbox(outcome)) return outcome
  const { evidence_block, llm_context } = outcome
  const opening = llm_context.slice(0, llm_context.length - evidence_block.length).trimEnd()
  return {
    ...outcome,
    sandbox: true,
    llm_context: withBlock(`${opening}\n[${PackTexts.madeUpText}]`, evidence_block)
  }
}

const isOfSandbox = ({ evidence, pack, searches }: GroundingOutcome): boolean =>
  PackTexts.isMadeUp(pack) || searches.some(({ tool_used }) => tool_used === "mock") ||
  (evidence?.sources ?? []).some(PackTexts.isOfSandbox)

/** The answer as today's rules derive it from the facts, and as it is recorded. */
export const derived = (grounding: Grounding): GroundingOutcome =>
  labelled(
    grounding.cachedPack === undefined
      ? ofFacts(grounding)
      : ofCached(grounding, grounding.cachedPack)
  )

export const withoutEvidence = (
  { evidence: _, ranking: __, written: ___, ...grounding }: Grounding
): GroundingOutcome => derived(grounding)

/** The other session's answer under this request: nothing was searched or spent. */
const ofCached = (
  { request, tier }: Grounding,
  { age_ms, answer, made_at }: NonNullable<Grounding["cachedPack"]>
): GroundingOutcome => {
  const { request_id, session_id } = request
  const opening = OutcomeReasons.sentenceOf(
    "answered_from_cache",
    { question: Eligibility.questionOf(request), ageMs: age_ms },
    OutcomeReasons.languageOf(request.locale)
  )
  return {
    session_id,
    request_id,
    ...answer,
    ...shortAnswer(request, answer.pack),
    need: needOf(answer.need, request),
    reason: "answered_from_cache",
    llm_context: withBlock(opening, answer.evidence_block),
    searches: [],
    budget: { tier, limit: Budget.limitOf(tier), spent_by_request: 0 },
    cached: { age_ms, made_at }
  }
}

const shortAnswer = ({ answer }: GroundingRequest, pack: GroundingPack) => {
  const text = answer === undefined ? "" : PackTexts.shortAnswer(pack)
  return text === "" ? {} : { answer: text }
}

/** The other session's reasons, without its user's wish for facts unless this one has it too. */
const needOf = (need: SearchNeed, { user_asked_for_facts }: GroundingRequest): SearchNeed => {
  if (user_asked_for_facts) return need
  const [first, ...rest] = need.reason_codes.filter((code) => code !== "USER_ASKED")
  return { ...need, reason_codes: [first ?? "COMMON_PRACTICE", ...rest] }
}

const withBlock = (opening: string, block: string): string =>
  block === "" ? opening : `${opening}\n\n${block}`

const ofFacts = (grounding: Grounding): GroundingOutcome => {
  const { calls, decision, evidence, planned, ranking, request, researched, tier, written } =
    grounding
  const unnumbered = PackTexts.cleaned(written?.pack ?? unwrittenOf(grounding))
  const searches = [...calls.map(searchReportOf), ...grounding.cached.map(cacheReportOf)]
  const block = blockOf(grounding, unnumbered)
  const evidence_block = written?.evidence_block === undefined
    ? block.evidence_block
    : written.block_sources === undefined
    ? EvidenceBlock.withCleanTitles(written.evidence_block)
    : written.evidence_block
  const cited = evidenceOf(grounding)
  const { citations, pack, read } = Citations.numbered({
    pack: unnumbered,
    block: written?.block_sources ?? block.block_sources,
    read: cited?.sources ?? [],
    ...asGiven({ read_at: evidence?.read_at })
  })
  const mode = modeOf(grounding, pack, searches)
  const status = statusOf(grounding, searches)
  const reason = reasonOf(grounding, { mode, pack, searches, evidence_block })
  const rungs = asGiven({
    gate: decision?.rung,
    planner: planned?.rung,
    reader: evidence?.rung,
    ranker: ranking?.rung,
    writer: written?.rung,
    judge: written?.judging?.rung,
    researcher: researched?.rung
  })
  const notes = [...OutcomeReasons.notesOf(reason), ...slowNotesOf(rungs)]
  const opening = openingOf(grounding, searches, reason)
  return {
    session_id: request.session_id,
    request_id: request.request_id,
    mode,
    ...asGiven({ status }),
    reason,
    need: decision?.need ?? undecided,
    ...asGiven({ plan: planned?.plan }),
    searches,
    pack,
    ...shortAnswer(request, pack),
    citations,
    evidence_block,
    ...(cited === undefined ? {} : { evidence: { ...cited, sources: read } }),
    llm_context: withBlock(opening, evidence_block),
    ...(notes.length === 0 ? {} : { notes }),
    rungs,
    budget: {
      tier,
      limit: Budget.limitOf(tier),
      spent_by_request: grounding.reused === undefined ? calls.filter(isSpent).length : 0
    },
    ...asGiven({ reused_from_request_id: grounding.reused?.from_request_id })
  }
}

/** Pack without a writer. If the question refers to nothing, it asks the user what is meant. */
const unwrittenOf = ({ decision, request }: Grounding): GroundingPack =>
  decision?.need.reason_codes[0] === "REFERS_TO_NOTHING"
    ? {
      ...emptyPack,
      what_to_ask_user: [
        UserQuestions.forReference(request.locale, Eligibility.questionOf(request))
      ]
    }
    : emptyPack

export const undecided: SearchNeed = {
  need_search: false,
  reason_codes: ["KNOWN_ENOUGH"],
  max_queries: 0,
  max_sources_per_query: 1,
  search_depth: "basic",
  topic: "general"
}

const searchReportOf = (
  { outcome, query }: Grounding["calls"][number]
): Report => ({
  query,
  status: outcome?.status ?? "unknown_error",
  ...asGiven({ detail: outcome?.detail, tool_used: outcome?.tool_used }),
  fallback_used: outcome?.fallback_used ?? false,
  hits_count: outcome?.hits.length ?? 0,
  ...asGiven({ stale_age_ms: outcome?.stale_age_ms }),
  ...narrowedOf(outcome)
})

const narrowedOf = (search: Pick<Report, "honoured" | "left_out_by_date"> = {}) =>
  Struct.pick(search, ["honoured", "left_out_by_date"])

const cacheReportOf = (
  { age_ms, hits, query, status, ...search }: Grounding["cached"][number]
): Report => ({
  query,
  status,
  fallback_used: false,
  hits_count: hits.length,
  cached_age_ms: age_ms,
  ...narrowedOf(search)
})

const modeOf = (
  { decision, evidence }: Grounding,
  pack: GroundingPack,
  searches: ReadonlyArray<Report>
): GroundingMode => {
  if (decision?.need.need_search !== true && (evidence?.pages ?? []).length === 0) {
    return "not_searched"
  }
  if (standing(pack).every(({ claim }) => claim.beside_question === true)) return "ungrounded"
  if (searches.some(({ stale_age_ms }) => stale_age_ms !== undefined)) return "stale_cache"
  if (searches.some(({ status }) => !isAnswered(status))) return "partial"
  return evidence?.pages.every(({ reader }) => reader === "snippet") ? "snippets_only" : "grounded"
}

/** Evidence block of a request, for a prompt; empty when nothing was ranked. */
export const blockOf = (grounding: Grounding, pack: GroundingPack) => {
  const { boundary, evidence, policy, ranking, request } = grounding
  if (evidence === undefined || ranking === undefined) {
    return { evidence_block: "", block_sources: [] }
  }
  const charsMax = policy.evidence_chars_max
  const excerpts = EvidenceBlock.select({
    chunks: byScore(chunksOf(evidence.pages.map(Page.withClean)), ranking),
    question: Eligibility.questionOf(request),
    boundary,
    charsMax,
    pack
  })
  const sources = policy.block_addresses === true ? "addressed" : "named"
  const { source_ids, text } = EvidenceBlock.build({ excerpts, boundary, charsMax, sources })
  return { evidence_block: text, block_sources: source_ids }
}

export const shownSources = (grounding: Grounding, pack: GroundingPack): ReadonlyArray<string> => {
  const cited = allClaims(pack).flatMap(({ sources }) => sources.map(({ source_id }) => source_id))
  return [...cited, ...blockOf(grounding, pack).block_sources]
}

const byScore = (
  chunks: ReadonlyArray<Chunk>,
  { scored }: NonNullable<Grounding["ranking"]>
): ReadonlyArray<Chunk> => {
  const scores = new Map(
    scored.map(({ index, score, source_id }) => [`${source_id} ${index}`, score])
  )
  const scoreOf = ({ index, page }: Chunk) => scores.get(`${page.source_id} ${index}`) ?? 0
  return chunks.toSorted((left, right) => scoreOf(right) - scoreOf(left))
}

/** Whether the web was to be searched: there was a need, and the store was not used alone. */
const isSearched = (grounding: Grounding): boolean =>
  grounding.decision?.need.need_search === true &&
  grounding.request.overrides?.sources !== "store" && !isStoreEnough(grounding)

/** Joint result of the searches: found, nothing found, or the last failure. */
const statusOf = (
  grounding: Grounding,
  searches: ReadonlyArray<Report>
): OutcomeStatus | undefined => {
  if (!isSearched(grounding)) return undefined
  const failure = searches.findLast(({ status }) => !isAnswered(status))
  const found = searches.filter(({ hits_count }) => hits_count > 0)
  if (found.length > 0) {
    return found.every(({ stale_age_ms }) => stale_age_ms !== undefined) ? "stale" : "success"
  }
  if (isStoppedByBudget(grounding, searches)) return "quota_exhausted"
  // Time ran out before the first search was started.
  if (searches.length === 0) return "timeout"
  return failure?.status ?? "no_results"
}

const isStoppedByBudget = ({ stopped }: Grounding, searches: ReadonlyArray<Report>): boolean =>
  searches.length === 0 && stopped?.reason === "budget"

type AnsweredOutcome = Pick<GroundingOutcome, "mode" | "pack" | "searches" | "evidence_block">

const reasonOf = (
  grounding: Grounding,
  { evidence_block, mode, pack, searches }: AnsweredOutcome
): OutcomeReason => {
  if (grounding.reused !== undefined) return "answered_before"
  const { listing } = grounding.request
  if (listing !== undefined && isListed(grounding, searches)) return "listed"
  if (listing?.urls !== undefined) return "nothing_found"
  if (mode === "not_searched") return refusalOf(grounding)
  const failedCount = searches.filter(({ status }) => !isAnswered(status)).length
  if (mode === "ungrounded") {
    if (failedCount > 0 && failedCount < searches.length) return "not_answered_in_part"
    // Entries of the store may be background, but no search of the web has succeeded.
    const isFound = searches.some(({ hits_count }) => hits_count > 0)
    if (isSearched(grounding) && !isFound && failedCount === searches.length) {
      return isStoppedByBudget(grounding, searches) ? "budget_exhausted" : "search_failed"
    }
    if (
      pack.disputed_or_uncertain.some(({ reason }) => reason === "contradicted_by_other_source")
    ) {
      return "sources_disagree"
    }
    // Without a search left, the evidence store alone was asked.
    const refusal = refusalOf(grounding)
    if (searches.length === 0 && refusal === "budget_exhausted") return refusal
    if (evidence_block !== "" || isFound) return "question_not_answered"
    return isSearched(grounding) ? "nothing_found" : "nothing_stored"
  }
  if (mode === "stale_cache") return "answered_from_old_results"
  if (mode === "partial") return "answered_in_part"
  if (!isSearched(grounding)) return "answered_from_store"
  return searches.length > 0 && searches.every(({ cached_age_ms }) => cached_age_ms !== undefined)
    ? "answered_from_cache"
    : "answered"
}

const isListed = ({ evidence }: Grounding, searches: ReadonlyArray<Report>): boolean =>
  (evidence?.pages ?? []).length > 0 || searches.some(({ hits_count }) => hits_count > 0)

const refusalOf = ({ decision, request }: Grounding): OutcomeReason => {
  const [code] = decision?.need.reason_codes ?? []
  if (decision?.proposed.need_search === true && request.overrides?.sources === "store") {
    return "nothing_stored"
  }
  if (code === "BUDGET_EXHAUSTED") return "budget_exhausted"
  if (code === "PHASE_NOT_ELIGIBLE") return "phase_not_eligible"
  if (code === "REFERS_TO_NOTHING") return "refers_to_nothing"
  return code === "KNOWN_ENOUGH" ? "known_enough" : "nothing_to_look_up"
}

const openingOf = (
  { request }: Grounding,
  searches: ReadonlyArray<Report>,
  reason: OutcomeReason
): string => {
  const language = OutcomeReasons.languageOf(request.locale)
  const failed = searches.filter(({ status }) => !isAnswered(status))
  return OutcomeReasons.sentenceOf(reason, {
    question: Eligibility.questionOf(request),
    why: whyOf(failed.at(-1)?.status ?? "timeout")[language],
    failed: failed.length,
    all: searches.length,
    ageMs: oldestMs(searches)
  }, language)
}

/** Age of the oldest search that an answer rests on, in milliseconds. */
export const oldestMs = (searches: ReadonlyArray<Report>): number =>
  Math.max(
    0,
    ...searches.flatMap(({ cached_age_ms, stale_age_ms }) => cached_age_ms ?? stale_age_ms ?? [])
  )

const whyOf = (status: SearchStatus) => sentencesOf(status === "success" ? "timeout" : status)

/** Engines that timed out in two steps or more, which made the answer worse. */
export const slowNotesOf = (
  rungs: Readonly<Record<string, Rung>>
): ReadonlyArray<string> => {
  const slow = Object.values(rungs).flatMap(({ faults }) =>
    faults.filter(({ reason }) => reason === "timeout")
  )
  return Array.from(Map.groupBy(slow, ({ engine }) => engine)).flatMap(([engine, faults]) => {
    const restedCount = faults.filter(({ detail }) => detail === "resting").length
    const rested = restedCount === 0 ? "" : ` and was not asked in ${restedCount}`
    return faults.length < 2 ? [] : [
      `The engine ${engine} timed out in ${faults.length - restedCount} steps${rested}: name a ` +
      "faster model, or give more time by `deadline_ms` or ENGINE_TIMEOUT_MS."
    ]
  })
}

// The answer's sources and the passages given to the writer. Recorded without texts, which the log
// holds once (snippets, or pages with consent) and the answer gets on return.

type Evidence = NonNullable<GroundingOutcome["evidence"]>

/** Evidence as it is recorded. `undefined` when nothing was ranked. */
const evidenceOf = ({ evidence, ranking }: Grounding): Evidence | undefined => {
  if (evidence === undefined || ranking === undefined || evidence.pages.length === 0) {
    return undefined
  }
  const { pages } = evidence
  return {
    sources: pages.map(sourceOf),
    chunks: ranking.ranked.flatMap(({ index, score, source_id }) => {
      const source_index = pages.findIndex((page) => page.source_id === source_id)
      const span = pages[source_index]?.chunks[index]
      return span === undefined ? [] : [{ source_index, ...span, score }]
    })
  }
}

const withTexts = (grounding: Grounding, outcome: GroundingOutcome): GroundingOutcome => {
  const { evidence } = outcome
  if (evidence === undefined) return outcome
  const pages = new Map(grounding.evidence?.pages.map((page) => [page.source_id, page]))
  const chunks = evidence.chunks.map((chunk) => {
    const page = pages.get(evidence.sources[chunk.source_index]?.source_id ?? "")
    if (page === undefined || !isTextKept(grounding, page) || page.text === "") return chunk
    return { ...chunk, text: clean(page.text.slice(chunk.start, chunk.end)).text }
  })
  return { ...outcome, evidence: { ...evidence, chunks } }
}

const sourceOf = (page: Page.Page): Evidence["sources"][number] =>
  Struct.pick(Page.withClean(page), [
    "source_id",
    "url",
    "title",
    "site",
    "official",
    "published_date",
    "reader"
  ])
