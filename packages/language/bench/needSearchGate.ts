/**
 * What the gate's rules say of questions whose need for a fresh search people have labelled.
 *
 * Prints one line a file and label: the share searched (and, where the label is about change, the
 * share taken for changing) and for EvergreenQA the macro-F1 of each language.
 */
import { Schema } from "effect"
import { decideNeedSearch } from "../src/gate/NeedScore.ts"
import { jsonLines, namesIn, share } from "./jsonLines.ts"

const folder = "need_search_gate/dev"
const volatileMin = 0.5

const Row = Schema.Struct({
  text: Schema.String,
  label: Schema.String,
  fresh: Schema.NullOr(Schema.Boolean),
  translations: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})
type Row = typeof Row.Type

const files = namesIn(folder).map((name) => ({ name, rows: jsonLines(`${folder}/${name}`, Row) }))

const isChanging = (text: string): boolean => decideNeedSearch(text).volatility >= volatileMin

for (const { name, rows } of files) {
  for (const [label, group] of Map.groupBy(rows, (row) => row.label)) {
    const searched = group.filter(({ text }) => decideNeedSearch(text).need).length
    const changing = group.filter(({ text }) => isChanging(text)).length
    console.log(
      `${name.padEnd(28)} ${label.padEnd(26)} searched ${share(searched, group.length)} ` +
        `changing ${share(changing, group.length)}`
    )
  }
}

/** Of "changes" against "does not", by the volatility alone. */
const macroF1 = (pairs: ReadonlyArray<readonly [said: boolean, is: boolean]>): number => {
  const f1 = (side: boolean): number => {
    const hits = pairs.filter(([said, is]) => said === side && is === side).length
    const both = pairs.filter(([said]) => said === side).length +
      pairs.filter(([, is]) => is === side).length
    return both === 0 ? 0 : 2 * hits / both
  }
  return (f1(true) + f1(false)) / 2
}

/** Area under the curve of the volatility; ties count half. */
const auroc = (pairs: ReadonlyArray<readonly [score: number, is: boolean]>): number => {
  const [yes, no] = [true, false].map((side) => pairs.filter(([, is]) => is === side))
  if (yes === undefined || no === undefined) return Number.NaN
  const wins = yes.reduce(
    (sum, [score]) =>
      sum + no.reduce((won, [other]) => won + (score > other ? 1 : score === other ? 0.5 : 0), 0),
    0
  )
  return wins / (yes.length * no.length)
}

const reportChange = (title: string, rows: ReadonlyArray<Row>, textOf: (row: Row) => string) => {
  const labelled = rows.flatMap((row) =>
    row.fresh === null ? [] : [[decideNeedSearch(textOf(row)).volatility, row.fresh] as const]
  )
  const said = labelled.map(([score, is]) => [score >= volatileMin, is] as const)
  console.log(
    `change ${title.padEnd(28)} macro-F1 ${macroF1(said).toFixed(3)} ` +
      `AUROC ${auroc(labelled).toFixed(3)} (${labelled.length})`
  )
}

for (const { name, rows } of files) {
  if (rows.some(({ fresh }) => fresh === true) && rows.some(({ fresh }) => fresh === false)) {
    reportChange(name, rows, ({ text }) => text)
  }
  const languages = Object.keys(rows[0]?.translations ?? {})
  for (const language of languages) {
    reportChange(
      `${name} ${language}`,
      rows,
      ({ text, translations }) => translations?.[language] ?? text
    )
    const missed = rows.filter(({ translations, fresh, text }) =>
      fresh === true && !decideNeedSearch(translations?.[language] ?? text).need
    ).length
    const all = rows.filter(({ fresh }) =>
      fresh === true
    ).length
    console.log(`missed ${name} ${language} ${share(missed, all)}`)
  }
}
