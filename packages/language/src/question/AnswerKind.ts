/** Kind of thing that a question asks for, and whether a sentence holds one. */
import * as Languages from "../language/Languages.ts"
import { isStopWord } from "../text/Words.ts"
import forms from "./AnswerForms.json" with { type: "json" }

export type AnswerKind = "number" | "date" | "person" | "place" | "other"

const asks = (["number", "date", "person", "place"] as const).map((kind) =>
  [kind, new RegExp(forms.asks[kind], "u")] as const
)

const numberWord = new RegExp(forms.numberWord, "iu")
const calendarWord = new RegExp(forms.calendarWord, "iu")
const yearWord = /(?<!\d)(?:1\d{3}|20\d{2})(?!\d)/
const capitalised = /(?<!^)(?<=\s|["“(])\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)*/gu

/** Entries of a field in all languages: whose a question is need not be known. */
const entries = (field: "asksNumber" | "asksDate"): string =>
  Languages.all.flatMap((language) => (language[field] ?? "").split("|"))
    .filter((entry) => entry !== "").map((entry) => entry.replace("*", "\\p{L}*")).join("|")

/** "When" and "quand" are also conjunctions: the question has to begin with one, or its clause. */
const opening = "(?:^|[¿,;:.!?])\\s*(?:\\p{L}+ ){0,2}"

const told: ReadonlyArray<readonly [AnswerKind, RegExp]> = [
  ["number", new RegExp(`(?<!\\p{L})(?:${entries("asksNumber")})(?!\\p{L})`, "u")],
  ["date", new RegExp(`${opening}(?:${entries("asksDate")})(?!\\p{L})`, "u")]
]

const kinds = [...asks, ...told]

export const kindOf = (question: string): AnswerKind => {
  const lower = question.toLowerCase().replaceAll("’", "'")
  return kinds.find(([, pattern]) => pattern.test(lower))?.[0] ?? "other"
}

/**
 * Certainty, 0 to 1, that the sentence holds an answer of the kind; words of the question do not
 * count.
 */
export const certaintyOf = (
  kind: AnswerKind,
  sentence: string,
  questionWords: ReadonlySet<string>
): number => {
  if (kind === "other") return 0.5
  if (kind === "number") {
    return numberWord.test(sentence) || numberWord.test(Languages.withDigits(sentence)) ||
        Languages.patternsOf(Languages.languageOf(sentence)).numberWords.test(sentence)
      ? 1
      : 0
  }
  if (kind === "date") {
    return yearWord.test(sentence) ? 1 : calendarWord.test(sentence) || isDated(sentence) ? 0.7 : 0
  }
  const names = (sentence.match(capitalised) ?? []).filter((name) => isNew(name, questionWords))
  if (names.length === 0) return 0
  return kind === "place" || names.some((name) => /\s/.test(name)) ? 1 : 0.6
}

/** Whether the sentence names a month or a day of the week in its own language. */
const isDated = (sentence: string): boolean =>
  Languages.patternsOf(Languages.languageOf(sentence)).calendar.test(sentence)

const isNew = (name: string, questionWords: ReadonlySet<string>): boolean => {
  const first = name.toLowerCase().split(/\s+/)[0] ?? ""
  return !questionWords.has(first) && !isStopWord(first)
}
