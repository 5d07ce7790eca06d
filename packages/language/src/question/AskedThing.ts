/**
 * The things a question names in two words, "tourist tax", by a number, "1339", or as what does
 * something, "how much did rents rise".
 *
 * A passage that has the tax without the tourists speaks of another tax, and one that has neither
 * of another thing. Only what follows an article or a possessive is taken for such a name:
 * elsewhere two words that stand side by side may be a verb and its object.
 */
import { isStopWord, plainForm, plainTerms, terms } from "../text/Words.ts"
import { isCommon } from "./QuestionTerms.ts"

export interface AskedThings {
  /** Pairs of a thing and the word that qualifies it. */
  readonly pairs: ReadonlyArray<readonly [modifier: string, thing: string]>
  readonly numbers: ReadonlyArray<string>
  /** Persons or things whose extent is asked about. */
  readonly subjects: ReadonlyArray<string>
}

/** Neighbours and headings of a sentence. */
export interface Surroundings {
  readonly title: string
  readonly heading: string
  readonly text: string
}

const article = /^(?:the|an?|any|my|your|our|their|this)$/iu
const possessive = /['’]s$/u
/** Said of every thing of a kind: what a page says of the kind without the word is meant too. */
const loose = new Set(
  terms(
    "latest today official usual exact average legal normal real actual whole entire full total"
  )
)
/** Read of a question; no name stands further on. */
const wordsMax = 200
/** Numbers from here to there are years: a page speaks of its own without naming it. */
const years = { first: 1900, last: 2100 } as const
/** Words before a number that is a time or an amount, and names nothing. */
const measuring = /^(?:in|of|since|by|from|until|till|before|after|around|about|and|or|to|than)$/iu

/** "How much did rents rise": the verb behind it tells it from a name that goes on. */
const extent =
  /\bhow (?:much|far|fast) (?:do|does|did|have|has) (?:the )?(\p{Ll}+) (?!of\b)\p{Ll}{3,}/iu

export const askedThings = (question: string): AskedThings => {
  const words = question.split(/\s+/).slice(0, wordsMax)
  return { pairs: pairsOf(words), numbers: numbersOf(words), subjects: subjectsOf(question) }
}

const subjectsOf = (question: string): AskedThings["subjects"] => {
  const term = termOf(extent.exec(question)?.[1] ?? "")
  return term === undefined || isCommon(term) || loose.has(term) ? [] : [term]
}

const pairsOf = (words: ReadonlyArray<string>): AskedThings["pairs"] => {
  let isNaming = false
  return words.flatMap((word, place) => {
    const next = words[place + 1] ?? ""
    const [modifier, thing] = [termOf(word), termOf(next)]
    const isPair = isNaming && modifier !== undefined && thing !== undefined &&
      /^[\p{L}-]+$/u.test(word) && /^\p{Ll}/u.test(next) &&
      ![modifier, thing].some((term) => isCommon(term) || loose.has(term))
    isNaming = article.test(word) || possessive.test(word) ||
      (isNaming && modifier !== undefined && /[\p{L}\p{N}]$/u.test(word))
    return isPair ? [[modifier, thing] as const] : []
  })
}

/** Numbers that count nothing: no noun follows. */
const numbersOf = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.flatMap((word, place) => {
    const number = /^(\p{N}{3,})\P{L}?$/u.exec(word)?.[1]
    const next = words[place + 1]
    const isCounted = next !== undefined && termOf(next) !== undefined
    if (number === undefined || isCounted || measuring.test(words[place - 1] ?? "")) return []
    return Number(number) >= years.first && Number(number) <= years.last ? [] : [number]
  })

/** The one term a word is; `undefined` of a stop word and of what is no word. */
const termOf = (word: string): string | undefined => {
  if (isStopWord(word.toLowerCase())) return undefined
  const [term, ...others] = terms(word)
  return term === undefined || others.length > 0 ? undefined : plainForm(term)
}

/**
 * Whether a sentence speaks of another thing. A thing is named whole once in what the sentence
 * stands in and under, and then by its last word.
 */
export const isOther = (
  { numbers, pairs, subjects }: AskedThings,
  sentence: string,
  { heading, text, title }: Surroundings
): boolean => {
  if (numbers.length + pairs.length + subjects.length === 0) return false
  const said = plainTerms(sentence)
  const above = plainTerms(`${title}\n${heading}`)
  const told = plainTerms(text)
  const isUnder = (term: string) => said.has(term) || above.has(term)
  const isTold = (term: string) => isUnder(term) || told.has(term)
  return pairs.some(([modifier, thing]) => said.has(thing) && !isTold(modifier)) ||
    (pairs.length > 0 && !pairs.flat().some(isUnder)) ||
    subjects.some((term) => !isUnder(term)) ||
    numbers.some((number) => !isTold(number))
}
