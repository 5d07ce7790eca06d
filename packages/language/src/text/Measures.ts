/**
 * Units beside a number that say what it counts: a currency, a length, a half of the day. A word
 * that names several ("dollars", "pounds") gives each of them.
 */
import forms from "./Measures.json" with { type: "json" }

/** Forms before a number and after it, the narrowest first. */
const before = forms.before.map(({ form, measures }) => ({
  form: new RegExp(`(?<!\\p{L})(?:${form})$`, "u"),
  measures
}))
const latin = "(?![\\p{L}--[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}]])"
const after = forms.after.map(({ form, measures }) => ({
  form: new RegExp(`^[\\s\\-]{0,2}(?:${form})${latin}`, "iv"),
  measures
}))

/** Read on either side, in UTF-16 code units; the longest form is shorter. */
const besideChars = 32

/**
 * Names of what a number counts, as the text beside it tells; empty when it does not. `start` and
 * `end` are of the number itself.
 */
export const unitsBeside = (text: string, start: number, end: number): ReadonlyArray<string> => {
  const [left, right] = [
    text.slice(Math.max(0, start - besideChars), start),
    text.slice(end, end + besideChars)
  ]
  const found = before.find(({ form }) => form.test(left)) ??
    after.find(({ form }) => form.test(right))
  return found?.measures ?? []
}

/** Whether two numbers may count the same thing: their measures share one, or either is unknown. */
export const mayAgree = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.length === 0 || right.length === 0 || left.some((measure) => right.includes(measure))
