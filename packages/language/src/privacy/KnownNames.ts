/** Names that many bear, by which the tagger knows a likely one. No list of what leaves. */
import known from "./KnownNames.json" with { type: "json" }
import type { UnspacedLanguage } from "./PrivacyWords.ts"

/** Letters that stand in family names and in given names. */
export interface LetterClasses {
  readonly family: ReadonlySet<string>
  readonly given: ReadonlySet<string>
}

const given: ReadonlySet<string> = new Set(known.given.join("|").split("|"))
const japanese: ReadonlySet<string> = new Set(known.japanese.join("|").split("|"))

const rarer: ReadonlySet<string> = new Set(known.rarer.join("|").split("|"))

/**
 * How common the word, in lower case, is as a given name in Latin or Cyrillic script: 2 among the
 * common ones, 1 on a long list, with its accents or without, 0 on none.
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

/** Lengths of the common Japanese family names that begin at a place of the text: 2, 3. */
export const surnameLengths = (raw: string, start: number): ReadonlyArray<number> =>
  [2, 3].filter((length) => japanese.has(raw.slice(start, start + length)))
