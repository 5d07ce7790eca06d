/**
 * Text as the tokens a quotation must repeat one by one, each with its place in the text.
 *
 * What printing changes is folded away: case, white space, full and half width, ligatures, quotes,
 * dashes, thousands separators, soft hyphens, invisible characters, Markdown emphasis. What changes
 * the meaning stays: every word, accents, digits, decimal points, signs, comparison and currency.
 */
import { remembered } from "../language/Remembered.ts"

export interface Token {
  readonly word: string
  /** UTF-16 code-unit indices; `end` is exclusive. */
  readonly start: number
  readonly end: number
  /** Whether a hyphen and a line's end part it from the token before: perhaps one wrapped word. */
  readonly wrapped: boolean
}

interface Letter {
  readonly character: string
  readonly start: number
  readonly end: number
}

const letterPattern =
  /[\u1100-\u115f][\u1160-\u11a7]+[\u11a8-\u11ff]*|\P{M}[\p{M}\uff9e\uff9f]*|\p{M}+/gsu
/**
 * Characters that quotations are compared without: invisible ones and the marks of Markdown
 * emphasis.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}*_`~]/gu
const apostrophe = /[\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\u02b9]/g
const dash = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g
/** Written without gaps: each character is a token of its own. */
const cjk = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u
/** A dash before a digit and after a gap is a sign; between words it is only print. */
const signed = /(?:^|[\s(])[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]$/
const wordCharacter = /[\p{L}\p{N}\p{M}]/u
const mark = /[%‰$€£¥₩<>=≤≥≠±§°]/

export const tokens = remembered((text: string): ReadonlyArray<Token> => {
  const letters = lettersOf(text)
  const list: Array<Token> = []
  let place = 0
  while (place < letters.length) {
    const next = endOfToken(letters, place)
    if (next > place) list.push(tokenOf(letters, place, next, list.at(-1)?.end ?? 0, text))
    place = Math.max(next, place + 1)
  }
  return list
})

const lettersOf = (text: string): ReadonlyArray<Letter> => {
  const letters: Array<Letter> = []
  for (const { 0: cluster, index } of text.matchAll(letterPattern)) {
    const end = index + cluster.length
    for (const character of folded(cluster)) letters.push({ character, start: index, end })
  }
  return letters
}

const folded = (cluster: string): Iterable<string> => {
  if (/^[a-z0-9 .,]$/.test(cluster)) return cluster
  return cluster.replace(invisible, "").replace(apostrophe, "'").replace(dash, "-")
    .normalize("NFKC").toLowerCase()
}

/** The place itself where no token starts. */
const endOfToken = (letters: ReadonlyArray<Letter>, start: number): number => {
  const first = letters[start]?.character ?? ""
  if (mark.test(first)) return start + 1
  if (cjk.test(first)) return wordCharacter.test(first) ? start + 1 : start
  let end = start
  while (isInside(letters, start, end)) end += 1
  return end
}

const isInside = (letters: ReadonlyArray<Letter>, start: number, place: number): boolean => {
  const character = letters[place]?.character ?? ""
  if (wordCharacter.test(character)) return !cjk.test(character)
  const before = letters[place - 1]?.character ?? ""
  const after = letters[place + 1]?.character ?? ""
  if (place === start || !wordCharacter.test(after) || cjk.test(after)) return false
  return character === "'" || (/[.,]/.test(character) && bothDigits(before, after))
}

const bothDigits = (left: string, right: string): boolean =>
  /\p{N}/u.test(left) && /\p{N}/u.test(right)

const tokenOf = (
  letters: ReadonlyArray<Letter>,
  from: number,
  to: number,
  previousEnd: number,
  text: string
): Token => {
  const inside = letters.slice(from, to)
  const start = inside[0]?.start ?? 0
  const gap = text.slice(previousEnd, start)
  const word = inside.map(({ character }) => character).join("").replace(/[',]/g, "")
  const sign = signed.test(gap) && /^\d/.test(word) ? "-" : ""
  return {
    word: sign + word,
    start,
    end: inside.at(-1)?.end ?? start,
    wrapped: /^[-\u2010]\s*\n\s*$/.test(gap)
  }
}
