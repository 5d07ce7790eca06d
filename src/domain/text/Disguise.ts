/** A text read as if it hid another: backwards, by its initials, or in a code that machines use. */

/** Read of one text; a query is cut far below it. In UTF-16 code units. */
const charsMax = 4_000

/** Text reduced to letters and digits, lower case, NFKC: what is left of it however it is set. */
export const compact = (text: string): string =>
  text.slice(0, charsMax).normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** Compact readings that a text may hide: the text itself first. */
export const readings = (text: string): ReadonlyArray<string> => {
  const plain = text.slice(0, charsMax)
  const solid = compact(plain)
  const tokens = plain.split(/\s+/).map((token) => compact(token)).filter((token) => token !== "")
  const spelt = [solid, initials(tokens, 0), initials(tokens, -1)]
  const joined = plain.replace(/\s+/g, "")
  const decoded = [
    ...fromBase64(joined),
    ...fromHex(joined.replace(/[^0-9a-f]+/gi, (gap) => gap.length > 1 ? "\n" : "")),
    ...fromBase32(joined),
    fromNumbers(plain)
  ].map(compact)
  return [...spelt, ...decoded].flatMap((found) => [
    found,
    Array.from(found).reverse().join(""),
    rotated(found),
    unleeted(found)
  ]).filter((found) => found !== "")
}

const initials = (tokens: ReadonlyArray<string>, place: 0 | -1): string =>
  tokens.map((token) => Array.from(token).at(place) ?? "").join("")

const rotated = (text: string): string =>
  text.replace(
    /[a-z]/g,
    (letter) => String.fromCharCode((letter.charCodeAt(0) - 97 + 13) % 26 + 97)
  )

const unleeted = (text: string): string =>
  text.replace(/[431057]/g, (digit) => "aeiost".charAt("431057".indexOf(digit)))

const decoder = new TextDecoder()
const utf8 = (bytes: ReadonlyArray<number>): string => decoder.decode(Uint8Array.from(bytes))

/** Five or six bits a letter, from every letter on, so that a part is read too. */
const fromLetters = (
  text: string,
  { letters, phases }: { readonly letters: string; readonly phases: number }
): ReadonlyArray<string> => {
  const bits = Math.log2(letters.length)
  const digits = Array.from(
    text,
    (letter) => letters.indexOf(letter).toString(2).padStart(bits, "0")
  )
  return Array.from({ length: phases }, (_, phase) => {
    // Bits that are left over are dropped.
    const bytes = digits.slice(phase).join("").match(/.{8}/g) ?? []
    return utf8(bytes.map((byte) => Number.parseInt(byte, 2)))
  })
}

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const lower = upper.toLowerCase()

const fromBase64 = (text: string): ReadonlyArray<string> =>
  (text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? []).flatMap((run) =>
    fromLetters(run.replaceAll("-", "+").replaceAll("_", "/"), {
      letters: `${upper}${lower}0123456789+/`,
      phases: 4
    })
  )

const fromBase32 = (text: string): ReadonlyArray<string> =>
  (text.toLowerCase().match(/[a-z2-7]{8,}/g) ?? []).flatMap((run) =>
    fromLetters(run, { letters: `${lower}234567`, phases: 8 })
  )

const fromHex = (text: string): ReadonlyArray<string> =>
  (text.match(/[0-9a-f]{8,}/gi) ?? []).flatMap((run) =>
    [0, 1].map((phase) =>
      utf8((run.slice(phase).match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)))
    )
  )

/** Numbers that are letters' codes. */
const fromNumbers = (text: string): string =>
  (text.match(/\d+/g) ?? []).map(Number).filter((code) => code >= 32 && code <= 0xffff)
    .map((code) => String.fromCharCode(code)).join("")
