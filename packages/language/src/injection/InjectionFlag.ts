/**
 * Prompt injection: sentences in web text that address a model, not a reader. Precision before
 * recall: a flagged sentence is never quoted; a missed one is still data, as no page text can name
 * a source, write an address or call a tool.
 */
import { Option, Schema } from "effect"
import { remembered } from "../language/Languages.ts"
import { sentences, type Span } from "../text/Sentences.ts"
import words from "./InjectionForms.json" with { type: "json" }
import alikes from "./LookAlikes.json" with { type: "json" }

// Prose encoded in base64, hexadecimal or binary bytes.

/** Shorter runs are too short for an instruction. In characters. */
const base64CharsMin = 24
/** Most encoded runs decoded in one sentence; a sentence with more is a file. */
const runsMax = 8
const runCharsMax = 4_096
const proseCharsMin = 12
const proseShareMin = 0.9

const base64 = new RegExp(`[A-Za-z0-9+/]{${base64CharsMin},${runCharsMax}}={0,2}`, "g")
const hexadecimal = /(?:\b(?:0x)?[2-7][0-9a-f][\s,:]{1,2}){11,}(?:0x)?[2-7][0-9a-f]\b/gi
/** The same without gaps. Bytes of prose begin with 2 to 7; checksums hardly ever do throughout. */
const solid = new RegExp(`\\b(?:[2-7][0-9a-f]){${proseCharsMin},${runCharsMax / 2}}\\b`, "gi")
const binary = /(?:\b[01]{8}\s){7,}[01]{8}\b/g

const decoded = (text: string): ReadonlyArray<string> =>
  [
    ...runs(text, base64).flatMap(fromBase64),
    ...runs(text, hexadecimal).map((run) => fromBytes(run.replace(/0x/gi, ""), 16)),
    ...runs(text, solid).map((run) => fromBytes((run.match(/../g) ?? []).join(" "), 16)),
    ...runs(text, binary).map((run) => fromBytes(run, 2))
  ].filter(isProse)

const runs = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  (text.match(pattern) ?? []).slice(0, runsMax)

const decodeBase64 = Schema.decodeOption(Schema.StringFromBase64)

const fromBase64 = (run: string): ReadonlyArray<string> => {
  const bare = run.replace(/=+$/, "")
  const whole = bare.slice(0, bare.length - (bare.length % 4 === 1 ? 1 : 0))
  return Option.toArray(decodeBase64(whole.padEnd(Math.ceil(whole.length / 4) * 4, "=")))
}

const fromBytes = (run: string, radix: 2 | 16): string =>
  run.split(/[\s,:]+/).map((byte) => String.fromCharCode(Number.parseInt(byte, radix))).join("")

/** Letters and spaces with at least three words. */
const isProse = (text: string): boolean => {
  const letters = text.match(/[\p{L}\s.,;:!?'"-]/gu)?.length ?? 0
  return text.length >= proseCharsMin && letters / text.length >= proseShareMin &&
    /\p{L}+ \p{L}+ \p{L}+/u.test(text)
}

// Orders that lift the rules, change the role, demand a secret or dictate output, and requests to
// an assistant: general patterns, no known attacks. Readers receive requests too: each pattern
// needs something only an assistant has.

/** `{name}` in a pattern is replaced by that shared part. */
const parts: ReadonlyMap<string, string> = new Map(Object.entries(words.parts))
const withParts = (form: string): string =>
  form.replace(/\{([a-z]+)\}/g, (_, name: string) => parts.get(name) ?? "")

/** Required words are checked first: most sentences hold none and are not searched. */
const addresses = words.groups.map(({ languages, needs }) => ({
  needs: new RegExp(needs, "iu"),
  forms: new RegExp(languages.flatMap(({ forms }) => forms.map(withParts)).join("|"), "iu")
}))

const isAddressed = (sentence: string): boolean =>
  addresses.some(({ forms, needs }) => needs.test(sentence) && forms.test(sentence))

/** Words that count in capitals only: in lower case they are ordinary words of handbooks. */
const shouted =
  /<\s*(?:[A-Z]+ ){1,4}(?:MODE|OVERRIDE)\s*>|\b(?:SYSTEM|SECURITY|DATA|DEVELOPER|ADMIN|SAFETY) OVERRIDE\b/u

/** Role tokens of the common model families; they do not occur in readers' text. */
const roleTokens = new RegExp(
  "<\\|[a-z_]{2,40}\\|>|<\\/?(?:start|end)_of_turn>|<<\\/?SYS>>|\\[\\/?INST\\]|<\\/?s>|" +
    "<\\/?(?:system|assistant|user|tool_call|function_calls?|instructions?|think)>|" +
    "<[｜|](?:User|Assistant|begin▁of▁sentence|end▁of▁sentence)[｜|]>|" +
    "^[ \\t]{0,8}#{2,}\\s*(?:system|instructions?|assistant|user|human|response)\\b:?|" +
    "^[ \\t]{0,8}(?:system|assistant|human)\\s*:(?=\\s)",
  "gimu"
)

/** Characters that hide a word from a pattern but not from a model. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/** Also for sentences in base64, hexadecimal or binary: no text for readers is hidden so. */
export const isSuspicious = remembered((sentence: string): boolean => {
  const plain = sentence.normalize("NFKC").replace(invisible, "").replace(/\s+/g, " ")
  return isAddressed(plain) || shouted.test(plain) ||
    sentence.search(roleTokens) >= 0 || decoded(sentence).length > 0
})

export const suspiciousSpans = (text: string): ReadonlyArray<Span> =>
  sentences(text).filter(({ end, start }) => isSuspicious(text.slice(start, end)))

// Untrusted text in a prompt: escaped, between two lines with a boundary that no page can guess.

// Finds a boundary in a text as a reader or a tokenizer may see it, in any script's letters.

/** Letters of other scripts that resemble a boundary's characters. */
const plainOf = new Map(
  Object.entries(alikes).flatMap(([plain, all]) =>
    Array.from(all, (alike) => [alike, plain] as const)
  )
)

/** Replaces every letter and digit that cannot be in a boundary. */
const other = "-"

/** Lower case, half width, base letter; empty for other characters. */
const foldedOf = (character: string): string =>
  Array.from(character.normalize("NFKD").toLowerCase(), (small) => plainOf.get(small) ?? small)
    .map((plain) => /[0-9a-f]/.test(plain) ? plain : /[\p{L}\p{N}]/u.test(plain) ? other : "")
    .join("")

/** Letters of scripts without look-alikes; they are not decomposed. */
const unlike = /[\p{L}&&[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]]/v

const ascii = Array.from(
  { length: 128 },
  (_, code) => foldedOf(String.fromCharCode(code))
)

/** Folded text, and the original index of each of its characters. */
const fold = (text: string) => {
  const indexes: Array<number> = []
  let folded = ""
  let place = 0
  for (const character of text) {
    const plain = ascii[character.codePointAt(0) ?? 0] ??
      (unlike.test(character) ? other : foldedOf(character))
    folded += plain
    for (let part = 0; part < plain.length; part++) indexes.push(place)
    place += character.length
  }
  return { text: folded, indexes }
}

/**
 * Indexes in UTF-16 code units, ascending. Blanks, hyphens and invisible characters hide no
 * boundary.
 */
const lastIndexes = (text: string, boundary: string): ReadonlyArray<number> => {
  if (text.length < boundary.length) return []
  const folded = fold(text)
  const sought = fold(boundary).text
  const found: Array<number> = []
  for (let at = folded.text.indexOf(sought); at >= 0; at = folded.text.indexOf(sought, at + 1)) {
    found.push(folded.indexes[at + sought.length - 1] ?? 0)
  }
  return found
}

/** Line before untrusted text. `about` describes the text and how to treat it, in our words. */
export const openingLine = (boundary: string, about: string): string => `<<${boundary}>> ${about}`

export const closingLine = (boundary: string): string => `<</${boundary}>>`

const headings = /\[(?:SOURCES|EVIDENCE EXCERPTS)\]/gi
/** Control, bidirectional and invisible characters, and every other line break. */
const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029]/gu

/** Text on one line, with one character of every boundary and role token escaped. */
export const escaped = (text: string, boundary: string): string =>
  lastEscaped(
    lastEscaped(unbounded(text.replaceAll("\\", "\\\\"), boundary), roleTokens),
    headings
  )
    .replace(/(?<=[<＜﹤])[<＜﹤]/g, byNumber)
    .replace(unseen, byNumber)

/** Removes the boundary, also in look-alike letters or with characters in between. */
const unbounded = (text: string, boundary: string): string =>
  lastIndexes(text, boundary).reduceRight((whole, place) => {
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
