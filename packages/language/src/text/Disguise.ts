/** Disguised readings of a text: backwards, by initials, or in a machine encoding. */

/** Start of a text that is read, in UTF-16 code units; a query is cut far below it. */
const charsMax = 4_000

/** Text reduced to letters and digits, lower case, NFKC. */
export const compact = (text: string): string =>
  text.slice(0, charsMax).normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** Compact readings that a text may hide: the text itself first. */
export const readings = (text: string): ReadonlyArray<string> => {
  const plain = text.slice(0, charsMax)
  const tokens = plain.split(/\s+/).map(compact).filter((token) => token !== "").map((token) =>
    Array.from(token)
  )
  const initials = (place: 0 | -1) => tokens.map((token) => token.at(place) ?? "").join("")
  const joined = plain.replace(/\s+/g, "")
  const decoded = [
    ...fromDigits(joined.replaceAll("-", "+").replaceAll("_", "/"), base64),
    ...fromDigits(joined.replace(/[^0-9a-f]+/gi, (gap) => gap.length > 1 ? "\n" : ""), base16),
    ...fromDigits(joined, base32),
    fromNumbers(plain)
  ].map(compact)
  return [compact(plain), initials(0), initials(-1), ...decoded].flatMap((found) => [
    found,
    Array.from(found).reverse().join(""),
    found.replace(/[a-z]/g, rotated),
    found.replace(/[431057]/g, (digit) => leet.get(digit) ?? digit)
  ]).filter((found) => found !== "")
}

const rotated = (letter: string): string =>
  String.fromCharCode((letter.charCodeAt(0) - 97 + 13) % 26 + 97)

const leet = new Map(
  Array.from(
    "4a3e1i0o5s7t".matchAll(/(\d)(\w)/g),
    ([, digit = "", like = ""]) => [digit, like] as const
  )
)

interface Code {
  readonly digits: string
  readonly bitsOfDigit: number
  /** Digits in whole bytes; a part may begin at each of them. */
  readonly phases: number
}

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const lower = upper.toLowerCase()
const base64 = { digits: `${upper}${lower}0123456789+/`, bitsOfDigit: 6, phases: 4 }
const base32 = { digits: `${lower}234567`, bitsOfDigit: 5, phases: 8 }
const base16 = { digits: "0123456789abcdef", bitsOfDigit: 4, phases: 2 }

const bitsOfByte = 8
const decoder = new TextDecoder()

/** Texts in runs of at least eight of the code's digits. */
const fromDigits = (text: string, { bitsOfDigit, digits, phases }: Code): ReadonlyArray<string> =>
  ((digits.includes("A") ? text : text.toLowerCase())
    .match(new RegExp(`[${digits}]{8,}`, "g")) ?? []).flatMap((run) =>
      Array.from({ length: phases }, (_, phase) => {
        const bits = Array.from(
          run.slice(phase),
          (digit) => digits.indexOf(digit).toString(2).padStart(bitsOfDigit, "0")
        ).join("")
        const bytes = bits.match(new RegExp(`.{${bitsOfByte}}`, "g")) ?? []
        return decoder.decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2)))
      })
    )

const fromNumbers = (text: string): string =>
  (text.match(/\d+/g) ?? []).map(Number).filter((code) => code >= 32 && code <= 0xffff)
    .map((code) => String.fromCharCode(code)).join("")
