/** Strangers' words in a prompt: escaped, between two lines whose boundary no page can guess. */
import * as InjectionFlag from "./InjectionFlag.ts"
import * as LookAlike from "./LookAlike.ts"

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
  LookAlike.lastPlaces(text, boundary).reduceRight((whole, place) => {
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
