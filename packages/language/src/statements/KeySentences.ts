/** Selects the sentences of passages that answer the question best and can be quoted alone. */
import { Option } from "effect"
import { type Passage, type PassageWords, poolOf } from "../passages/PassageWords.ts"
import * as Relevance from "../passages/Relevance.ts"
import * as QuestionTerms from "../question/QuestionTerms.ts"
import { type AskedQuestion as Asked, heldShare, shareAround } from "../question/QuestionTerms.ts"
import type { Span } from "../text/Sentences.ts"
import * as Words from "../text/Words.ts"
import { plainForm, plainTerms } from "../text/Words.ts"
import * as QuotedPassage from "./QuotedPassage.ts"

interface KeySentence extends Span {
  readonly passage: number
  readonly text: string
  /** 0 to about 2: how well it answers. */
  readonly score: number
  /** 0 to 1: share of the question's terms, with its neighbours and title counted in part. */
  readonly coverage: number
  /** 0 to 1: share of the question in its own words, weighted by rarity. */
  readonly held: number
}

interface Candidate extends Omit<KeySentence, "held"> {
  readonly terms: ReadonlySet<string>
  readonly page: string
  /** Names and numbers that may answer. */
  readonly things: ReadonlySet<string>
}

const passagesMax = 24
const weights = { passage: 0.3, answer: 0.45 } as const
/** Penalty for repeating a selected sentence, as in maximal marginal relevance. */
const repetitionWeight = 0.35
const samePageRepetition = 0.4
/** Share of that penalty for a sentence that names something new: perhaps another answer. */
const otherAnswerShare = 0.3
/** Constant weight of every word, to which its rarity is added. */
const evenWeight = 2

/** Selects at most `limit` sentences, best first, preferring new content and other pages. */
export const select = (
  question: string,
  passages: ReadonlyArray<Passage>,
  limit: number
): ReadonlyArray<KeySentence> => {
  const pool = poolOf(passages)
  const view = Relevance.viewOf(pool, question)
  const ranked = pool.passages
    .map((read, place) => ({ read, place, score: view.scores[place] ?? 0 }))
    .sort((left, right) => right.score - left.score)
    .slice(0, passagesMax)
  const best = ranked[0]?.score ?? 0
  const worst = ranked.at(-1)?.score ?? 0
  const evened = withEvenWeights(view.sought)
  const candidates = ranked.flatMap(({ place, read, score }) => {
    const rankShare = best > worst ? (score - worst) / (best - worst) : 1
    return candidatesOf(read, place, { ...view, evened, rankShare })
  })
  return chosen(candidates, limit).map((candidate) => {
    const said = plainTerms(candidate.text)
    return { ...candidate, held: heldShare(view.sought, said, plainForm) }
  })
}

interface Look extends Relevance.View {
  readonly evened: Asked
  /** 0 to 1: score of the passage between the worst and the best. */
  readonly rankShare: number
}

/** Rare words find the passage; all words find the sentence in it. */
const withEvenWeights = (sought: Asked): Asked => {
  const weights = new Map(
    Array.from(sought.weights, ([term, weight]) => [term, weight + evenWeight])
  )
  const total = Array.from(weights.values()).reduce((sum, weight) => sum + weight, 0)
  return { ...sought, weights, total }
}

const candidatesOf = (
  { passage, sentences, title }: PassageWords,
  place: number,
  { evened, kind, rankShare, sought }: Look
): ReadonlyArray<Candidate> => {
  const quotable = QuotedPassage.readable(passage.text, { start: 0, end: passage.text.length })
  const held = sentences.map((sentence) => sentence.held)
  return sentences.flatMap((sentence, index) => {
    const whole = Option.getOrUndefined(QuotedPassage.passageAround(quotable, sentence))
    if (whole === undefined) return []
    const coverage = shareAround(evened, { held, place: index, title })
    const answer = QuestionTerms.certaintyOf(kind, sentence.text, sought.words)
    const said = coverage + weights.passage * rankShare +
      weights.answer * answer * Math.min(1, 2 * coverage)
    const text = passage.text.slice(whole.start, whole.end)
    return [{
      start: whole.start,
      end: whole.end,
      passage: place,
      text,
      score: said,
      coverage,
      terms: sentence.held,
      page: passage.page,
      things: new Set(Relevance.things({ kind, words: sought.words }, sentence.text))
    }]
  })
}

const chosen = (
  candidates: ReadonlyArray<Candidate>,
  limit: number
): ReadonlyArray<Candidate> => {
  let list: ReadonlyArray<Candidate> = []
  const left = new Set(candidates)
  while (list.length < limit && left.size > 0) {
    const taken = list
    const next = Array.from(left).reduce((best, candidate) =>
      worth(candidate, taken) > worth(best, taken) ? candidate : best
    )
    left.delete(next)
    list = withNext(taken, next)
  }
  return list
}

/**
 * A sentence that needs a quoted one is merged with it. If that is too long, the one selected first
 * stays.
 */
const withNext = (
  list: ReadonlyArray<Candidate>,
  next: Candidate
): ReadonlyArray<Candidate> => {
  const [first, ...others] = list.filter((other) => overlaps(other, next))
  if (first === undefined) return [...list, next]
  const whole = [...others, next].reduce(joined, first)
  if (whole.end - whole.start > QuotedPassage.charsMax) return list
  return list.flatMap((other) => other === first ? [whole] : others.includes(other) ? [] : [other])
}

const joined = (chosen: Candidate, next: Candidate): Candidate => {
  const [first, last] = chosen.start <= next.start ? [chosen, next] : [next, chosen]
  return {
    ...chosen,
    start: first.start,
    end: Math.max(first.end, last.end),
    text: first.text + last.text.slice(first.end - last.start),
    coverage: Math.max(chosen.coverage, next.coverage),
    terms: new Set([...chosen.terms, ...next.terms]),
    things: new Set([...chosen.things, ...next.things])
  }
}

const worth = (candidate: Candidate, list: ReadonlyArray<Candidate>): number =>
  candidate.score -
  repetitionWeight * Words.largest(list.map((other) => repetition(candidate, other)))

const repetition = (left: Candidate, right: Candidate): number => {
  const share = Words.sharedShare(left.terms, right.terms)
  if (left.page === right.page) return Math.max(share, samePageRepetition)
  return left.things.isSubsetOf(right.things) ? share : otherAnswerShare * share
}

const overlaps = (left: Candidate, right: Candidate): boolean =>
  left.passage === right.passage && left.start < right.end && right.start < left.end

export interface AnsweringSentence extends KeySentence {
  /** `beside`: about another thing. `adds`: too little for an answer. */
  readonly answering: "answers" | "adds" | "beside"
}

/** Of the sentence (`held`), and of its neighbours and title (`coverage`). */
const answerWeights = { held: 0.7, coverage: 0.3 } as const
/** Least rating on a single page: its title belongs to every sentence and distinguishes none. */
const ofOnePageMin = 0.18
/** Least rating among several pages, which match by chance, by script. */
const ofPagesMin = { words: 0.4, pairs: 0.28, han: 0.19 } as const

/** In order. Chinese pairs include the grammar that Japanese and Korean leave to endings. */
export const judge = (
  question: string,
  passages: ReadonlyArray<Passage>,
  found: ReadonlyArray<KeySentence>
): ReadonlyArray<AnsweringSentence> => {
  const things = QuestionTerms.askedThings(question)
  const isOnePage = new Set(passages.map(({ page }) => page)).size < 2
  const least = isOnePage ? ofOnePageMin : ofPagesMin[scriptOf(question)]
  return found.map((sentence) => {
    const rating = ratingOf(sentence, isOnePage)
    const around = { title: "", heading: "", text: "", ...passages[sentence.passage] }
    const isOther = QuestionTerms.isOther(things, sentence.text, around)
    return {
      ...sentence,
      answering: isOther ? "beside" : rating < least ? "adds" : "answers"
    }
  })
}

const ratingOf = ({ coverage, held }: KeySentence, isOnePage: boolean): number =>
  isOnePage ? held : answerWeights.held * held + answerWeights.coverage * coverage

export const scriptOf = (question: string): keyof typeof ofPagesMin => {
  if (/\p{Script=Latin}/u.test(question)) return "words"
  return /[\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u.test(question) ? "pairs" : "han"
}
