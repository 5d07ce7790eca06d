/**
 * Sentences in web text that address a model instead of a reader.
 *
 * Precise rather than complete: what is flagged is never quoted. What slips through is still only
 * data, because nothing a page says can name a source, write an address or call a tool.
 */
import { Option, Schema } from "effect"
import { remembered } from "../language/Languages.ts"
import { sentences, type Span } from "../text/Sentences.ts"
import words from "./InjectionForms.json" with { type: "json" }
import alikes from "./LookAlikes.json" with { type: "json" }

// Prose written in base64, in bytes of two hexadecimal digits or in bytes of eight binary ones.

/** Runs shorter than this say too little to be an instruction. In characters. */
const base64CharsMin = 24
/** Most encoded runs looked at in one sentence; more of them are a file. */
const runsMax = 8
const runCharsMax = 4_096
const proseCharsMin = 12
const proseShareMin = 0.9

const base64 = new RegExp(`[A-Za-z0-9+/]{${base64CharsMin},${runCharsMax}}={0,2}`, "g")
const hexadecimal = /(?:\b(?:0x)?[2-7][0-9a-f][\s,:]{1,2}){11,}(?:0x)?[2-7][0-9a-f]\b/gi
/** The same without gaps. Letters of prose begin with 2 to 7; sums of files hardly ever do. */
const solid = new RegExp(`\\b(?:[2-7][0-9a-f]){${proseCharsMin},${runCharsMax / 2}}\\b`, "gi")
const binary = /(?:\b[01]{8}\s){7,}[01]{8}\b/g

/** Readable texts behind base64, hexadecimal and binary codes; empty for ordinary text. */
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

// How a text that addresses a model speaks, by the script or words that its forms need: orders that
// lift the rules, change the role, ask for a secret or have something said, and requests to an
// assistant. General forms only, no known attacks.
// Readers are asked things too. So each form of a request needs what only an assistant has: an
// answer that is being written, a user, a code to write in, a developer.

/** A form's `{name}` stands for that part, which several forms have. */
const parts: ReadonlyMap<string, string> = new Map(Object.entries(words.parts))
const withParts = (form: string): string =>
  form.replace(/\{([a-z]+)\}/g, (_, name: string) => parts.get(name) ?? "")

/** Most sentences hold nothing that a form needs, and are not searched. */
const addresses = words.groups.map(({ languages, needs }) => ({
  needs: new RegExp(needs, "iu"),
  forms: new RegExp(languages.flatMap(({ forms }) => forms.map(withParts)).join("|"), "iu")
}))

/** Whether a sentence addresses a model. Letters of any case. */
const isAddressed = (sentence: string): boolean =>
  addresses.some(({ forms, needs }) => needs.test(sentence) && forms.test(sentence))

/** Words that count in capitals only: written small they are ordinary words of handbooks. */
const shouted =
  /<\s*(?:[A-Z]+ ){1,4}(?:MODE|OVERRIDE)\s*>|\b(?:SYSTEM|SECURITY|DATA|DEVELOPER|ADMIN|SAFETY) OVERRIDE\b/u

/** Turn and role marks of the common model families; no reader's text holds them. */
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

/**
 * Whether this one sentence looks like an instruction to a model. Sentences written in a code that
 * turns out to be prose count: no reader's text is hidden so.
 */
export const isSuspicious = remembered((sentence: string): boolean => {
  const plain = sentence.normalize("NFKC").replace(invisible, "").replace(/\s+/g, " ")
  return isAddressed(plain) || shouted.test(plain) ||
    sentence.search(roleTokens) >= 0 || decoded(sentence).length > 0
})

/** The sentences of a text that look so, as spans of it. Empty for ordinary text. */
export const suspiciousSpans = (text: string): ReadonlyArray<Span> =>
  sentences(text).filter(({ end, start }) => isSuspicious(text.slice(start, end)))

// Strangers' words in a prompt: escaped, between two lines whose boundary no page can guess.

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
    lastEscaped(unbounded(text.replaceAll("\\", "\\\\"), boundary), roleTokens),
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
