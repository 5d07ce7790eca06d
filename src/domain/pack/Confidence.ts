/**
 * How far a claim and a pack may be relied on, 0 to 1.
 *
 * The steps follow what was measured on RAMDocs: an answer that one document gives is right in 66 %
 * of the cases, two in 89 %, three in 99 % (an upper bound: only independent domains count here).
 */
import { DateTime, Option } from "effect"
import type { Claim, ClaimWording, Support } from "./GroundingPack.ts"

/**
 * The local engine quotes, so what it says is in the sources. Whether it answers is less sure: its
 * five sentences held the answer for about half of the questions measured. It never reports more.
 */
export const localMax = 0.75
/** Less is told as uncertain and not used as a fact. */
export const usableMin = 0.3
/** When a model was to write and failed, the caller expected more than quotation. */
export const afterFailureMax = 0.3
/** Nothing read on the web is certain. */
const certainMax = 0.95
/** A model's words that one source alone bears out. */
const judgedAloneMax = 0.6
/** Kept below the band that callers may use. */
const disputedMax = 0.25
const besideMax = 0.25
/** Of a pack without a standing answer. */
const unansweredMax = 0.2

const byIndependentSources: ReadonlyArray<number> = [0, 0.6, 0.8, 0.88]
const officialBonus = 0.12
const partlyPenalty = 0.15
const outdatedPenalty = 0.15
const undatedPenalty = 0.05
/** A time-sensitive answer is outdated after a year. */
const freshDaysMax = 365
/** Whatever was asked, a reader should be told that the newest source is older than ten years. */
const currentDaysMax = 3_650

export interface Grounds {
  /** Sources of different sites that bear the claim and are no copies of each other. */
  readonly independent: number
  readonly official: boolean
  readonly support: Support
  readonly wording: ClaimWording | undefined
  readonly freshness: Freshness
}

/** `unasked` when the question is not time-sensitive. */
export type Freshness = "unasked" | "fresh" | "outdated" | "undated"

export const ofClaim = (grounds: Grounds, max: number): number => {
  const { freshness, independent, official, support, wording } = grounds
  const agreed = byIndependentSources[Math.min(independent, byIndependentSources.length - 1)] ?? 0
  const lessFor = freshness === "outdated"
    ? outdatedPenalty
    : freshness === "undated"
    ? undatedPenalty
    : 0
  const moreFor = official ? officialBonus : 0
  const raw = agreed + moreFor - (support === "partly" ? partlyPenalty : 0) - lessFor
  const wordingMax = wording === "judged" && independent < 2 ? judgedAloneMax : 1
  return rounded(Math.min(max, certainMax, wordingMax, Math.max(0.05, raw)))
}

/** What is disputed is told, but not to be relied on. */
export const ofDisputed = (grounds: Grounds, max: number): number =>
  rounded(Math.min(disputedMax, ofClaim(grounds, max)))

/** What stands beside the question may be true, and is no answer. */
export const ofBeside = (grounds: Grounds, max: number): number =>
  rounded(Math.min(besideMax, ofClaim(grounds, max)))

/** The mean of the best claims that answer; 0 exactly when nothing is claimed. */
export const ofPack = (
  claims: ReadonlyArray<Claim>,
  disputed: ReadonlyArray<Claim>,
  max: number
): number => {
  if (claims.length + disputed.length === 0) return 0
  const answers = claims.filter(({ beside_question }) => beside_question === undefined)
  if (answers.length === 0) return rounded(Math.min(unansweredMax, max))
  const best = answers.map(({ confidence }) => confidence).toSorted((left, right) => right - left)
    .slice(0, 3)
  const mean = best.reduce((sum, confidence) => sum + confidence, 0) / best.length
  return rounded(Math.min(max, mean))
}

/** Of a source of that date at that time; both ISO 8601. */
export const freshness = (
  isTimeSensitive: boolean,
  published: string | undefined,
  now: string
): Freshness => {
  if (!isTimeSensitive) return "unasked"
  return Option.match(daysSince(published, now), {
    onNone: () => "undated",
    onSome: (days) => days > freshDaysMax ? "outdated" : "fresh"
  })
}

/** Whether a source of that date may speak of a world that is gone, whatever was asked. */
export const isLongAgo = (published: string | undefined, now: string): boolean =>
  Option.exists(daysSince(published, now), (days) => days > currentDaysMax)

const daysSince = (published: string | undefined, now: string): Option.Option<number> => {
  const writtenAt = Option.flatMap(Option.fromUndefinedOr(published), (date) => DateTime.make(date))
  return Option.map(
    Option.all([writtenAt, DateTime.make(now)]),
    ([written, today]) =>
      (DateTime.toEpochMillis(today) - DateTime.toEpochMillis(written)) / 86_400_000
  )
}

const rounded = (confidence: number): number => Math.round(confidence * 100) / 100
