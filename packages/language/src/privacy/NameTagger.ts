/**
 * The fitted tagger of private names: of each word, how much likelier it belongs to one than not.
 *
 * Words and what stands between two of them have weights in whole units. The certainty of a word is
 * the best reading of the text in which it is private, less the best in which it is not, so that
 * sums and comparisons alone give the same on every machine.
 */
import { featuresOf } from "./NameFeatures.ts"
import type { Token } from "./NameTokens.ts"
import fitted from "./NameWeights.json" with { type: "json" }
import type { PrivateText } from "./PrivateText.ts"

export interface Tagged extends Token {
  /** Thousandths of a log-odd: from 0 on, private is likelier than not. */
  readonly certainty: number
  /** Whether it stands where somebody is introduced: behind "my wife", before "課長". */
  readonly isIntroduced: boolean
}

export interface NameWeights {
  /** Thousandths of a log-odd of each level of `levels`. */
  readonly unit: number
  readonly bias: number
  /** Weights from open or private to open or private, within a phrase and across a break. */
  readonly steps: ReadonlyArray<number>
  /** Level of each bucket of a feature. */
  readonly levels: Int8Array
}

/** Character code of level 0 in the file, where each bucket is one letter. */
const zeroCode = 80

const letters = fitted.hashed.join("")

/** Weights that `bench/fitNames.ts` wrote. */
export const shipped: NameWeights = {
  unit: fitted.unit,
  bias: fitted.bias,
  steps: fitted.steps,
  levels: new Int8Array(letters.length).map((_, at) => letters.charCodeAt(at) - zeroCode)
}

/** Whether a mark stands before the word, so that it likely begins another phrase. */
export const isBreak = ({ mark }: Token): boolean => mark !== "" && mark !== " " && mark !== "-"

/** Best sums up to a word, or from it on, in which it is open, and in which it is private. */
type Best = readonly [open: number, secret: number]

/** The words of a text with the certainty that each belongs to something private. */
export const tagged = (text: PrivateText, weights: NameWeights): ReadonlyArray<Tagged> => {
  const { features, introduced, tokens } = featuresOf(text)
  const { bias, levels, steps, unit } = weights
  const scores = features.map((some) =>
    some.reduce((sum, bucket) => sum + (levels[bucket] ?? 0), 0) * unit + bias
  )
  const stepsTo = tokens.map((token) => isBreak(token) ? steps.slice(4) : steps.slice(0, 4))
  const ahead = scores.reduce<Array<Best>>((all, score, at) => {
    const [open, secret] = all.at(-1) ?? [0, 0]
    const [stay = 0, enter = 0, leave = 0, keep = 0] = at === 0 ? [] : stepsTo[at] ?? []
    all.push([
      Math.max(open + stay, secret + leave),
      score + Math.max(open + enter, secret + keep)
    ])
    return all
  }, [])
  const behind = scores.reduceRight<Array<Best>>((all, _, at) => {
    const [open, secret] = all.at(-1) ?? [0, 0]
    const [stay = 0, enter = 0, leave = 0, keep = 0] = stepsTo[at + 1] ?? []
    const score = scores[at + 1] ?? 0
    all.push([
      Math.max(stay + open, enter + score + secret),
      Math.max(leave + open, keep + score + secret)
    ])
    return all
  }, []).toReversed()
  return tokens.map((token, at) => {
    const [before = [0, 0], after = [0, 0]] = [ahead[at], behind[at]]
    const certainty = before[1] + after[1] - before[0] - after[0]
    return { ...token, certainty, isIntroduced: introduced[at] === true }
  })
}
