/** Ranks the pages of the corpus for a query, and selects the passages that show why. */
import * as Bm25 from "@web-grounding/language/Bm25"
import { sentences } from "@web-grounding/language/Sentences"
import { terms } from "@web-grounding/language/Words"
import type { CorpusPage } from "../corpus/Corpus.ts"

/** Tavily's documented ceiling of one chunk. In UTF-16 code units. */
const passageCharsMax = 500
/** A title's words count this often more than the text's. */
const titleWeight = 2
/** The share of a query's weight that a page must hold: below it nonsense would find something. */
const coverageMin = 0.3
/** Factor by which a page of the topic asked for gains. */
const topicGain = 1.15

interface IndexedPage {
  readonly page: CorpusPage
  readonly passages: ReadonlyArray<string>
  readonly bm25: Bm25.Bm25Index
  readonly terms: ReadonlySet<string>
}

export interface Ranking {
  readonly pages: ReadonlyArray<IndexedPage>
  readonly bm25: Bm25.Bm25Index
}

export interface RankedPage {
  readonly page: CorpusPage
  /** Score above 0, at most 1. */
  readonly score: number
  /** The best first by relevance, told in the page's order. */
  readonly passages: ReadonlyArray<string>
}

export interface RankedQuery {
  readonly query: string
  readonly topic: CorpusPage["topic"]
  readonly passagesMax: number
  readonly isWanted: (page: CorpusPage) => boolean
}

export const make = (pages: ReadonlyArray<CorpusPage>): Ranking => ({
  pages: pages.map(indexed),
  bm25: Bm25.index(pages.map((page) => ({
    title: `${page.title} `.repeat(titleWeight),
    text: page.paragraphs.join("\n")
  })))
})

const indexed = (page: CorpusPage): IndexedPage => {
  const passages = page.paragraphs.flatMap(passagesOf)
  return {
    page,
    passages,
    bm25: Bm25.index(passages.map((text) => ({ text }))),
    terms: new Set(terms([page.title, ...page.paragraphs].join("\n")))
  }
}

/** Pages that fit the query, best first; equal ones in the order of the corpus. */
export const rank = (ranking: Ranking, query: RankedQuery): ReadonlyArray<RankedPage> => {
  const queryTerms = Array.from(new Set(terms(query.query)))
  const rarities = queryTerms.map((term) => Bm25.rarity(ranking.bm25, term))
  const whole = rarities.reduce((sum, weight) => sum + weight, 0)
  const scores = Bm25.scores(ranking.bm25, query.query)
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
    passages: bestPassages(entry, query)
  }))
}

/** BM25 against the most the query could reach, lifted to where Tavily's scores lie. */
const scoreOf = (score: number, whole: number, coverage: number): number =>
  Math.sqrt(Math.min(1, score / (2.2 * whole))) * (0.5 + 0.5 * coverage)

const bestPassages = ({ bm25, passages }: IndexedPage, query: RankedQuery) => {
  const scores = Bm25.scores(bm25, query.query)
  const places = passages.map((_, place) => place)
  return places
    .sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0) || left - right)
    .slice(0, query.passagesMax)
    .sort((left, right) => left - right)
    .map((place) => passages[place] ?? "")
}

/** A paragraph whole, or its sentences packed up to the ceiling. */
const passagesOf = (paragraph: string): ReadonlyArray<string> => {
  if (paragraph.length <= passageCharsMax) return [paragraph]
  const passages: Array<string> = []
  let start = 0
  let end = 0
  for (const sentence of sentences(paragraph)) {
    if (sentence.end - start > passageCharsMax && end > start) {
      passages.push(paragraph.slice(start, end))
      start = sentence.start
    }
    end = sentence.end
  }
  passages.push(paragraph.slice(start, end))
  return passages.map((text) => text.trim().slice(0, passageCharsMax))
}
