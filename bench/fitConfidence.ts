/**
 * Fits confidence to public sets whose licences allow it, and writes
 * `src/domain/pack/ConfidenceWeights.json`.
 *
 * Prints each set next to the table by number of sources that it replaces: rated by weights that
 * saw no set of the same texts, then by the written weights, fitted on half of each set. The first
 * argument may name the folder of the sets; `--check` after it writes nothing. Takes minutes.
 */
import { readFileSync, writeFileSync } from "node:fs"
import {
  byModel,
  byTable,
  familyOf,
  type Fitted,
  fitted,
  type Judged
} from "./confidence/fitting.ts"
import { type SetOfItems, sets, topicSets } from "./confidence/items.ts"
import type { Sum } from "./confidence/logistic.ts"
import * as Report from "./confidence/report.ts"
import { see, type Seen } from "./confidence/seen.ts"

const weightsFile = "src/domain/pack/ConfidenceWeights.json"
const pointsOfOdds = 1_000

interface SeenSet extends SetOfItems {
  readonly seen: ReadonlyArray<Seen>
}

const seenOf = (list: ReadonlyArray<SetOfItems>): ReadonlyArray<SeenSet> =>
  list.map((set) => ({ ...set, seen: set.items().map(see) }))

/** Set by hand, and kept. */
const known: {
  readonly assumed: object
  readonly beside_below: number
  readonly ceilings: object
  readonly version: number
} = JSON.parse(readFileSync(weightsFile, "utf8"))
/** The table's packs are refused when nothing answered. */
const tableBelow = 0.3

const firstHalf = (list: ReadonlyArray<SeenSet>): ReadonlyArray<Seen> =>
  list.filter(({ isFitted }) => isFitted).flatMap(({ seen }) => seen)
    .filter(({ half }) => half === 0)

interface Rated {
  readonly name: string
  readonly isFitted: boolean
  readonly table: ReadonlyArray<Judged>
  readonly model: ReadonlyArray<Judged>
}

/**
 * The highest bound, in hundredths, at which no more answerable questions are refused than by the
 * table, on sets whose licences allow fitting, each rated by weights of the others.
 */
const boundOf = (rated: ReadonlyArray<Rated>): number => {
  const some = rated.filter(({ isFitted }) => isFitted)
  const wrong = (of: (one: Rated) => ReadonlyArray<Judged>, below: number) =>
    Report.mean(some.map((one) => Report.refused(Report.answerable(of(one)), below)))
  const allowed = wrong(({ table }) => table, tableBelow)
  const bounds = Array.from({ length: 70 }, (_, at) => (at + 30) / 100)
  return bounds.findLast((below) => wrong(({ model }) => model, below) <= allowed) ?? tableBelow
}

const reportOf = (title: string, rated: ReadonlyArray<Rated>, below: number): void => {
  console.log(`\n${title}`)
  console.log(Report.figureNames.join(" · "))
  const rows = rated.map(({ isFitted, model, name, table }) => {
    const before = Report.figures(table, tableBelow, 0)
    const wrong = before[5] ?? 0
    const after = Report.figures(model, below, wrong)
    Report.line(`${name}, table`, [...before.slice(0, -1), before[6] ?? 0])
    Report.line(`${name}, fitted`, after)
    return { isFitted, before: [...before.slice(0, -1), before[6] ?? 0], after }
  })
  for (const isFitted of [true, false]) {
    const some = rows.filter((row) => row.isFitted === isFitted)
    if (some.length === 0) continue
    const kind = isFitted ? "mean" : "mean, never fitted"
    const means = (of: (row: (typeof rows)[number]) => ReadonlyArray<number>) =>
      Report.figureNames.map((_, at) => Report.mean(some.map((row) => of(row)[at] ?? 0)))
    Report.line(`${kind}, table`, means(({ before }) => before))
    Report.line(`${kind}, fitted`, means(({ after }) => after))
  }
  const models = rated.map(({ model }) => model)
  Report.calibration("table", rated.map(({ table }) => table))
  Report.calibration("fitted", models)
  Report.curve("all sets", models)
  const never = rated.filter(({ isFitted }) => !isFitted).map(({ model }) => model)
  if (never.length > 0) Report.curve("never fitted", never)
  console.log(`refused below ${below}`)
}

/** Each set by weights of the others' first halves; sets of the same texts count as one. */
const leftOut = (part: "question" | "topic", list: ReadonlyArray<SeenSet>): ReadonlyArray<Rated> =>
  list.map(({ isFitted, name, seen }) => {
    const others = list.filter((other) => familyOf(other.name) !== familyOf(name))
    const model = byModel(fitted(firstHalf(others), part))
    return { name, isFitted, table: seen.map(byTable), model: seen.map(model) }
  })

const secondHalf = (model: Fitted, list: ReadonlyArray<SeenSet>): ReadonlyArray<Rated> =>
  list.map(({ isFitted, name, seen }) => {
    const half = isFitted ? seen.filter(({ half }) => half === 1) : seen
    return { name, isFitted, table: half.map(byTable), model: half.map(byModel(model)) }
  })

const inPoints = <Name extends string>({ bias, weights }: Sum<Name>) => ({
  bias: Math.round(bias * pointsOfOdds),
  weights: Object.fromEntries(
    Object.entries<number>(weights).map(([name, weight]) => [
      name,
      Math.round(weight * pointsOfOdds)
    ])
  )
})

const main = (questions: ReadonlyArray<SeenSet>, topics: ReadonlyArray<SeenSet>): void => {
  const models = {
    question: fitted(firstHalf(questions), "question"),
    topic: fitted(firstHalf(topics), "topic")
  }
  const unread = leftOut("question", questions)
  const refused_below = boundOf(unread)
  reportOf("Questions, one set left out", unread, refused_below)
  const half = secondHalf(models.question, questions)
  reportOf("Questions, half that was not fitted", half, refused_below)
  reportOf("Topics, one set left out", leftOut("topic", topics), refused_below)
  const part = ({ claim, pack }: Fitted) => ({ claim: inPoints(claim), pack: inPoints(pack) })
  const content = {
    version: known.version,
    refused_below,
    beside_below: known.beside_below,
    assumed: known.assumed,
    ceilings: known.ceilings,
    fitted_on: Object.fromEntries(
      [...questions, ...topics].filter(({ isFitted }) => isFitted)
        .map(({ licence, name, seen }) => [
          name,
          { licence, questions: seen.filter(({ half }) => half === 0).length }
        ])
    ),
    question: part(models.question),
    topic: part(models.topic)
  }
  console.log(`\n${JSON.stringify(content)}`)
  if (!process.argv.includes("--check")) {
    writeFileSync(weightsFile, `${JSON.stringify(content, undefined, 1)}\n`)
  }
}

main(seenOf(sets), seenOf(topicSets))
