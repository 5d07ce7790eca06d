/**
 * How well our ranker finds the one right passage of a pool, next to plain BM25 in the same run.
 *
 * Reads public sets outside the repository (`../shared/data/passage_retrieval`). `--every N` asks
 * each Nth question only. Prints one line a pool: hit@1 and nDCG@10 of both, and our time.
 */
import { Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { type Passage, poolOf } from "../src/passages/PassageWords.ts"
import * as Relevance from "../src/passages/Relevance.ts"
import * as Words from "../src/text/Words.ts"

const directory = join(import.meta.dirname, "../../../../shared/data/passage_retrieval")
const every = Number(process.argv[process.argv.indexOf("--every") + 1]) || 1
const depth = 10

interface Query {
  readonly text: string
  /** Passages that answer, with their grade. */
  readonly grades: ReadonlyMap<string, number>
}

interface Pool {
  readonly passages: ReadonlyArray<Passage>
  readonly queries: ReadonlyArray<Query>
}

const PassageLine = Schema.fromJsonString(Schema.Struct({
  pid: Schema.String,
  title: Schema.optionalKey(Schema.NullOr(Schema.String)),
  text: Schema.String
}))
const QueryLine = Schema.fromJsonString(Schema.Struct({
  query: Schema.String,
  gold_pids: Schema.optionalKey(Schema.Array(Schema.String)),
  qrels: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite))
}))
const ArticleLine = Schema.fromJsonString(Schema.Struct({
  title: Schema.String,
  paragraphs: Schema.Array(Schema.Struct({
    context: Schema.String,
    qas: Schema.Array(Schema.Struct({ question: Schema.String }))
  }))
}))

const linesOf = (file: string): ReadonlyArray<string> => {
  const bytes = readFileSync(join(directory, file))
  const text = file.endsWith(".gz") ? gunzipSync(bytes).toString() : bytes.toString()
  return text.split("\n").filter((line) => line !== "")
}

const poolOfFiles = (passages: string, queries: string): Pool => ({
  passages: linesOf(passages).map((line) => Schema.decodeUnknownSync(PassageLine)(line)).map(
    ({ pid, text, title }) => ({ title: title ?? "", text, page: pid })
  ),
  queries: linesOf(queries).map((line) => Schema.decodeUnknownSync(QueryLine)(line)).map(
    ({ gold_pids = [], qrels = {}, query }) => ({
      text: query,
      grades: new Map([...gold_pids.map((pid) => [pid, 1] as const), ...Object.entries(qrels)])
    })
  )
})

/** KorQuAD comes as whole articles, which are not to be changed in form. */
const poolOfArticles = (file: string): Pool => {
  const articles = linesOf(file).map((line) => Schema.decodeUnknownSync(ArticleLine)(line))
  const paragraphs = articles.flatMap(({ paragraphs, title }, place) =>
    paragraphs.map((paragraph, index) => ({ ...paragraph, title, page: `${place}-${index}` }))
  )
  return {
    passages: paragraphs.map(({ context, page, title }) => ({ title, text: context, page })),
    queries: paragraphs.flatMap(({ page, qas }) =>
      qas.map(({ question }) => ({ text: question, grades: new Map([[page, 1]]) }))
    )
  }
}

const gain = (grades: ReadonlyArray<number>): number =>
  grades.slice(0, depth).reduce((sum, grade, place) => sum + grade / Math.log2(place + 2), 0)

/** Grades at or below nothing are none; as in the set's own figures, the rest count alike. */
const measured = (pool: Pool, query: Query, scores: ReadonlyArray<number>) => {
  const gradeOf = (page: string) => (query.grades.get(page) ?? 0) > 0 ? 1 : 0
  const ranked = pool.passages.map(({ page }, place) => ({ page, score: scores[place] ?? 0 }))
    .toSorted((left, right) => right.score - left.score)
    .map(({ page }) => gradeOf(page))
  const ideal = gain(ranked.toSorted((left, right) => right - left))
  return { hit: ranked[0] ?? 0, ndcg: ideal === 0 ? 0 : gain(ranked) / ideal }
}

const mean = (list: ReadonlyArray<number>): string =>
  (list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length)).toFixed(3)

const report = (name: string, pool: Pool) => {
  const queries = pool.queries.filter((_, place) => place % every === 0)
  const read = poolOf(pool.passages)
  const start = performance.now()
  const ours = queries.map((query) =>
    measured(pool, query, Relevance.viewOf(read, query.text).scores)
  )
  const ms = (performance.now() - start) / Math.max(1, queries.length)
  const plain = queries.map((query) => measured(pool, query, Words.scores(read.bm25, query.text)))
  console.log(
    `${name.padEnd(10)} n ${
      String(queries.length).padStart(4)
    } of ${pool.passages.length} passages` +
      `  hit@1 ${mean(ours.map(({ hit }) => hit))} (BM25 ${mean(plain.map(({ hit }) => hit))})` +
      `  nDCG@10 ${mean(ours.map(({ ndcg }) => ndcg))}` +
      ` (BM25 ${mean(plain.map(({ ndcg }) => ndcg))})  ${ms.toFixed(0)} ms a question`
  )
}

if (existsSync(directory)) {
  for (const name of ["xquad-en", "xquad-zh", "jsquad-ja"]) {
    report(name, poolOfFiles(`dev/${name}.passages.jsonl`, `dev/${name}.queries.jsonl`))
  }
  report("korquad-ko", poolOfArticles("dev/korquad_v1_dev.articles.jsonl"))
  report(
    "cranfield",
    poolOfFiles("shared/cranfield.passages.jsonl.gz", "dev/cranfield.queries.jsonl")
  )
} else console.log(`No passages at ${directory}`)
