/**
 * Vetoes on a rephrasing that adds to its quotations, whoever confirmed it: numbers, dates, units,
 * currencies, names, orders to the reader. Vetoes refuse and never confirm.
 */
import * as Languages from "../language/Languages.ts"
import { speaksOfUser } from "../retrieval/Unquoted.ts"
import * as CalendarDays from "../text/CalendarDays.ts"
import { nameTerms } from "../text/Names.ts"
import { isSame, quantities } from "../text/Quantities.ts"
import { sentences } from "../text/Sentences.ts"
import { terms } from "../text/Words.ts"

export type Veto = "number" | "date" | "name" | "reader" | "negation" | "words"

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
  const read = quantities(quoted, "evidence")
  const missing = quantities(claim).filter((said) => !read.some((other) => isSame(said, other)))
  if (missing.some(({ kind }) => kind === "number")) return "number"
  return missing.length > 0 || CalendarDays.missingFrom(claim, quoted).length > 0
    ? "date"
    : undefined
}

/** Names of one script are compared; a name in another may be the same one, written otherwise. */
const missingName = (claim: string, quoted: string): Veto | undefined => {
  const isLatin = (text: string) => !/[\p{Script=Han}\p{Script=Hangul}\p{Script=Kana}]/u.test(text)
  if (isLatin(claim) !== isLatin(quoted)) return undefined
  const known = new Set(terms(quoted))
  return nameTerms(claim).some((name) => !known.has(name)) ? "name" : undefined
}

/** "You must call 119", or "the user is ill", is the source's word, or nobody's. */
const addressedReader = (claim: string, quoted: string): Veto | undefined =>
  speaksOfUser(claim) && !speaksOfUser(quoted) ? "reader" : undefined

/** Veto where the claim negates and its quotation, in the same language, does not. */
const turned = (claim: string, quoted: string): Veto | undefined => {
  const language = Languages.languageOf(claim)
  if (language !== Languages.languageOf(quoted)) return undefined
  const { negates } = Languages.patternsOf(language)
  return negates.test(claim) && !negates.test(quoted) ? "negation" : undefined
}

/**
 * A sentence of other words than the quotations', or a language that is neither theirs nor the
 * caller's. Words of two languages are compared by nobody but the judge.
 */
const strangeWords = (claim: string, quoted: string, locale: string): Veto | undefined => {
  const parts = sentences(claim).map(({ end, start }) => claim.slice(start, end))
  const languages = new Set(parts.map(Languages.languageOf))
  const isTranslated = languages.size === 1 && languages.has(Languages.ofLocale(locale)) &&
    !languages.has(Languages.languageOf(quoted))
  if (isTranslated) return undefined
  const known = new Set(terms(quoted))
  const isStrange = (part: string): boolean => {
    const said = new Set(terms(part))
    return Array.from(said).filter((term) => known.has(term)).length < heldShareMin * said.size
  }
  return parts.some(isStrange) ? "words" : undefined
}
