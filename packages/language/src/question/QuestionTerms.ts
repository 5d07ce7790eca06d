/** Terms of a question with their weights, for finding passages. */
import { Function, identity } from "effect"
import * as Languages from "../language/Languages.ts"
import { type Language, remembered } from "../language/Languages.ts"
import { sentenceTexts } from "../text/Sentences.ts"
import * as Words from "../text/Words.ts"
import { isStopWord, plainForm, plainTerms, terms, words } from "../text/Words.ts"
import forms from "./AnswerForms.json" with { type: "json" }
import listed from "./CommonWords.json" with { type: "json" }
import called from "./CountryNames.json" with { type: "json" }

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

export interface AskedQuestion {
  readonly question: string
  /** Distinct terms of the question, in order. */
  readonly terms: ReadonlyArray<string>
  /** Weight of each term. */
  readonly weights: ReadonlyMap<string, number>
  readonly total: number
  /** The question's words as they stand. */
  readonly words: ReadonlySet<string>
}

export const askedTerms = (bm25: Words.Bm25Index, question: string): AskedQuestion => {
  const list = questionTerms(question)
  // The first letter of a question is always a capital.
  const names = new Set(terms((question.slice(1).match(name) ?? []).join(" ")))
  const asked = new Set(questionTerms(askingPart(question)))
  const weights = new Map(list.map((term) => {
    const rarity = Words.rarity(bm25, term) + lengthRarity * Math.min(term.length, lengthMax)
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
  { total, weights }: AskedQuestion,
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
  asked: AskedQuestion,
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
  asked: AskedQuestion,
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

// The things a question names in two words, "tourist tax", by a number, "1339", or as what does
// something, "how much did rents rise". A passage that has the tax without the tourists speaks of
// another tax, and one that has neither of another thing. Only what follows an article or a
// possessive is taken for such a name: elsewhere two words that stand side by side may be a verb
// and its object.

interface AskedThings {
  /** Pairs of a thing and the word that qualifies it. */
  readonly pairs: ReadonlyArray<readonly [modifier: string, thing: string]>
  readonly numbers: ReadonlyArray<string>
  /** Persons or things whose extent is asked about. */
  readonly subjects: ReadonlyArray<string>
}

/** Neighbours and headings of a sentence. */
interface Surroundings {
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

// Kind of thing that a question asks for, and whether a sentence holds one.

export type AnswerKind = "number" | "date" | "person" | "place" | "other"

const asks = (["number", "date", "person", "place"] as const).map((kind) =>
  [kind, new RegExp(forms.asks[kind], "u")] as const
)

const numberWord = new RegExp(forms.numberWord, "iu")
const calendarWord = new RegExp(forms.calendarWord, "iu")
const yearWord = /(?<!\d)(?:1\d{3}|20\d{2})(?!\d)/
const capitalised = /(?<!^)(?<=\s|["“(])\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)*/gu

/** Entries of a field in all languages: whose a question is need not be known. */
const entries = (field: "asksNumber" | "asksDate"): string =>
  Languages.all.flatMap((language) => (language[field] ?? "").split("|"))
    .filter((entry) => entry !== "").map((entry) => entry.replace("*", "\\p{L}*")).join("|")

/** "When" and "quand" are also conjunctions: the question has to begin with one, or its clause. */
const opening = "(?:^|[¿,;:.!?])\\s*(?:\\p{L}+ ){0,2}"

const told: ReadonlyArray<readonly [AnswerKind, RegExp]> = [
  ["number", new RegExp(`(?<!\\p{L})(?:${entries("asksNumber")})(?!\\p{L})`, "u")],
  ["date", new RegExp(`${opening}(?:${entries("asksDate")})(?!\\p{L})`, "u")]
]

const kinds = [...asks, ...told]

export const kindOf = (question: string): AnswerKind => {
  const lower = question.toLowerCase().replaceAll("’", "'")
  return kinds.find(([, pattern]) => pattern.test(lower))?.[0] ?? "other"
}

const asking = new RegExp(
  `(?<!\\p{L})(?:${forms.asksWhat})(?!\\p{L})|${forms.asksWhatWithin}`,
  "iu"
)

/** Whether something is asked for, and not only whether. */
export const asksWhat = (question: string): boolean => asking.test(question)

/**
 * Certainty, 0 to 1, that the sentence holds an answer of the kind; words of the question do not
 * count.
 */
export const certaintyOf = (
  kind: AnswerKind,
  sentence: string,
  questionWords: ReadonlySet<string>
): number => {
  if (kind === "other") return 0.5
  if (kind === "number") {
    return numberWord.test(sentence) || numberWord.test(Languages.withDigits(sentence)) ||
        Languages.patternsOf(Languages.languageOf(sentence)).numberWords.test(sentence)
      ? 1
      : 0
  }
  if (kind === "date") {
    return yearWord.test(sentence) ? 1 : calendarWord.test(sentence) || isDated(sentence) ? 0.7 : 0
  }
  const names = (sentence.match(capitalised) ?? []).filter((name) => isNew(name, questionWords))
  if (names.length === 0) return 0
  return kind === "place" || names.some((name) => /\s/.test(name)) ? 1 : 0.6
}

/** Whether the sentence names a month or a day of the week in its own language. */
const isDated = (sentence: string): boolean =>
  Languages.patternsOf(Languages.languageOf(sentence)).calendar.test(sentence)

const isNew = (name: string, questionWords: ReadonlySet<string>): boolean => {
  const first = name.toLowerCase().split(/\s+/)[0] ?? ""
  return !questionWords.has(first) && !isStopWord(first)
}

// Finds the countries that a text names, in its own language or in English.

/** How a country is also called, and its people; its names are known without this. */
export const alsoCalled: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(called).map(([code, form]) => [code, new RegExp(form, "iu")])
)

/** Two capitals of ISO 3166, without codes that were given up for another. */
const codes = Array.from(
  { length: 26 * 26 },
  (_, place) => String.fromCharCode(65 + Math.floor(place / 26), 65 + place % 26)
)
  .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)

/** A shorter name is also an ordinary word, or a part of one. */
const nameCharsMin = 4

interface Names {
  readonly pattern: RegExp
  readonly codeByName: ReadonlyMap<string, string>
}

/** Names in a language, made by the first text in it. */
const namesIn = Function.memoize(({ code: language, isSpaced }: Language): Names => {
  const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" })
  const least = isSpaced ? nameCharsMin : 2
  const codeByName = new Map(
    codes.flatMap((code) => {
      const name = names.of(code)?.toLowerCase()
      return name === undefined || name.length < least ? [] : [[name, code] as const]
    })
  )
  const longestFirst = Array.from(codeByName.keys())
    .toSorted((left, right) => right.length - left.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  const before = isSpaced ? "(?<!\\p{L})" : ""
  return { pattern: new RegExp(`${before}(?:${longestFirst.join("|")})`, "giu"), codeByName }
})

/**
 * Countries that a text names, as ISO 3166 codes of two letters. A name's beginning counts:
 * "Japanese" names Japan.
 */
export const countriesIn = remembered((text): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const language of new Set([Languages.languageOf(text), Languages.ofLocale("en")])) {
    const { codeByName, pattern } = namesIn(language)
    for (const [name] of text.matchAll(pattern)) {
      const code = codeByName.get(name.toLowerCase())
      if (code !== undefined) found.add(code)
    }
  }
  for (const [code, pattern] of alsoCalled) if (pattern.test(text)) found.add(code)
  return found
})

/** The country of a site's last label, if it is one; `gov.uk` is of `GB`. */
export const ofSite = (site: string): string | undefined => {
  const label = site.slice(site.lastIndexOf(".") + 1).toUpperCase()
  return label === "UK" ? "GB" : codes.find((code) => code === label)
}
