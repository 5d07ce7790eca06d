/** Tokens for the fitted tagger: words; in Korean, Japanese and Chinese, letters. */
import known from "./KnownNames.json" with { type: "json" }
import { fieldsOf, type UnspacedLanguage } from "./PrivateText.ts"
import names from "./PublicNames.json" with { type: "json" }
import words from "./PublicWords.json" with { type: "json" }

export type Token = ReturnType<typeof tokensOf>[number]

const letter = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々]"
const part = "[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{M}\\p{N}]"
/** A date, an amount and a law's number are one token. */
const tokenShape = new RegExp(
  `${letter}|${part}+(?:['’-]${part}+|(?<=\\p{N})[.,/:·_](?=\\p{N})${part}+)*`,
  "gu"
)
const isLetterShape = new RegExp(`^${letter}$`, "u")
/** French and Italian elided words. */
const elision =
  /^(?:[ldcjmnst]|qu|un|dell|nell|all|sull|dall|jusqu|lorsqu|quell|quest)['’](?=\p{L})/iu

const markKinds: ReadonlyArray<readonly [kind: string, shape: RegExp]> = [
  ["", /^$/],
  ["n", /^\s*\n\s*$/u],
  [" ", /^\s+$/u],
  [".", /[.!?。？！…]/u],
  ["n", /\n/u],
  [",", /[,、，]/u],
  ["(", /[(（]/u],
  [")", /[)）]/u],
  [":", /[:：]/u],
  ["\"", /["“”«»„「」'‘’]/u],
  ["-", /[–—-]/u]
]
export const markOf = (between: string): string =>
  markKinds.find(([, shape]) => shape.test(between))?.[0] ?? "o"

const scripts: ReadonlyArray<readonly [string, RegExp]> = [
  ["H", /\p{Script=Han}/u],
  ["h", /\p{Script=Hiragana}/u],
  ["K", /[\p{Script=Katakana}ー]/u],
  ["G", /\p{Script=Hangul}/u]
]
const cases: ReadonlyArray<readonly [string, RegExp]> = [
  ["d", /^\d+$/u],
  ["d.", /^[\d.,/:·_-]+$/u],
  ["xd", /\d/u],
  ["X", /^\p{Lu}$/u],
  ["XX", /^\p{Lu}{2,4}$/u],
  ["XXX", /^\p{Lu}+$/u],
  ["Xx", /^\p{Lu}\p{Ll}+$/u],
  ["X-", /^\p{Lu}.*['’-]/u],
  ["XxX", /^\p{Lu}/u],
  ["xX", /\p{Lu}/u]
]
const kindOf = (word: string, kinds: ReadonlyArray<readonly [string, RegExp]>): string =>
  kinds.find(([, shape]) => shape.test(word))?.[0] ?? "x"

export const tokensOf = (raw: string) => {
  let past = 0
  const tokens = Array.from(raw.matchAll(tokenShape)).flatMap((match) => {
    const lead = elision.exec(match[0])?.[0] ?? ""
    return [lead, match[0].slice(lead.length)].filter((word) => word !== "").map((word, at) => {
      const start = match.index + (at === 0 ? 0 : lead.length)
      /** Kind of the mark before it: blank, empty or other. */
      const mark = markOf(raw.slice(past, start))
      past = start + word.length
      const low = word.toLowerCase().replaceAll("’", "'")
      const isLetter = isLetterShape.test(word)
      const shape = kindOf(word, isLetter ? scripts : cases)
      /** Word fields with this entry, and `public`. */
      const fields = isLetter ? [] : [...fieldsOf(low), ...(isPublic(word) ? ["public"] : [])]
      return { start, end: past, word, low, isLetter, mark, shape, fields }
    })
  })
  return tokens.map((token, at) => {
    const [before, after] = [tokens[at - 1], tokens[at + 1]]
    const isPair = !token.isLetter && !token.fields.includes("public") &&
      (token.mark === " " && isPublic(`${before?.word} ${token.word}`) ||
        after?.mark === " " && isPublic(`${token.word} ${after.word}`))
    return isPair ? { ...token, fields: [...token.fields, "public"] } : token
  })
}

// Capitalised words that are public in any statement: countries, peoples, towns, things.

const countriesAndLanguages = names.countriesAndLanguages.join("|")

const sets: ReadonlyArray<ReadonlySet<string>> = [
  countriesAndLanguages,
  names.zoneCities.join("|"),
  words.peoples,
  words.places,
  words.things
].map((list) => new Set(list.split("|")))

/** Whether the word, with or without an ending, is no private name. */
export const isPublic = (word: string): boolean => {
  const low = word.toLowerCase().replace(/['’]s?$|[.,]$/u, "")
  return sets.some((set) => set.has(low) || set.has(low.replace(/s$/, "")))
}

const countries: ReadonlySet<string> = new Set(countriesAndLanguages.split("|"))

/** Whether the word is a country, a language or derived from one. */
export const isCountry = (word: string): boolean => countries.has(word.toLowerCase())

// Common names, as a feature of the tagger. Being listed does not remove a word.

export interface LetterClasses {
  readonly family: ReadonlySet<string>
  readonly given: ReadonlySet<string>
}

const given: ReadonlySet<string> = new Set(known.given.join("|").split("|"))
const japanese: ReadonlySet<string> = new Set(known.japanese.join("|").split("|"))

const rarer: ReadonlySet<string> = new Set(known.rarer.join("|").split("|"))

/**
 * Frequency class of a lower-case given name in Latin or Cyrillic script: 2 common, 1 on a long
 * list, 0 not listed.
 */
export const commonness = (low: string): 0 | 1 | 2 => {
  if (given.has(low)) return 2
  return rarer.has(low.normalize("NFD").replace(/\p{M}+/gu, "")) ? 1 : 0
}

const classesOf = ({ family, given }: { family: string; given: string }): LetterClasses => ({
  family: new Set(family),
  given: new Set(given)
})

export const letterClasses: Readonly<Record<UnspacedLanguage, LetterClasses>> = {
  ko: classesOf(known.letters.ko),
  ja: classesOf(known.letters.ja),
  zh: classesOf(known.letters.zh)
}

/** Lengths of the common Japanese family names at an offset: 2, 3. */
export const surnameLengths = (raw: string, start: number): ReadonlyArray<number> =>
  [2, 3].filter((length) => japanese.has(raw.slice(start, start + length)))
