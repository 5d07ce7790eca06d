/**
 * How likely it is that quotations bear a claim out, 0 to 1, from what was read of both.
 *
 * Signs that are too weak to demote a claim still part the likely from the unlikely. The weights
 * are round and set by hand; docs/confidence.md tells on which claims they were chosen.
 */
import * as Polarity from "../opposition/Polarity.ts"
import type { Quantity } from "../text/Quantities.ts"
import type { Reading } from "./ClaimReading.ts"

export interface Missing {
  /** Of the claim, in no quotation. */
  readonly quantity: Quantity
  /** Whether the quotations state others of its kind: none leaves open what another denies. */
  readonly isDenied: boolean
}

/** Off the score when many names are missing, half of it for the first. */
const namePenalty = 0.4
/** What remains of it for a missing number: a count up to three is often the writer's own. */
const remains = { number: 0.3, count: 0.6, date: 0.4 } as const
const countMax = 3
/** Share of that penalty where nothing of the kind is stated. */
const openShare = 0.4
/** From this share of its words on, a sentence is about the claim, and its "not" counts. */
const polarityMin = 0.6
const negationPenalty = 0.4
const oppositePenalty = 0.2
/** One of claim and quotations denies something, in whatever place. */
const deniedOncePenalty = 0.2
/** On for a claim whose nearest sentence rises or falls with it, off for the other way. */
const directionBonus = 0.05
/** Long texts hold many words by chance: what the longest take off. */
const lengthPenalty = 0.2
const lengthLogMax = 8
/** Who speaks of themselves or asks tells more, or less, than a page does. */
const ownPenalty = 0.6
const askingPenalty = 0.2
/** Not the numeral of "World War I". */
const own = /(?<!\p{Lu}[\p{L}.]*\s)\b[Ii]\b(?![.\p{L}])|\b(?:my|me|mine|myself)\b/u
const asking = /[?？]/u

/** Signs put together, and the share of claims like it that people called supported. */
const calibration: ReadonlyArray<readonly [signs: number, share: number]> = [
  [-0.2, 0],
  [0, 0.08],
  [0.1, 0.15],
  [0.3, 0.45],
  [0.5, 0.65],
  [0.7, 0.8],
  [0.9, 0.95],
  [1, 1]
]

/** From what `signs` gives, or what is left of it, to a share of claims; 0 to 1. */
export const likelihood = (sum: number): number => {
  const above = calibration.findIndex(([signs]) => sum <= signs)
  const [right, high] = calibration.at(above) ?? [1, 1]
  if (above <= 0) return high
  const [left, low] = calibration[above - 1] ?? [right, high]
  return low + (high - low) * (sum - left) / (right - left)
}

/** From -0.25 to 1.05: higher is likelier, but no share yet. */
export const signs = (
  claim: string,
  quoted: string,
  reading: Reading,
  missing: ReadonlyArray<Missing>
): number => {
  const { coverage, direction, nearest, nearestRecall, otherNamesMissing, termsCount } = reading
  const isNear = nearestRecall >= polarityMin
  const negated = isNear && Polarity.isNegatedOtherwise(claim, nearest) ? negationPenalty : 0
  const opposite = isNear && Polarity.holdsOpposite(claim, nearest) ? oppositePenalty : 0
  const numbers = Math.min(1, ...missing.map(remaining))
  const length = Math.min(1, Math.log1p(termsCount) / lengthLogMax)
  const adds = (sign: RegExp) => sign.test(claim) && !sign.test(quoted)
  const voice = (adds(own) ? 1 - ownPenalty : 1) * (adds(asking) ? 1 - askingPenalty : 1)
  const names = 1 - namePenalty * otherNamesMissing / (1 + otherNamesMissing)
  const denied = reading.isDeniedOnce ? deniedOncePenalty : 0
  const held = coverage * names * numbers * voice * (1 - negated) * (1 - opposite) * (1 - denied)
  return held + directionBonus * direction - lengthPenalty * length
}

const remaining = ({ isDenied, quantity: { kind, value } }: Missing): number => {
  const rest = kind !== "number" ? remains.date : value > countMax ? remains.number : remains.count
  return isDenied ? rest : 1 - openShare * (1 - rest)
}
