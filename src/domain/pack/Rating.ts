/**
 * Rates the claims of a pack: how likely each answers, whether anything does, and what is told as
 * background because nothing seems to.
 */
import * as Languages from "@web-grounding/language/Languages"
import type { Page } from "../page/Page.ts"
import * as PageDates from "../page/PageDates.ts"
import * as Confidence from "./Confidence.ts"
import * as ConfidenceFeatures from "./ConfidenceFeatures.ts"
import * as ConfidenceModel from "./ConfidenceModel.ts"
import type { Claim, Section } from "./GroundingPack.ts"
import {
  independentCount,
  isOfficial,
  mayAnswer,
  type PlacedClaim,
  type Wording
} from "./PlacedClaim.ts"

/** Question, pages and wordings by which claims are rated. */
export interface Setting {
  readonly question: string
  readonly asked: ConfidenceModel.AskedFor
  readonly pages: ReadonlyArray<Page>
  readonly wordings: (source_id: string) => Wording
}

export interface RatedFeatures {
  readonly claim: PlacedClaim
  readonly independent: number
  readonly features: ConfidenceFeatures.ClaimFeatures
}

export interface Features {
  readonly claims: ReadonlyArray<RatedFeatures>
  /** Features of all claims that may answer; absent when none may. */
  readonly pack: ConfidenceFeatures.PackFeatures | undefined
}

/** The features of each claim, in order, and of all that may answer together. */
export const featuresOf = (claims: ReadonlyArray<PlacedClaim>, setting: Setting): Features => {
  if (claims.length === 0) return { claims: [], pack: undefined }
  const reading = ConfidenceFeatures.readingOf(setting.question, setting.pages)
  const seen = claims.map((claim) => {
    const independent = independentCount(claim.sources, setting.wordings)
    const told = { text: claim.text, sources: claim.sources, place: claim.place, independent }
    return { claim, told, independent, features: ConfidenceFeatures.ofClaim(reading, told) }
  })
  const pack = ConfidenceFeatures.ofPack(reading, seen.filter(({ claim }) => mayAnswer(claim)))
  return { claims: seen, pack }
}

export interface Terms {
  readonly confidenceMax: number
  readonly isChosen: (claim: PlacedClaim) => boolean
  readonly freshness: (asOf: string | undefined) => Confidence.Freshness
}

export interface Rated {
  readonly claims: ReadonlyArray<readonly [Section | "disputed", Claim]>
  readonly confidence: number
}

/**
 * Rates each claim and the pack. A pack whose best answer is of long ago, or whose sources
 * contradict each other undecided, is no surer than that answer.
 */
export const rate = (
  claims: ReadonlyArray<PlacedClaim>,
  setting: Setting,
  terms: Terms
): Rated => {
  const looks = featuresOf(claims, setting)
  const odds = looks.pack === undefined ? 0 : ConfidenceModel.ofPack(setting.asked, looks.pack)
  const known = looks.claims.map((one) => ({
    claim: one.claim,
    grounds: groundsOf(one, setting, terms)
  }))
  const best = known.filter(({ claim }) => mayAnswer(claim)).map(({ grounds }) => grounds)
    .toSorted((left, right) => ofClaim(right) - ofClaim(left))[0]
  const confidence = Confidence.ofPack({ claimsCount: claims.length, odds, best }, 1)
  // What a model chose or a judge confirmed is no matter of shared words.
  const isAsked = setting.asked === "question"
  const isRefused = isAsked && best?.isChosen !== true && confidence < ConfidenceModel.refusedBelow
  const isBeside = (grounds: Confidence.Grounds) =>
    isRefused ||
    isAsked && !grounds.isChosen && ofClaim(grounds) < ConfidenceModel.besideBelow
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

/** Whether sources contradict each other and none of the claims that they make stands. */
const isUnsettled = (claims: ReadonlyArray<PlacedClaim>): boolean => {
  const standing = new Set(claims.filter(mayAnswer).map(({ text }) => text))
  return claims.some(({ against, reason }) =>
    reason === "contradicted_by_other_source" && !against?.some((text) => standing.has(text))
  )
}

const ofClaim = (grounds: Confidence.Grounds): number => Confidence.ofClaim(grounds, 1)

const groundsOf = (
  { claim, features, independent }: RatedFeatures,
  { asked }: Setting,
  { freshness, isChosen }: Terms
): Confidence.Grounds => ({
  odds: ConfidenceModel.ofClaim(asked, features),
  independent,
  official: isOfficial(claim),
  support: claim.support,
  wording: claim.wording,
  freshness: freshness(PageDates.newest(claim.sources)),
  isChosen: isChosen(claim)
})

const rated = (
  claim: PlacedClaim,
  grounds: Confidence.Grounds,
  max: number
): readonly [Section | "disputed", Claim] => {
  const asOf = PageDates.newest(claim.sources)
  const { place: _, reason: demotion, section, ...told } = claim
  const reason = demotion ?? (claim.beside_question === true ? "beside_question" : undefined)
  const dated = {
    ...told,
    language: Languages.languageOf(claim.text).code,
    ...(asOf === undefined ? {} : { as_of: asOf })
  }
  return reason === undefined
    ? [section, { ...dated, confidence: Confidence.ofClaim(grounds, max) }]
    : ["disputed", { ...dated, confidence: Confidence.ofUncertain(grounds, max), reason }]
}
