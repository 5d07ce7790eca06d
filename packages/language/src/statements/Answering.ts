/** Whether a sentence answers a question or stands beside it, told from words alone. */
import type { Passage } from "../passages/PassageWords.ts"
import * as AskedThing from "../question/AskedThing.ts"
import type { KeySentence } from "./KeySentences.ts"

export interface Answered extends KeySentence {
  /** `beside`: of another thing than the one asked about. `adds`: holds too little to answer. */
  readonly answering: "answers" | "adds" | "beside"
}

/**
 * Weights of the sentence itself (`held`), and of its neighbours and its page's title (`coverage`).
 */
const weights = { held: 0.7, coverage: 0.3 } as const
/** Least rating on a single page: its title belongs to every sentence and tells none apart. */
const ofOnePageMin = 0.18
/**
 * Least rating among several pages, where one holds some of a question by chance. By script, as
 * words or pairs of letters.
 */
const ofPagesMin = { words: 0.4, pairs: 0.28, han: 0.19 } as const

/**
 * Judges each sentence, in order. Chinese pairs hold the grammar that Japanese and Korean leave to
 * endings.
 */
export const judge = (
  question: string,
  passages: ReadonlyArray<Passage>,
  found: ReadonlyArray<KeySentence>
): ReadonlyArray<Answered> => {
  const things = AskedThing.askedThings(question)
  const isOnePage = new Set(passages.map(({ page }) => page)).size < 2
  const least = isOnePage ? ofOnePageMin : ofPagesMin[scriptOf(question)]
  return found.map((sentence) => {
    const rating = ratingOf(sentence, isOnePage)
    const around = { title: "", heading: "", text: "", ...passages[sentence.passage] }
    const isOther = AskedThing.isOther(things, sentence.text, around)
    return {
      ...sentence,
      answering: isOther ? "beside" : rating < least ? "adds" : "answers"
    }
  })
}

const ratingOf = ({ coverage, held }: KeySentence, isOnePage: boolean): number =>
  isOnePage ? held : weights.held * held + weights.coverage * coverage

/** Script class by which the question is compared. */
export const scriptOf = (question: string): keyof typeof ofPagesMin => {
  if (/\p{Script=Latin}/u.test(question)) return "words"
  return /[\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u.test(question) ? "pairs" : "han"
}
