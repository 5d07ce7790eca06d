/** The chance that the answer to a question is another one some years on. Weights set by hand. */
import type { WordField } from "./GateWords.ts"
import type { NeedSignals } from "./NeedSignals.ts"

const countMax = 2
const bias = -1.2

const weights: ReadonlyArray<readonly [WordField, number]> = [
  ["changing", 1.6],
  ["time", 1.4],
  ["now", 0.9],
  ["price", 0.8],
  ["finance", 1.2],
  ["settled", -1.6]
]
/** A question that names a year mostly asks for what was then. */
const yearWeight = -1

/** 0 to 1; likely to change from 0.5. */
export const volatilityOf = (signals: NeedSignals): number => {
  const subjects = weights.reduce(
    (sum, [subject, weight]) => sum + weight * Math.min(countMax, signals.count(subject)),
    bias
  )
  return 1 / (1 + Math.exp(-(subjects + (signals.years.length > 0 ? yearWeight : 0))))
}
