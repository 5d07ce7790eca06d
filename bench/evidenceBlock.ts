/**
 * How often the evidence block holds the answer, with the local writer's pack and without one, and
 * BM25's passages under the same header and within the same length.
 *
 * Reads the public sets in `../shared/data`: articles with their questions become a search of five
 * pages, the question's own among those that BM25 likes best. Prints one line a set.
 */
import { Effect, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { chunksOfText } from "../packages/language/src/passages/Chunking.ts"
import { passagesOf } from "../packages/language/src/passages/PassageWords.ts"
import * as Relevance from "../packages/language/src/passages/Relevance.ts"
import * as Words from "../packages/language/src/text/Words.ts"
import * as ChatPackWriter from "../src/adapters/openai/ChatPackWriter.ts"
import * as LocalEngines from "../src/adapters/rules/LocalEngines.ts"
import * as NeedRules from "../src/domain/need/NeedRules.ts"
import { quotationsIn } from "../src/domain/pack/ClaimPlacement.ts"
import * as Confidence from "../src/domain/pack/Confidence.ts"
import { emptyPack, type GroundingPack } from "../src/domain/pack/GroundingPack.ts"
import * as PackAssembly from "../src/domain/pack/PackAssembly.ts"
import { type Chunk, chunksOf, type Page } from "../src/domain/page/Page.ts"
import * as Ranking from "../src/domain/retrieval/Ranking.ts"
import * as EvidenceBlock from "../src/domain/view/EvidenceBlock.ts"
import { bareRequest } from "./bareRequest.ts"

const data = join(import.meta.dirname, "../../shared/data")
const boundary = "0".repeat(32)
const now = "2026-01-01T00:00:00.000Z"
const charsMax = EvidenceBlock.evidenceCharsMax
const pagesCount = 5
const documentsMax = 10
const questionsMax = 250
/** What BM25 is given to choose from. In UTF-16 code units. */
const passageCharsMin = 300
const resamples = 1_000

interface Article {
  readonly title: string
  readonly text: string
}

interface Item {
  readonly question: string
  readonly answers: ReadonlyArray<string>
  readonly articles: ReadonlyArray<Article>
}

const linesOf = <A, I>(path: string, schema: Schema.Codec<A, I>): ReadonlyArray<A> => {
  if (!existsSync(path)) return []
  const bytes = readFileSync(path)
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString()
  const decode = Schema.decodeUnknownSync(Schema.fromJsonString(schema))
  return text.split("\n").filter((line) => line !== "").map((line) => decode(line))
}

const Passage = Schema.Struct({ pid: Schema.String, title: Schema.String, text: Schema.String })
const Query = Schema.Struct({
  query: Schema.String,
  gold_pids: Schema.Array(Schema.String),
  answers: Schema.optionalKey(Schema.Array(Schema.String)),
  unanswerable: Schema.optionalKey(Schema.Boolean)
})
const Documents = Schema.Struct({
  question: Schema.String,
  gold_answers: Schema.Array(Schema.String),
  documents: Schema.Array(Schema.Struct({ text: Schema.String }))
})

/** Every n-th, so that no more than `questionsMax` are left. */
const thinned = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => {
  const step = Math.max(1, Math.ceil(list.length / questionsMax))
  return list.filter((_, place) => place % step === 0)
}

/** The question's own article and those others that BM25 likes best for it. */
const asSearch = (name: string): ReadonlyArray<Item> => {
  const passages = linesOf(`${data}/passage_retrieval/dev/${name}.passages.jsonl`, Passage)
  const titles = Array.from(new Set(passages.map(({ title }) => title)))
  const articles = titles.map((title) => ({
    title,
    text: passages.filter((passage) => passage.title === title)
      .map(({ text }) => text.replace(/^.{0,200}?\[SEP\]\s*/, "")).join("\n\n")
  }))
  const index = Words.index(articles)
  const queries = linesOf(`${data}/passage_retrieval/dev/${name}.queries.jsonl`, Query)
  return thinned(
    queries.filter(({ answers = [], unanswerable }) => answers.length > 0 && unanswerable !== true)
  ).map(({ answers = [], gold_pids, query }) => {
    const own = titles.indexOf(passages.find(({ pid }) => gold_pids.includes(pid))?.title ?? "")
    const scores = Words.scores(index, query)
    const score = (place: number) => scores[place] ?? 0
    const others = articles.map((_, place) => place).filter((place) => place !== own)
      .toSorted((left, right) => score(right) - score(left)).slice(0, pagesCount - 1)
    const found = [own, ...others].toSorted((left, right) => score(right) - score(left))
    return { question: query, answers, articles: found.flatMap((place) => articles[place] ?? []) }
  })
}

const ramdocs = (): ReadonlyArray<Item> =>
  thinned(
    linesOf(`${data}/grounded_answering/dev/ramdocs_test.jsonl.gz`, Documents)
  ).map(({ documents, gold_answers, question }) => ({
    question,
    answers: gold_answers,
    articles: documents.slice(0, documentsMax).map(({ text }) => ({ title: "", text }))
  }))

const pagesOf = ({ articles }: Item): ReadonlyArray<Page> =>
  articles.map(({ text, title }, place) => ({
    source_id: `s${place + 1}`,
    url: `https://site${place + 1}.example/`,
    title,
    site: `site${place + 1}.example`,
    official: false,
    providers: ["mock"],
    reader: "web",
    text,
    text_sha256: "",
    chunks: chunksOfText(text)
  }))

const cjk = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u
const tight = (text: string) => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")
const loose = (text: string) =>
  ` ${text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `
const holds = (text: string, answers: ReadonlyArray<string>): boolean =>
  answers.some((answer) =>
    cjk.test(answer)
      ? tight(answer) !== "" && tight(text).includes(tight(answer))
      : loose(answer).trim() !== "" && loose(text).includes(loose(answer))
  )

const ours = (pages: ReadonlyArray<Page>, question: string, pack: GroundingPack): string =>
  EvidenceBlock.build({
    excerpts: EvidenceBlock.select({
      chunks: byRelevance(chunksOf(pages), question),
      question,
      boundary,
      charsMax,
      pack
    }),
    boundary,
    charsMax
  }).text

/** Whether the best passages' quotable sentences hold an answer, and those that a model is shown. */
const isShown = (pages: ReadonlyArray<Page>, { answers, question }: Item) => {
  const chunks = byRelevance(chunksOf(pages), question).slice(0, Ranking.topChunksMax)
  const { sources } = ChatPackWriter.shownOf({ chunks, boundary, question })
  const [all, shown] = [quotationsIn(chunks), sources.flatMap(({ quotations }) => quotations)]
    .map((list) => list.map(({ end, page, start }) => page.text.slice(start, end)).join("\n"))
  return { quotable: holds(all ?? "", answers) ? 1 : 0, shown: holds(shown ?? "", answers) ? 1 : 0 }
}

const packOf = (pages: ReadonlyArray<Page>, question: string): GroundingPack => {
  const request = bareRequest(question, { user_asked_for_facts: true })
  const need = NeedRules.decide(request).search
  const chunks = byRelevance(chunksOf(pages), question).slice(0, Ranking.topChunksMax)
  return PackAssembly.assemble({
    draft: Effect.runSync(LocalEngines.writer.ask({ request, need, chunks, boundary, now })),
    pages,
    request,
    need,
    confidenceMax: Confidence.localMax,
    now
  })
}

/** As the service ranks them. */
const byRelevance = (chunks: ReadonlyArray<Chunk>, question: string): ReadonlyArray<Chunk> => {
  const scores = Relevance.scores(question, passagesOf(chunks))
  return chunks.map((chunk, place) => ({ chunk, score: scores[place] ?? 0 }))
    .toSorted((left, right) => right.score - left.score).map(({ chunk }) => chunk)
}

const byBm25 = (pages: ReadonlyArray<Page>, question: string): string => {
  const passages = pages.flatMap((page) =>
    chunksOfText(page.text, [], passageCharsMin)
      .map(({ end, start }) => ({ page, title: page.title, text: page.text.slice(start, end) }))
  )
  const scores = Words.scores(Words.index(passages), question)
  const best = passages.map((passage, place) => ({ passage, score: scores[place] ?? 0 }))
    .toSorted((left, right) => right.score - left.score).map(({ passage }) => passage)
  return EvidenceBlock.build({ excerpts: best, boundary, charsMax }).text
}

const mean = (list: ReadonlyArray<number>): number =>
  list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length)

/** 95 % of resampled means; the draws are the same each time. */
const interval = (list: ReadonlyArray<number>): string => {
  let seed = 7
  const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  const means = Array.from(
    { length: resamples },
    () => mean(list.map(() => list[Math.floor(next() * list.length)] ?? 0))
  ).toSorted((left, right) => left - right)
  const at = (share: number) => (means[Math.floor(share * resamples)] ?? 0).toFixed(3)
  return `[${at(0.025)}, ${at(0.975)}]`
}

const sets: ReadonlyArray<readonly [string, () => ReadonlyArray<Item>]> = [
  ["xquad-en", () => asSearch("xquad-en")],
  ["xquad-zh", () => asSearch("xquad-zh")],
  ["jsquad-ja", () => asSearch("jsquad-ja")],
  ["ramdocs", ramdocs]
]

for (const [name, load] of sets) {
  const items = load()
  if (items.length === 0) {
    console.log(`${name}: no questions`)
    continue
  }
  const start = performance.now()
  const rows = items.map((item) => {
    const pages = pagesOf(item)
    const pack = packOf(pages, item.question)
    return {
      block: holds(ours(pages, item.question, pack), item.answers) ? 1 : 0,
      bare: holds(ours(pages, item.question, emptyPack), item.answers) ? 1 : 0,
      bm25: holds(byBm25(pages, item.question), item.answers) ? 1 : 0,
      ...isShown(pages, item)
    }
  })
  const ms = (performance.now() - start) / rows.length
  const differences = rows.map(({ block, bm25 }) => block - bm25)
  console.log(
    `${name}  n ${rows.length}  block ${mean(rows.map(({ block }) => block)).toFixed(3)}` +
      `  without a pack ${mean(rows.map(({ bare }) => bare)).toFixed(3)}` +
      `  BM25 ${mean(rows.map(({ bm25 }) => bm25)).toFixed(3)}` +
      `  quotable ${mean(rows.map(({ quotable }) => quotable)).toFixed(3)}` +
      `  shown to a model ${mean(rows.map(({ shown }) => shown)).toFixed(3)}` +
      `  difference ${mean(differences).toFixed(3)} ${interval(differences)}` +
      `  ${ms.toFixed(0)} ms a question for all`
  )
}
