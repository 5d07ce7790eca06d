/** Prose written in base64, in bytes of two hexadecimal digits or in bytes of eight binary ones. */
import { Option, Schema } from "effect"

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
export const decoded = (text: string): ReadonlyArray<string> =>
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
