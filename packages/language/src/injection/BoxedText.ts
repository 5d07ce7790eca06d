/** Strangers' words in a prompt: escaped, between two lines whose boundary no page can guess. */
import * as InjectionFlag from "./InjectionFlag.ts"
import alikes from "./LookAlikes.json" with { type: "json" }

// Finds a boundary in a text as an eye or a tokenizer may read it, whatever letters it uses.

/** Letters of other scripts that look like the digits and letters of a boundary. */
const plainOf = new Map(
  Object.entries(alikes).flatMap(([plain, all]) =>
    Array.from(all, (alike) => [alike, plain] as const)
  )
)

/** Stands for every letter and digit that a boundary cannot have. */
const other = "-"

/** Small, narrow and plain; nothing for what is neither letter nor digit. */
const foldedOf = (character: string): string =>
  Array.from(character.normalize("NFKD").toLowerCase(), (small) => plainOf.get(small) ?? small)
    .map((plain) => /[0-9a-f]/.test(plain) ? plain : /[\p{L}\p{N}]/u.test(plain) ? other : "")
    .join("")

/** Letters of scripts that have no look-alike of a boundary's: they need not be taken apart. */
const unlike = /[\p{L}&&[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]]/v

const ascii = Array.from(
  { length: 128 },
  (_, code) => foldedOf(String.fromCharCode(code))
)

/** Folded text, and the place in the original of each of its characters. */
const fold = (text: string) => {
  const places: Array<number> = []
  let folded = ""
  let place = 0
  for (const character of text) {
    const plain = ascii[character.codePointAt(0) ?? 0] ??
      (unlike.test(character) ? other : foldedOf(character))
    folded += plain
    for (let part = 0; part < plain.length; part++) places.push(place)
    place += character.length
  }
  return { text: folded, places }
}

/**
 * The places of the last characters of every look-alike, in UTF-16 code units, ascending. What is
 * no letter and no digit does not hide it: blanks, hyphens and what nobody sees.
 */
const lastPlaces = (text: string, boundary: string): ReadonlyArray<number> => {
  if (text.length < boundary.length) return []
  const folded = fold(text)
  const sought = fold(boundary).text
  const found: Array<number> = []
  if (sought === "") return found
  for (let at = folded.text.indexOf(sought); at >= 0; at = folded.text.indexOf(sought, at + 1)) {
    found.push(folded.places[at + sought.length - 1] ?? 0)
  }
  return found
}

/** Line before boxed text. `told` says, in our words, what is in the box and how to take it. */
export const openingLine = (boundary: string, told: string): string => `<<${boundary}>> ${told}`

/** Line behind boxed text. */
export const closingLine = (boundary: string): string => `<</${boundary}>>`

const headings = /\[(?:SOURCES|EVIDENCE EXCERPTS)\]/gi
/** Control, bidirectional and invisible characters, and every other line break. */
const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029]/gu

/**
 * The text on one line: one character of whatever could close the box or pose as a turn is written
 * by its number.
 */
export const escaped = (text: string, boundary: string): string =>
  lastEscaped(
    lastEscaped(unbounded(text.replaceAll("\\", "\\\\"), boundary), InjectionFlag.roleTokens),
    headings
  )
    .replace(/(?<=[<＜﹤])[<＜﹤]/g, byNumber)
    .replace(unseen, byNumber)

/** Removes the boundary, also where it is written in other letters or with others in between. */
const unbounded = (text: string, boundary: string): string =>
  lastPlaces(text, boundary).reduceRight((whole, place) => {
    const last = String.fromCodePoint(whole.codePointAt(place) ?? 0)
    return whole.slice(0, place) + byNumber(last) + whole.slice(place + last.length)
  }, text)

const lastEscaped = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (found) => {
    const characters = Array.from(found)
    return characters.slice(0, -1).join("") + byNumber(characters.at(-1) ?? "")
  })

const byNumber = (character: string): string =>
  `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`
