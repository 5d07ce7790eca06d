/** Weighted terms of a question, for passage retrieval. */
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
/** Words of every subject: a passage that shares only these is hardly related. */
const common = new Set(terms(listed.common))
const commonWeight = 0.4
export const isCommon = (term: string): boolean => common.has(term)
/** Rarity added to a name's terms; long words also get some. */
const nameRarity = 0.7
const lengthRarity = 0.05
const lengthMax = 10
const name = /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{N}’'-]*|\p{N}[\p{N}.,]*)/gu

/** The question's distinct content terms, without interrogatives. */
export const questionTerms = (question: string): ReadonlyArray<string> => {
  const contentTerms = terms(Languages.withoutAsking(question)).filter((term) => !filler.has(term))
  return Array.from(new Set(contentTerms.length === 0 ? terms(question) : contentTerms))
}

/** Weight of a non-name term only in other statements: "I bought a used car. May …?" */
const besideWeight = 0.1
/** A question with fewer terms refers to its statements: "Is that legal?" */
const askedTermsMin = 3

/** Sentences that ask; the whole text if all do, none does, or they say too little alone. */
export const askingPart = (question: string): string => {
  const asking = sentenceTexts(question).filter((sentence) =>
    /[?？]\s*$/u.test(sentence) || Languages.withoutAsking(sentence) !== sentence
  ).join(" ")
  return questionTerms(asking).length < askedTermsMin ? question : asking
}

export type AskedQuestion = ReturnType<typeof askedTerms>

export const askedTerms = (bm25: Words.Bm25Index, question: string) => {
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

/** Weighted mean of `held` over the question's terms, both 0 to 1; 0 without terms. */
export const weightedShare = (
  { total, weights }: AskedQuestion,
  held: (term: string) => number
): number => {
  let sum = 0
  for (const [term, weight] of weights) sum += weight * held(term)
  return total === 0 ? 0 : sum / total
}

/** Weighted share of terms in a text, 0 to 1. `formOf`: the form in which `held` has one. */
export const heldShare = (
  asked: AskedQuestion,
  held: ReadonlySet<string>,
  formOf: (term: string) => string = identity
): number => weightedShare(asked, (term) => held.has(formOf(term)) ? 1 : 0)

const beforeShare = 0.5
const afterShare = 0.3

/** Share of terms in a sentence, less for the sentences and the title around it. */
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

// Things a question names in two words, "tourist tax", by a number, or as the subject of a change.
// A passage with the tax but not the tourists is about another one. Only words after an article or
// possessive count.

interface AskedThings {
  readonly pairs: ReadonlyArray<readonly [modifier: string, thing: string]>
  readonly numbers: ReadonlyArray<string>
  readonly subjects: ReadonlyArray<string>
}

const article = /^(?:the|an?|any|my|your|our|their|this)$/iu
const possessive = /['’]s$/u
/** Apply to every thing of a kind: a page about the kind without the word matches too. */
const loose = new Set(
  terms(
    "latest today official usual exact average legal normal real actual whole entire full total"
  )
)
/** Start of a question that is read, in words. */
const wordsMax = 200
/** Numbers in this range are years: a page on the current year need not name it. */
const years = { first: 1900, last: 2100 } as const
/** Words before a number that is a time or an amount, not a name. */
const measuring = /^(?:in|of|since|by|from|until|till|before|after|around|about|and|or|to|than)$/iu

/** "How much did rents rise": the verb after it excludes a longer name. */
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

/** The single term of a word; `undefined` for a stop word or a non-word. */
const termOf = (word: string): string | undefined => {
  if (isStopWord(word.toLowerCase())) return undefined
  const [term, ...others] = terms(word)
  return term === undefined || others.length > 0 ? undefined : plainForm(term)
}

/** Whether it is about another thing. One is named in full once, then by its last word. */
export const isOther = (
  { numbers, pairs, subjects }: AskedThings,
  sentence: string,
  { heading, text, title }: Readonly<Record<"heading" | "text" | "title", string>>
): boolean => {
  if (numbers.length + pairs.length + subjects.length === 0) return false
  const said = plainTerms(sentence)
  const above = plainTerms(`${title}\n${heading}`)
  const ownTerms = plainTerms(text)
  const isUnder = (term: string) => said.has(term) || above.has(term)
  const isTold = (term: string) => isUnder(term) || ownTerms.has(term)
  return pairs.some(([modifier, thing]) => said.has(thing) && !isTold(modifier)) ||
    (pairs.length > 0 && !pairs.flat().some(isUnder)) ||
    subjects.some((term) => !isUnder(term)) ||
    numbers.some((number) => !isTold(number))
}

export type AnswerKind = "number" | "date" | "person" | "place" | "other"

const asks = (["number", "date", "person", "place"] as const).map((kind) =>
  [kind, new RegExp(forms.asks[kind], "u")] as const
)

const numberWord = new RegExp(forms.numberWord, "iu")
const calendarWord = new RegExp(forms.calendarWord, "iu")
const yearWord = /(?<!\d)(?:1\d{3}|20\d{2})(?!\d)/
const capitalised = /(?<!^)(?<=\s|["“(])\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)*/gu

/** Entries of a field in all languages: the question's language need not be known. */
const entries = (field: "asksNumber" | "asksDate"): string =>
  Languages.all.flatMap((language) => (language[field] ?? "").split("|"))
    .filter((entry) => entry !== "").map((entry) => entry.replace("*", "\\p{L}*")).join("|")

/** "When" and "quand" are also conjunctions: the question, or its clause, must begin with one. */
const opening = "(?:^|[¿,;:.!?])\\s*(?:\\p{L}+ ){0,2}"

const statedKinds: ReadonlyArray<readonly [AnswerKind, RegExp]> = [
  ["number", new RegExp(`(?<!\\p{L})(?:${entries("asksNumber")})(?!\\p{L})`, "u")],
  ["date", new RegExp(`${opening}(?:${entries("asksDate")})(?!\\p{L})`, "u")]
]

const kinds = [...asks, ...statedKinds]

export const kindOf = (question: string): AnswerKind => {
  const lower = question.toLowerCase().replaceAll("’", "'")
  return kinds.find(([, pattern]) => pattern.test(lower))?.[0] ?? "other"
}

const asking = new RegExp(
  `(?<!\\p{L})(?:${forms.asksWhat})(?!\\p{L})|${forms.asksWhatWithin}`,
  "iu"
)

/** Question marks of all scripts: in Greek it is a semicolon. */
export const questionMark = /[?？؟¿՞፧⁇⁈⁉]|\p{Script=Greek}["”’»)]?\s?[;\u037e](?:\s|$)/u
const asksUnmarked = new RegExp(forms.asksUnmarked, "iu")

/** By a question mark of any script, or by an opening or an ending that only questions have. */
export const isQuestion = (text: string): boolean =>
  questionMark.test(text) || asksUnmarked.test(text.trim())

export const asksWhat = (question: string): boolean => asking.test(question)

/** Probability of an answer of the kind, without the question's own words. */
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

const isDated = (sentence: string): boolean =>
  Languages.patternsOf(Languages.languageOf(sentence)).calendar.test(sentence)

const isNew = (name: string, questionWords: ReadonlySet<string>): boolean => {
  const first = name.toLowerCase().split(/\s+/)[0] ?? ""
  return !questionWords.has(first) && !isStopWord(first)
}

/** Other names and demonyms of countries; their official names come from ICU. */
export const alsoCalled: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(called).map(([code, form]) => [code, new RegExp(form, "iu")])
)

/** Two-letter codes of ISO 3166, without withdrawn ones. */
const codes = Array.from(
  { length: 26 * 26 },
  (_, place) => String.fromCharCode(65 + Math.floor(place / 26), 65 + place % 26)
)
  .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)

/** A shorter name is also an ordinary word, or a part of one. */
const nameCharsMin = 4

const namesIn = Function.memoize(({ code: language, isSpaced }: Language) => {
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

/** Two-letter ISO 3166 codes. A name's prefix counts: "Japanese" names Japan. */
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

/** Country of a site's top-level domain, if it is one; `gov.uk` is of `GB`. */
export const ofSite = (site: string): string | undefined => {
  const label = site.slice(site.lastIndexOf(".") + 1).toUpperCase()
  return label === "UK" ? "GB" : codes.find((code) => code === label)
}
