/** Confidence of a claim and of a pack, 0 to 1: fitted probabilities below policy ceilings. */
import { DateTime, Option } from "effect"
import * as ConfidenceFeatures from "./ConfidenceFeatures.ts"
import type { ClaimWording } from "./GroundingPack.ts"
import type { Origins } from "./Origins.ts"
import type { Relation } from "./PrimaryWord.ts"

/** Ceiling of the local writer, which only quotes. */
export const localMax = 0.75
/** A claim below this confidence is marked uncertain and not used as a fact. */
export const usableMin = 0.3
/** Ceiling after a failed model: the caller expected more than quotation. */
export const afterFailureMax = 0.3
const evenOdds = 0.5
const certainMax = 0.95
/** Ceiling of a model's words that one source alone supports. */
const judgedAloneMax = 0.6
/** Ceiling of disputed claims and of background, below `usableMin`. */
const uncertainMax = 0.25
/** Ceiling of a pack in which no claim answers. */
const unansweredMax = 0.2
const unsupportedMax = 0.05
const lowest = 0.01

const freshDaysMax = 365
/** A source older than ten years is outdated whatever the question. */
const currentDaysMax = 3_650

/** Facts about a claim beyond its odds, which no public set measures. */
export interface Grounds {
  readonly independent: number
  readonly origins: Origins | undefined
  readonly relation: Relation | undefined
  /** Other sources seem to answer otherwise, and nothing settles it. */
  readonly isOpposed: boolean
  readonly isOfConsequence: boolean
  readonly wording: ClaimWording | undefined
  readonly freshness: Freshness
  /** A model chose it as an answer, or a judge confirmed it: it is usable at least. */
  readonly isChosen: boolean
  /** Log-odds of the fitted model, in thousandths. */
  readonly odds: number
}

/** `unasked`: the question is not time-sensitive and the source is not older than ten years. */
export type Freshness = "unasked" | "fresh" | "outdated" | "undated"

/** Confidence of a claim, 0 to 1, at most `max`; at most 0.05 without an independent source. */
export const ofClaim = (grounds: Grounds, max: number): number => {
  if (grounds.independent === 0) return rounded(Math.min(max, unsupportedMax))
  const fitted = ConfidenceFeatures.probability(grounds.odds + assumedOf(grounds))
  const least = grounds.isChosen ? usableMin : lowest
  const likely = Math.min(certainMax, Math.max(least, fitted))
  return rounded(Math.min(max, wordingMaxOf(grounds), pressed(likely, originMaxOf(grounds))))
}

/**
 * Compresses a probability below a ceiling, keeping the order. Values below `refusedBelow` stay.
 */
const pressed = (probability: number, ceiling: number): number => {
  const from = ceiling > evenOdds ? evenOdds : ConfidenceFeatures.refusedBelow
  return probability <= from
    ? probability
    : from + (probability - from) * (ceiling - from) / (certainMax - from)
}

/** Ceiling by the class of the sources: one page costs little to make up, many cost little more. */
const originMaxOf = (
  { isOfConsequence, isOpposed, origins, relation }: Grounds
): number => {
  const { ceilings } = ConfidenceFeatures
  if (origins === undefined || origins.best === "primary") return certainMax
  if (isOpposed || relation !== undefined) return ceilings.unconfirmed
  const of = isOfConsequence ? ceilings.of_consequence : ceilings.other
  if (origins.count < 2) return of.alone
  return origins.best === "known" ? of.known : of.several
}

const assumedOf = (
  { freshness, independent, isChosen, origins }: Grounds
): number => {
  const { assumed } = ConfidenceFeatures
  const forAge = freshness === "outdated"
    ? assumed.outdated
    : freshness === "undated"
    ? assumed.undated
    : 0
  const forSources = (origins?.best === "primary" ? assumed.primary : 0) +
    (independent > 1 ? assumed.second_source : 0) + (isChosen ? assumed.chosen : 0)
  return forAge + forSources
}

const wordingMaxOf = ({ independent, wording }: Grounds): number =>
  wording === "judged" && independent < 2 ? judgedAloneMax : 1

/** Confidence of a disputed claim or of background, which may be true and is no answer. */
export const ofUncertain = (grounds: Grounds, max: number): number =>
  Math.min(uncertainMax, ofClaim(grounds, max))

/** 0 to 1, at most `max`; 0 without claims. `best` is absent when no claim answers. */
export const ofPack = (
  { best, claimsCount, odds }: {
    readonly claimsCount: number
    readonly odds: number
    readonly best: Grounds | undefined
  },
  max: number
): number => {
  if (claimsCount === 0) return 0
  return best === undefined
    ? rounded(Math.min(unansweredMax, max))
    : ofClaim({ ...best, odds }, max)
}

/** Of a source published at `published` for a question at `now`; both ISO 8601. */
export const freshness = (
  isTimeSensitive: boolean,
  published: string | undefined,
  now: string
): Freshness => {
  if (!isTimeSensitive) return isLongAgo(published, now) ? "outdated" : "unasked"
  return Option.match(daysSince(published, now), {
    onNone: () => "undated",
    onSome: (days) => days > freshDaysMax ? "outdated" : "fresh"
  })
}

export const isLongAgo = (published: string | undefined, now: string): boolean =>
  Option.exists(daysSince(published, now), (days) => days > currentDaysMax)

/** Days from one date or instant to another, both ISO 8601. */
export const daysSince = (published: string | undefined, now: string): Option.Option<number> => {
  const writtenAt = Option.flatMap(Option.fromUndefinedOr(published), (date) => DateTime.make(date))
  return Option.map(
    Option.all([writtenAt, DateTime.make(now)]),
    ([written, today]) =>
      (DateTime.toEpochMillis(today) - DateTime.toEpochMillis(written)) / 86_400_000
  )
}

const rounded = (confidence: number): number => Math.round(confidence * 100) / 100
