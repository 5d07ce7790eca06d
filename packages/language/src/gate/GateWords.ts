/**
 * The short word lists of the gate, one record for each language, and whether a text holds them.
 *
 * `|` separates the entries, `*` stands for any ending. Chinese, Japanese and Korean are matched
 * anywhere; all others by whole words.
 */
import words from "./GateWords.json" with { type: "json" }

export type WordField = keyof (typeof words)["en"]
export type Language = keyof typeof words

const isLanguage = (name: string): name is Language => Object.hasOwn(words, name)
const languages = Object.keys(words).filter(isLanguage)
const isField = (name: string): name is WordField => Object.hasOwn(words.en, name)
export const fields: ReadonlyArray<WordField> = Object.keys(words.en).filter(isField)

/** Latin script: told apart by their commonest words. */
const latin = languages.filter((language) => !["ru", "ko", "ja", "zh"].includes(language))
const unspaced: ReadonlySet<Language> = new Set<Language>(["ko", "ja", "zh"])
/** Languages whose verb, and so the order or the question, stands last. */
const verbLast: ReadonlySet<Language> = new Set<Language>(["ko", "ja"])

export const isUnspaced = (language: Language): boolean => unspaced.has(language)
export const isVerbLast = (language: Language): boolean => verbLast.has(language)

/** A text as the lists are matched against: lower case, one space around each word. */
export interface Worded {
  readonly spaced: string
  readonly plain: string
  readonly words: ReadonlySet<string>
}

export const wordedOf = (text: string): Worded => {
  const plain = plainOf(text)
  const spaced = spacedOf(plain)
  return { plain, spaced: ` ${spaced} `, words: new Set(spaced.split(" ")) }
}

/** Text as the gate's word lists have it: NFKC, lower case, plain apostrophes. */
export const plainOf = (text: string): string =>
  text.normalize("NFKC").replace(/[’‘`]/g, "'").toLowerCase()

const spacedOf = (plain: string): string => plain.replace(/[^\p{L}\p{M}\p{N}'%]+/gu, " ").trim()

/** Single words are looked up; phrases, beginnings and unspaced scripts are searched for. */
interface List {
  readonly words: ReadonlyArray<string>
  readonly needles: ReadonlyArray<string>
}

const listOf = (language: Language, entries: string): List => {
  const all = entries.split("|").filter((entry) => entry !== "")
  if (unspaced.has(language)) {
    return { words: [], needles: all.map((entry) => plainOf(entry).replace(/\*$/, "")) }
  }
  const isWord = (entry: string) => !entry.endsWith("*") && !spacedOf(plainOf(entry)).includes(" ")
  return {
    words: all.filter(isWord).map((entry) => spacedOf(plainOf(entry))),
    needles: all.filter((entry) => !isWord(entry)).map((entry) => {
      const bare = spacedOf(plainOf(entry.replace(/\*$/, "")))
      return entry.endsWith("*") ? ` ${bare}` : ` ${bare} `
    })
  }
}

/** Lists by language and field, made as texts ask for them: a text needs few. */
const lists = new Map<string, List>()

const listIn = (language: Language, field: WordField): List => {
  const name = `${language} ${field}`
  const list = lists.get(name) ?? listOf(language, words[language][field])
  lists.set(name, list)
  return list
}

/** How many entries of a list the text holds. */
export const count = (text: Worded, language: Language, field: WordField): number => {
  const where = unspaced.has(language) ? text.plain : text.spaced
  const { needles, words } = listIn(language, field)
  return words.filter((word) => text.words.has(word)).length +
    needles.filter((needle) => where.includes(needle)).length
}

export const hasWord = (text: Worded, language: Language, field: WordField): boolean =>
  count(text, language, field) > 0

/** Longest entry of a word list that a lower-case text begins with; `undefined` for none. */
export const opening = (text: string, language: Language, field: WordField): string | undefined => {
  const { needles, words } = listIn(language, field)
  const where = unspaced.has(language)
    ? text
    : ` ${text.slice(0, openingCharsMax).replace(/[^\p{L}\p{M}\p{N}'%]/gu, " ")} `
  return [...words.map((word) => ` ${word} `), ...needles]
    .filter((needle) => where.startsWith(needle))
    .toSorted((left, right) => right.length - left.length)[0]?.trim()
}

/** Longer than any entry. */
const openingCharsMax = 60

const marks: ReadonlyArray<readonly [language: Language, letters: RegExp]> = [
  ["de", /[ßäöü]/],
  ["es", /[¿¡ñ]/],
  ["pt", /[ãõ]/],
  ["fr", /[œêçèàù]/]
]

/** Language of a text by its script, then by its commonest words; English where neither tells. */
export const languageOf = (text: Worded): Language => {
  const { plain } = text
  if (/\p{Script=Hangul}/u.test(plain)) return "ko"
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(plain)) return "ja"
  if (/\p{Script=Han}/u.test(plain)) return "zh"
  if (/\p{Script=Cyrillic}/u.test(plain)) return "ru"
  const start: Worded = { ...text, spaced: text.spaced.slice(0, tellingCharsMax) }
  const scored = latin.map((language) => {
    const mark = marks.some(([marked, letters]) => marked === language && letters.test(plain))
    const said = telling.reduce((sum, field) => sum + count(start, language, field), 0)
    return { language, score: said + (mark ? 2 : 0) }
  })
  return scored.reduce((best, next) => next.score > best.score ? next : best).language
}

/**
 * UTF-16 code units at a text's start in which the phrases that tell languages apart are sought.
 */
const tellingCharsMax = 200
/** Word fields that tell languages of one script apart. */
const telling: ReadonlyArray<WordField> = [
  "id",
  "ask",
  "me",
  "you",
  "edit",
  "make",
  "court",
  "polite",
  "number",
  "now",
  "tell",
  "feel",
  "chat",
  "work",
  "device"
]
