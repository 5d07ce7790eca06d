/**
 * The program counter: what is to be done next for one request, read off the session's facts.
 *
 * Nothing else decides order. So resuming after a crash, answering a repeated request, replaying
 * and asking "what if" are all the same loop over this function.
 *
 * ```ts
 * import { Schema } from "effect"
 * import { fold } from "../../application/log/CommandHandler.ts"
 * import { GroundingRequest } from "../request/GroundingRequest.ts"
 * import { next } from "./NextStep.ts"
 * import * as Session from "./Session.ts"
 * import { Requested } from "./SessionEvent.ts"
 *
 * const requested = Requested.make({
 *   request_id: "r1",
 *   request: Schema.decodeSync(GroundingRequest)({
 *     session_id: "s1",
 *     request_id: "r1",
 *     topic: "How much notice must a tenant give?"
 *   }),
 *   requested_at: "2026-01-01T00:00:00.000Z",
 *   policy: { pages_max: 5, chunks_max: 6, evidence_chars_max: 1_400 },
 *   boundary: "0".repeat(32),
 *   rules_version: 1
 * })
 * next(Session.initial, "r1")._tag // => "Request"
 * next(fold(Session, [requested]), "r1")._tag // => "Decide"
 * ```
 */
import { questionTerms } from "@web-grounding/language/QuestionTerms"
import * as Sameness from "@web-grounding/language/Sameness"
import { sentenceTexts } from "@web-grounding/language/Sentences"
import { terms } from "@web-grounding/language/Words"
import { Equal } from "effect"
import * as Eligibility from "../need/Eligibility.ts"
import type { SearchNeed } from "../need/ReasonCodes.ts"
import { type Chunk, chunksOf, type Page } from "../page/Page.ts"
import { type QueryPlan, StopCondition } from "../plan/QueryPlan.ts"
import {
  type CourseSubject,
  isSameNeed,
  isStoreFirst,
  type Listing
} from "../request/GroundingRequest.ts"
import type { SourceText } from "../research/Fit.ts"
import type { FusedHit } from "../retrieval/HitFusion.ts"
import type { SearchHit } from "../search/SearchStatus.ts"
import { classOf } from "../search/SourceClass.ts"
import * as Budget from "./Budget.ts"
import {
  type Call,
  type Grounding,
  hitsOf,
  isStoreEnough,
  isTaken,
  isTextMissing,
  isUntried,
  type Session
} from "./Grounding.ts"
import * as ResearchSources from "./ResearchSources.ts"

/** A step that is due for a request, with what it is about. */
type Due<Tag extends string, About = object> = About & {
  readonly _tag: Tag
  readonly grounding: Grounding
}

export type NextStep =
  | { readonly _tag: "Request" }
  | Due<"Reuse", { readonly fromRequestId: string }>
  | Due<"Decide">
  | Due<"AskStore", { readonly need: SearchNeed }>
  | Due<"Plan", { readonly need: SearchNeed }>
  | Due<"Search", {
    readonly need: SearchNeed
    readonly queryIndex: number
    readonly query: string
  }>
  /** A search without a recorded outcome: a process is making it, or died during it. */
  | Due<"AwaitCall", { readonly call: Call }>
  | Due<"StopSearch", { readonly reason: "budget" }>
  /** Without hits where the request names its pages, or the store alone is asked. */
  | Due<"Read", { readonly hits: ReadonlyArray<FusedHit> }>
  | Due<"Rank", { readonly chunks: ReadonlyArray<Chunk> }>
  | Due<"Write", {
    readonly need: SearchNeed
    readonly pages: ReadonlyArray<Page>
    /** Best first. Empty when nothing was found. */
    readonly chunks: ReadonlyArray<Chunk>
  }>
  | Due<"Research", {
    readonly course: CourseSubject
    /** Whether modules and outcomes are wanted too; internal documents alone may support them. */
    readonly isOutlined: boolean
    /** Best first; empty only for an outline. */
    readonly sources: ReadonlyArray<SourceText>
  }>
  | Due<"Conclude">
  | Due<"Finish">

/** Pure and total: the same facts give the same step, and `Finish` after the answer. */
export const next = (session: Session, requestId: string): NextStep => {
  const grounding = session.groundings.get(requestId)
  if (grounding === undefined) return { _tag: "Request" }
  if (grounding.finished !== undefined) return { _tag: "Finish", grounding }
  if (grounding.written !== undefined) {
    return researching(grounding) ?? { _tag: "Conclude", grounding }
  }

  if (grounding.reused !== undefined) {
    const answer = asAnswerOf(session, grounding, grounding.reused)
    return (isResearchReused(answer, grounding) ? researching(answer) : undefined) ??
      { _tag: "Conclude", grounding: answer }
  }

  if (grounding.cachedPack !== undefined) return { _tag: "Conclude", grounding }

  const { listing } = grounding.request
  if (listing?.urls !== undefined) return listed(grounding, listing)

  const need = grounding.decision?.need
  if (need === undefined) return reusing(session, grounding) ?? { _tag: "Decide", grounding }
  if (isOnStoreAlone(grounding)) return reading(grounding, grounding.decision?.proposed ?? need)
  if (!need.need_search) return researching(grounding) ?? { _tag: "Conclude", grounding }
  if (asksStore(grounding) && isStoreFirst(grounding.request)) {
    if (grounding.storeAsked === undefined) return { _tag: "AskStore", grounding, need }
    if (isStoreEnough(grounding)) return reading(grounding, need)
  }
  if (grounding.planned === undefined) return { _tag: "Plan", grounding, need }

  return searching(session, grounding, need) ??
    (listing === undefined ? reading(grounding, need) : listed(grounding, listing))
}

/** The request as it was answered. An older release recorded all but the answer itself. */
export const answered = (session: Session, requestId: string): Grounding | undefined => {
  const step = next(session, requestId)
  return step._tag === "Finish" || step._tag === "Conclude" ? step.grounding : undefined
}

/** A listing returns texts as it reads them: they are not searched a second time. */
const listed = (grounding: Grounding, { of, urls }: Listing): NextStep => {
  const hits = hitsOf(grounding)
  const isRead = of === "hits" || grounding.evidence !== undefined
  return isRead || (hits.length === 0 && urls === undefined)
    ? { _tag: "Conclude", grounding }
    : { _tag: "Read", grounding, hits }
}

const researching = (grounding: Grounding): NextStep | undefined => {
  const { request: { course }, researched } = grounding
  if (course === undefined || researched !== undefined) return undefined
  const sources = ResearchSources.sourceTexts(grounding)
  const isOutlined = course.purpose === "outline"
  return sources.length === 0 && !isOutlined
    ? undefined
    : { _tag: "Research", grounding, course, isOutlined, sources }
}

const asksStore = ({ policy, request }: Grounding): boolean =>
  (policy.entries_max ?? 0) > 0 && request.listing === undefined &&
  request.overrides?.sources !== "web"

/** The caller wants no search, or none is left: what was collected before may still answer. */
const isOnStoreAlone = (grounding: Grounding): boolean => {
  const { decision, request } = grounding
  return asksStore(grounding) && decision?.proposed.need_search === true &&
    (request.overrides?.sources === "store" ||
      decision.need.reason_codes.includes("BUDGET_EXHAUSTED"))
}

/** A pack without claims is not reused: the next search may find something. */
const reusing = (session: Session, grounding: Grounding): NextStep | undefined => {
  const { request } = grounding
  const twin =
    [...session.groundings.values()].find((other) =>
      other.request.request_id !== request.request_id && isSameNeed(other.request, request) &&
      Equal.equals(other.policy.sites, grounding.policy.sites) && other.written !== undefined &&
      other.written.pack.confidence > 0
    ) ?? researchOf(session, grounding)
  return twin === undefined
    ? undefined
    : { _tag: "Reuse", grounding, fromRequestId: twin.request.request_id }
}

/** An outline rests on the session's earlier research of the same course. */
const researchOf = (
  session: Session,
  { policy: { sites }, request }: Grounding
): Grounding | undefined =>
  request.course?.purpose === "outline"
    ? [...session.groundings.values()].find((other) =>
      other.request.request_id !== request.request_id && other.researched !== undefined &&
      other.request.course !== undefined && hitsOf(other).length > 0 &&
      Equal.equals(other.policy.sites, sites) &&
      isSameNeed(
        { ...other.request, course: { ...other.request.course, purpose: "outline" } },
        request
      )
    )
    : undefined

const isResearchReused = (answer: Grounding, { request }: Grounding): boolean =>
  request.course?.purpose === "outline" && answer.researched?.outline === undefined

/** The earlier answer under the later request: the same pack, and nothing spent for it. */
const asAnswerOf = (
  session: Session,
  grounding: Grounding,
  reused: NonNullable<Grounding["reused"]>
): Grounding => {
  const source = session.groundings.get(reused.from_request_id)
  const { request, researched } = grounding
  if (source === undefined) return grounding
  const { finished: _, ...answer } = source
  if (request.course?.purpose !== "outline" || source.researched?.outline !== undefined) {
    return { ...answer, request, reused }
  }
  const { researched: __, ...read } = answer
  return { ...read, ...researched === undefined ? {} : { researched }, request, reused }
}

const searching = (
  session: Session,
  grounding: Grounding,
  need: SearchNeed
): NextStep | undefined => {
  const unanswered = grounding.calls.find(({ outcome }) => outcome === undefined)
  if (unanswered !== undefined) return { _tag: "AwaitCall", grounding, call: unanswered }
  if (grounding.stopped !== undefined || grounding.planned === undefined) return undefined

  const { plan } = grounding.planned
  const { remaining } = Budget.view(session.groundings.values(), grounding.request)
  const wanted = plan.queries.map((query, queryIndex) => ({ query, queryIndex }))
    .slice(0, need.max_queries)
  const chosen = wanted.find(({ queryIndex }) => isUntried(grounding, queryIndex)) ??
    (remaining > 0
      ? wanted.find(({ queryIndex }) => !isTaken(grounding, queryIndex))
      : undefined)
  if (chosen === undefined || isSatisfiedBy(grounding, plan)) return undefined
  return remaining > 0
    ? { _tag: "Search", grounding, need, ...chosen }
    : { _tag: "StopSearch", grounding, reason: "budget" }
}

const reading = (grounding: Grounding, need: SearchNeed): NextStep => {
  const { evidence, ranking } = grounding
  // A run that died took with it the texts that the log may not keep: they are read again.
  if (evidence === undefined || evidence.pages.some(isTextMissing)) {
    const hits = hitsOf(grounding)
    return hits.length === 0 && !asksStore(grounding)
      ? { _tag: "Write", grounding, need, pages: [], chunks: [] }
      : { _tag: "Read", grounding, hits }
  }
  const { pages } = evidence
  const chunks = chunksOf(pages)
  if (ranking === undefined && chunks.length > 0) return { _tag: "Rank", grounding, chunks }
  const ranked = (ranking?.ranked ?? []).flatMap((ref) =>
    chunks.filter(({ index, page }) => page.source_id === ref.source_id && index === ref.index)
  )
  return { _tag: "Write", grounding, need, pages, chunks: ranked }
}

/** Minimum share of the question's terms in a sentence that answers it. */
const askedShareMin = 0.5
/** Agreeing sites from which no primary source is needed. */
const agreeingSitesMin = 2
/** Limits of the sentences read in an excerpt; a longer one, in UTF-16 code units, is a table. */
const sentencesMax = 40
const answerCharsMax = 1_000
/** Maximum of answers compared, of a site and in total. */
const siteAnswersMax = 4
const answersMax = 40

/** Cache: the step after a search is computed several times from the same facts. */
const judged = new WeakMap<Grounding["calls"], readonly [Grounding, holds: boolean]>()

const isSatisfiedBy = (grounding: Grounding, plan: QueryPlan): boolean => {
  const { cached, calls, planned, request } = grounding
  const [of, known = false] = judged.get(calls) ?? []
  if (of?.cached === cached && of.planned === planned && of.request === request) return known
  const hits = hitsOf(grounding).map(({ hit }) => hit)
  const isEnough = isSatisfied(plan, hits, Eligibility.questionOf(request))
  judged.set(calls, [grounding, isEnough])
  return isEnough
}

/**
 * Whether the hits hold the plan's required evidence and every stop condition is met, at least one.
 * Judged by excerpts: pages are read once, after the last search.
 */
export const isSatisfied = (
  plan: QueryPlan,
  hits: ReadonlyArray<SearchHit>,
  question: string
): boolean => {
  const deciding = plan.stop_conditions.filter(({ _tag }) => _tag !== "FREE_TEXT")
  return deciding.length > 0 && plan.must_have_evidence.every((phrase) => isHeld(phrase, hits)) &&
    deciding.every((condition) => holds(condition, hits, question))
}

const holds = (
  condition: StopCondition,
  hits: ReadonlyArray<SearchHit>,
  question: string
): boolean =>
  StopCondition.match(condition, {
    N_REPUTABLE_SOURCES_AGREE: ({ count }) => doSitesAgree(hits, question, count),
    OFFICIAL_SOURCE_FOUND: () =>
      hits.some((hit) => classOf(hit) === "primary" && speaksOf(question, hit)) ||
      doSitesAgree(hits, question, agreeingSitesMin),
    ENOUGH_RESULTS: ({ count }) => new Set(hits.map(({ url }) => url)).size >= count,
    FREE_TEXT: () => false
  })

const speaksOf = (question: string, hit: SearchHit): boolean =>
  isShareHeld(textOf(hit), questionTerms(question), askedShareMin)

const isHeld = (phrase: string, hits: ReadonlyArray<SearchHit>): boolean => {
  const wanted = terms(phrase)
  return hits.some((hit) => isShareHeld(textOf(hit), wanted, 1))
}

const textOf = ({ content, title }: SearchHit): string => `${title}\n${content}`

const isShareHeld = (text: string, wanted: ReadonlyArray<string>, shareMin: number): boolean => {
  const held = new Set(terms(text))
  return wanted.filter((term) => held.has(term)).length >= shareMin * wanted.length
}

const doSitesAgree = (
  hits: ReadonlyArray<SearchHit>,
  question: string,
  count: number
): boolean => {
  const asked = questionTerms(question)
  const bySite = Map.groupBy(hits, ({ site }) => site)
  const answers = Array.from(bySite).flatMap(([site, own]) =>
    own.flatMap(({ content }) => answersIn(content, asked)).slice(0, siteAnswersMax)
      .map((text) => ({ site, text }))
  ).slice(0, answersMax)
  return answers.some((answer) => {
    const agreeing = answers.filter(({ site, text }) =>
      site !== answer.site && doAgree(answer.text, text)
    )
    const sites = new Set([answer, ...agreeing].map(({ site }) => site))
    return sites.size >= count &&
      hits.some((hit) => sites.has(hit.site) && classOf(hit) !== undefined)
  })
}

const answersIn = (text: string, asked: ReadonlyArray<string>): ReadonlyArray<string> =>
  sentenceTexts(text).slice(0, sentencesMax).filter((sentence) =>
    sentence.length <= answerCharsMax && isShareHeld(sentence, asked, askedShareMin)
  )

const doAgree = (left: string, right: string): boolean =>
  !Sameness.isDenied(left, right) && !Sameness.isOfOtherTime(left, right) &&
  (Sameness.haveSameNumber(left, right) ||
    Sameness.isAlike(left, right) && Sameness.sameNumbers(left, right))
