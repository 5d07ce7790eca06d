/**
 * The chance that the answer to a question is another one some years on.
 *
 * The weights are a logistic regression on FreshQA (Apache-2.0) and EvergreenQA (MIT) over the
 * hand-written cues, rounded to one decimal; neither set's text is kept.
 */
import type { Cue } from "./Cues.ts"
import type { NeedSignals } from "./NeedSignals.ts"

/** Years before it name settled events. A constant, not the clock: a gate replays the same. */
const unsettledYear = 2025

const countMax = 2
const bias = -1.8

const weights: ReadonlyArray<readonly [Cue, number]> = [
  ["fresh", 2.2],
  ["relative", 2.9],
  ["superlative", 2.4],
  ["office", 0.7],
  ["tally", 1.5],
  ["perfect", 0.2],
  ["age", 2.3],
  ["price", 1],
  ["release", 0.4],
  ["upcoming", 1.7],
  ["holder", 0.7],
  ["present", 0.4],
  ["live", 0.4],
  ["finance", 1.4],
  ["past", -0.8],
  ["origin", -0.4],
  ["fixed", -1.4],
  ["ordinal", -0.8]
]
const settledYearWeight = -1.6

/** 0 to 1; likely to change from 0.5. */
export const volatilityOf = (signals: NeedSignals): number => {
  const cues = weights.reduce(
    (sum, [cue, weight]) => sum + weight * Math.min(countMax, signals.count(cue)),
    bias
  )
  const settled = signals.years.some((year) => year < unsettledYear) ? settledYearWeight : 0
  return 1 / (1 + Math.exp(-(cues + settled)))
}
