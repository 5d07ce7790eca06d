/**
 * How well passages answer a question, from words alone.
 *
 * The weights are set by hand. BM25 carries most of it; what it cannot see is added: the title's
 * words, phrases, a sentence that holds the answer's kind, spelling, the search's order, and what a
 * handful of pages agree on.
 */
import * as AnswerKind from "../question/AnswerKind.ts"
import {
  type Asked,
  askedTerms,
  askingPart,
  heldShare,
  weightedShare
} from "../question/QuestionTerms.ts"
import * as Bm25 from "../text/Bm25.ts"
import { agreement } from "./Agreement.ts"
import * as Spelling from "./PassageWords.ts"
import { type Passage, type PassageWords, type Pool, poolOf } from "./PassageWords.ts"

const weights = {
  bm25: 4,
  title: 4,
  phrase: 1,
  sentence: 2,
  answer: 2,
  place: 5.5,
  agreement: 3
} as const
/**
 * Chinese, Japanese and Korean are compared by pairs of characters anyway, so that spelling tells
 * little more; a stemmer leaves much for it to find.
 */
const scriptWeights = {
  words: { spelling: 6.25, length: -1 },
  pairs: { spelling: 3, length: -0.5 }
} as const

const hasPairs = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u
/** Number of pages ahead at which the rank in the search result counts half. */
const placeHalf = 8
/** More pages were not found for this one question: that they name the same things says nothing. */
const pagesMax = 20
/** Weight of a term in the sentence after. */
const afterWeight = 0.7
/** A sentence without the answer's kind, against one with it. */
const otherKindWeight = 0.4

/** Relevance of each passage, in the order given: one finite number each, higher is better. */
export const scores = (
  question: string,
  passages: ReadonlyArray<Passage>
): ReadonlyArray<number> => viewOf(poolOf(passages), question).scores

/** The scores, and how the question was understood. */
export interface View {
  readonly scores: ReadonlyArray<number>
  readonly sought: Asked
  readonly kind: AnswerKind.AnswerKind
}

export const viewOf = (pool: Pool, question: string): View => {
  const sought = askedTerms(pool.bm25, question)
  const kind = AnswerKind.kindOf(question)
  const bm25 = Bm25.weightedScores(pool.bm25, sought.weights)
  const best = Math.max(...bm25, Number.MIN_VALUE)
  const spelling = Spelling.scores(
    askingPart(question),
    pool.passages.map(({ spelled }) => spelled)
  )
  const script = scriptWeights[hasPairs.test(question) ? "pairs" : "words"]
  const shares = pool.passages.map(({ sentences }) =>
    sentences.map(({ held }) => heldShare(sought, held))
  )
  const isSearch = new Set(pool.passages.map(({ passage }) => passage.page)).size <= pagesMax
  const agreed = isSearch ? agreement({ kind, words: sought.words }, pool.passages, shares) : []
  const scores = pool.passages.map((passage, place) => {
    const seen = lookAt(passage, sought, kind, shares[place] ?? [])
    const length = (pool.bm25.lengths[place] ?? 0) / (pool.bm25.lengthMean || 1)
    return weights.bm25 * (bm25[place] ?? 0) / best +
      weights.title * seen.title + weights.phrase * seen.phrase +
      weights.sentence * seen.sentence + weights.answer * seen.answer +
      script.spelling * (spelling[place] ?? 0) + script.length * Math.min(1, length) +
      weights.place * placeOf(passage.passage) +
      weights.agreement * Math.max(0, ...(agreed[place] ?? []))
  })
  return { scores, sought, kind }
}

const placeOf = ({ rank }: Passage): number => rank === undefined ? 0 : 1 / (1 + rank / placeHalf)

/** Features of a passage, each between 0 and 1. `shares`: of the question in each sentence. */
const lookAt = (
  { sentences, terms, title }: PassageWords,
  sought: Asked,
  kind: AnswerKind.AnswerKind,
  shares: ReadonlyArray<number>
) => {
  const pairs = sentences.map(({ held }, place) => {
    const after = sentences[place + 1]?.held
    return weightedShare(
      sought,
      (term) => held.has(term) ? 1 : after?.has(term) === true ? afterWeight : 0
    )
  })
  const answers = sentences.map(({ text }, place) => {
    const touched = shares[place] ?? 0
    const isKind = touched === 0 ? 0 : AnswerKind.certaintyOf(kind, text, sought.words)
    return touched * (otherKindWeight + (1 - otherKindWeight) * isKind)
  })
  return {
    title: heldShare(sought, title),
    phrase: phraseShare(sought, terms),
    sentence: Math.max(0, ...pairs),
    answer: Math.max(0, ...answers)
  }
}

/**
 * Share, by weight, of the question's neighbouring terms that stand next to each other, one gap
 * allowed.
 */
const phraseShare = ({ terms, weights }: Asked, text: ReadonlyArray<string>): number => {
  const followers = new Map<string, Set<string>>()
  text.forEach((term, place) => {
    if (!weights.has(term)) return
    const set = followers.get(term) ?? new Set<string>()
    for (const next of text.slice(place + 1, place + 3)) set.add(next)
    followers.set(term, set)
  })
  let [total, found] = [0, 0]
  terms.slice(1).forEach((term, place) => {
    const first = terms[place] ?? ""
    const worth = (weights.get(first) ?? 0) + (weights.get(term) ?? 0)
    total += worth
    if (followers.get(first)?.has(term) === true) found += worth
  })
  return total === 0 ? 0 : found / total
}
