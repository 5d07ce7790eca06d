/** Finds a boundary in a text as an eye or a tokenizer may read it, whatever letters it uses. */
import alikes from "./LookAlikes.json" with { type: "json" }

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
export const lastPlaces = (text: string, boundary: string): ReadonlyArray<number> => {
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
