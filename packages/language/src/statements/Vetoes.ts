/**
 * Vetoes on a rephrasing that adds to its quotations, whoever confirmed it: numbers, dates, units,
 * currencies, names, orders to the reader. Vetoes refuse and never confirm.
 */
import * as Languages from "../language/Languages.ts"
import { speaksOfUser } from "../passages/Unquoted.ts"
import * as Countries from "../question/Countries.ts"
import * as CalendarDays from "../text/CalendarDays.ts"
import { isSame, quantities } from "../text/Quantities.ts"
import { sentenceTexts } from "../text/Sentences.ts"
import { nameTerms, terms } from "../text/Words.ts"

export type Veto = "number" | "date" | "name" | "reader" | "case" | "negation" | "words"

/** Share of the claim's words that quotations of its language must hold. */
const heldShareMin = 0.75

/**
 * First reason against a claim in a writer's own words: a number, date, name or wording that its
 * quotes lack, an address to the reader, a negation that no quote has. `undefined` when there is
 * none.
 */
export const find = (
  claim: string,
  quotes: ReadonlyArray<string>,
  locale: string
): Veto | undefined => {
  const quoted = quotes.join("\n")
  return missingNumber(claim, quoted) ?? missingName(claim, quoted) ??
    addressedReader(claim, quoted) ?? turned(claim, quoted) ?? strangeWords(claim, quoted, locale)
}

const missingNumber = (claim: string, quoted: string): Veto | undefined => {
  const read = [quoted, Languages.withDigits(quoted)]
    .flatMap((text) => quantities(text, "evidence"))
  const missing = quantities(Languages.withDigits(claim)).filter((said) =>
    !read.some((other) => isSame(said, other))
  )
  if (missing.some(({ kind }) => kind === "number")) return "number"
  return missing.length > 0 || CalendarDays.missingFrom(claim, quoted).length > 0
    ? "date"
    : undefined
}

/**
 * Names of one script are compared; a name in another may be the same one, written otherwise. So
 * may a country in another language. In German every noun has a capital, so that a translation into
 * it shows no names.
 */
const missingName = (claim: string, quoted: string): Veto | undefined => {
  const isLatin = (text: string) => !/[\p{Script=Han}\p{Script=Hangul}\p{Script=Kana}]/u.test(text)
  if (isLatin(claim) !== isLatin(quoted)) return undefined
  const language = Languages.languageOf(claim)
  const isTranslated = Languages.languageOf(quoted) !== language
  if (isTranslated && language.code === "de") return undefined
  const known = new Set(terms(quoted))
  const countries = isTranslated ? Countries.countriesIn(quoted) : new Set()
  const isKnown = (name: string) =>
    known.has(name) || Array.from(Countries.countriesIn(name)).some((code) => countries.has(code))
  return nameTerms(claim).every(isKnown) ? undefined : "name"
}

/** "You must call 119", or "the user is ill", is the source's word, or nobody's. */
const addressedReader = (claim: string, quoted: string): Veto | undefined =>
  speaksOfUser(claim) && !speaksOfUser(quoted) &&
    !Languages.patternsOf(Languages.languageOf(quoted)).requests.test(quoted)
    ? "reader"
    : undefined

/**
 * Veto where the claim points at a person, gives something as known or negates, and no quotation in
 * the same language does: "this widow", "since he lost his job". By such words a source's rule
 * becomes one about the user, or is turned round.
 */
const turned = (claim: string, quoted: string): Veto | undefined => {
  const language = Languages.languageOf(claim)
  if (language !== Languages.languageOf(quoted)) return undefined
  const patterns = Languages.patternsOf(language)
  const isAdded = (kind: "singlesOut" | "given" | "negates") =>
    patterns[kind].test(claim) && !patterns[kind].test(quoted)
  if (isAdded("singlesOut") || isAdded("given")) return "case"
  return isAdded("negates") ? "negation" : undefined
}

/**
 * A sentence of other words than the quotations', or a language that is neither theirs nor the
 * caller's. Words of two languages are compared by nobody but the judge.
 */
const strangeWords = (claim: string, quoted: string, locale: string): Veto | undefined => {
  const parts = sentenceTexts(claim)
  const languages = new Set(parts.map(Languages.languageOf))
  const isTranslated = languages.size === 1 && languages.has(Languages.ofLocale(locale)) &&
    !languages.has(Languages.languageOf(quoted))
  if (isTranslated) return undefined
  const known = new Set(terms(quoted))
  const isStrange = (part: string): boolean => {
    const said = new Set(terms(part))
    return said.intersection(known).size < heldShareMin * said.size
  }
  return parts.some(isStrange) ? "words" : undefined
}
