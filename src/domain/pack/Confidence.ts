/**
 * How far a claim and a pack may be relied on, 0 to 1: the fitted probability that what stands
 * answers rightly, below the ceilings that no figure may pass.
 */
import { DateTime, Option } from "effect"
import * as ConfidenceFeatures from "./ConfidenceFeatures.ts"
import type { ClaimWording, Support } from "./GroundingPack.ts"
import type { Origins } from "./Origins.ts"
import type { Relation } from "./PrimaryWord.ts"

/** Highest confidence of the local writer, which only quotes. */
export const localMax = 0.75
/** Confidence below which a claim is told as uncertain and not used as a fact. */
export const usableMin = 0.3
/** Highest confidence after a failed model: the caller expected more than quotation. */
export const afterFailureMax = 0.3
const evenOdds = 0.5
/** Nothing read on the web is certain. */
const certainMax = 0.95
/** Highest confidence of a model's words that one source alone supports. */
const judgedAloneMax = 0.6
/**
 * Highest confidence of disputed claims and of those beside the question, below what callers may
 * use.
 */
const uncertainMax = 0.25
/** Highest confidence of a pack without a standing answer. */
const unansweredMax = 0.2
/** Highest confidence of a claim without a source that supports it. */
const unsupportedMax = 0.05
const lowest = 0.01

/** A time-sensitive answer is outdated after a year. */
const freshDaysMax = 365
/** Whatever was asked, a reader should be told that the newest source is older than ten years. */
const currentDaysMax = 3_650

/** Facts about a claim; what those beside its odds are worth no public set tells. */
export interface Grounds {
  /** Number of origins that support the claim. */
  readonly independent: number
  readonly origins: Origins | undefined
  readonly relation: Relation | undefined
  /** Others seem to answer otherwise, and nothing settles it. */
  readonly isOpposed: boolean
  readonly isOfConsequence: boolean
  readonly support: Support
  readonly wording: ClaimWording | undefined
  readonly freshness: Freshness
  /** A model chose it as an answer, or a judge said that it is one: it is usable at least. */
  readonly isChosen: boolean
  /** Log-odds that the fitted model gives, in thousandths. */
  readonly odds: number
}

/** `unasked` when the question is not time-sensitive and the source not of long ago. */
export type Freshness = "unasked" | "fresh" | "outdated" | "undated"

/**
 * Confidence of a standing claim, 0 to 1, at most `max`. It is 0.05 at most when no independent
 * source supports it.
 */
export const ofClaim = (grounds: Grounds, max: number): number => {
  if (grounds.independent === 0) return rounded(Math.min(max, unsupportedMax))
  const fitted = ConfidenceFeatures.probability(grounds.odds + assumedOf(grounds))
  const least = grounds.isChosen ? usableMin : lowest
  const likely = Math.min(certainMax, Math.max(least, fitted))
  return rounded(Math.min(max, wordingMaxOf(grounds), pressed(likely, originMaxOf(grounds))))
}

/**
 * A probability pressed below a ceiling, its order kept. What may be refused stays as it is: who
 * says it changes how far a claim is relied on, and not what answers.
 */
const pressed = (probability: number, ceiling: number): number => {
  const from = ceiling > evenOdds ? evenOdds : ConfidenceFeatures.refusedBelow
  return probability <= from
    ? probability
    : from + (probability - from) * (ceiling - from) / (certainMax - from)
}

/** Ceiling by the class of the sources: a page costs little to make up, many cost little more. */
const originMaxOf = (
  { isOfConsequence, isOpposed, origins, relation }: Grounds
): number => {
  const { ceilings } = ConfidenceFeatures
  if (origins === undefined || origins.best === "primary" || relation === "confirmed") {
    return certainMax
  }
  if (isOpposed || relation !== undefined) return ceilings.unconfirmed
  const of = isOfConsequence ? ceilings.of_consequence : ceilings.other
  if (origins.count < 2) return of.alone
  return origins.best === "known" ? of.known : of.several
}

const assumedOf = (
  { freshness, independent, isChosen, origins, support }: Grounds
): number => {
  const { assumed } = ConfidenceFeatures
  const forAge = freshness === "outdated"
    ? assumed.outdated
    : freshness === "undated"
    ? assumed.undated
    : 0
  const forSources = (origins?.best === "primary" ? assumed.primary : 0) +
    (independent > 1 ? assumed.second_source : 0) + (isChosen ? assumed.chosen : 0)
  return forAge + forSources + (support === "partly" ? assumed.partly : 0)
}

const wordingMaxOf = ({ independent, wording }: Grounds): number =>
  wording === "judged" && independent < 2 ? judgedAloneMax : 1

/**
 * Confidence of a disputed claim, and of one beside the question, which may be true and is no
 * answer: low enough that nobody relies on it.
 */
export const ofUncertain = (grounds: Grounds, max: number): number =>
  Math.min(uncertainMax, ofClaim(grounds, max))

/**
 * Confidence, 0 to 1, that some standing claim answers, at most `max`. `best` is the answer to rely
 * on most, absent when no claim answers; `odds` are the pack's log-odds. Exactly 0 when nothing is
 * claimed.
 */
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

/**
 * Freshness of a source published at `published`, asked about at `now`; both ISO 8601. One of long
 * ago is outdated whatever was asked.
 */
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

/** Whether a source of that date may speak of a world that is gone, whatever was asked. */
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
