/**
 * Main-content extraction over `../shared/data/content_extraction`, which is outside this
 * repository: segments that must be kept or dropped, and whole article bodies.
 *
 * Prints one line a set. `--adapter FILE` measures another extractor that exports `extract(html,
 * url)`; `--misses` names each page that is read wrongly; `--beside FILE` alternates the two on
 * every page and compares their processor times.
 */
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { gunzipSync } from "node:zlib"

type Extract = (html: string, url: string) => unknown

const Segments = Schema.Struct({
  html: Schema.String,
  url: Schema.String,
  with: Schema.Array(Schema.String),
  without: Schema.Array(Schema.String)
})
const Article = Schema.Struct({
  html: Schema.String,
  url: Schema.String,
  articleBody: Schema.String
})

const directory = resolve(import.meta.dirname, "../../shared/data/content_extraction/dev")
const given = process.argv.indexOf("--adapter")
const adapter = given < 0 ? "./adapters/pageQuality.ts" : resolve(process.argv[given + 1] ?? "")
const isNaming = process.argv.includes("--misses")
const { extract }: { readonly extract: Extract } = await import(adapter)

const rows = <S extends Schema.ConstraintDecoder<unknown>>(file: string, schema: S) =>
  readFileSync(`${directory}/${file}`, "utf8").trim().split("\n")
    .map((line) => Schema.decodeUnknownSync(schema)(JSON.parse(line)))

/** By the charset that the page names near its beginning, else UTF-8. */
const pageOf = (file: string): string => {
  const bytes = gunzipSync(readFileSync(`${directory}/${file}`))
  const start = bytes.subarray(0, 3_000).toString("latin1")
  return new TextDecoder(/charset\s*=\s*["']?\s*([\w-]+)/i.exec(start)?.[1] ?? "utf-8").decode(
    bytes
  )
}

let spentMs = 0
const textOf = async (html: string, url: string): Promise<string> => {
  const start = performance.now()
  const text = await extract(html, url)
  spentMs += performance.now() - start
  return typeof text === "string" ? text : ""
}

const folded = (text: string): string => text.replace(/\s+/g, " ")
const mean = (values: ReadonlyArray<number>) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
const f1 = (precision: number, recall: number) => 2 * precision * recall / (precision + recall)

const report = (set: string, pages: number, figures: Readonly<Record<string, number>>) => {
  const said = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(4)}`)
  console.log(
    [set.padEnd(10), `pages ${pages}`, ...said, `${(spentMs / pages).toFixed(1)} ms`].join("  ")
  )
  spentMs = 0
}

/** A segment is found when the text holds it, white space folded. */
const segments = async () => {
  const pages = rows("trafilatura_segments.jsonl", Segments)
  let [kept, lost, left, dropped] = [0, 0, 0, 0]
  for (const page of pages) {
    const text = folded(await textOf(pageOf(page.html), page.url))
    const missing = page.with.filter((segment) => !text.includes(folded(segment)))
    const unwanted = page.without.filter((segment) => text.includes(folded(segment)))
    kept += page.with.length - missing.length
    lost += missing.length
    left += unwanted.length
    dropped += page.without.length - unwanted.length
    if (isNaming && missing.length + unwanted.length > 0) {
      console.log(page.url, { missing, unwanted })
    }
  }
  const [precision, recall] = [kept / (kept + left), kept / (kept + lost)]
  const accuracy = (kept + dropped) / (kept + lost + left + dropped)
  report("segments", pages.length, { precision, recall, f1: f1(precision, recall), accuracy })
}

const shinglesOf = (text: string): ReadonlyMap<string, number> => {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? []
  const count = words.length === 0 ? 0 : Math.max(1, words.length - 3)
  const shingles = Array.from({ length: count }, (_, at) => words.slice(at, at + 4).join("\u0001"))
  const counted = new Map<string, number>()
  for (const shingle of shingles) counted.set(shingle, (counted.get(shingle) ?? 0) + 1)
  return counted
}

/** Runs of four words that text and truth share, as the article benchmark counts them. */
const articles = async () => {
  const pages = rows("aeb_ground_truth.jsonl", Article)
  const scores: Array<{ readonly precision: number; readonly recall: number }> = []
  for (const page of pages) {
    const truth = shinglesOf(page.articleBody)
    const found = shinglesOf(await textOf(pageOf(page.html), page.url))
    const total = (of: ReadonlyMap<string, number>) =>
      Array.from(of.values()).reduce((sum, n) => sum + n, 0)
    const both = Array.from(truth).reduce(
      (sum, [key, n]) => sum + Math.min(n, found.get(key) ?? 0),
      0
    )
    const score = {
      precision: both / Math.max(1, total(found)),
      recall: both / Math.max(1, total(truth))
    }
    scores.push(score)
    if (isNaming && f1(score.precision, score.recall) < 0.9) console.log(page.url, score)
  }
  const precision = mean(scores.map((score) => score.precision))
  const recall = mean(scores.map((score) => score.recall))
  report("articles", pages.length, { precision, recall, f1: f1(precision, recall) })
}

const roundsMax = 3

/** Processor time as a share of the other's, in one process; the first round only warms up. */
const compared = async (file: string) => {
  const other: { readonly extract: Extract } = await import(resolve(file))
  const pages = [
    ...rows("trafilatura_segments.jsonl", Segments),
    ...rows("aeb_ground_truth.jsonl", Article)
  ]
  const both = [extract, other.extract]
  const spentUs = [0, 0]
  for (let round = 0; round < roundsMax; round++) {
    for (const page of pages) {
      const html = pageOf(page.html)
      for (const turn of [round % 2, 1 - round % 2]) {
        const before = process.cpuUsage()
        await both[turn]?.(html, page.url)
        const { system, user } = process.cpuUsage(before)
        if (round > 0) spentUs[turn] = (spentUs[turn] ?? 0) + system + user
      }
    }
  }
  const [ours = 0, theirs = 1] = spentUs
  console.log(`processor time ${(ours / theirs).toFixed(2)} of ${file}`)
}

await segments()
await articles()
const beside = process.argv.indexOf("--beside")
if (beside >= 0) await compared(process.argv[beside + 1] ?? "")
