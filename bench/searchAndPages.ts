/**
 * How often the answer is still there after results, pages, chunks, ranking and evidence.
 *
 * Replays `../shared/data/search_and_pages` (news quizzes with their search results). Prints one
 * line: the share of questions whose answer is in any page (the ceiling), in the best chunks, in
 * the whole evidence block and in the block of 1,400 characters, and with plain BM25's best. A
 * second line counts as the set does: the answer as a plain substring, ours of the first five pages
 * too.
 */
import { Schema } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { chunksOfText } from "../packages/language/src/passages/Chunking.ts"
import { passagesOf, poolOf } from "../packages/language/src/passages/PassageWords.ts"
import * as Relevance from "../packages/language/src/passages/Relevance.ts"
import * as Words from "../packages/language/src/text/Words.ts"
import { emptyPack } from "../src/domain/pack/GroundingPack.ts"
import { type Chunk, chunksOf, type Page } from "../src/domain/page/Page.ts"
import * as Ranking from "../src/domain/retrieval/Ranking.ts"
import * as EvidenceBlock from "../src/domain/view/EvidenceBlock.ts"

const directory = join(import.meta.dirname, "../../shared/data/search_and_pages/dev")
const boundary = "0".repeat(32)
const roomyCharsMax = 12_000

const Question = Schema.fromJsonString(Schema.Struct({
  question: Schema.String,
  answer: Schema.Array(Schema.String),
  search_result: Schema.Array(Schema.Struct({
    url: Schema.String,
    title: Schema.optionalKey(Schema.NullOr(Schema.String)),
    text: Schema.optionalKey(Schema.NullOr(Schema.String))
  }))
}))

const questions = (existsSync(directory) ? readdirSync(directory) : [])
  .filter((file) => file.startsWith("realtimeqa"))
  .flatMap((file) => gunzipSync(readFileSync(join(directory, file))).toString().split("\n"))
  .filter((line) => line !== "")
  .map((line) => Schema.decodeUnknownSync(Question)(line))

const pagesOf = ({ search_result }: typeof Question.Type): ReadonlyArray<Page> =>
  search_result.map(({ text, title, url }, place) => ({
    source_id: `s${place + 1}`,
    url,
    title: title ?? "",
    site: URL.parse(url)?.hostname ?? url,
    official: false,
    providers: ["mock"],
    reader: "web",
    text: text ?? "",
    text_sha256: "",
    chunks: chunksOfText(text ?? "")
  }))

/** Letters and digits alone, so that print does not matter. */
const folded = (text: string): string =>
  ` ${text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `
const holds = (text: string, answers: ReadonlyArray<string>): boolean =>
  answers.some((answer) => folded(text).includes(folded(answer)))

/** As the set's own figures count. */
const holdsPlainly = (text: string, answers: ReadonlyArray<string>): boolean =>
  answers.some((answer) => text.toLowerCase().includes(answer.toLowerCase()))

const pagesReadMax = 5

/** The best chunks' text, of as many pages and chunks. */
const bestOf = (asked: typeof Question.Type, pagesMax: number, limit: number): string => {
  const chunks = chunksOf(pagesOf(asked).slice(0, pagesMax))
  const named = Ranking.top(chunks, Relevance.scores(asked.question, passagesOf(chunks)), limit)
  return named.flatMap((ref) => chunks.filter((chunk) => isNamed(chunk, ref)))
    .map(({ text }) => text).join("\n")
}

const measured = (asked: typeof Question.Type) => {
  const pages = pagesOf(asked)
  const chunks = chunksOf(pages)
  const pool = poolOf(passagesOf(chunks))
  const start = performance.now()
  const scores = Relevance.viewOf(pool, asked.question).scores
  const named = Ranking.top(chunks, scores)
  const byScore = chunks.map((chunk, place) => ({ chunk, score: scores[place] ?? 0 }))
    .toSorted((left, right) => right.score - left.score).map(({ chunk }) => chunk)
  const ms = performance.now() - start
  const best = named.flatMap((ref) => chunks.filter((chunk) => isNamed(chunk, ref)))
  const plain = Words.scores(pool.bm25, asked.question)
  const plainBest = chunks.map((chunk, place) => ({ chunk, score: plain[place] ?? 0 }))
    .toSorted((left, right) => right.score - left.score)
    .slice(0, Ranking.topChunksMax)
  const block = (charsMax: number) =>
    EvidenceBlock.build({
      excerpts: EvidenceBlock.select({
        chunks: byScore,
        question: asked.question,
        boundary,
        charsMax,
        pack: emptyPack
      }),
      boundary,
      charsMax
    }).excerpts.map(({ text }) => text).join("\n")
  const has = (text: string) => holds(text, asked.answer)
  return {
    ceiling: has(pages.map(({ text }) => text).join("\n")),
    best: has(best.map(({ text }) => text).join("\n")),
    roomy: has(block(roomyCharsMax)),
    block: has(block(EvidenceBlock.evidenceCharsMax)),
    plain: has(plainBest.map(({ chunk }) => chunk.text).join("\n")),
    ms
  }
}

const isNamed = ({ index, page }: Chunk, ref: { source_id: string; index: number }): boolean =>
  page.source_id === ref.source_id && index === ref.index

if (questions.length === 0) console.log(`No questions at ${directory}`)
else {
  const list = questions.map(measured)
  const share = (test: (row: (typeof list)[number]) => boolean): string =>
    (list.filter(test).length / list.length).toFixed(3)
  const ms = list.reduce((sum, row) => sum + row.ms, 0) / list.length
  console.log(
    `n ${list.length}  in any page ${share(({ ceiling }) => ceiling)}` +
      `  best ${Ranking.topChunksMax} ${share(({ best }) => best)}` +
      ` (BM25 ${share(({ plain }) => plain)})` +
      `  block of ${roomyCharsMax} ${share(({ roomy }) => roomy)}` +
      `  of ${EvidenceBlock.evidenceCharsMax} ${share(({ block }) => block)}` +
      `  ${ms.toFixed(0)} ms a question`
  )
  const plainly = (textOf: (asked: typeof Question.Type) => string): string =>
    (questions.filter((asked) => holdsPlainly(textOf(asked), asked.answer)).length /
      questions.length).toFixed(3)
  console.log(
    `plain substring: in any page ${
      plainly((asked) => pagesOf(asked).map(({ text }) => text).join("\n"))
    }` +
      [[Infinity, 5], [Infinity, 6], [pagesReadMax, 6], [pagesReadMax, 10]].map((
        [pagesMax = Infinity, limit = 0]
      ) =>
        `  best ${limit}${pagesMax === Infinity ? "" : ` of ${pagesMax} pages`} ${
          plainly((asked) => bestOf(asked, pagesMax, limit))
        }`
      ).join("")
  )
}
