/** Kind of thing that a question asks for, and whether a sentence holds one. */
import * as Languages from "../language/Languages.ts"
import { isStopWord } from "../text/Words.ts"

export type AnswerKind = "number" | "date" | "person" | "place" | "other"

const asks: ReadonlyArray<readonly [AnswerKind, RegExp]> = [
  [
    "number",
    new RegExp(
      "\\bhow (?:many|much|old|long|far|tall|big|large|high|often|fast|deep|heavy|late|early)\\b|" +
        "\\bwhat (?:percent|percentage|number|amount|proportion|price|cost|rate|population|" +
        "age)\\b|" +
        "何(?:か月|ヶ月|カ月|日|年|週|人|円|回|歳|パーセント|割)|いくら|どのくらい|どれくらい|幾ら|" +
        "얼마|몇|며칠|多少|几[个天年]|多久|多长",
      "u"
    )
  ],
  [
    "date",
    /\bwhen\b|\b(?:what|which) (?:year|date|day|month|century|decade)\b|いつ|何時|언제|什么时候|何时/u
  ],
  [
    "person",
    /\bwho(?:m|se)?\b|\b(?:what|which) (?:person|actor|author|president|player)\b|誰|だれ|누가|누구|谁/u
  ],
  [
    "place",
    new RegExp(
      "\\bwhere\\b|\\b(?:what|which) (?:city|country|state|place|location|river|island|town|" +
        "region)\\b|" +
        "どこ|어디|哪里|何处",
      "u"
    )
  ]
]

const numberWord = new RegExp(
  "\\p{N}|\\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|" +
    "sixty|" +
    "ninety|dozen|hundred|thousand|million|billion|half|twice|quarter|month'?s|week'?s)\\b|" +
    "[一二三四五六七八九十百千万]+(?:か月|ヶ月|カ月|日|年|週|人|円|回|歳|割)|" +
    "(?:한|두|세|네|다섯|여섯|석)\\s?(?:달|주|번|명|개월)",
  "iu"
)
const yearWord = /(?<!\d)(?:1\d{3}|20\d{2})(?!\d)/
const calendarWord = new RegExp(
  "\\b(?:january|february|april|june|july|august|september|october|november|december|monday|" +
    "tuesday|wednesday|thursday|friday|saturday|sunday|century|today|yesterday)\\b|\\d月|\\d월",
  "iu"
)
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
    return numberWord.test(sentence) || numberWord.test(Languages.withDigits(sentence)) ? 1 : 0
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
