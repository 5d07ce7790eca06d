/**
 * Fits the gate to the texts in `training/gate` and writes `GateWeights.json`.
 *
 * Prints recall and specificity of five-fold cross-validation for each language and each set of
 * texts, and of a model that never saw the language. The set `asked` has texts as people write them;
 * the other sets are full of what is easily mistaken, so that the thresholds are chosen by `asked`
 * alone. `--check` prints alone and writes nothing; `--misses` names wrong answers.
 */
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buckets, featuresOf, structureNames } from "../src/gate/GateFeatures.ts"

const directory = join(import.meta.dirname, "training/gate")
const weightsFile = join(import.meta.dirname, "../src/gate/GateWeights.json")
const languages = ["en", "de", "fr", "es", "it", "pt", "ru", "ko", "ja", "zh"]

/** The threshold keeps this share of the searches that cross-validation would have made. */
const recallMin = { turn: 0.972, setup: 0.983 }
/** The plainest texts, which the others, full of what is easily mistaken, would outweigh. */
const plainSet = "first"
const plainWeight = 2
/** Whose texts the thresholds are chosen by. */
const askedSet = "asked"
const folds = 5
const epochs = 40
const stepSize = 0.15
const shrinkStructure = 0.003
const shrinkHashed = 0.0015
/** A text's hashed features weigh together as much as this, however long it is. */
const hashedShare = 3
/** Sentences of turns teach a little about scenes as well. */
const turnWeightForSetup = 0.05
/** Weights of the data file: thousandths, and letters around the zero. */
const pointsOfOdds = 1_000
const levelMax = 28
const zeroCode = 63
const lineChars = 96
/** Scenes have fewer texts to learn from. */
const setupBuckets = 2 ** 14

interface Row {
  readonly language: string
  readonly set: string
  readonly text: string
  readonly needs: boolean
  readonly fold: number
  readonly structure: ReadonlyArray<number>
  readonly hashed: ReadonlyArray<number>
}

interface Weighted {
  readonly row: Row
  readonly weight: number
}

interface Model {
  bias: number
  readonly structure: Float64Array
  readonly hashed: Float64Array
}

interface Scored {
  readonly row: Row
  readonly score: number
}

const contentOf = (name: string): string => readFileSync(`${directory}/${name}.jsonl`, "utf8")

/** Neighbours say alike things, in other languages as well: they go into the same fold. */
const rowsOf = (name: string): ReadonlyArray<Row> => {
  const parsed: ReadonlyArray<{ needs_web: boolean; set?: string; text: string }> = contentOf(name)
    .split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
  const alike = Map.groupBy(parsed, ({ needs_web, set = plainSet }) => `${set} ${needs_web}`)
  const foldOf = new Map(
    Array.from(alike.values()).flatMap((own) =>
      own.map((one, index) => [one, Math.floor(folds * index / own.length)] as const)
    )
  )
  return parsed.map((one) => {
    const { hashed, structure } = featuresOf(one.text)
    const fold = foldOf.get(one) ?? 0
    const { needs_web: needs, set = plainSet, text } = one
    return { language: name, set, text, needs, fold, structure, hashed }
  })
}

const scaleOf = ({ hashed }: Row): number =>
  hashed.length === 0 ? 0 : hashedShare / Math.sqrt(hashed.length)

const scoreOf = (model: Model, row: Row): number =>
  row.structure.reduce((sum, index) => sum + (model.structure[index] ?? 0), model.bias) +
  row.hashed.reduce((sum, index) => sum + (model.hashed[index] ?? 0), 0) * scaleOf(row)

/** A shuffle that is the same in each run. */
const shuffled = (order: Array<number>, random: () => number): void => {
  for (let index = order.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    const [left = 0, right = 0] = [order[index], order[other]]
    order[index] = right
    order[other] = left
  }
}

const seeded = (): () => number => {
  let seed = 12_345
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
}

/** Logistic regression by stochastic gradient descent with AdaGrad steps and L2. */
const fit = (rows: ReadonlyArray<Weighted>): Model => {
  const model: Model = {
    bias: 0,
    structure: new Float64Array(structureNames.length),
    hashed: new Float64Array(buckets)
  }
  const squares = {
    bias: 0.01,
    structure: new Float64Array(structureNames.length).fill(0.01),
    hashed: new Float64Array(buckets).fill(0.01)
  }
  const total = (side: boolean) =>
    rows.reduce((sum, { row, weight }) => row.needs === side ? sum + weight : sum, 0)
  const yes = total(true)
  const no = total(false)
  const step = (
    weights: Float64Array,
    seen: Float64Array,
    indexes: ReadonlyArray<number>,
    slope: number,
    shrink: number
  ) => {
    for (const index of indexes) {
      const own = slope + shrink * (weights[index] ?? 0)
      seen[index] = (seen[index] ?? 0) + own * own
      weights[index] = (weights[index] ?? 0) - stepSize * own / Math.sqrt(seen[index] ?? 1)
    }
  }
  const order = rows.map((_, index) => index)
  const random = seeded()
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffled(order, random)
    for (const index of order) {
      const found = rows[index]
      if (found === undefined) continue
      const { row, weight } = found
      const chance = 1 / (1 + Math.exp(-scoreOf(model, row)))
      const balance = (yes + no) / (2 * (row.needs ? yes : no))
      const slope = (chance - (row.needs ? 1 : 0)) * weight * balance
      squares.bias += slope * slope
      model.bias -= stepSize * slope / Math.sqrt(squares.bias)
      step(model.structure, squares.structure, row.structure, slope, shrinkStructure)
      step(model.hashed, squares.hashed, row.hashed, slope * scaleOf(row), shrinkHashed)
    }
  }
  return model
}

const folded = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.map((row) => ({ ...row, hashed: row.hashed.map((bucket) => bucket % setupBuckets) }))

const weighted = (rows: ReadonlyArray<Row>, weight: number): ReadonlyArray<Weighted> =>
  rows.map((row) => ({ row, weight: row.set === plainSet ? plainWeight * weight : weight }))

/** Each row by a model that did not see it. */
const crossValidated = (
  rows: ReadonlyArray<Row>,
  beside: ReadonlyArray<Row>
): ReadonlyArray<Scored> =>
  Array.from({ length: folds }, (_, fold) => {
    const others = (all: ReadonlyArray<Row>) => all.filter((row) => row.fold !== fold)
    const model = fit([
      ...weighted(others(rows), 1),
      ...weighted(others(beside), turnWeightForSetup)
    ])
    return rows.filter((row) => row.fold === fold)
      .map((row) => ({ row, score: scoreOf(model, row) }))
  }).flat()

const thresholdOf = (scored: ReadonlyArray<Scored>, recall: number): number => {
  const scores = scored.filter(({ row }) => row.needs && row.set === askedSet)
    .map(({ score }) => score)
    .toSorted((left, right) => left - right)
  return scores[Math.floor(scores.length * (1 - recall))] ?? 0
}

const report = (title: string, scored: ReadonlyArray<Scored>, threshold: number): void => {
  const yes = scored.filter(({ row }) => row.needs)
  const no = scored.filter(({ row }) => !row.needs)
  const found = yes.filter(({ score }) => score >= threshold).length
  const spared = no.filter(({ score }) => score < threshold).length
  console.log(
    `${title.padEnd(16)} recall ${(found / yes.length).toFixed(3)} (${found}/${yes.length}) ` +
      `specificity ${(spared / no.length).toFixed(3)} (${spared}/${no.length})`
  )
}

const reportMisses = (scored: ReadonlyArray<Scored>, threshold: number): void => {
  for (const { row, score } of scored) {
    if ((score >= threshold) === row.needs) continue
    const form = row.structure.map((index) => structureNames[index]).join(", ")
    const text = row.text.replaceAll("\n", " / ").slice(0, 120)
    console.log(`${row.needs ? "missed" : "extra "} ${row.language} ${text}  [${form}]`)
  }
}

const turns = languages.flatMap(rowsOf)
const setups = folded(rowsOf("setup"))
const turnsForSetup = folded(turns)
const ofTurns = crossValidated(turns, [])
const ofSetups = crossValidated(setups, turnsForSetup)
const thresholds = {
  turn: thresholdOf(ofTurns, recallMin.turn),
  setup: thresholdOf(ofSetups, recallMin.setup)
}

for (const language of languages) {
  report(language, ofTurns.filter(({ row }) => row.language === language), thresholds.turn)
}
const setsOf = (rows: ReadonlyArray<Row>) => Array.from(new Set(rows.map(({ set }) => set)))
for (const set of setsOf(turns)) {
  report(`turns, ${set}`, ofTurns.filter(({ row }) => row.set === set), thresholds.turn)
}
report("all turns", ofTurns, thresholds.turn)
for (const set of setsOf(setups)) {
  report(`set-ups, ${set}`, ofSetups.filter(({ row }) => row.set === set), thresholds.setup)
}
report("set-ups", ofSetups, thresholds.setup)
for (const language of languages) {
  const model = fit(weighted(turns.filter((row) => row.language !== language), 1))
  const own = turns.filter((row) => row.language === language)
  report(
    `without ${language}`,
    own.map((row) => ({ row, score: scoreOf(model, row) })),
    thresholds.turn
  )
}
if (process.argv.includes("--misses")) {
  reportMisses(ofTurns, thresholds.turn)
  reportMisses(ofSetups, thresholds.setup)
}

/** Beyond it a hashed weight is cut: one in a thousand is larger. */
const largestOf = (models: ReadonlyArray<Model>): number => {
  const sizes = models.flatMap(({ hashed }) => Array.from(hashed, Math.abs))
    .filter((size) => size > 0).toSorted((left, right) => left - right)
  return sizes[Math.floor(sizes.length * 0.999)] ?? 1
}

const partOf = (model: Model, size: number, threshold: number, level: number) => ({
  bias: Math.round((model.bias - threshold) * pointsOfOdds),
  structure: Object.fromEntries(
    structureNames.map((name, index) => [
      name,
      Math.round((model.structure[index] ?? 0) * pointsOfOdds)
    ])
  ),
  hashed: linesOf(model.hashed.subarray(0, size), level)
})

const linesOf = (weights: Float64Array, level: number): ReadonlyArray<string> => {
  const letters = Array.from(weights, (weight) => {
    const rounded = Math.max(-levelMax, Math.min(levelMax, Math.round(weight / level)))
    return String.fromCharCode(zeroCode + rounded)
  }).join("")
  return letters.match(new RegExp(`.{1,${lineChars}}`, "gs")) ?? []
}

if (!process.argv.includes("--check")) {
  const turn = fit(weighted(turns, 1))
  const setup = fit([...weighted(setups, 1), ...weighted(turnsForSetup, turnWeightForSetup)])
  const level = largestOf([turn, setup]) / levelMax
  const sha256 = (name: string) => createHash("sha256").update(contentOf(name)).digest("hex")
  writeFileSync(
    weightsFile,
    `${
      JSON.stringify(
        {
          version: 1,
          trainedOn: Object.fromEntries(
            [...languages, "setup"].map((name) => [name, sha256(name)])
          ),
          hashedUnit: Math.round(hashedShare * level * pointsOfOdds),
          turn: partOf(turn, buckets, thresholds.turn, level),
          setup: partOf(setup, setupBuckets, thresholds.setup, level)
        },
        undefined,
        1
      )
    }\n`
  )
}
