/** The sandbox's web: a Markdown file for each page, front matter first, then paragraphs. */
import { chunksOfText } from "@web-grounding/language/Chunking"
import * as Words from "@web-grounding/language/Words"
import { terms } from "@web-grounding/language/Words"
import { Effect, FileSystem, Path, Schema } from "effect"

const pagesMax = 2_000
const pageCharsMax = 100_000

const FrontMatter = Schema.Struct({
  url: Schema.String.check(Schema.isPattern(/^https?:\/\/[^\s/]+(\/\S*)?$/)),
  title: Schema.NonEmptyString,
  site: Schema.NonEmptyString,
  /** `YYYY-MM-DD`. */
  published_date: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/))),
  /** ISO 639-1. */
  language: Schema.String.check(Schema.isPattern(/^[a-z]{2}$/)),
  topic: Schema.Literals(["general", "news", "finance"])
})
const decodeFrontMatter = Schema.decodeUnknownEffect(FrontMatter)

/** A page's front matter, and its paragraphs in order, none empty. */
export type CorpusPage = typeof FrontMatter.Type & { readonly paragraphs: ReadonlyArray<string> }

class CorpusUnreadable extends Schema.TaggedError<CorpusUnreadable>()("CorpusUnreadable", {
  file: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The sandbox cannot read its page ${this.file}`
  }
}

/** Loads the pages in the order of their file names, except `README.md` and other file types. */
export const load = Effect.fn("Corpus.load")(function*(directory: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = yield* files.readDirectory(directory).pipe(
    Effect.mapError((cause) => new CorpusUnreadable({ file: directory, cause }))
  )
  const pageNames = names.filter((name) => name.endsWith(".md") && name !== "README.md").sort()
  return yield* Effect.forEach(
    pageNames.slice(0, pagesMax),
    (name) =>
      files.readFileString(path.join(directory, name)).pipe(
        Effect.flatMap(parse),
        Effect.mapError((cause) => new CorpusUnreadable({ file: name, cause }))
      )
  )
})

const parse = Effect.fnUntraced(function*(source: string) {
  const [, head = "", body = ""] = /^---\r?\n([^]*?)\r?\n---\r?\n([^]*)$/.exec(
    source.slice(0, pageCharsMax)
  ) ?? []
  const fields = head.split(/\r?\n/).map((line): readonly [string, string] => {
    const colon = line.indexOf(":")
    return [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()]
  })
  const front = yield* decodeFrontMatter(Object.fromEntries(fields))
  const paragraphs = body.split(/(?:\r?\n[ \t]*){2,}/).map((text) => text.trim())
  return { ...front, paragraphs: paragraphs.filter((text) => text !== "") }
})

/** Passages of at most 500 UTF-16 code units, Tavily's documented ceiling of one chunk. */
const passageCharsMin = 333
/** Weight of a title's words relative to the text's. */
const titleWeight = 2
/** Least share of a query's weight in a page: below it nonsense would find something. */
const coverageMin = 0.3
const topicGain = 1.15

type IndexedPage = ReturnType<typeof indexed>
export type Ranking = ReturnType<typeof make>

interface RankedQuery {
  readonly query: string
  readonly topic: CorpusPage["topic"]
  readonly isWanted: (page: CorpusPage) => boolean
}

export const make = (pages: ReadonlyArray<CorpusPage>) => ({
  pages: pages.map(indexed),
  bm25: Words.index(pages.map((page) => ({
    title: `${page.title} `.repeat(titleWeight),
    text: page.paragraphs.join("\n")
  })))
})

const indexed = (page: CorpusPage) => {
  const passages = page.paragraphs.flatMap((text) =>
    chunksOfText(text, [], passageCharsMin).map(({ end, start }) => text.slice(start, end))
  )
  return {
    page,
    passages,
    bm25: Words.index(passages.map((text) => ({ text }))),
    terms: new Set(terms([page.title, ...page.paragraphs].join("\n")))
  }
}

/**
 * Pages that fit the query, best first; equal ones in the order of the corpus. Scores are above 0,
 * at most 1. `passage` is the most relevant one: a snippet must not be a whole page.
 */
export const rank = (ranking: Ranking, query: RankedQuery) => {
  const queryTerms = Array.from(new Set(terms(query.query)))
  const rarities = queryTerms.map((term) => Words.rarity(ranking.bm25, term))
  const whole = rarities.reduce((sum, weight) => sum + weight, 0)
  const scores = Words.scores(ranking.bm25, query.query)
  return ranking.pages.flatMap((entry, place) => {
    if (!query.isWanted(entry.page) || whole === 0) return []
    const held = rarities.filter((_, term) => entry.terms.has(queryTerms[term] ?? ""))
    const coverage = held.reduce((sum, weight) => sum + weight, 0) / whole
    if (coverage < coverageMin) return []
    const gain = query.topic !== "general" && entry.page.topic === query.topic ? topicGain : 1
    return [{ entry, score: gain * scoreOf(scores[place] ?? 0, whole, coverage) }]
  }).sort((left, right) => right.score - left.score).map(({ entry, score }) => ({
    page: entry.page,
    score: Math.min(1, score),
    passage: bestPassage(entry, query)
  }))
}

/** BM25 relative to the query's maximum, scaled to the range of Tavily's scores. */
const scoreOf = (score: number, whole: number, coverage: number): number =>
  Math.sqrt(Math.min(1, score / (2.2 * whole))) * (0.5 + 0.5 * coverage)

const bestPassage = ({ bm25, passages }: IndexedPage, { query }: RankedQuery): string => {
  const scores = Words.scores(bm25, query)
  const best = scores.reduce(
    (place, score, other) => score > (scores[place] ?? 0) ? other : place,
    0
  )
  return passages[best] ?? ""
}
