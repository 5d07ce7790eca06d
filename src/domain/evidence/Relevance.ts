/**
 * How well passages answer a question, from words alone.
 *
 * The weights are set by hand. BM25 carries most of it; what it cannot see is added: the title's
 * words, phrases, a sentence that holds the answer's kind, spelling, and the search's own order.
 */
import * as Bm25 from "../text/Bm25.ts"
import { sentences } from "../text/Sentences.ts"
import { terms, words } from "../text/Words.ts"
import * as AnswerKind from "./AnswerKind.ts"

export interface Passage {
  readonly title: string
  readonly text: string
  /** Equal for passages of one page; pages stand in the search's order. */
  readonly page: string
}

const weights = {
  bm25: 4,
  title: 2,
  coverage: 2,
  phrase: 2,
  sentence: 1,
  answer: 2,
  spelling: 3,
  place: 0.8
} as const

const gramLength = 4
/** At this many pages down, the place in the search result counts half. */
const placeHalf = 8

const filler = new Set(
  "much many often long old list tell find name according".split(" ").flatMap(terms)
)

/** The question's distinct meaning-bearing terms, without those that only ask. */
export const questionTerms = (question: string): ReadonlyArray<string> => {
  const all = Array.from(new Set(terms(question)))
  const kept = all.filter((term) => !filler.has(term))
  return kept.length === 0 ? all : kept
}

/** One finite score a passage, in the order given; higher is better. */
export const scores = (
  question: string,
  passages: ReadonlyArray<Passage>
): ReadonlyArray<number> => {
  const asked = questionTerms(question)
  const index = Bm25.index(passages)
  const rarities = new Map(asked.map((term) => [term, Bm25.rarity(index, term)]))
  const bm25 = Bm25.scores(index, asked.join(" "))
  const best = Math.max(...bm25, Number.MIN_VALUE)
  const spelling = spellingScores(question, passages)
  const pages = Array.from(new Set(passages.map(({ page }) => page)))
  const kind = AnswerKind.kindOf(question)
  const look = { asked, rarities, kind, asking: new Set(words(question)) }
  return passages.map((passage, place) => {
    const seen = lookAt(passage, look)
    return weights.bm25 * (bm25[place] ?? 0) / best +
      weights.title * seen.title + weights.coverage * seen.coverage +
      weights.phrase * seen.phrase + weights.sentence * seen.sentence +
      weights.answer * seen.answer + weights.spelling * (spelling[place] ?? 0) +
      weights.place / (1 + pages.indexOf(passage.page) / placeHalf)
  })
}

interface Look {
  readonly asked: ReadonlyArray<string>
  readonly rarities: ReadonlyMap<string, number>
  readonly kind: AnswerKind.AnswerKind
  /** The question's words as they stand. */
  readonly asking: ReadonlySet<string>
}

/** Everything between 0 and 1. */
const lookAt = (passage: Passage, look: Look) => {
  const title = new Set(terms(passage.title))
  const parts = sentences(passage.text).map(({ end, start }) => passage.text.slice(start, end))
  const termLists = parts.map((part) => terms(part))
  const sets = termLists.map((list) => new Set(list))
  const shares = sets.map((set) => share(look, (term) => set.has(term)))
  const pairs = sets.map((set, place) =>
    share(look, (term) => set.has(term) || sets[place + 1]?.has(term) === true)
  )
  const answers = parts.map((part, place) =>
    (shares[place] ?? 0) * (0.4 + 0.6 * AnswerKind.holds(look.kind, part, look.asking))
  )
  return {
    title: share(look, (term) => title.has(term)),
    coverage: share(look, (term) => title.has(term) || sets.some((set) => set.has(term))),
    phrase: phraseShare(look.asked, termLists.flat()),
    sentence: Math.max(0, ...pairs),
    answer: Math.max(0, ...answers)
  }
}

/** Of the question's terms, weighted by how rare they are. */
const share = ({ asked, rarities }: Look, has: (term: string) => boolean): number => {
  const weight = (term: string) => rarities.get(term) ?? 0
  const total = asked.reduce((sum, term) => sum + weight(term), 0)
  const held = asked.reduce((sum, term) => sum + (has(term) ? weight(term) : 0), 0)
  return total === 0 ? 0 : held / total
}

/** Of the question's neighbouring terms, how many stand next to each other, one gap allowed. */
const phraseShare = (asked: ReadonlyArray<string>, text: ReadonlyArray<string>): number => {
  const neighbours = new Set(
    text.flatMap((term, place) => [1, 2].map((step) => `${term} ${text[place + step] ?? ""}`))
  )
  const pairs = asked.slice(1).map((term, place) => `${asked[place] ?? ""} ${term}`)
  return pairs.filter((pair) => neighbours.has(pair)).length / Math.max(1, pairs.length)
}

/** Shared runs of four characters, rare ones more: finds what the stemmer does not. */
const spellingScores = (
  question: string,
  passages: ReadonlyArray<Passage>
): ReadonlyArray<number> => {
  const texts = passages.map(({ text, title }) => ` ${words(`${title} ${text}`).join(" ")} `)
  const weighted = Array.from(grams(question), (gram) => {
    const holders = texts.filter((text) => text.includes(gram)).length
    return { gram, weight: Math.log(1 + texts.length / (1 + holders)) }
  })
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0)
  return texts.map((text) =>
    weighted.reduce((sum, { gram, weight }) => sum + (text.includes(gram) ? weight : 0), 0) /
    (total || 1)
  )
}

const grams = (question: string): ReadonlySet<string> => {
  const text = ` ${words(question).join(" ")} `
  return new Set(
    Array.from(
      { length: Math.max(0, text.length - gramLength + 1) },
      (_, place) => text.slice(place, place + gramLength)
    )
  )
}
