/**
 * Text as comparable words: what rankers, quote checks and conflict checks count.
 *
 * Chinese, Japanese and Korean write words without reliable gaps, so their runs become overlapping
 * pairs of characters; nothing is segmented by a dictionary that could change under us.
 */
import { remembered } from "../language/Remembered.ts"
import { stem } from "./Stem.ts"
import listed from "./StopWords.json" with { type: "json" }

/** Longest part of a text that is split into words, in UTF-16 code units. */
const textCharsMax = 1_000_000

const stopWords = new Set(Object.values(listed).flatMap((list) => list.split(" ")))

/** Interrogatives of Chinese, Japanese and Korean, which no document repeats. */
const asking =
  /^(?:何|什么|怎么|多少|どの|どれ|いつ|どこ|なぜ|얼마|어떤|언제|어디|무슨|나요|까요|ですか)/u

const grammar = /^\p{Script=Hiragana}{2}$|^[はがをにでとのもへ]|[はがをにでとのもへ]$/u

const cjk = "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}"
const pattern = new RegExp(
  `\\p{N}+(?:[.,]\\p{N}+)*|[[${cjk}]&&[\\p{L}\\p{Lm}ー々]]+|` +
    `[[\\p{L}\\p{M}]--[${cjk}]]+(?:['’][[\\p{L}]--[${cjk}]]+)?`,
  "gv"
)
const isCjk = new RegExp(`^[[${cjk}]&&[\\p{L}\\p{Lm}ー々]]`, "v")

/** Written like the pronoun but for its capitals. */
const unitedStates = /\bU\.?S\.?(?:A\.?)?(?![\p{L}\p{N}])|\bUnited States(?: of America)?\b/gu

/** Every word in order: lower case, NFKC, without accents; numbers without separators. */
export const words = remembered((text: string): ReadonlyArray<string> =>
  (plain(text).match(pattern) ?? []).flatMap(split)
)

const plain = (text: string): string =>
  text.slice(0, textCharsMax).normalize("NFKC").replace(unitedStates, "usa").toLowerCase()

/** The words that carry meaning, English ones stemmed. */
export const terms = (text: string): ReadonlyArray<string> => termsOf(words(text))

/** Stemmed terms of words that are split already, without stop words. */
export const termsOf = (list: ReadonlyArray<string>): ReadonlyArray<string> =>
  list.filter(isContent).map(stem)

export const isStopWord = (word: string): boolean => stopWords.has(word)

const isContent = (word: string): boolean => !stopWords.has(word) && !asking.test(word)

const split = (run: string): string | ReadonlyArray<string> => {
  if (ordinary.test(run)) return run
  if (isCjk.test(run)) return pairs(run)
  if (/^\p{N}/u.test(run)) return [run.replace(/,(?=\d{3}(?!\d))/g, "")]
  return [withoutAccents(run).replace(/['’]s$/, "").replace(/['’]/g, "")]
}

/** Most words; nothing in them needs to be looked at. */
const ordinary = /^[a-z]+$/

const withoutAccents = (word: string): string =>
  /^[a-z'’]+$/.test(word) ? word : word.normalize("NFD").replace(/\p{M}+/gu, "").normalize("NFC")

/** Pairs of Hiragana, or with a particle at an edge, are grammar unless nothing else is there. */
const pairs = (run: string): ReadonlyArray<string> => {
  const characters = Array.from(run)
  if (characters.length === 1) return characters
  const all = characters.slice(1).map((second, place) => `${characters[place] ?? ""}${second}`)
  return /^\p{scx=Hiragana}+$/u.test(run) ? all : all.filter((pair) => !grammar.test(pair))
}
