/** The fitted gate: a weighted sum over a text's features, in whole thousandths of a log-odd. */
import { type GateFeatures, structureNames } from "./GateFeatures.ts"
import fitted from "./GateWeights.json" with { type: "json" }

/** `turn`: what somebody says or asks. `setup`: the scene or topic of a session. */
export type GatePart = "turn" | "setup"

interface Weights {
  readonly bias: number
  /** Weights of `structureNames`; a name that the file lacks weighs nothing. */
  readonly structure: ReadonlyArray<number>
  /** Weights of the hashed buckets, modulo their number. */
  readonly hashed: Int8Array
}

/**
 * Character code of weight 0. Each bucket is one letter: its code less this one is the weight, in
 * units of `hashedUnit`.
 */
const zeroCode = 63

const levelsOf = (lines: ReadonlyArray<string>): Int8Array => {
  const letters = lines.join("")
  return new Int8Array(letters.length).map((_, place) => letters.charCodeAt(place) - zeroCode)
}

const weightsOf = (part: (typeof fitted)["turn"]): Weights => {
  const byName = new Map<string, number>(Object.entries(part.structure))
  return {
    bias: part.bias,
    structure: structureNames.map((name) => byName.get(name) ?? 0),
    hashed: levelsOf(part.hashed)
  }
}

const weights: Readonly<Record<GatePart, Weights>> = {
  turn: weightsOf(fitted.turn),
  setup: weightsOf(fitted.setup)
}

/**
 * Score of a text by the fitted model; a search is needed from 0. Whole numbers and square roots
 * alone give the same on every machine.
 */
export const scoreOf = ({ hashed, structure }: GateFeatures, part: GatePart): number => {
  const own = weights[part]
  const form = structure.reduce((sum, index) => sum + (own.structure[index] ?? 0), own.bias)
  const levels = hashed.reduce(
    (sum, bucket) => sum + (own.hashed[bucket % own.hashed.length] ?? 0),
    0
  )
  return hashed.length === 0
    ? form
    : form + Math.round(fitted.hashedUnit * levels / Math.sqrt(hashed.length))
}
