/**
 * Text as the tokens a quotation must repeat one by one, each with its place in the text.
 *
 * What printing changes is folded away: case, white space, full and half width, ligatures, quotes,
 * dashes, thousands separators, soft hyphens, invisible characters, Markdown emphasis. What changes
 * the meaning stays: every word, accents, digits, decimal points, signs, comparison and currency.
 */
import { remembered } from "../language/Remembered.ts"
import type { Stretch } from "./Sentences.ts"

export interface Token extends Stretch {
  readonly word: string
  /** Whether a hyphen and a line's end part it from the token before: perhaps one wrapped word. */
  readonly wrapped: boolean
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
const cjk = "[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}]"
const letter = "[\\p{L}\\p{N}\\p{M}]"
const joined = `[${letter}--${cjk}]`
const digit = `[\\p{N}--${cjk}]`
/** Marks that mean something, characters without gaps, and words with what stands inside them. */
const token = new RegExp(
  `[%‰$€£¥₩<>=≤≥≠±§°]|[${letter}&&${cjk}]|` +
    `${joined}(?:${joined}|'(?=${joined})|(?<=\\p{N})[.,](?=${digit}))*`,
  "gv"
)
/** A dash before a digit and after a gap is a sign; between words it is only print. */
const signed = /(?:^|[\s(])[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]$/

export const tokens = remembered((text: string): ReadonlyArray<Token> => {
  const places: Array<Stretch> = []
  let plain = ""
  for (const { 0: cluster, index } of text.matchAll(letterPattern)) {
    const read = folded(cluster)
    const place = { start: index, end: index + cluster.length }
    for (let unit = 0; unit < read.length; unit++) places.push(place)
    plain += read
  }
  let read = 0
  return Array.from(plain.matchAll(token), ({ 0: found, index }) => {
    const start = places[index]?.start ?? 0
    const end = places[index + found.length - 1]?.end ?? start
    const gap = text.slice(read, start)
    read = end
    const word = found.replace(/[',]/g, "")
    const sign = signed.test(gap) && /^\d/.test(word) ? "-" : ""
    return { word: sign + word, start, end, wrapped: /^[-\u2010]\s*\n\s*$/.test(gap) }
  })
})

const folded = (cluster: string): string => {
  if (/^[a-z0-9 .,]$/.test(cluster)) return cluster
  return cluster.replace(invisible, "").replace(apostrophe, "'").replace(dash, "-")
    .normalize("NFKC").toLowerCase()
}
