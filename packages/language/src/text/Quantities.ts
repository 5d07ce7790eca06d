/**
 * Numbers of a text with units, years and months: digits of any width, number words before a unit.
 */
import { Record } from "effect"
import { remembered } from "../language/Languages.ts"
import listed from "./CalendarForms.json" with { type: "json" }
import measureForms from "./Measures.json" with { type: "json" }
import names from "./MonthNames.json" with { type: "json" }
import forms from "./Quantities.json" with { type: "json" }
import { sentenceTexts } from "./Sentences.ts"
import valueTexts from "./ValueForms.json" with { type: "json" }
import { compatible, terms } from "./Words.ts"

// An ambiguous word ("dollars", "pounds") gives several measures.

/** Patterns before and after a number, narrowest first. */
const beforeNumber = measureForms.before.map(({ form, measures }) => ({
  form: new RegExp(`(?<!\\p{L})(?:${form})$`, "u"),
  measures
}))
const latin = "(?![\\p{L}--[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}]])"
const afterNumber = measureForms.after.map(({ form, measures }) => ({
  form: new RegExp(`^[\\s\\-]{0,2}(?:${form})${latin}`, "iv"),
  measures
}))

/** UTF-16 code units read on either side; the longest pattern is shorter. */
const besideChars = 32

/** Measures from the text around a number's `start` and `end`; empty if unknown. */
const unitsBeside = (text: string, start: number, end: number): ReadonlyArray<string> => {
  const [left, right] = [
    text.slice(Math.max(0, start - besideChars), start),
    text.slice(end, end + besideChars)
  ]
  const found = beforeNumber.find(({ form }) => form.test(left)) ??
    afterNumber.find(({ form }) => form.test(right))
  return found?.measures ?? []
}

/** Whether two numbers may have one measure: they share one, or either is unknown. */
const mayAgree = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.length === 0 || right.length === 0 || left.some((measure) => right.includes(measure))

const units = ["percent", "hour", "month", "week", "day", "year", "person", "money"] as const
type Unit = typeof units[number] | ""

export interface Quantity {
  readonly value: number
  /** Empty if unknown; such a number is compared by value alone. */
  readonly unit: Unit
  /** `year` as in 1998, `month` as in April (1 to 12); both are dates and have no unit. */
  readonly kind: "number" | "year" | "month"
  /** A few words on both sides, within the clause. */
  readonly near: string
  /** Next word, which serves as the unit if none is known. */
  readonly noun: string
  /** Possible measures: a currency, a length, a half of the day. Several for an ambiguous word. */
  readonly measures: ReadonlyArray<string>
}

/** Most quantities read from one text; a longer list is a table. */
const quantitiesMax = 400
const nearChars = 48

/** A Korean unit is one syllable of many words; it counts only before a particle or the end. */
const unitAfter = units.map((unit) => ({
  unit,
  form: new RegExp(
    `^[\\s-]{0,2}(?:${forms.units[unit].replaceAll("{end}", forms.koreanEnd)})`,
    "iu"
  )
}))
/** Number words, and the multipliers after them. */
const values = new Map(Object.entries(forms.values))

const patterns = Record.map(forms.patterns, (form) => new RegExp(form, "giu"))
/** COVID-19, N95, 2-3: digits after a letter or a hyphen are a name. */
const inIdentifier = /[\p{L}\d][-.]?$/u
const cjkLetter = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]$/u

type Reading = "claim" | "evidence"

/** Memoised: a sentence is compared with many others. */
const readings = {
  claim: remembered((text) => quantitiesOf(text, "claim")),
  evidence: remembered((text) => quantitiesOf(text, "evidence"))
}

/** Numbers by spelling: digits, words, months. `evidence` includes digits inside names. */
export const quantities = (
  text: string,
  reading: Reading = "claim"
): ReadonlyArray<Quantity> => readings[reading](text)

const raisedDigits = "⁰¹²³⁴⁵⁶⁷⁸⁹"
/** Largest exponent read, in digits. */
const powerMax = 15

/** Powers of ten as numbers; other exponents, and footnote marks, are separated from the number. */
const withPowers = (text: string): string =>
  text.replace(
    /(?<![\p{L}\p{N}.,])(\d[\d.,]*)(?:\^([-−]?\d{1,3})|([⁰¹²³⁴-⁹]{1,3}))(?![\p{L}\p{N}])/gu,
    (_, base: string, power: string | undefined, raised: string = "") => {
      const digits = power ?? Array.from(raised, (one) => raisedDigits.indexOf(one)).join("")
      const exponent = Number(digits)
      return base === "10" && exponent >= 0 && exponent <= powerMax
        ? `1${"0".repeat(exponent)}`
        : base
    }
  )

const quantitiesOf = (text: string, reading: Reading): ReadonlyArray<Quantity> => {
  const plain = compatible(withPowers(text)).replace(/[\u2010-\u2015\u2212]/g, "-")
  return [
    ...fromDigits(plain, reading),
    ...fromEnglish(plain),
    ...fromNumerals(plain, patterns.han, hanValue),
    ...fromNumerals(plain, patterns.korean, valueOf),
    ...fromMonths(plain)
  ].slice(0, quantitiesMax)
}

/** Whether two numbers are equal; a unit that only one has makes no difference. */
export const isSame = (left: Quantity, right: Quantity): boolean => {
  if (left.kind === "month" || right.kind === "month") {
    return left.value === right.value && (left.unit === "" && right.unit === "")
  }
  if (!mayAgree(left.measures, right.measures)) return false
  if (left.unit === "" || right.unit === "" || left.unit === right.unit) {
    return isClose(left.value, right.value)
  }
  const [leftBase, rightBase] = [inBase(left), inBase(right)]
  return leftBase.unit === rightBase.unit && isClose(leftBase.value, rightBase.value)
}

/** Days in hours, years in months; the two do not convert exactly. */
export const inBase = ({ unit, value }: Quantity): { unit: Unit; value: number } => {
  const [base, times] = bases.get(unit) ?? [unit, 1]
  return { unit: base, value: value * times }
}

const bases = new Map<Unit, readonly [Unit, number]>([
  ["day", ["hour", 24]],
  ["week", ["hour", 168]],
  ["year", ["month", 12]]
])

/** Large numbers are rounded when retold; years never are. */
const isClose = (left: number, right: number): boolean => {
  if (left === right) return true
  const larger = Math.max(Math.abs(left), Math.abs(right))
  const isYear = Number.isInteger(left) && left >= 1000 && left <= 2100
  return larger >= 1000 && !isYear && Math.abs(left - right) <= 0.005 * larger
}

const fromDigits = (text: string, reading: Reading): ReadonlyArray<Quantity> =>
  Array.from(text.matchAll(patterns.digits)).flatMap((match) => {
    const before = text.slice(Math.max(0, match.index - 2), match.index)
    if (reading === "claim" && inIdentifier.test(before) && !cjkLetter.test(before)) return []
    const { cjk = "", lead, letter, number = "", rest = "", word } = match.groups ?? {}
    const end = match.index + match[0].length
    const unit = lead === undefined ? unitAt(text, match.index, end) : "money"
    const magnitude = valueOf(word ?? letter, 1) * magnitudeOf(cjk)
    const value = Number(number.replaceAll(",", "")) * magnitude + sumOf(rest)
    const isBare = magnitude === 1 && /^(?:1\d|20)\d\d$/.test(number)
    const isYear = isBare && (unit === "" || (unit === "year" && /^[年년]/.test(text.slice(end))))
    return [quantity(text, match, value, isYear ? "" : unit, isYear ? "year" : "number")]
  })

/** Value of the rest of such a number: the "8千" of "9万8千". */
const sumOf = (rest: string): number =>
  Array.from(rest.matchAll(/(\d+)([千万萬億亿천만억]*)/gu)).reduce(
    (sum, [, number, magnitude = ""]) => sum + Number(number) * magnitudeOf(magnitude),
    0
  )

/** "천만" is a thousand times ten thousand. */
const magnitudeOf = (letters: string): number =>
  Array.from(letters).reduce((product, letter) => product * valueOf(letter, 1), 1)

const valueOf = (word = "", otherwise = 0): number => values.get(word.toLowerCase()) ?? otherwise

/** The rest of a range, whose unit comes once: "180 to 300 days". */
const rangeRest = /^\s?(?:[-~～〜]|to|bis|à|a|até|до|から|에서|至|到)\s?\d[\d.,]{0,9}(?!\d)/iu

/** Where the unit of a number that ends at `end` begins. */
const unitStart = (text: string, end: number): number =>
  end + (rangeRest.exec(text.slice(end, end + 24))?.[0].length ?? 0)

/** The day in 4月1日 is part of a date, not a duration. */
const unitAt = (text: string, start: number, end: number): Unit => {
  const from = unitStart(text, end)
  const after = text.slice(from, from + 24)
  const unit = unitAfter.find(({ form }) => form.test(after))?.unit ?? ""
  const inDate = unit === "day" && /[月월]\s?$/.test(text.slice(Math.max(0, start - 2), start))
  return inDate ? "" : unit
}

const fromEnglish = (text: string): ReadonlyArray<Quantity> =>
  Array.from(text.matchAll(patterns.english)).flatMap((match) => {
    const [whole, ten, one, single, magnitude] = match
    const unit = unitAt(text, match.index, match.index + whole.length)
    // "One" and "third" are numbers only with a unit.
    if (unit === "" && magnitude === undefined && single?.toLowerCase() === "one") return []
    const value = valueOf(ten) + valueOf(one) + valueOf(single) * valueOf(magnitude, 1)
    return [quantity(text, match, value, unit, "number")]
  })

const fromNumerals = (
  text: string,
  numeral: RegExp,
  valueOf: (numeral: string) => number
): ReadonlyArray<Quantity> =>
  Array.from(text.matchAll(numeral), (match) => {
    const unit = unitAt(text, match.index, match.index + match[0].length)
    return quantity(text, match, valueOf(match[0]), unit, "number")
  })

const hanValue = (number: string): number => {
  const [left = "", right] = number.split("十")
  if (right === undefined) return valueOf(left.charAt(0))
  return valueOf(left.charAt(0), 1) * 10 + valueOf(right.charAt(0))
}

const fromMonths = (text: string): ReadonlyArray<Quantity> =>
  [...text.matchAll(patterns.monthName), ...text.matchAll(patterns.monthNumber)].map((match) => {
    const short = match[0].slice(0, 3).toLowerCase()
    const value = /^\d/.test(short) ? Number(match[1]) : forms.months.indexOf(short) + 1
    return quantity(text, match, value, "", "month")
  })

const quantity = (
  text: string,
  { 0: written, index: start }: RegExpExecArray,
  value: number,
  unit: Unit,
  kind: Quantity["kind"]
): Quantity => {
  const end = start + written.length
  const before = text.slice(Math.max(0, start - nearChars), start).split(/[\p{STerm};:；]/u).at(-1)
  const after = text.slice(end, end + nearChars).split(/[\p{STerm};:；]/u)[0]
  const from = unitStart(text, end)
  const noun = /^[\s-]{0,2}(\p{L}+)/u.exec(text.slice(from, from + nearChars))?.[1] ?? ""
  const sign = /^\p{Sc}\s?/u.exec(text.slice(start, start + 2))?.[0].length ?? 0
  const measures = kind === "number" ? unitsBeside(text, start + sign, end) : []
  const near = `${before ?? ""} ${after ?? ""}`
  return { value, unit, kind, near, noun: noun.toLowerCase(), measures }
}

// Whether a text gives a slot's value. No, if in doubt: a needless question costs a word, a missing
// one a wrong answer.

const betweenMax = 2
/** `vague` identifies nothing; `reversed` is "Osaka is the city", not "this is the city". */
const valueForms = Record.map(valueTexts, (form) => new RegExp(form, "iu"))

/** Whether one sentence holds the slot's words and, joined to them, a value. */
export const isGiven = (text: string, slot: string): boolean =>
  sentenceTexts(text).filter((sentence) => !/[?？؟]$/.test(sentence)).some((sentence) =>
    valueForms.unspaced.test(slot)
      ? isGivenUnspaced(sentence, slot)
      : spansOf(sentence, slot).some(([start, end]) => isJoined(sentence, start, end, slot))
  )

/** Whether the fact holds the slot's words, another content word, and no doubt. */
export const isKnown = (fact: string, slot: string): boolean => {
  const [held, wanted] = [new Set(terms(fact)), new Set(terms(slot))]
  const others = [...held].filter((term) => !wanted.has(term) && !valueForms.ofUsers.test(term))
  return wanted.size > 0 && wanted.isSubsetOf(held) && others.length > 0 &&
    !valueForms.unknown.test(fact)
}

/** Spans in which all words of the slot are close together. */
const spansOf = (
  sentence: string,
  slot: string
): ReadonlyArray<readonly [start: number, end: number]> => {
  const wanted = [...new Set(terms(slot))]
  const tokens = [...sentence.matchAll(/[\p{L}\p{N}]+/gu)]
  if (wanted.length === 0) return []
  return tokens.flatMap((first, place) => {
    const near = tokens.slice(place, place + wanted.length + betweenMax)
    const end = near.find((_, count) => {
      const held = new Set(near.slice(0, count + 1).flatMap(([word]) => terms(word)))
      return wanted.every((term) => held.has(term))
    })
    const isStart = terms(first[0]).some((term) => wanted.includes(term))
    return end === undefined || !isStart ? [] : [[first.index, end.index + end[0].length] as const]
  })
}

const isJoined = (sentence: string, start: number, end: number, slot: string): boolean => {
  const [before, after] = [sentence.slice(0, start), sentence.slice(end)]
  if (valueForms.conditional.test(before)) return false
  const said = valueForms.joined.exec(after)?.groups?.["said"]
  if (said !== undefined) return !valueForms.vague.test(said)
  return valueForms.named.test(after) || valueForms.reversed.test(before) ||
    (valueForms.counted.test(slot) &&
      (valueForms.numberAfter.test(after) || valueForms.numberBefore.test(before)))
}

const compact = (text: string): string => text.normalize("NFKC").replace(/\s+/gu, "")

/** The slot's words, a particle or "is", and a short value up to the end. */
const isGivenUnspaced = (sentence: string, slot: string): boolean => {
  const [text, wanted] = [compact(sentence), compact(slot)]
  const rests = text.split(wanted).slice(1)
  return wanted !== "" && rests.some((rest) => {
    const value = valueForms.tied.exec(rest)?.groups?.["value"] ?? ""
    return value !== "" && !valueForms.unspacedVague.test(value)
  })
}

// Calendar days in a text, day and month together: 3 May, May 3rd, 5月3日.

interface CalendarDay {
  readonly day: number
  /** 1 to 12. */
  readonly month: number
  readonly year: string | undefined
}

/** Most days read from one text; a longer list is a calendar. */
const daysMax = 100

const monthOf = new Map(
  names.flatMap((list, place) => list.split(" ").map((name) => [name, place + 1] as const))
)
const longestFirst = Array.from(monthOf.keys()).toSorted((a, b) => b.length - a.length)
const parts = Object.entries({ ...listed.parts, name: `(?<month>${longestFirst.join("|")})` })
const dayForms = listed.forms.map((form) =>
  new RegExp(parts.reduce((made, [part, words]) => made.replace(`{${part}}`, words), form), "giu")
)

/** The Buddhist era of Thai dates is ahead by so many years. */
const buddhistYears = 543
const yearsMax = 2_400

/** The only day of a line, with its year, as an ISO date. */
export const dayWritten = (line: string): string | undefined => {
  const [only, ...others] = daysOf(line).flat()
  return only?.year === undefined || others.length > 0
    ? undefined
    : [only.year, only.month, only.day].map((part) => String(part).padStart(2, "0")).join("-")
}

/** Days in a text, unordered; 3/5/2025 may be either of two. */
const daysOf = (text: string): ReadonlyArray<ReadonlyArray<CalendarDay>> => {
  const plain = text.normalize("NFKC")
  return dayForms.flatMap((form) =>
    Array.from(plain.matchAll(form)).flatMap(({ groups = {} }) => {
      const { day, last = day, month = "", number, stroke } = groups
      const since = Number(groups["year"])
      const year = since > yearsMax ? String(since - buddhistYears) : groups["year"]
      const inMonth = monthOf.get(month.toLowerCase()) ?? Number(number)
      return [...new Set([day, last])].map(Number).map((found) => [
        { day: found, month: inMonth, year },
        ...(stroke === undefined ? [] : [{ day: inMonth, month: found, year }])
      ])
    })
  ).slice(0, daysMax)
}

/** Days of the claim, if the other text names days. A year in only one is ignored. */
export const missingFrom = (
  claim: string,
  other: string
): ReadonlyArray<ReadonlyArray<CalendarDay>> => {
  const said = daysOf(claim)
  const read = said.length === 0 ? [] : daysOf(other).flat()
  return read.length === 0
    ? []
    : said.filter((either) => !either.some((one) => read.some((found) => isSameDay(one, found))))
}

const isSameDay = (left: CalendarDay, right: CalendarDay): boolean =>
  left.day === right.day && left.month === right.month &&
  (left.year === undefined || right.year === undefined || left.year === right.year)
