/** Finds a boundary in a text as an eye or a tokenizer may read it, whatever letters it uses. */

/** Letters of other scripts that look like the digits and letters of a boundary. */
const alikes: Readonly<Record<string, string>> = {
  "0": "oоοօ᧐ꓳ",
  "1": "liı|іاןӏ",
  "3": "зʒӡ",
  "5": "ѕs",
  "6": "б",
  "8": "ȣ",
  "9": "գ",
  a: "аαɑ",
  b: "ьƅв",
  c: "сϲⅽ",
  d: "ԁɗⅾ",
  e: "еҽ℮є",
  f: "ғſƒ"
}
const plainOf: ReadonlyMap<string, string> = new Map(
  Object.entries(alikes).flatMap(([plain, all]) => Array.from(all, (alike) => [alike, plain]))
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

const ascii: ReadonlyArray<string> = Array.from(
  { length: 128 },
  (_, code) => foldedOf(String.fromCharCode(code))
)

interface Folded {
  readonly text: string
  /** The place in the original of each folded character. */
  readonly places: ReadonlyArray<number>
}

const fold = (text: string): Folded => {
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
  for (let from = 0; from >= 0 && sought !== "";) {
    const at = folded.text.indexOf(sought, from)
    if (at < 0) break
    found.push(folded.places[at + sought.length - 1] ?? 0)
    from = at + 1
  }
  return found
}
