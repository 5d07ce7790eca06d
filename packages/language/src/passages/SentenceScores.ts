/**
 * How well each sentence of several pages answers a question, from words alone.
 *
 * The weights were fitted on eight public sets, each with the other seven, and rounded: the rounded
 * ones give the same shares of answers found.
 */
import * as AnswerKind from "../question/AnswerKind.ts"
import { askedTerms, askingPart, heldShare, shareAround } from "../question/QuestionTerms.ts"
import * as Bm25 from "../text/Bm25.ts"
import { agreement } from "./Agreement.ts"
import * as Spelling from "./PassageWords.ts"
import type { PassageWords } from "./PassageWords.ts"

const weights = {
  /** Share of the question's terms that the sentence holds itself, rare ones counting more. */
  own: 1.1,
  /** The same, with half for the sentence before and the title, less for the sentence after. */
  around: 1.1,
  /** BM25 of the sentence with one on each side, and with three on each side. */
  near: 2.5,
  wide: 1.5,
  /** Whether it holds the kind of thing that was asked for. */
  kind: 1.2,
  agreement: 0.5,
  rank: 1.3,
  /** Shared runs of four characters. */
  spelling: 2.3,
  length: 0.3,
  phrase: 0.2,
  /** Words that are not the question's. */
  other: 0.3,
  pageStart: 0.5
} as const

const wideReach = 3
/** Pages and sentences down, at which place and start of the page count half. */
const rankHalf = 8
const startHalf = 5
/** A sentence as long as this has room for an answer. In UTF-16 code units. */
const lengthFull = { words: 200, pairs: 80 } as const
const otherFull = 5
const hasPairs = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u

/** A page, or a passage of it, whose sentences are scored. */
export type ScoredPage = Pick<PassageWords, "passage" | "sentences" | "title">

/** A score for each sentence of each page, in the order given. */
export const scores = (
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
  const near = Bm25.indexOf(windows(1))
  const sought = askedTerms(near, question)
  const nearScores = normalised(Bm25.weightedScores(near, sought.weights))
  const wideScores = normalised(
    Bm25.weightedScores(Bm25.indexOf(windows(wideReach)), sought.weights)
  )
  const kind = AnswerKind.kindOf(question)
  const own = pages.map(({ sentences }) => sentences.map(({ held }) => heldShare(sought, held)))
  const agreed = agreement({ kind, words: sought.words }, pages, own)
  const spelled = Spelling.scores(
    askingPart(question),
    pages.flatMap(({ sentences }) => sentences.map(({ spelled }) => spelled))
  )
  let at = -1
  return pages.map(({ sentences, title }, page) => {
    const held = sentences.map((sentence) => sentence.held)
    return sentences.map(({ terms, text }, place) => {
      at += 1
      const others = terms.filter((term) => !sought.weights.has(term)).length
      const full = lengthFull[hasPairs.test(text) ? "pairs" : "words"]
      return weights.own * (own[page]?.[place] ?? 0) +
        weights.around * shareAround(sought, { held, place, title }) +
        weights.near * (nearScores[at] ?? 0) + weights.wide * (wideScores[at] ?? 0) +
        weights.kind * AnswerKind.certaintyOf(kind, text, sought.words) +
        weights.agreement * (agreed[page]?.[place] ?? 0) +
        weights.rank / (1 + page / rankHalf) +
        weights.spelling * (spelled[at] ?? 0) +
        weights.length * Math.min(1, text.length / full) +
        weights.phrase * phraseShare(sought.terms, terms) +
        weights.other * Math.min(1, others / otherFull) +
        weights.pageStart / (1 + place / startHalf)
    })
  })
}

const normalised = (list: ReadonlyArray<number>): ReadonlyArray<number> => {
  const best = list.reduce((most, one) => Math.max(most, one), Number.MIN_VALUE)
  return list.map((one) => one / best)
}

/** Share of the question's neighbouring terms that stand next to each other, one gap allowed. */
const phraseShare = (asked: ReadonlyArray<string>, text: ReadonlyArray<string>): number => {
  const pairs = asked.slice(1).map((term, place) => [asked[place] ?? "", term] as const)
  const isThere = ([first, second]: readonly [string, string]) =>
    text.some((term, place) =>
      term === first && (text[place + 1] === second || text[place + 2] === second)
    )
  return pairs.length === 0 ? 0 : pairs.filter(isThere).length / pairs.length
}
