/**
 * Fits the tagger of private words and writes `NameWeights.json`.
 *
 * Reads `training/privacy` and `training/requests`, the questions of
 * `training/gate` as texts without secrets, and what `nameTexts.ts` and `codeTexts.ts` draw.
 * `--check` writes nothing and prints what leaves of sets that the tagger was not fitted to, each
 * left out in turn: ten minutes.
 */
import { createHash } from "node:crypto"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { holds } from "../bench/heldWords.ts"
import { buckets, featuresOf } from "../src/privacy/NameFeatures.ts"
import { isBreak, type NameWeights } from "../src/privacy/NameTagger.ts"
import type { Token } from "../src/privacy/NameTokens.ts"
import { contacts } from "../src/privacy/NumberShapes.ts"
import { count, readText, spansOf } from "../src/privacy/PrivateText.ts"
import { stripBy } from "../src/privacy/QueryPrivacy.ts"
import type { Span } from "../src/text/Sentences.ts"
import { drawnCodes } from "./codeTexts.ts"
import {
  drawnHarmless,
  drawnPersonal,
  fittedFiles,
  languages,
  lowered,
  random,
  renamed,
  type Row,
  seeded,
  training
} from "./nameTexts.ts"

const weightsFile = join(import.meta.dirname, "../src/privacy/NameWeights.json")
const epochs = 12
/** The model is the mean of what these last epochs ended with. */
const averaged = 8
const stepSize = 0.1
/** Copies of a row with other names, and sentences drawn for each language. */
const copies = 10
const drawn = { open: 300, personal: 500, codes: 400 }
const shares = { renamed: 0.5, open: 0.5, lowered: 0.35, drawn: 0.3 }
/** Weights of the data file: thousandths, and letters around the zero. */
const pointsOfOdds = 1_000
/** Beyond it a weight is cut: one in ten thousand is larger. */
const largestShare = 0.9999
const levelMax = 45
const zeroCode = 80
const lineChars = 96
/** From open or private to open or private, within a phrase and across a break. */
const stepsCount = 8
/** A smaller slope changes no weight. */
const slopeMin = 1e-4

/** A text as the tagger reads it, and which of its words are private. */
interface Example {
  readonly tokens: ReadonlyArray<Token>
  readonly features: ReadonlyArray<ReadonlyArray<number>>
  readonly isPrivate: ReadonlyArray<boolean>
  readonly weight: number
}

interface Model {
  bias: number
  readonly steps: Float64Array
  readonly levels: Float32Array
}

const linesOf = (path: string): ReadonlyArray<string> =>
  readFileSync(join(training, path), "utf8").split("\n").filter((line) => line !== "")

const rowsOf = (set: string, path: string, language: string): ReadonlyArray<Row> =>
  linesOf(path).map((line) => ({ set, language, secrets: [], needed: [], ...JSON.parse(line) }))

const isHeldOut = (text: string): boolean =>
  (createHash("sha256").update(text).digest()[0] ?? 0) % 3 === 0

const setNames = "First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Promised".split(" ")
const requests = setNames.flatMap((name) =>
  ["personal", "harmless"].flatMap((kind) => rowsOf(name, `requests/${kind}${name}.jsonl`, "en"))
)
const own = languages.flatMap((language) =>
  rowsOf("training", `privacy/${language}.jsonl`, language)
    .map((row) => isHeldOut(row.text) ? { ...row, set: "held out" } : row)
)
const all = [...own, ...requests]

/** Questions that reveal nothing of the asker. Further sets of the gate name people. */
const open = languages.flatMap((language) =>
  rowsOf("open", `gate/${language}.jsonl`, language).filter(({ set, text }) => {
    const read = readText(text)
    const spoken = read.unspaced ?? read.spaced
    return set === "open" && Object.values(contacts).every((pattern) =>
      spansOf(text, pattern).length === 0
    ) &&
      (["self", "sign", "kin", "title"] as const).every((field) =>
        count(read.low, spoken, field) === 0
      )
  })
)

const eastern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Chinese and Japanese have no blank before a number or a word in other letters. */
const inWord = "[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{N}]"

const placesOf = (text: string, secret: string): ReadonlyArray<Span> => {
  const plain = secret.normalize("NFKC").replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const bounded = eastern.test(plain)
    ? plain
    : `(?<!${inWord})${plain}(?!${inWord})`
  return spansOf(text, new RegExp(bounded, "giu"))
}

const exampleOf = ({ secrets, text }: Row, weight: number): Example => {
  const raw = Object.values(contacts).reduce(
    (rest, pattern) => rest.replace(pattern, " "),
    text.normalize("NFKC")
  )
  const { features, tokens } = featuresOf(readText(raw))
  const places = secrets.flatMap((secret) => placesOf(raw, secret))
  const isPrivate = tokens.map((token) =>
    places.some(({ end, start }) => token.start < end && start < token.end)
  )
  return { tokens, features, isPrivate, weight }
}

const logSum = (left: number, right: number): number => {
  const more = Math.max(left, right)
  return more + Math.log(Math.exp(left - more) + Math.exp(right - more))
}

/**
 * One step of a conditional random field with two states, by AdaGrad. Changes the model, and answers
 * with the change of its bias.
 */
const learn = (
  { bias, levels, steps }: Model,
  squares: Model,
  { features, isPrivate, tokens, weight }: Example
): number => {
  const scores = features.map((some) =>
    some.reduce((sum, bucket) => sum + (levels[bucket] ?? 0), bias)
  )
  const base = tokens.map((token) => isBreak(token) ? 4 : 0)
  const stepOf = (at: number, step: number) => steps[(base[at] ?? 0) + step] ?? 0
  const count = tokens.length
  const ahead = Array.from({ length: count }, () => [0, 0])
  const behind = Array.from({ length: count }, () => [0, 0])
  for (let at = 0; at < count; at++) {
    const [a = 0, b = 0] = ahead[at - 1] ?? []
    const score = scores[at] ?? 0
    ahead[at] = at === 0 ? [0, score] : [
      logSum(a + stepOf(at, 0), b + stepOf(at, 2)),
      score + logSum(a + stepOf(at, 1), b + stepOf(at, 3))
    ]
  }
  for (let at = count - 2; at >= 0; at--) {
    const [a = 0, b = 0] = behind[at + 1] ?? []
    const secret = b + (scores[at + 1] ?? 0)
    behind[at] = [
      logSum(stepOf(at + 1, 0) + a, stepOf(at + 1, 1) + secret),
      logSum(stepOf(at + 1, 2) + a, stepOf(at + 1, 3) + secret)
    ]
  }
  const whole = logSum(ahead[count - 1]?.[0] ?? 0, ahead[count - 1]?.[1] ?? 0)
  const slopes = new Float64Array(stepsCount)
  let change = 0
  for (let at = 0; at < count; at++) {
    const [, b = 0] = ahead[at] ?? []
    const slope = (Math.exp(b + (behind[at]?.[1] ?? 0) - whole) - (isPrivate[at] ? 1 : 0)) * weight
    squares.bias += slope * slope
    change -= stepSize * slope / Math.sqrt(squares.bias)
    if (Math.abs(slope) > slopeMin) {
      for (const bucket of features[at] ?? []) {
        const square = (squares.levels[bucket] ?? 0) + slope * slope
        squares.levels[bucket] = square
        levels[bucket] = (levels[bucket] ?? 0) - stepSize * slope / Math.sqrt(square)
      }
    }
    if (at === 0) continue
    for (let step = 0; step < 4; step++) {
      const [from, to] = [step >> 1, step & 1]
      const after = (behind[at]?.[to] ?? 0) + (to === 1 ? scores[at] ?? 0 : 0)
      const likely = Math.exp((ahead[at - 1]?.[from] ?? 0) + stepOf(at, step) + after - whole)
      const isSo = isPrivate[at - 1] === (from === 1) && isPrivate[at] === (to === 1)
      const place = (base[at] ?? 0) + step
      slopes[place] = (slopes[place] ?? 0) + (likely - (isSo ? 1 : 0)) * weight
    }
  }
  slopes.forEach((slope, place) => {
    const square = (squares.steps[place] ?? 0) + slope * slope
    squares.steps[place] = square
    steps[place] = (steps[place] ?? 0) - stepSize * slope / Math.sqrt(square)
  })
  return change
}

const modelOf = (bias: number, start: number): Model => ({
  bias,
  steps: new Float64Array(stepsCount).fill(start),
  levels: new Float32Array(buckets).fill(start)
})

const fit = (examples: ReadonlyArray<Example>): Model => {
  const model = modelOf(-2, 0)
  const squares = modelOf(0.01, 0.01)
  const sum = modelOf(0, 0)
  const random = seeded(12_345)
  const order = [...examples]
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let index = order.length - 1; index > 0; index--) {
      const other = Math.floor(random() * (index + 1))
      const [left, right] = [order[index], order[other]]
      if (left !== undefined && right !== undefined) [order[index], order[other]] = [right, left]
    }
    for (const example of order) {
      if (example.tokens.length > 0) model.bias += learn(model, squares, example)
    }
    if (epoch < epochs - averaged) continue
    sum.bias += model.bias / averaged
    model.steps.forEach((step, at) => sum.steps[at] = (sum.steps[at] ?? 0) + step / averaged)
    model.levels.forEach((level, at) => sum.levels[at] = (sum.levels[at] ?? 0) + level / averaged)
  }
  return sum
}

const examplesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Example> => {
  const personal = rows.filter(({ secrets }) => secrets.length > 0)
  const harmless = rows.filter(({ secrets }) => secrets.length === 0)
  return [
    ...rows.map((row) => exampleOf(row, 1)),
    ...personal.flatMap((row) =>
      Array.from({ length: copies }, () => exampleOf(renamed(row), shares.renamed))
    ),
    ...open.map((row) => exampleOf(row, shares.open)),
    ...[...harmless, ...open.filter((_, at) => at % 3 === 0)]
      .map((row) => exampleOf(lowered(row), shares.lowered)),
    ...(["harmless", "related"] as const).flatMap((kind) => drawnHarmless(kind, drawn.open))
      .map((row) => exampleOf(row, shares.drawn)),
    ...drawnPersonal(drawn.personal, open).map((row) => exampleOf(row, shares.drawn)),
    ...drawnCodes(drawn.codes, open, random).map((row) => exampleOf(row, shares.drawn))
  ]
}

/** The model in whole levels, as the data file holds it. */
const quantised = ({ bias, levels, steps }: Model): NameWeights => {
  const sizes = levels.map(Math.abs).filter((size) => size > 0).toSorted()
  const largest = sizes[Math.floor(sizes.length * largestShare)] ?? 1
  const unit = Math.max(1, Math.round(largest * pointsOfOdds / levelMax))
  return {
    unit,
    bias: Math.round(bias * pointsOfOdds),
    steps: Array.from(steps, (step) => Math.round(step * pointsOfOdds)),
    levels: Int8Array.from(
      levels,
      (level) => Math.max(-levelMax, Math.min(levelMax, Math.round(level * pointsOfOdds / unit)))
    )
  }
}

const weightsFor = (rows: ReadonlyArray<Row>): NameWeights => quantised(fit(examplesOf(rows)))

const share = (part: number, whole: number): string =>
  `${(part / Math.max(1, whole)).toFixed(3)} (${part}/${whole})`

const tell = (set: string, weights: NameWeights): void => {
  const strip = stripBy(weights)
  const judged = all.filter((row) => row.set === set).map((row) => {
    const left = strip(row.text)
    return {
      isPersonal: row.secrets.length > 0,
      leaks: row.secrets.some((secret) => holds(left, secret)),
      loses: row.needed.some((word) => !holds(left, word))
    }
  })
  const personal = judged.filter(({ isPersonal }) => isPersonal)
  const harmless = judged.filter(({ isPersonal }) => !isPersonal)
  console.log(
    `${set.padEnd(10)} leaving ${
      share(personal.filter(({ leaks }) => leaks).length, personal.length)
    }`,
    ` personal that lose ${share(personal.filter(({ loses }) => loses).length, personal.length)}`,
    ` harmless that lose ${share(harmless.filter(({ loses }) => loses).length, harmless.length)}`
  )
}

/** All texts that the weights depend on; a test compares their hash with the file's. */
const read = globSync(fittedFiles).sort().map((path) => readFileSync(path, "utf8"))

if (process.argv.includes("--check")) {
  for (const set of ["held out", ...setNames]) {
    tell(set, weightsFor(all.filter((row) => row.set !== set)))
  }
} else {
  const weights = weightsFor(all)
  const letters = Array.from(weights.levels, (level) => String.fromCharCode(zeroCode + level))
  const written = {
    version: 1,
    trainedOn: createHash("sha256").update(read.join("")).digest("hex"),
    unit: weights.unit,
    bias: weights.bias,
    steps: weights.steps,
    hashed: letters.join("").match(new RegExp(`.{1,${lineChars}}`, "gs")) ?? []
  }
  writeFileSync(weightsFile, `${JSON.stringify(written, undefined, 1)}\n`)
}
