/** The fitted confidence: weighted sums over features, in thousandths of a log-odd. */
import {
  type ClaimFeatures,
  claimNames,
  type PackFeatures,
  packNames
} from "./ConfidenceFeatures.ts"
import fitted from "./ConfidenceWeights.json" with { type: "json" }

/** `question`: something is asked. `topic`: a subject or a scene is to be set up. */
export type AskedFor = "question" | "topic"

/**
 * Confidence below which a pack of the local writer answers nothing: what it tells is background.
 */
export const refusedBelow = fitted.refused_below

/** Confidence below which a claim beside an answer is shown as background. */
export const besideBelow = fitted.beside_below

/**
 * Weights that no public set tells, in thousandths of a log-odd: set by hand, stated in the data
 * file.
 */
export const assumed = fitted.assumed

const pointsOfOdds = 1_000

/** A name that the file lacks weighs nothing. */
const sumOf = <Name extends string>(
  { bias, weights }: { readonly bias: number; readonly weights: Readonly<Record<string, number>> },
  names: ReadonlyArray<Name>,
  features: Readonly<Record<Name, number>>
): number =>
  Math.round(names.reduce((sum, name) => sum + (weights[name] ?? 0) * features[name], bias))

/** Log-odds, in thousandths, that the claim answers. */
export const ofClaim = (asked: AskedFor, features: ClaimFeatures): number =>
  sumOf(fitted[asked].claim, claimNames, features)

/** Log-odds, in thousandths, that some standing claim of the pack answers. */
export const ofPack = (asked: AskedFor, features: PackFeatures): number =>
  sumOf(fitted[asked].pack, packNames, features)

export const probability = (odds: number): number => 1 / (1 + Math.exp(-odds / pointsOfOdds))
