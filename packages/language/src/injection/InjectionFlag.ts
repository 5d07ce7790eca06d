/**
 * Sentences in web text that address a model instead of a reader.
 *
 * Precise rather than complete: what is flagged is never quoted. What slips through is still only
 * data, because nothing a page says can name a source, write an address or call a tool.
 */
import { Option, Schema } from "effect"
import { remembered } from "../language/Remembered.ts"
import { sentences } from "../text/Sentences.ts"
import type { Span } from "../text/Span.ts"
import words from "./InjectionForms.json" with { type: "json" }

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
export const roleTokens = new RegExp(
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
