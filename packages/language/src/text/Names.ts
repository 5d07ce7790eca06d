/** Proper names of a text, as far as spelling shows them. */
import { isStopWord, terms } from "./Words.ts"

/** Title case says nothing about names; above this share of capitals a text is a heading. */
const capitalsShareMax = 0.75

/** Capitalised inside a sentence, or opening one with a second capital or digit in the name. */
const latin = new RegExp(
  "(?<=[\\p{L}\\p{N},;:)”\"'’]\\s+|^|[.!?]\\s+)(\\p{Lu}[\\p{L}\\p{M}'’.&-]*" +
    "(?:\\s+(?:(?:of|the|de|van|von|and|&)\\s+)?\\p{Lu}[\\p{L}\\p{M}'’.-]*)*)",
  "gu"
)
/** Places and laws that end in their kind; other names cannot be told from words. */
const cjk = new RegExp(
  "\\p{Script=Han}{2,6}(?:県|府|市|区|町|村|省|庁|法)(?!\\p{Script=Han})|" +
    "\\p{Script=Hangul}{2,6}(?:특별시|광역시|보호법)",
  "gu"
)

/** The distinct terms that names are made of. */
export const nameTerms = (text: string): ReadonlyArray<string> =>
  Array.from(new Set([...latinNames(text), ...(text.match(cjk) ?? [])].flatMap(terms)))

const latinNames = (text: string): ReadonlyArray<string> => {
  const starts = text.match(/(?<![\p{L}\p{N}'’-])\p{L}/gu) ?? []
  const capitals = starts.filter((letter) => /\p{Lu}/u.test(letter))
  if (starts.length > 3 && capitals.length / starts.length > capitalsShareMax) return []
  return Array.from(text.matchAll(latin)).flatMap((match) => {
    const name = (match[1] ?? "").replace(/[.'’]+$/, "").split(/\s+/)
    const opens = match.index === 0 || /[.!?]\s*$/.test(text.slice(0, match.index))
    const rest = name.length > 1 && isStopWord((name[0] ?? "").toLowerCase()) ? name.slice(1) : name
    const isOrdinary = rest.length === 1 && name.length === 1 && opens &&
      !/\p{Lu}.*\p{Lu}|\d/u.test(rest[0] ?? "")
    return isOrdinary ? [] : [rest.join(" ")]
  })
}
