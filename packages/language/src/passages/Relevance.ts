/**
 * Lexical relevance of passages to a question, with weights set by hand. BM25 dominates; then the
 * title's words, phrases, the expected kind of answer, 4-grams, search rank, agreement between
 * pages.
 */
import * as QuestionTerms from "../question/QuestionTerms.ts"
import {
  type AskedQuestion as Asked,
  askedTerms,
  askingPart,
  heldShare,
  shareAround,
  weightedShare
} from "../question/QuestionTerms.ts"
import * as Words from "../text/Words.ts"
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
/** Character pairs already compare Chinese, Japanese and Korean; a stemmer misses much. */
const scriptWeights = {
  words: { spelling: 6.25, length: -1 },
  pairs: { spelling: 3, length: -0.5 }
} as const

const hasPairs = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u
/** Search rank that counts half. */
const placeHalf = 8
/** More pages come from several questions: their agreement means nothing. */
const pagesMax = 20
/** Weight of a term in the next sentence. */
const afterWeight = 0.7
/** Weight of a sentence without the expected kind of answer. */
const otherKindWeight = 0.4

/** Relevance of each passage, in order: one finite number each, higher is better. */
export const scores = (
  question: string,
  passages: ReadonlyArray<Passage>
): ReadonlyArray<number> => viewOf(poolOf(passages), question).scores

export type View = ReturnType<typeof viewOf>

export const viewOf = (pool: Pool, question: string) => {
  const sought = askedTerms(pool.bm25, question)
  const kind = QuestionTerms.kindOf(question)
  const bm25 = Words.weightedScores(pool.bm25, sought.weights)
  const best = Words.largest(bm25, Number.MIN_VALUE)
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
      weights.agreement * Words.largest(agreed[place] ?? [])
  })
  return { scores, sought, kind }
}

const placeOf = ({ rank }: Passage): number => rank === undefined ? 0 : 1 / (1 + rank / placeHalf)

/** Features of a passage, each between 0 and 1. `shares`: of the question in each sentence. */
const lookAt = (
  { sentences, terms, title }: PassageWords,
  sought: Asked,
  kind: QuestionTerms.AnswerKind,
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
    const isKind = touched === 0 ? 0 : QuestionTerms.certaintyOf(kind, text, sought.words)
    return touched * (otherKindWeight + (1 - otherKindWeight) * isKind)
  })
  return {
    title: heldShare(sought, title),
    phrase: phraseShare(sought, terms),
    sentence: Words.largest(pairs),
    answer: Words.largest(answers)
  }
}

/** Weighted share of the question's adjacent terms that are so in the text, one gap allowed. */
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

// Lexical relevance of sentences. Weights are fitted on eight public sets, each with the other
// seven, and rounded.

const sentenceWeights = {
  /** Share of the question's terms in the sentence, weighted by rarity. */
  own: 1.1,
  /** The same, with half for the previous sentence and the title, less for the next sentence. */
  around: 1.1,
  /** BM25 of the sentence with one on each side, and with three on each side. */
  near: 2.5,
  wide: 1.5,
  /** Whether it holds the expected kind of answer. */
  kind: 1.2,
  agreement: 0.5,
  rank: 1.3,
  /** Shared 4-grams of characters. */
  spelling: 2.3,
  length: 0.3,
  phrase: 0.2,
  /** Words that are not in the question. */
  other: 0.3,
  pageStart: 0.5
} as const

const wideReach = 3
/** Search rank, and sentence index, that count half. */
const rankHalf = 8
const startHalf = 5
/** Length with room for an answer. In UTF-16 code units. */
const lengthFull = { words: 200, pairs: 80 } as const
const otherFull = 5

/** A page, or a passage of it, whose sentences are scored. */
export type ScoredPage = Pick<PassageWords, "passage" | "sentences" | "title">

export const sentenceScores = (
  question: string,
  pages: ReadonlyArray<ScoredPage>
): ReadonlyArray<ReadonlyArray<number>> => {
  const windows = (reach: number) =>
    pages.flatMap(({ sentences, title }) =>
      sentences.map((_, place) => [
        ...title,
        ...sentences.slice(Math.max(0, place - reach), place + reach + 1)
          .flatMap(({ terms }) => terms)
      ])
    )
  const near = Words.indexOf(windows(1))
  const sought = askedTerms(near, question)
  const nearScores = normalised(Words.weightedScores(near, sought.weights))
  const wideScores = normalised(
    Words.weightedScores(Words.indexOf(windows(wideReach)), sought.weights)
  )
  const kind = QuestionTerms.kindOf(question)
  const own = pages.map(({ sentences }) => sentences.map(({ held }) => heldShare(sought, held)))
  const agreed = agreement({ kind, words: sought.words }, pages, own)
  const spelled = Spelling.scores(
    askingPart(question),
    pages.flatMap(({ sentences }) => sentences.map(({ spelled }) => spelled))
  )
  const even = { ...sought, weights: new Map(sought.terms.map((term) => [term, 1])) }
  let at = -1
  return pages.map(({ sentences, title }, page) => {
    const held = sentences.map((sentence) => sentence.held)
    return sentences.map(({ terms, text }, place) => {
      at += 1
      const others = terms.filter((term) => !sought.weights.has(term)).length
      const full = lengthFull[hasPairs.test(text) ? "pairs" : "words"]
      return sentenceWeights.own * (own[page]?.[place] ?? 0) +
        sentenceWeights.around * shareAround(sought, { held, place, title }) +
        sentenceWeights.near * (nearScores[at] ?? 0) +
        sentenceWeights.wide * (wideScores[at] ?? 0) +
        sentenceWeights.kind * QuestionTerms.certaintyOf(kind, text, sought.words) +
        sentenceWeights.agreement * (agreed[page]?.[place] ?? 0) +
        sentenceWeights.rank / (1 + page / rankHalf) +
        sentenceWeights.spelling * (spelled[at] ?? 0) +
        sentenceWeights.length * Math.min(1, text.length / full) +
        sentenceWeights.phrase * phraseShare(even, terms) +
        sentenceWeights.other * Math.min(1, others / otherFull) +
        sentenceWeights.pageStart / (1 + place / startHalf)
    })
  })
}

const normalised = (list: ReadonlyArray<number>): ReadonlyArray<number> => {
  const best = Words.largest(list, Number.MIN_VALUE)
  return list.map((one) => one / best)
}

// What several pages name in sentences near the question is probably its answer: names for who and
// where, numbers for how many and when, else both. Counts pages, not passages.

const name = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}’'-]*/gu
const number = /(?<![\p{L}\p{N}])[$€£¥₩]?\p{N}+(?:[.,]\p{N}+)*%?/gu
/** Occur in every news report. */
const calendar = new RegExp(
  "^(?:january|february|march|april|may|june|july|august|september|october|november|december|" +
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday)$"
)

/** Share of the best page's vote that is subtracted: other pages must support it. */
const ownShare = 0.5
/** Least vote that counts as agreement: a weak best must not score like a strong one. */
const worthLeast = 0.2

interface Question {
  readonly kind: QuestionTerms.AnswerKind
  /** The question's own words are no answer. */
  readonly words: ReadonlySet<string>
}

/** For each sentence of each passage, 0 to 1: pages that name its best candidate. */
export const agreement = (
  question: Question,
  passages: ReadonlyArray<Pick<PassageWords, "passage" | "sentences">>,
  /** 0 to 1: share of the question in each sentence. */
  shares: ReadonlyArray<ReadonlyArray<number>>
): ReadonlyArray<ReadonlyArray<number>> => {
  const named = passages.map(({ sentences }) => sentences.map(({ text }) => things(question, text)))
  const cast = passages.flatMap(({ passage: { page } }, passage) =>
    (named[passage] ?? []).map((found, sentence) => {
      const vote: Vote = { page, passage, share: shares[passage]?.[sentence] ?? 0 }
      return { found, vote }
    })
  )
  // A candidate counts only if a sentence with a part of the question names it.
  const votes = new Map<string, Array<Vote>>()
  for (const { found, vote } of cast) {
    if (vote.share > 0) { for (const thing of found) votes.set(thing, []) }
  }
  for (const { found, vote } of cast) for (const thing of found) votes.get(thing)?.push(vote)
  const worth = new Map(Array.from(votes, ([thing, own]) => [thing, worthOf(own)]))
  const best = Words.largest(Array.from(worth.values()), worthLeast)
  return named.map((sentences) =>
    sentences.map((found) => Words.largest(found.map((thing) => worth.get(thing) ?? 0)) / best)
  )
}

interface Vote {
  readonly page: string
  readonly passage: number
  /** Share of the question in the sentence that names the candidate. */
  readonly share: number
}

/**
 * Each page votes with its best sentence's share of the question, squared. Frequent candidates need
 * more votes; the best page has half a vote.
 */
const worthOf = (votes: ReadonlyArray<Vote>): number => {
  const byPage = new Map<string, number>()
  for (const { page, share } of votes) {
    byPage.set(page, Math.max(byPage.get(page) ?? 0, share * share))
  }
  const shares = Array.from(byPage.values())
  const sum = shares.reduce((sum, share) => sum + share, 0)
  const holders = new Set(votes.map(({ passage }) => passage)).size
  return (sum - ownShare * Words.largest(shares)) / Math.sqrt(holders + 1)
}

/** Names and numbers of a text that may answer the question, lower-cased. */
export const things = ({ kind, words }: Question, text: string): ReadonlyArray<string> => {
  const names = kind === "number" || kind === "date" ? [] : (text.match(name) ?? [])
  const numbers = kind === "person" || kind === "place" ? [] : (text.match(number) ?? [])
  const all = [...names, ...numbers].map((thing) => thing.toLowerCase().replace(/['’]s$/, ""))
  return all.filter((thing) =>
    thing.length > 1 && !words.has(thing) && !Words.isStopWord(thing) && !calendar.test(thing)
  )
}
