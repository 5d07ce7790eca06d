/**
 * The local writer and the pack's checks on questions that can, cannot or should not be answered.
 *
 * ClapNQ: refusals where the passage holds no answer, false refusals where it does, and agreement
 * of the quoted sentences with people's choice. RGB and RAMDocs: whether a planted or another
 * answer is reported as a conflict, and whether agreeing sources are left alone.
 */
import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { jsonLines, share } from "../packages/language/bench/jsonLines.ts"
import { chunksOfSnippet } from "../packages/language/src/passages/Chunking.ts"
import * as LocalEngines from "../src/adapters/rules/LocalEngines.ts"
import * as NeedRules from "../src/domain/need/NeedRules.ts"
import * as Confidence from "../src/domain/pack/Confidence.ts"
import type { GroundingPack } from "../src/domain/pack/GroundingPack.ts"
import * as PackAssembly from "../src/domain/pack/PackAssembly.ts"
import { chunksOf, type Page } from "../src/domain/page/Page.ts"
import type { GroundingRequest } from "../src/domain/request/GroundingRequest.ts"
import { bareRequest } from "./bareRequest.ts"

const folder = "grounded_answering/dev"
/** A pack below this is not to be used. */
const usableMin = 0.3
const rgbSourcesMax = 4

const ClapNq = Schema.Struct({
  question: Schema.String,
  answerable: Schema.Boolean,
  passage: Schema.Struct({ title: Schema.String }),
  sentences: Schema.Array(Schema.String),
  outputs: Schema.Array(Schema.Struct({
    selected_sentences: Schema.optionalKey(Schema.Array(Schema.String))
  }))
})
const Rgb = Schema.Struct({
  query: Schema.String,
  /** One spelling, or lists of spellings. */
  answer: Schema.Json,
  fakeanswer: Schema.String,
  positive: Schema.Array(Schema.String),
  positive_wrong: Schema.Array(Schema.String),
  negative: Schema.Array(Schema.String)
})
const RamDocs = Schema.Struct({
  question: Schema.String,
  documents: Schema.Array(Schema.Struct({
    text: Schema.String,
    type: Schema.String,
    answer: Schema.String
  })),
  gold_answers: Schema.Array(Schema.String)
})

const pageOf = (text: string, place: number, title = ""): Page => ({
  source_id: `s${place + 1}`,
  url: `https://site${place + 1}.example/`,
  title,
  site: `site${place + 1}.example`,
  official: false,
  providers: ["mock"],
  reader: "snippet",
  text,
  text_sha256: createHash("sha256").update(text).digest("hex"),
  chunks: chunksOfSnippet(text)
})

const requestOf = (question: string): GroundingRequest => ({
  ...bareRequest(question, { user_asked_for_facts: true }),
  user_question: question
})

const packOf = (question: string, pages: ReadonlyArray<Page>): GroundingPack => {
  const request = requestOf(question)
  const need = NeedRules.decide(request).search
  const task = {
    request,
    need,
    chunks: chunksOf(pages),
    boundary: "0".repeat(32),
    now: "2026-01-01T00:00:00.000Z"
  }
  const draft = Effect.runSync(LocalEngines.writer.ask(task))
  return PackAssembly.assemble({
    draft,
    pages,
    request,
    need,
    confidenceMax: Confidence.localMax,
    now: "2026-01-01T00:00:00.000Z"
  })
}

const standing = (pack: GroundingPack) => [
  ...pack.key_points,
  ...pack.norms_and_expectations,
  ...pack.constraints_and_rules
]
const isRefused = (pack: GroundingPack) =>
  standing(pack).length === 0 || pack.confidence < usableMin

const isTold = (pack: GroundingPack) =>
  pack.notes.includes("sources_may_disagree") ||
  pack.disputed_or_uncertain.some(({ reason }) => reason === "contradicted_by_other_source")

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()
const count = (list: ReadonlyArray<boolean>) => list.filter((is) => is).length

const clapNq = jsonLines(`${folder}/clapnq_dev.jsonl`, ClapNq).map((row) => ({
  row,
  pack: packOf(row.question, [pageOf(row.sentences.join(" "), 0, row.passage.title)])
}))
/** Rules are made with the first half in view and checked on the second. */
const halfOf = (question: string): number =>
  (createHash("sha256").update(question).digest()[3] ?? 0) % 2
for (const answerable of [false, true]) {
  const group = clapNq.filter(({ row }) => row.answerable === answerable)
  const refusedOf = (rows: typeof group) =>
    share(count(rows.map(({ pack }) => isRefused(pack))), rows.length)
  const halves = [0, 1].map((half) =>
    refusedOf(group.filter(({ row }) => halfOf(row.question) === half))
  )
  console.log(
    `ClapNQ answerable ${answerable}: refused ${refusedOf(group)}, by half ${halves.join(", ")}`
  )
}
const cited = clapNq.filter(({ pack, row }) => row.answerable && !isRefused(pack)).map(
  ({ pack, row }) => {
    const chosen = row.outputs.flatMap(({ selected_sentences }) => selected_sentences ?? [])
      .map(plain)
    const quoted = standing(pack).map(({ text }) => plain(text))
    const holds = (text: string, other: string) => text.includes(other) || other.includes(text)
    return {
      right: count(quoted.map((text) => chosen.some((other) => holds(text, other)))),
      quoted: quoted.length,
      found: count(chosen.map((text) => quoted.some((other) => holds(text, other)))),
      chosen: chosen.length
    }
  }
)
const total = (key: "right" | "quoted" | "found" | "chosen") =>
  cited.reduce((sum, one) => sum + one[key], 0)
console.log(`ClapNQ quoted sentences that people chose ${share(total("right"), total("quoted"))}`)
console.log(`ClapNQ chosen sentences that were quoted ${share(total("found"), total("chosen"))}`)

const rgb = jsonLines(`${folder}/rgb_en_fact.jsonl`, Rgb)
const rgbPacks = (texts: (row: typeof Rgb.Type) => ReadonlyArray<string>) =>
  rgb.map((row) => ({ row, pack: packOf(row.query, texts(row).map((text, i) => pageOf(text, i))) }))
const agreeing = rgbPacks(({ positive }) => positive.slice(0, rgbSourcesMax))
const planted = rgbPacks(({ positive, positive_wrong }) => [
  ...positive.slice(0, rgbSourcesMax / 2),
  ...positive_wrong.slice(0, rgbSourcesMax / 2)
])
const beside = rgbPacks(({ negative }) => negative.slice(0, rgbSourcesMax))
console.log(
  `RGB agreeing sources: conflict told ${
    share(count(agreeing.map(({ pack }) => isTold(pack))), rgb.length)
  }`
)
console.log(
  `RGB planted answers: conflict told ${
    share(count(planted.map(({ pack }) => isTold(pack))), rgb.length)
  }`
)
const answersOf = ({ answer }: typeof Rgb.Type) =>
  Array.isArray(answer)
    ? answer.flat().filter((one) => typeof one === "string")
    : typeof answer === "string"
    ? [answer]
    : []
const holdsAny = (pack: GroundingPack, answers: ReadonlyArray<string>) =>
  standing(pack).some(({ text }) => answers.some((answer) => plain(text).includes(plain(answer))))
console.log(
  `RGB agreeing sources: answer stands ${
    share(count(agreeing.map(({ pack, row }) => holdsAny(pack, answersOf(row)))), rgb.length)
  }`
)
console.log(
  `RGB planted answers: only the planted one stands ${
    share(
      count(
        planted.map(({ pack, row }) =>
          holdsAny(pack, [row.fakeanswer]) && !holdsAny(pack, answersOf(row))
        )
      ),
      rgb.length
    )
  }`
)
console.log(
  `RGB agreeing sources: refused ${
    share(count(agreeing.map(({ pack }) => isRefused(pack))), rgb.length)
  }`
)
console.log(
  `RGB no answer in the sources: refused ${
    share(count(beside.map(({ pack }) => isRefused(pack))), rgb.length)
  }`
)

const ramDocs = jsonLines(`${folder}/ramdocs_test.jsonl.gz`, RamDocs).map((row) => {
  const documents = row.documents.filter(({ type }) => type !== "noise")
  const pack = packOf(row.question, documents.map(({ text }, place) => pageOf(text, place)))
  return { row, pack, answers: new Set(documents.map(({ answer }) => plain(answer))) }
})
for (const several of [true, false]) {
  const group = ramDocs.filter(({ answers }) => answers.size > 1 === several)
  const told = count(group.map(({ pack }) => isTold(pack)))
  console.log(
    `RAMDocs ${several ? "several answers" : "one answer"}: conflict told ${
      share(told, group.length)
    }`
  )
}
