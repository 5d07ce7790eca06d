/** Terms of a question with their weights, for finding passages. */
import { identity } from "effect"
import * as Languages from "../language/Languages.ts"
import * as Bm25 from "../text/Bm25.ts"
import { sentenceTexts } from "../text/Sentences.ts"
import { terms, words } from "../text/Words.ts"
import listed from "./CommonWords.json" with { type: "json" }

const filler = new Set(terms(listed.filler))
/** Words of every subject: a passage that shares only these shares little. */
const common = new Set(terms(listed.common))
const commonWeight = 0.4
/** Whether a term, as `Words.terms` gives it, is common. */
export const isCommon = (term: string): boolean => common.has(term)
/** Rarity added to a name's terms; a long word has some added too. */
const nameRarity = 0.7
const lengthRarity = 0.05
const lengthMax = 10
const name = /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{N}’'-]*|\p{N}[\p{N}.,]*)/gu

/** The question's distinct meaning-bearing terms, without those that only ask. */
export const questionTerms = (question: string): ReadonlyArray<string> => {
  const told = terms(Languages.withoutAsking(question)).filter((term) => !filler.has(term))
  return Array.from(new Set(told.length === 0 ? terms(question) : told))
}

/**
 * Weight of a term, unless it is a name, that only sentences beside the question hold: "I bought a
 * used car. May …?"
 */
const besideWeight = 0.1
/** Fewer terms in what asks refer to what was told: "Is that legal?" */
const askedTermsMin = 3

/** The sentences that ask; the whole where all do, none does, or they say too little alone. */
export const askingPart = (question: string): string => {
  const asking = sentenceTexts(question).filter((sentence) =>
    /[?？]\s*$/u.test(sentence) || Languages.withoutAsking(sentence) !== sentence
  ).join(" ")
  return questionTerms(asking).length < askedTermsMin ? question : asking
}

export interface Asked {
  readonly question: string
  /** Distinct terms of the question, in order. */
  readonly terms: ReadonlyArray<string>
  /** Weight of each term. */
  readonly weights: ReadonlyMap<string, number>
  readonly total: number
  /** The question's words as they stand. */
  readonly words: ReadonlySet<string>
}

export const askedTerms = (bm25: Bm25.Bm25Index, question: string): Asked => {
  const list = questionTerms(question)
  // The first letter of a question is always a capital.
  const names = new Set(terms((question.slice(1).match(name) ?? []).join(" ")))
  const asked = new Set(questionTerms(askingPart(question)))
  const weights = new Map(list.map((term) => {
    const rarity = Bm25.rarity(bm25, term) + lengthRarity * Math.min(term.length, lengthMax)
    if (names.has(term)) return [term, rarity + nameRarity]
    const share = asked.has(term) ? 1 : besideWeight
    return [term, share * (common.has(term) ? commonWeight * rarity : rarity)]
  }))
  const total = Array.from(weights.values()).reduce((sum, weight) => sum + weight, 0)
  return { question, terms: list, weights, total, words: new Set(words(question)) }
}

/**
 * Weighted mean of `held` over the question's terms, 0 to 1; 0 where it has none. `held` says how
 * much of a term a text holds, 0 to 1.
 */
export const weightedShare = (
  { total, weights }: Asked,
  held: (term: string) => number
): number => {
  let sum = 0
  for (const [term, weight] of weights) sum += weight * held(term)
  return total === 0 ? 0 : sum / total
}

/**
 * Share of the question's terms that a text holds, 0 to 1, rare ones counting more. `formOf` gives
 * the form in which `held` has a term.
 */
export const heldShare = (
  asked: Asked,
  held: ReadonlySet<string>,
  formOf: (term: string) => string = identity
): number => weightedShare(asked, (term) => held.has(formOf(term)) ? 1 : 0)

const beforeShare = 0.5
const afterShare = 0.3

/**
 * Share of the question's terms that a sentence holds, with half for the sentence before and its
 * page's title, and less for the sentence after.
 */
export const shareAround = (
  asked: Asked,
  { held, place, title }: {
    readonly held: ReadonlyArray<ReadonlySet<string>>
    readonly place: number
    readonly title: ReadonlySet<string>
  },
  formOf: (term: string) => string = identity
): number => {
  const holds = (by: number, form: string) => held[place + by]?.has(form) === true
  return weightedShare(asked, (term) => {
    const form = formOf(term)
    if (holds(0, form)) return 1
    if (holds(-1, form) || title.has(term)) return beforeShare
    return holds(1, form) ? afterShare : 0
  })
}
