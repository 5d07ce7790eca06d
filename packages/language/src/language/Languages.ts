/** Known languages, detection of a text's language, and word patterns of each language. */
import { Function, Record, Struct } from "effect"
import de from "./words/de.json" with { type: "json" }
import en from "./words/en.json" with { type: "json" }
import es from "./words/es.json" with { type: "json" }
import fr from "./words/fr.json" with { type: "json" }
import it from "./words/it.json" with { type: "json" }
import ja from "./words/ja.json" with { type: "json" }
import ko from "./words/ko.json" with { type: "json" }
import pt from "./words/pt.json" with { type: "json" }
import ru from "./words/ru.json" with { type: "json" }
import zh from "./words/zh.json" with { type: "json" }

/**
 * Version of the package's results. Raise it here and in `package.json` with any change that may
 * give another result for the same text.
 */
export const version = "1.6.0"

export const all: ReadonlyArray<Language> = [en, de, fr, es, it, pt, ru, ko, ja, zh]

/** Start of a text that is read for its language, in UTF-16 code units. */
const readCharsMax = 1_200
/** Share of letters from which a script decides the language. */
const scriptShareMin = 0.2

const scripts: ReadonlyArray<readonly [RegExp, Language]> = [
  [/\p{Script=Hangul}/gu, ko],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, ja],
  [/\p{Script=Han}/gu, zh],
  [/\p{Script=Cyrillic}/gu, ru]
]

/** Word fields that also serve language detection. */
const closed = ["common", "pointsBack", "negates", "limits", "reader", "given", "yesNo"] as const

const entriesOf = (list: string): ReadonlyArray<string> =>
  list.split("|").filter((entry) => entry !== "")

const latin = [en, de, fr, es, it, pt].map((language) => ({
  language,
  common: new Set(closed.flatMap((field) => language[field].toLowerCase().split(/[| ]/))),
  letters: entriesOf(language.letters)
}))

// One grounding reads the same sentences for each of its claims, checks and views.

/** Longest text whose result is cached, in UTF-16 code units: a passage of a page. */
const charsMax = 2_000

/** Results of one generation. Two generations are kept, so that results in use survive. */
const entriesMax = 256

/** Results must not be mutated. Texts are copied: a slice would keep its whole page in memory. */
export const remembered = <Result>(work: (text: string) => Result): (text: string) => Result => {
  let recent = new Map<string, Result>()
  let older = new Map<string, Result>()
  return (text) => {
    if (text.length > charsMax) return work(text)
    const known = recent.get(text)
    if (known !== undefined) return known
    const own = structuredClone(text)
    const result = older.get(text) ?? work(own)
    if (recent.size === entriesMax) {
      older = recent
      recent = new Map()
    }
    recent.set(own, result)
    return result
  }
}

/** By script, in Latin script by common words and spelling; English if undecided. */
export const languageOf: (text: string) => Language = remembered((text) => {
  const read = text.slice(0, readCharsMax)
  const letters = read.match(/\p{L}/gu)?.length ?? 0
  const written = scripts.find(([script]) =>
    (read.match(script)?.length ?? 0) > scriptShareMin * letters
  )
  if (written !== undefined) return written[1]
  return commonWords(read).counted.reduce((best, one) => one.count > best.count ? one : best)
    .language
})

/** Common words of each language of Latin script in a text, and its spellings as one. */
const commonWords = (read: string) => {
  const spelled = ` ${read.toLowerCase().replaceAll("’", "'")}`
  const words = spelled.match(/\p{L}+/gu) ?? []
  const counted = latin.map(({ common, language, letters }) => ({
    language,
    count: words.filter((word) => common.has(word)).length +
      (letters.some((some) => spelled.includes(some)) ? 1 : 0)
  }))
  return { counted, wordsCount: words.length }
}

/** A language is certain by the number of its words, their share, and their ratio to the next. */
const certainWordsMin = 20
const certainShareMin = 0.3
const certainLead = 1.6

/** Language that a text of Latin script is in for certain: a related one shares some words. */
export const languageByWords = (text: string): Language | undefined => {
  const { counted, wordsCount } = commonWords(text.slice(0, readCharsMax))
  const [first, second] = counted.toSorted((left, right) => right.count - left.count)
  const least = Math.max(certainShareMin * wordsCount, certainLead * (second?.count ?? 0))
  return wordsCount >= certainWordsMin && first !== undefined && first.count >= least
    ? first.language
    : undefined
}

/** Excludes times: "since 1 July", "seit dem 1. Juli". */
const notBeforeNumber = "(?!(?:\\s\\p{L}{1,4})?\\s?\\p{N})"

/** "myth*" matches any word with this prefix, "*teen" any with this suffix. */
const anyOf = (list: string, isSpaced: boolean): string => {
  if (list === "") return "(?!)"
  const entries = list.split("|").map((entry) => {
    const words = entry.replace(/[.?()]/g, "\\$&").replace(/^\*|\*$/g, "[\\p{L}\\p{M}]*")
      .replace(/_/, "\\S+(?:\\s\\S+){0,2}?")
    return isSpaced && /^\p{Lu}/u.test(entry) ? `(?-i:${words})` : words
  }).join("|")
  return isSpaced ? `(?<![\\p{L}\\p{N}])(?:${entries})(?![\\p{L}\\p{N}])` : `(?:${entries})`
}

/** Directly before a number or after its unit: in 契約, a contract, 約 is not "about". */
const besideNumber = (list: string, isSpaced: boolean): RegExp => {
  const some = anyOf(list, isSpaced)
  const first = isSpaced ? "" : "(?<![契予合条公节節规規签簽违違]|[가-힣])"
  return new RegExp(`${first}${some}[^\\p{L}\\p{N}]{0,3}\\p{N}|\\p{N}\\p{L}{0,3}\\s?${some}`, "iu")
}

const searched = [
  "takesBack",
  "negates",
  "limits",
  "tentative",
  "unchecked",
  "ends",
  "atMost",
  "atLeast",
  "weekdays",
  "numberWords",
  "requests",
  "singlesOut",
  "advised",
  "consequential",
  "furniture"
] as const

const patternsFor = ({ isSpaced, ...language }: Language) => {
  const within = (list: string) => new RegExp(anyOf(list, isSpaced), "iu")
  const opening = (list: string, unless = "") =>
    new RegExp(
      `^["“„«'(¿¡]*${unless === "" ? "" : `(?!${anyOf(unless, isSpaced)})`}${
        anyOf(list, isSpaced)
      }`,
      "iu"
    )
  const mark = (list: string) => new RegExp(`^(?:${list})\\s*\\d{0,3}\\s*[:：.)、]\\s*`, "iu")
  return {
    ...Record.map(Struct.pick(language, searched), within),
    /** Words at the start of a sentence that point back to the one before. */
    pointsBack: opening(language.pointsBack, language.pointsNowhere),
    approximates: besideNumber(language.approximates, isSpaced),
    calendar: within(`${language.months}|${language.weekdays}`),
    reader: within(`${language.reader}|${language.asker}`),
    /** Words that introduce known facts; no date may follow. */
    given: new RegExp(`${anyOf(language.given, isSpaced)}${notBeforeNumber}`, "iu"),
    yesNo: opening(language.yesNo),
    questionMark: mark(language.questionMark),
    answerMark: mark(language.answerMark)
  }
}

export type Patterns = ReturnType<typeof patternsFor>

export const patternsOf = Function.memoize(patternsFor)

export const ofLocale = (locale: string): Language => {
  const wanted = locale.split("-")[0]?.toLowerCase()
  return all.find(({ code }) => code === wanted) ?? en
}

const asking = Function.memoize(({ asking, askingEnds }: Language): RegExp =>
  new RegExp(asking === "" ? "(?!)" : `${asking}|(?:${askingEnds})(?=[?？。\\s]|$)`, "gu")
)

/** A question without interrogative words and endings, in languages without spaces. */
export const withoutAsking = (question: string): string =>
  question.replace(asking(languageOf(question)), " ")

export const isNegated = (text: string): boolean => patternsOf(languageOf(text)).negates.test(text)

/** Values of numerals by their words, by language. */
const numerals = new Map(all.map(({ code, numerals }) => [
  code,
  new Map(
    numerals.split("|").flatMap((forms, place) =>
      forms.split("/").filter((form) => form !== "").map((form) => [form, `${place + 2}`] as const)
    )
  )
]))

/**
 * Numerals up to twelve in digits, and decimals with a point; unchanged for languages whose
 * quantities are read without this.
 */
export const withDigits = (text: string): string => {
  const { code, numerals: known } = languageOf(text)
  if (known === "") return text
  return text.replace(/(?<=\d),(?=\d{1,2}(?!\d))/gu, ".")
    .replace(/\p{L}+/gu, (word) => numerals.get(code)?.get(word.toLowerCase()) ?? word)
}

// Word lists of a language: closed classes of words, the same fields for every language, possibly
// empty. Lower case, separated by `|`. `*` at the end of an entry matches any ending, at its start
// any beginning. A capital at the start is required: "Sie" is the reader, "sie" are others.
// Languages without spaces (`isSpaced`) are searched letter by letter.
// - `code`: BCP 47.
// - `common`, `letters`: words and spellings that identify the language; a blank opens a word.
// - `pointsBack`, `pointsNowhere`: openings that refer to the previous sentence, or to nothing;
//   `_` matches one to three words.
// - `takesBack`: a heading or a following short sentence with it denies a statement.
// - `negates`, `limits`: negations, restrictions to some cases or times.
// - `tentative`, `ends`: drafts, plans and forecasts; abolished, withdrawn, expired.
// - `unchecked`: not confirmed by its own source, hearsay, or met with once.
// - `asking`, `askingEnds`: interrogative words and endings, which no answer repeats; only in
//   languages without spaces, where their character pairs would count as terms.
// - `atMost`, `atLeast`, `approximates`: upper bound, lower bound, rounded number.
// - `months`, `weekdays`: names, long and short, from CLDR.
// - `reader`, `asker`: the person who reads, and the person who asks, with verbs and endings used
//   of no other.
// - `singlesOut`: refers to one person or case; absent from general rules.
// - `given`: introduces known facts: a reason, a role, since when, in spite of what.
// - `requests`: requests to the reader without naming them.
// - `numerals`: from two on, with decimals after a comma, `/` between forms of one; empty between
//   two bars if the word has another meaning. "One" is also an article.
// - `numberWords`: further words for a number or a span of time; empty where `AnswerKind.ts` has
//   patterns.
// - `advised`, `consequential`: matters of health and money for a professional; binding or costly
//   ones: rules, permits, fees, wages, tenancy, purchases.
// - `asksSlot`, `whySlot`, `asksWhether`: ask a person for a value, or for yes or no; `{slot}` is
//   its name.
// - `asksReference`, `whyReference`: ask what a question (`{quote}`) refers to.
// - `yesNo`: "Yes" and "no" at the start of an answer.
// - `questionMark`, `answerMark`: labels of question and answer in a list, before a colon or a
//   dot.
// - `abbreviations`, `abbreviationsOfNumbers`: their dot ends no sentence, the latter's before a
//   number.
// - `beforeOrdinals`: before a number whose dot makes it an ordinal, as in "im 19. Jahrhundert".
// - `asksNumber`, `asksDate`: openings of questions; empty where `AnswerKind.ts` has patterns.
// - `official`, `customs`: added to a query, to find public bodies and customs.
// - `furniture`: menus and other parts of a page that state nothing.

export type Language = typeof en
