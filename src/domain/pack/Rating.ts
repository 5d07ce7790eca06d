/** Rates the claims of a pack: how likely each answers, whether any does, which are background. */
import * as Languages from "@web-grounding/language/Languages"
import { Struct } from "effect"
import { isAdvised } from "../need/Eligibility.ts"
import type { SearchNeed } from "../need/ReasonCodes.ts"
import type { Page } from "../page/Page.ts"
import * as PageOrigin from "../page/PageOrigin.ts"
import { asGiven } from "../request/GivenFields.ts"
import { type GroundingRequest, questionOf } from "../request/GroundingRequest.ts"
import * as Confidence from "./Confidence.ts"
import * as ConfidenceFeatures from "./ConfidenceFeatures.ts"
import * as Contradiction from "./Contradiction.ts"
import type { Claim, PackDraft, PackNote, Section } from "./GroundingPack.ts"
import type { JudgedClaim } from "./Judgement.ts"
import { isPrimary, mayAnswer, originsCount, type PlacedClaim } from "./PlacedClaim.ts"

export interface Materials {
  readonly draft: PackDraft
  /** All pages: a quotation may come from passages the writer was not shown. */
  readonly pages: ReadonlyArray<Page>
  readonly request: GroundingRequest
  readonly need: SearchNeed
  /** 1 for a model's pack, lower for the local engine's. */
  readonly confidenceMax: number
  /** Ceiling of a model's claims without a judgement: the local writer's. */
  readonly unjudgedMax?: number
  /** Absent: no judge is configured, and the checks of code decide alone. */
  readonly judgements?: ReadonlyArray<JudgedClaim>
  readonly areSitesLeftOut?: boolean
  /** ISO 8601; freshness is judged by it. */
  readonly now: string
}

export interface Setting {
  readonly question: string
  readonly asked: ConfidenceFeatures.AskedFor
  readonly isOfConsequence: boolean
  readonly pages: ReadonlyArray<Page>
}

interface RatedFeatures {
  readonly claim: PlacedClaim
  readonly independent: number
  readonly features: ConfidenceFeatures.ClaimFeatures
}

export interface Features {
  readonly claims: ReadonlyArray<RatedFeatures>
  /** Features of all claims that may answer; absent when none may. */
  readonly pack: ConfidenceFeatures.PackFeatures | undefined
}

export const featuresOf = (claims: ReadonlyArray<PlacedClaim>, setting: Setting): Features => {
  if (claims.length === 0) return { claims: [], pack: undefined }
  const reading = ConfidenceFeatures.readingOf(setting.question, setting.pages)
  const seen = claims.map((claim) => {
    const independent = claim.sources.length === 0 ? 0 : originsCount(claim)
    const sources = [...claim.sources, ...claim.echoes ?? []]
    const said = { text: claim.text, sources, place: claim.place, independent }
    return { claim, independent, features: ConfidenceFeatures.ofClaim(reading, said) }
  })
  const answers = seen.filter(({ claim }) => mayAnswer(claim)).map(({ features }) => features)
  return { claims: seen, pack: ConfidenceFeatures.ofPack(reading, answers) }
}

interface Terms {
  readonly confidenceMax: number
  readonly isChosen: (claim: PlacedClaim) => boolean
  readonly freshness: (asOf: string | undefined) => Confidence.Freshness
}

export interface Rated {
  readonly claims: ReadonlyArray<readonly [Section | "disputed", Claim]>
  readonly confidence: number
}

/** Rates claims and pack. An outdated or disputed best answer limits the pack's confidence. */
export const rate = (
  claims: ReadonlyArray<PlacedClaim>,
  setting: Setting,
  terms: Terms
): Rated => {
  const looks = featuresOf(claims, setting)
  const odds = looks.pack === undefined
    ? 0
    : ConfidenceFeatures.oddsOfPack(setting.asked, looks.pack)
  const known = looks.claims.map((one) => ({
    claim: one.claim,
    grounds: groundsOf(one, setting, terms)
  }))
  const best = known.filter(({ claim }) => mayAnswer(claim)).map(({ grounds }) => grounds)
    .toSorted((left, right) => ofClaim(right) - ofClaim(left))[0]
  const confidence = Confidence.ofPack({ claimsCount: claims.length, odds, best }, 1)
  // A claim that a model chose or a judge confirmed is not refused for lack of shared words.
  const isAsked = setting.asked === "question"
  const isRefused = isAsked && best?.isChosen !== true &&
    confidence < ConfidenceFeatures.refusedBelow
  const isBeside = (grounds: Confidence.Grounds) =>
    isRefused ||
    isAsked && !grounds.isChosen && ofClaim(grounds) < ConfidenceFeatures.besideBelow
  const told = known.map(({ claim, grounds }) => ({
    claim: mayAnswer(claim) && isBeside(grounds)
      ? { ...claim, beside_question: true as const }
      : claim,
    grounds
  }))
  const answer = isRefused ? undefined : best
  const isUnsure = answer !== undefined && (answer.freshness === "outdated" || isUnsettled(claims))
  return {
    claims: told.map(({ claim, grounds }) => rated(claim, grounds, terms.confidenceMax)),
    confidence: Confidence.ofPack(
      { claimsCount: claims.length, odds, best: answer },
      isUnsure ? Math.min(terms.confidenceMax, ofClaim(answer)) : terms.confidenceMax
    )
  }
}

const isUnsettled = (claims: ReadonlyArray<PlacedClaim>): boolean => {
  const standing = new Set(claims.filter(mayAnswer).map(({ text }) => text))
  return claims.some(({ against, reason }) =>
    reason === "contradicted_by_other_source" && !against?.some((text) => standing.has(text))
  )
}

const ofClaim = (grounds: Confidence.Grounds): number => Confidence.ofClaim(grounds, 1)

const groundsOf = (
  { claim, features, independent }: RatedFeatures,
  { asked, isOfConsequence }: Setting,
  { freshness, isChosen }: Terms
): Confidence.Grounds => ({
  odds: ConfidenceFeatures.oddsOfClaim(asked, features),
  independent,
  origins: claim.origins,
  relation: claim.relation,
  isOpposed: claim.isOpposed === true,
  isOfConsequence: isOfConsequence || claim.section === "constraints_and_rules",
  wording: claim.wording,
  freshness: freshness(PageOrigin.newest(claim.sources)),
  isChosen: isChosen(claim)
})

/** What no reader of a claim is shown, or in other words. */
const inner = ["echoes", "isOpposed", "origins", "place", "reason", "relation", "section"] as const

const rated = (
  claim: PlacedClaim,
  grounds: Confidence.Grounds,
  max: number
): readonly [Section | "disputed", Claim] => {
  const { origins, reason: demotion, section } = claim
  const told = {
    ...Struct.omit(claim, inner),
    ...(origins === undefined || claim.sources.length === 0 ? {} : { origins: origins.count }),
    ...(isPrimary(claim) ? { primary: true as const } : {}),
    ...asGiven({ credited_to: origins?.credited }),
    language: Languages.languageOf(claim.text).code,
    support: claim.wording === undefined ? "unsupported" as const : "supported" as const,
    ...asGiven({ as_of: PageOrigin.newest(claim.sources) })
  }
  const reason = demotion ?? (claim.beside_question === true ? "beside_question" : undefined)
  return reason === undefined
    ? [section, { ...told, confidence: Confidence.ofClaim(grounds, max) }]
    : ["disputed", { ...told, confidence: Confidence.ofUncertain(grounds, max), reason }]
}

const isTimeSensitive = (need: SearchNeed): boolean => need.reason_codes.includes("TIME_SENSITIVE")

/** Whether the question asks about the present; not if it names a past year. */
export const isAboutNow = (need: SearchNeed, request: GroundingRequest, now: string): boolean =>
  isTimeSensitive(need) && Contradiction.pastYear(questionOf(request), now) === undefined

/** Shorter texts do not show their language surely. In UTF-16 code units. */
const languageCharsMin = 40

export const isForeign = ({ language, text }: Claim, locale: string): boolean => {
  const wanted = locale.split("-")[0]?.toLowerCase()
  return Languages.all.some(({ code }) => code === wanted) && language !== wanted &&
    (text.length >= languageCharsMin || /[^\p{Script=Latin}\p{N}\p{P}\p{Zs}\p{S}]/u.test(text))
}

interface Seen {
  readonly isClaiming: boolean
  /** Some source answers, if only in dispute. */
  readonly isAnswered: boolean
  readonly isFlagged: boolean
  readonly isSplit: boolean
  readonly isForeign: boolean
  readonly isSurer: boolean
}

/** Notes on a pack as a whole. `asOf` is the date of the newest source that answers. */
export const packNotes = (
  { areSitesLeftOut = false, confidenceMax, judgements, need, now, pages, request, unjudgedMax }:
    Materials,
  { isAnswered, isClaiming, isFlagged, isForeign, isSplit, isSurer }: Seen,
  asOf: string | undefined
): ReadonlyArray<PackNote> => {
  const isOutdated = Confidence.isLongAgo(asOf, now) ||
    Confidence.freshness(isAboutNow(need, request, now), asOf, now) === "outdated"
  const found: ReadonlyArray<readonly [PackNote, boolean]> = [
    ["question_not_answered", pages.length > 0 && !isAnswered],
    [
      "based_on_sources_not_legal_advice",
      isClaiming && need.reason_codes.includes("POLICY_LEGAL")
    ],
    ["consider_professional_advice", pages.length > 0 && isAdvised(need, request)],
    [
      "extractive",
      isClaiming && unjudgedMax === undefined && confidenceMax <= Confidence.localMax
    ],
    ["llm_failed", pages.length > 0 && confidenceMax <= Confidence.afterFailureMax],
    ["judge_failed", isClaiming && judgements?.length === 0],
    ["suspicious_source", isFlagged],
    ["may_be_outdated", isOutdated],
    ["sources_may_disagree", isSplit],
    ["surer_together", isSurer],
    ["sites_left_out", areSitesLeftOut],
    ["in_other_language", isForeign]
  ]
  return found.flatMap(([note, holds]) => holds ? [note] : [])
}
