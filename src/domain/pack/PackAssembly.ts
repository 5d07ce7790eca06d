/**
 * Builds the Grounding Pack from a writer's draft: every rule that no prompt is trusted with.
 *
 * Laws, tested by property over hostile writers: outside `disputed_or_uncertain` every claim has a
 * quotation that is found at its offsets; every address is a fetched page's own.
 */
import * as AnswerSlot from "@web-grounding/language/AnswerSlot"
import * as Chunking from "@web-grounding/language/Chunking"
import * as InjectionFlag from "@web-grounding/language/InjectionFlag"
import * as Languages from "@web-grounding/language/Languages"
import { quantities } from "@web-grounding/language/Quantities"
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import { questionTerms } from "@web-grounding/language/QuestionTerms"
import * as Sameness from "@web-grounding/language/Sameness"
import * as Sentences from "@web-grounding/language/Sentences"
import { largest, terms } from "@web-grounding/language/Words"
import * as Eligibility from "../need/Eligibility.ts"
import type { ReasonCode, SearchNeed } from "../need/ReasonCodes.ts"
import type { Page } from "../page/Page.ts"
import { asGiven } from "../request/GivenFields.ts"
import type { GroundingRequest } from "../request/GroundingRequest.ts"
import * as ClaimPlacement from "./ClaimPlacement.ts"
import * as Confidence from "./Confidence.ts"
import * as Contradiction from "./Contradiction.ts"
import {
  type Claim,
  type GroundingPack,
  isAnswer,
  type PackDraft,
  type Section,
  type UserQuestion
} from "./GroundingPack.ts"
import * as Judgement from "./Judgement.ts"
import * as Origins from "./Origins.ts"
import {
  areApart,
  countriesOf,
  demoted,
  isPrimary,
  mayAnswer,
  originsCount,
  type PlacedClaim,
  type Proposal,
  rankOf
} from "./PlacedClaim.ts"
import * as PrimaryWord from "./PrimaryWord.ts"
import * as Rating from "./Rating.ts"
import forms from "./SectionForms.json" with { type: "json" }
import * as UserQuestions from "./UserQuestions.ts"

export const draftClaimsMax = 24
const sectionClaimsMax = 8
export const draftQuestionsMax = 2
const userQuestionCharsMax = 300
/** Independent sources that rules of POLICY_LEGAL requests need where none is official. */
const rulesSourcesMin = 2

export type Materials = Rating.Materials

export const assemble = (materials: Materials): GroundingPack => {
  const { confidenceMax, judgements, need, now, pages, request } = materials
  const { unjudgedMax = confidenceMax } = materials
  const question = Eligibility.questionOf(request)
  const quotables = quotablesOf(pages)
  const merged = mergedOf(materials, quotables)
  const { claims, confidence } = withoutUnsure(Rating.rate(
    settledOf(materials, merged),
    settingOf(materials),
    {
      confidenceMax: Math.min(confidenceMax, unjudgedMax),
      isChosen: ({ place, unverified_infra }) =>
        confidenceMax > Confidence.localMax && unverified_infra === undefined ||
        Judgement.isSaidToAnswer(judgements, place),
      freshness: (asOf) => Confidence.freshness(Rating.isAboutNow(need, request, now), asOf, now)
    }
  ))
  const standing = (section: Section): ReadonlyArray<Claim> =>
    claims.flatMap(([listed, claim]) => listed === section ? [claim] : [])
      .toSorted((left, right) => right.confidence - left.confidence)
      .slice(0, sectionClaimsMax)
  const sections = {
    key_points: standing("key_points"),
    norms_and_expectations: standing("norms_and_expectations"),
    constraints_and_rules: standing("constraints_and_rules")
  }
  const shown = Object.values(sections).flat()
  const uncertain = claims.flatMap(([listed, claim]) => listed === "disputed" ? [claim] : [])
  const disputed = [
    ...uncertain.filter(({ reason }) => reason !== "beside_question"),
    ...uncertain.filter(({ reason }) => reason === "beside_question")
  ].slice(0, sectionClaimsMax)
  const answers = shown.filter(isAnswer)
  const asOf = (answers.length > 0 ? answers : shown).flatMap(({ as_of }) => as_of ?? []).toSorted()
    .at(-1)
  const isFlagged = Array.from(quotables.values()).some(({ flagged }) => flagged.length > 0)
  const isSplit = Contradiction.doSitesDisagree(question, merged) ||
    answers.some(({ against }) => against !== undefined)
  return {
    ...sections,
    disputed_or_uncertain: disputed,
    what_to_ask_user: questions(materials, answers, ClaimPlacement.isHostOf(quotables)),
    confidence,
    ...asGiven({ as_of: asOf }),
    notes: Rating.packNotes(materials, {
      isClaiming: claims.length > 0,
      isAnswered: answers.length > 0 || disputed.some(isDisputedAnswer),
      isFlagged,
      isSplit,
      isSurer: shown.length > 1 && shown.every((claim) => claim.confidence < confidence),
      isForeign: shown.some((claim) => Rating.isForeign(claim, request.locale))
    }, asOf)
  }
}

/** A claim below the usable confidence is left out, or listed as uncertain where it is the best. */
const withoutUnsure = ({ claims, confidence }: Rating.Rated): Rating.Rated => {
  const isUnsure = ([section, claim]: Rating.Rated["claims"][number]): boolean =>
    section !== "disputed" && claim.confidence < Confidence.usableMin
  const unsure = claims.filter(isUnsure)
  const isAll = unsure.length > 0 && claims.every((one) => one[0] === "disputed" || isUnsure(one))
  return isAll
    ? {
      claims: claims.map((one) =>
        isUnsure(one) ? ["disputed", { ...one[1], reason: "low_confidence" }] : one
      ),
      confidence: unsure.some(([, claim]) => claim.confidence >= confidence)
        ? confidence
        : largest(unsure.map(([, claim]) => claim.confidence))
    }
    : { claims: claims.filter((one) => !isUnsure(one)), confidence }
}

/** Features of a draft, for fitting and measuring the confidence. */
export const featuresOf = (materials: Materials): Rating.Features => {
  const merged = mergedOf(materials, quotablesOf(materials.pages))
  return Rating.featuresOf(settledOf(materials, merged), settingOf(materials))
}

const settingOf = ({ need, pages, request }: Materials): Rating.Setting => ({
  question: Eligibility.questionOf(request),
  asked: Eligibility.isTopicAlone(request) ? "topic" : "question",
  isOfConsequence: Eligibility.isOfConsequence(need, request),
  pages
})

const mergedOf = (
  { confidenceMax, draft, judgements, pages, request }: Materials,
  quotables: Quotables
): ReadonlyArray<PlacedClaim> => {
  const question = Eligibility.questionOf(request)
  const placed = placedOf(draft, quotables).flatMap((claim, place) =>
    claim === undefined
      ? []
      : Judgement.settledClaims(claim, place, judgements, { ...request, question })
  )
  // Text that addresses a model is no claim, disputed or not; the draft is in the log.
  const fit = placed.filter(({ sources, text }) =>
    !InjectionFlag.isSuspicious(text) &&
    (sources.some(({ quotes }) => quotes.length > 0) || Chunking.isOfSources(text, pages))
  )
  const isLocal = confidenceMax <= Confidence.localMax
  const located = fit.map((claim) => withCountry(claim, question, request))
    .map((claim) =>
      isLocal && lacksAnswer(question, claim)
        ? { ...claim, beside_question: true as const }
        : claim
    )
  // A topic asks nothing, so background is left out of it.
  const merged = ClaimPlacement.merge(
    question,
    Eligibility.isTopicAlone(request)
      ? located.filter(isAnswer)
      : located
  )
  return withOrigins(question, merged, pages)
}

/** Claims with their origins, and their relation to what sources of a better class say. */
const withOrigins = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>,
  pages: ReadonlyArray<Page>
): ReadonlyArray<PlacedClaim> => {
  const reading = Origins.readingOf(question, pages)
  // Of a claim that better and other pages make, the better ones' words.
  const textOf = ({ sources }: PlacedClaim) =>
    sources.filter((source) => rankOf({ sources: [source] }) === rankOf({ sources }))
      .map(({ source_id }) => reading.textOf(source_id)).join("\n")
  // Sources of claims that say the same count for a claim, although its words stay apart.
  const counted = claims.map((claim) => {
    const same = claims.filter((other) =>
      other === claim ||
      mayAnswer(claim) && other.reason === undefined &&
        PrimaryWord.agree(question, claim.text, other.text)
    )
    const numbers = reading.numbersOf(claim.sources)
    const sources = claim.sources.map((source, index) => ({
      ...source,
      origin: numbers[index] ?? 1
    }))
    // Sites of a lower class that agree in other words are one origin together.
    const own = same.flatMap((one) => one.sources)
    const { count } = reading.of([...own, ...same.flatMap((one) => one.echoes ?? [])])
    const origins = {
      ...reading.of(claim.sources),
      count: Math.min(count, reading.of(own).count + 1)
    }
    return { ...claim, sources, origins }
  })
  const answers = counted.filter(mayAnswer)
  const best = largest(answers.map(rankOf))
  const authorities = best === 0 ? [] : answers.filter((claim) => rankOf(claim) === best)
  return counted.map((claim) => {
    if (claim.reason !== undefined) return claim
    // An authority is compared with other authorities, too. A page of a lower class that repeats
    // what an authority says does not vouch by that for what it adds.
    const isBest = rankOf(claim) === best
    const others = isBest ? authorities.filter((other) => areApart(claim, other)) : authorities
    if (others.length > 0) {
      const whole = others.map(textOf).join("\n")
      const said = others.map(({ text }) => text)
      const relation = PrimaryWord.relationOf(question, claim.text, said, whole)
      return isBest && relation !== "differs" ? claim : { ...claim, relation }
    }
    const against = !isBest || best > 0 || !mayAnswer(claim) ?
      [] :
      answers.filter((other) =>
        areApart(claim, other) &&
        PrimaryWord.differs(question, claim.text, other.text, textOf(other)) &&
        PrimaryWord.differs(question, other.text, claim.text, textOf(claim))
      )
    return against.length === 0
      ? claim
      : { ...claim, against: against.map(({ text }) => text), isOpposed: true as const }
  })
}

const settledOf = (
  materials: Materials,
  merged: ReadonlyArray<PlacedClaim>
): ReadonlyArray<PlacedClaim> => {
  const question = Eligibility.questionOf(materials.request)
  const backed = withSourceRule(materials.need, merged)
  const later = Contradiction.laterThanAsked(question, backed, materials.now)
  const overtaken = Contradiction.overtaken(question, backed)
  const timely = backed.map((claim, index): PlacedClaim => {
    if (overtaken.has(index)) return demoted(claim, "overtaken_by_newer_source")
    return later.has(index) ? { ...claim, beside_question: true } : claim
  })
  const contradicted = withContradictions(
    question,
    timely,
    Judgement.opposed(materials.judgements)
  )
  // Where a primary source answers a matter of consequence, what it lacks is background.
  const isStrict = Eligibility.isOfConsequence(materials.need, materials.request) &&
    contradicted.some((claim) => isPrimary(claim) && mayAnswer(claim))
  const judged = contradicted.map((claim) =>
    isStrict && claim.relation === "silent" && mayAnswer(claim)
      ? { ...claim, beside_question: true as const }
      : claim
  )
  return Eligibility.isTopicAlone(materials.request) ? judged.map(asBackground) : judged
}

/** Removes the `beside_question` mark: a topic has no answer to be background of. */
const asBackground = ({ beside_question: _, ...claim }: PlacedClaim): PlacedClaim => claim

/** Marks a claim about other countries than the question's as no answer. */
const withCountry = (
  claim: PlacedClaim,
  question: string,
  { region }: GroundingRequest
): PlacedClaim => {
  const asked = new Set(QuestionTerms.countriesIn(question))
  if (region !== undefined) asked.add(region.country)
  if (asked.size === 0) return claim
  const named = countriesOf(claim)
  return named.size > 0 && Array.from(named).every((code) => !asked.has(code))
    ? { ...claim, beside_question: true }
    : claim
}

/**
 * Whether a number or date was asked for and the claim has none. A model's choice may rest on more
 * than words, and rules may qualify a figure.
 */
const lacksAnswer = (question: string, { section, text }: PlacedClaim): boolean => {
  const kind = AnswerSlot.kindOf(question)
  return section === "key_points" && (kind === "number" || kind === "date") &&
    !Languages.isNegated(text) &&
    (["number", kind] as const).every((of) => QuestionTerms.certaintyOf(of, text, new Set()) === 0)
}

const isDisputedAnswer = (claim: Claim): boolean =>
  isAnswer(claim) && (claim.reason === "contradicted_by_other_source" ||
    claim.reason === "needs_official_or_second_source")

export const judgeable = (
  { draft, pages }: Pick<Materials, "draft" | "pages">
): ReadonlyArray<Judgement.Judgeable> => Judgement.judgeable(placedOf(draft, quotablesOf(pages)))

type Quotables = ReadonlyMap<string, ClaimPlacement.QuotablePage>

const quotablesOf = (pages: ReadonlyArray<Page>): Quotables =>
  new Map(pages.map((page) => [page.source_id, ClaimPlacement.quotable(page)]))

const placedOf = (
  draft: PackDraft,
  quotables: Quotables
): ReadonlyArray<Proposal | undefined> =>
  draft.claims.slice(0, draftClaimsMax).map((claim) => ClaimPlacement.proposalOf(claim, quotables))

const withSourceRule = (
  need: SearchNeed,
  claims: ReadonlyArray<PlacedClaim>
): ReadonlyArray<PlacedClaim> =>
  need.reason_codes.includes("POLICY_LEGAL")
    ? claims.map(raised).map((claim) =>
      isUnbacked(claim) ? demoted(claim, "needs_official_or_second_source") : claim
    )
    : claims

const raised = (claim: PlacedClaim): PlacedClaim =>
  sectionOf(claim.text, []) === "constraints_and_rules"
    ? { ...claim, section: "constraints_and_rules" }
    : claim

const isUnbacked = (claim: PlacedClaim): boolean =>
  claim.reason === undefined && claim.section === "constraints_and_rules" && !isPrimary(claim) &&
  originsCount(claim) < rulesSourcesMin

/** Lists opponents together. Background and overtaken claims oppose nothing. */
const withContradictions = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>,
  byJudge: ReadonlyArray<readonly [left: number, right: number]>
): ReadonlyArray<PlacedClaim> => {
  const pairs = Contradiction.find(question, claims, byJudge).filter(({ left, right }) =>
    [left, right].some((index) => claims[index]?.reason === undefined) &&
    [left, right].every((index) => claims[index]?.reason !== "overtaken_by_newer_source") &&
    claims[left]?.beside_question === claims[right]?.beside_question
  )
  const opposed = new Set(
    pairs.flatMap(({ left, right, stands }) => [left, right].filter((index) => index !== stands))
  )
  const disputed = Array.from(opposed).flatMap((index) => {
    const claim = claims[index]
    const against = pairs.flatMap(({ left, right }) =>
      left === index || right === index ? claims[left === index ? right : left]?.text ?? [] : []
    )
    return claim === undefined
      ? []
      : [{ ...demoted(claim, "contradicted_by_other_source"), against }]
  })
  const rest = pairs.reduce<ReadonlyArray<PlacedClaim>>(
    (left, pair) => withAuthority(left, claims, pair),
    claims.filter((_, index) => !opposed.has(index))
  )
  const isSettled = pairs.some(({ stands }) => stands !== undefined)
  return [...disputed, ...(isSettled ? rest : eclipsed(question, disputed, rest))]
}

/** Leaves a claim to the authority that gives its figure against another's. */
const withAuthority = (
  standing: ReadonlyArray<PlacedClaim>,
  claims: ReadonlyArray<PlacedClaim>,
  { left, right, stands }: Contradiction.Contradiction
): ReadonlyArray<PlacedClaim> => {
  const claim = stands === undefined ? undefined : claims[stands]
  const other = claims[left === stands ? right : left]
  if (claim === undefined || other === undefined || !standing.includes(claim)) return standing
  const authority = standing.find((one) =>
    one !== claim && isPrimary(one) && mayAnswer(one) && !isPrimary(claim) &&
    Sameness.haveSameNumber(one.text, claim.text) && !Sameness.haveSameNumber(one.text, other.text)
  )
  return authority === undefined
    ? standing
    : standing.flatMap((one) => {
      if (one === claim) return []
      return one === authority ? [ClaimPlacement.joined(authority, claim)] : [one]
    })
}

/**
 * A claim that holds a smaller share of the question's terms than this part of the best disputed
 * claim's is about something else.
 */
const eclipsedShareMax = 0.5

/** Marks claims as background where sources only contradict each other, but not a primary's. */
const eclipsed = (
  question: string,
  disputed: ReadonlyArray<PlacedClaim>,
  claims: ReadonlyArray<PlacedClaim>
): ReadonlyArray<PlacedClaim> => {
  const asked = new Set(questionTerms(question))
  const held = ({ text }: PlacedClaim): number =>
    new Set(terms(text).filter((term) => asked.has(term))).size
  const best = Math.max(0, ...disputed.map(held))
  if (best === 0) return claims
  const most = AnswerSlot.kindOf(question) === "number" ? best : best * eclipsedShareMax
  return claims.map((claim) =>
    claim.reason === undefined && held(claim) <= most &&
      !isPrimary(claim) &&
      !disputed.some(({ text }) => Sameness.haveSameNumber(text, claim.text))
      ? { ...claim, beside_question: true }
      : claim
  )
}

/** Every open slot that no answer gives, and what the writer asks of the matter. */
const questions = (
  { draft, pages, request }: Materials,
  answers: ReadonlyArray<Claim>,
  isKnown: (host: string) => boolean
): ReadonlyArray<UserQuestion> => {
  const clean = (text: string) => Sentences.proseOf(text, userQuestionCharsMax, isKnown)
  const { whySlot } = Languages.ofLocale(request.locale)
  const asked = [
    ...UserQuestions.forSlots(request, answers.map(({ text }) => text)),
    ...draft.what_to_ask_user.filter(({ q }) => isOfMatter(q, pages))
      .slice(0, draftQuestionsMax).map(({ q }) => ({ q, why: whySlot }))
  ]
    .map(({ q, why }) => ({ q: clean(q), why })).filter(({ q }) => q !== "")
  return asked.filter(({ q }, index) => asked.findIndex((other) => other.q === q) === index)
}

/** Whether a question has the words of one passage, speaks to no reader and asks for no secret. */
const isOfMatter = (question: string, pages: ReadonlyArray<Page>): boolean =>
  QuestionTerms.questionMark.test(question) && question.length <= userQuestionCharsMax &&
  Sentences.sentenceTexts(question).length === 1 && Chunking.isOfSources(question, pages) &&
  !InjectionFlag.isSuspicious(question) && !QueryPrivacy.isAskedFor(question) &&
  !/:\/\/|\bwww\./i.test(question)

// Chooses the section of a sentence by words of obligation and custom.

const obligation = new RegExp(forms.obligation, "iu")
const custom = new RegExp(forms.custom, "iu")
const duty = new RegExp(forms.duty, "iu")
/** Capitalised only: "act", "article" and "code" are also ordinary words. */
const enactment = /\b(?:Act|Code|Ordinance|Article \d+)\b/

/** Section of the pack for a claim. Law outweighs custom. */
export const sectionOf = (sentence: string, reasons: ReadonlyArray<ReasonCode>): Section => {
  const isCustom = custom.test(sentence)
  if (isCustom && !duty.test(sentence)) return "norms_and_expectations"
  if (obligation.test(sentence) || enactment.test(sentence)) return "constraints_and_rules"
  return reasons.includes("CULTURE_NORMS") && !isDated(sentence)
    ? "norms_and_expectations"
    : "key_points"
}

/** Whether the sentence holds a date. Asked about manners, one without a date describes custom. */
const isDated = (sentence: string): boolean =>
  quantities(sentence).some(({ kind }) => kind !== "number")
