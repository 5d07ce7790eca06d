/**
 * How often the rule of `store_first` relies on the evidence store, and how often rightly.
 *
 * Reads public sets outside the repository (`../shared/data/passage_retrieval`). Each question is
 * asked twice: of a store with the answering passage, and of the same store without it. The four
 * best entries by words are judged, as in a grounding. `--every N` asks each Nth question only;
 * `--coverage` prints the shares for a series of bounds.
 */
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Words from "../packages/language/src/text/Words.ts"
import * as StoreKnowledge from "../src/domain/retrieval/StoreKnowledge.ts"

const directory = join(import.meta.dirname, "../../shared/data/passage_retrieval/dev")
const every = Number(process.argv[process.argv.indexOf("--every") + 1]) || 1
const isRow = process.argv.includes("--coverage")
/** Default of `EVIDENCE_ENTRIES_MAX`. */
const entriesMax = 4

const PassageLine = Schema.fromJsonString(Schema.Struct({
  pid: Schema.String,
  title: Schema.optionalKey(Schema.NullOr(Schema.String)),
  text: Schema.String
}))
const QueryLine = Schema.fromJsonString(Schema.Struct({
  query: Schema.String,
  gold_pids: Schema.Array(Schema.String)
}))

const linesOf = (file: string): ReadonlyArray<string> =>
  readFileSync(join(directory, file), "utf8").split("\n").filter((line) => line !== "")

for (const set of ["xquad-en", "xquad-zh", "jsquad-ja"]) {
  const passages = linesOf(`${set}.passages.jsonl`).map((line) => {
    const { pid, text, title } = Schema.decodeUnknownSync(PassageLine)(line)
    return { title: title ?? "", text, page: pid, url: pid, site: pid, official: false }
  })
  const queries = linesOf(`${set}.queries.jsonl`)
    .map((line) => Schema.decodeUnknownSync(QueryLine)(line))
    .filter((_, place) => place % every === 0)
  const index = Words.index(passages)
  const asked = queries.map(({ gold_pids, query }) => {
    const scores = Words.scores(index, query)
    const ranked = passages.map((passage, place) => ({ passage, score: scores[place] ?? 0 }))
      .toSorted((left, right) => right.score - left.score)
      .map(({ passage }) => passage)
    const without = ranked.filter(({ page }) => !gold_pids.includes(page))
    const measured = (list: ReadonlyArray<StoreKnowledge.KnownPassage>) =>
      StoreKnowledge.measure(query, list.slice(0, entriesMax))
    return { query, there: measured(ranked), gone: measured(without) }
  })
  const shareOf = (
    side: "there" | "gone",
    isEnough: (asked: { query: string }, k: StoreKnowledge.StoreKnowledge) => boolean
  ) => (asked.filter((one) => isEnough(one, one[side])).length / asked.length).toFixed(3)
  const rule = ({ query }: { query: string }, known: StoreKnowledge.StoreKnowledge) =>
    StoreKnowledge.isEnough(query, known, { reason_codes: ["USER_ASKED"] })
  console.log(
    `${set.padEnd(10)} questions ${asked.length}  enough with the answer ${
      shareOf("there", rule)
    }` +
      `  without it ${shareOf("gone", rule)}`
  )
  if (!isRow) continue
  for (const bound of [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9]) {
    const at = (_: unknown, known: StoreKnowledge.StoreKnowledge) =>
      known.holds_kind && known.missing_names === 0 && known.coverage >= bound
    console.log(`  ${bound}  with ${shareOf("there", at)}  without ${shareOf("gone", at)}`)
  }
}
