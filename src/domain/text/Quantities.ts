/**
 * Numbers of a text with their units, years and months: what a claim must not get wrong.
 *
 * English, Korean, Japanese and Chinese; digits of any width, number words where a unit follows.
 */

import { remembered } from "../language/Remembered.ts"
import * as Measures from "./Measures.ts"

export type Unit = "percent" | "money" | "hour" | "day" | "week" | "month" | "year" | "person" | ""

export interface Quantity {
  readonly value: number
  /** Empty when none is known; such a number is compared by value alone. */
  readonly unit: Unit
  /** `year` as in 1998, `month` as in April (1 to 12); both are dates and carry no unit. */
  readonly kind: "number" | "year" | "month"
  /** The number's own clause, a few words on both sides. */
  readonly near: string
  /** The word after the number, which counts as its unit where none is known. */
  readonly noun: string
  /**
   * Units that the number may have: a currency, a length, a half of the day. Several where the word
   * is ambiguous.
   */
  readonly measures: ReadonlyArray<string>
}

/** Most quantities read from one text; a longer list is a table. */
const quantitiesMax = 400
const nearChars = 48

/** A Korean unit is one syllable of many words; it counts before a particle or the end only. */
const koreanEnd = "(?=[\\s의가은는이을에전간동내\\d.,)]|$)"
const unitPatterns: ReadonlyArray<readonly [Unit, string]> = [
  ["percent", `%|percent(?:age points?)?\\b|per cent\\b|パーセント|퍼센트|프로${koreanEnd}`],
  ["hour", "hours?\\b|hrs?\\b|時間|시간|小时|小時"],
  ["month", "calendar months?\\b|months?\\b|mos?\\.|[かカヶケヵ箇個个]月|개월|달(?![러라력])"],
  ["week", `weeks?\\b|週間?|주(?:일|간)?${koreanEnd}|周|星期`],
  [
    "day",
    `(?:calendar |business |working )?days?\\b|日(?:間|以|前|後|ま|の|内)?|일${koreanEnd}|天`
  ],
  ["year", "years?\\b|yrs?\\b|年(?:間|以|前|後|の)?|년"],
  ["person", `people\\b|persons?\\b|人|명${koreanEnd}`],
  [
    "money",
    "yen\\b|won\\b|dollars?\\b|euros?\\b|pounds?\\b|USD\\b|EUR\\b|JPY\\b|KRW\\b|" +
    `円|원${koreanEnd}|元`
  ]
]
const unitAfter = unitPatterns.map(([unit, pattern]) =>
  [unit, new RegExp(`^[\\s-]{0,2}(?:${pattern})`, "iu")] as const
)

/** "thousand k 1000": the words of each part are written for the number at its end. */
const valuesOf = (list: string): ReadonlyMap<string, number> =>
  new Map(
    list.split(",").flatMap((part) => {
      const words = part.split(" ")
      return words.slice(0, -1).map((word) => [word, Number(words.at(-1))] as const)
    })
  )
const magnitudes = valuesOf(
  "hundred 1e2,thousand k 千 천 1e3,million mn m 1e6,billion bn b 1e9,trillion 1e12," +
    "万 萬 만 1e4,億 亿 억 1e8"
)
const digits = new RegExp(
  "(?<lead>\\p{Sc}\\s?)?(?<number>\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)" +
    "(?:st|nd|rd|th)?" +
    "(?:[\\s-]?(?<word>hundred|thousand|million|billion|trillion|bn|mn)\\b|" +
    "(?<letter>[kmb])\\b|(?<cjk>[千万萬億亿천만억]{1,2})" +
    "(?<rest>(?:\\d{1,4}[千万萬億亿천만억]{0,2}| \\d{1,4}[千万萬億亿천만억]{1,2})*))?",
  "giu"
)
/** COVID-19, N95, 2-3: digits behind a letter or a hyphen name a thing. */
const inIdentifier = /[\p{L}\d][-.]?$/u
const cjkLetter = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]$/u

const ones: ReadonlyArray<string> =
  ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
    "fifteen " +
    "sixteen seventeen eighteen nineteen").split(" ")
const tens: ReadonlyArray<string> = "zero ten twenty thirty forty fifty sixty seventy eighty ninety"
  .split(" ")
const wordValues = new Map([
  ...ones.map((word, value) => [word, value] as const),
  ...tens.slice(2).map((word, place) => [word, (place + 2) * 10] as const),
  ...valuesOf(
    "half 0.5,dozen 12,third 3,fourth 4,fifth 5,sixth 6,seventh 7,eighth 8,ninth 9,tenth 10"
  )
])
const englishWord = new RegExp(
  `\\b(${tens.slice(2).join("|")})-(${ones.slice(1, 10).join("|")})\\b|` +
    `\\b(${Array.from(wordValues.keys()).join("|")})\\b` +
    "(?:[\\s-](hundred|thousand|million|billion)\\b)?",
  "giu"
)
const hanDigits = "〇一二三四五六七八九"
const hanNumber = /[一二三四五六七八九十]{1,3}(?=[かカヶケヵ箇個个]月|週|年間|日[間前以]|割|人)/gu
const koreanValues = valuesOf(
  "한 일 1,두 이 2,세 석 삼 3,네 넉 사 4,다섯 오 5,여섯 육 6,칠 7,팔 8,구 9,십 10"
)
const koreanNumber = new RegExp(
  "(?<!\\p{L})(?:(?:한|두|세|석|네|넉|다섯|여섯)(?=\\s?(?:달|개월|주(?![소택거민인])|시간))|" +
    "(?:일|이|삼|사|오|육|칠|팔|구|십)(?=개월)|일(?=주일))",
  "gu"
)

const months = ("january february march april may june july august september october november " +
  "december").split(" ")
const monthName = new RegExp(
  `\\b(?:(${months.filter((name) => name !== "march" && name !== "may").join("|")}|` +
    "(?:march|may)(?=\\s+\\d)|(?<=(?<![\\p{L}\\d]-?)\\d{1,2}(?:st|nd|rd|th)?\\s)(?:march|may))|" +
    "(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\b\\.?(?=\\s+\\d))",
  "giu"
)
const cjkMonth = /(?<!\d)(1[0-2]|0?[1-9])(?:月(?!間)|월(?!\p{L}세))/gu

export type Reading = "claim" | "evidence"

/**
 * Numbers of a text with what they count, grouped by how they are written: digits, then words, then
 * months. A reading as `evidence` is generous: digits inside names count as numbers too.
 */
export const quantities = (text: string, reading: Reading = "claim"): ReadonlyArray<Quantity> =>
  readings[reading](text)

/** A sentence is held against many others. */
const readings: Readonly<Record<Reading, (text: string) => ReadonlyArray<Quantity>>> = {
  claim: remembered((text) => quantitiesOf(text, "claim")),
  evidence: remembered((text) => quantitiesOf(text, "evidence"))
}

const quantitiesOf = (text: string, reading: Reading): ReadonlyArray<Quantity> => {
  const plain = text.normalize("NFKC").replace(/[\u2010-\u2015\u2212]/g, "-")
  return [
    ...fromDigits(plain, reading),
    ...fromEnglish(plain),
    ...fromHan(plain),
    ...fromKorean(plain),
    ...fromMonths(plain)
  ].slice(0, quantitiesMax)
}

/** Whether two numbers say the same; a unit that only one names does not part them. */
export const isSame = (left: Quantity, right: Quantity): boolean => {
  if (left.kind === "month" || right.kind === "month") {
    return left.value === right.value && (left.unit === "" && right.unit === "")
  }
  if (!Measures.mayAgree(left.measures, right.measures)) return false
  if (left.unit === "" || right.unit === "" || left.unit === right.unit) {
    return isClose(left.value, right.value)
  }
  const [leftBase, rightBase] = [inBase(left), inBase(right)]
  return leftBase.unit === rightBase.unit && isClose(leftBase.value, rightBase.value)
}

/**
 * Quantity in its base unit: hours, days and weeks in hours, months and years in months; the two do
 * not convert exactly.
 */
export const inBase = ({ unit, value }: Quantity): { unit: Unit; value: number } => {
  const hours = { hour: 1, day: 24, week: 168 } as const
  if (unit === "hour" || unit === "day" || unit === "week") {
    return { unit: "hour", value: value * hours[unit] }
  }
  return unit === "year" ? { unit: "month", value: value * 12 } : { unit, value }
}

/** Large numbers are rounded when retold; years never are. */
const isClose = (left: number, right: number): boolean => {
  if (left === right) return true
  const larger = Math.max(Math.abs(left), Math.abs(right))
  const isYear = Number.isInteger(left) && left >= 1000 && left <= 2100
  return larger >= 1000 && !isYear && Math.abs(left - right) <= 0.005 * larger
}

const fromDigits = (text: string, reading: Reading): ReadonlyArray<Quantity> =>
  Array.from(text.matchAll(digits)).flatMap((match) => {
    const before = text.slice(Math.max(0, match.index - 2), match.index)
    if (reading === "claim" && inIdentifier.test(before) && !cjkLetter.test(before)) return []
    const { cjk, lead, letter, number, rest = "", word } = match.groups ?? {}
    const end = match.index + match[0].length
    const unit = lead === undefined ? unitAt(text, match.index, end) : "money"
    const magnitude = cjk === undefined
      ? magnitudes.get((word ?? letter ?? "").toLowerCase()) ?? 1
      : magnitudeOf(cjk)
    const value = Number((number ?? "").replaceAll(",", "")) * magnitude + sumOf(rest)
    const isBare = magnitude === 1 && /^(?:1\d|20)\d\d$/.test(number ?? "")
    const isYear = isBare && (unit === "" || (unit === "year" && /^[年년]/.test(text.slice(end))))
    return [quantity(text, match.index, end, value, isYear ? "" : unit, isYear ? "year" : "number")]
  })

/** Value of what follows the first part of such a number: the "8千" of "9万8千". */
const sumOf = (rest: string): number =>
  Array.from(rest.matchAll(/(\d+)([千万萬億亿천만억]*)/gu)).reduce(
    (sum, [, number, magnitude = ""]) => sum + Number(number) * magnitudeOf(magnitude),
    0
  )

/** "천만" is a thousand times ten thousand. */
const magnitudeOf = (letters: string): number =>
  Array.from(letters).reduce((product, letter) => product * (magnitudes.get(letter) ?? 1), 1)

/** The day in 4月1日 is a date's part, not a length. */
const unitAt = (text: string, start: number, end: number): Unit => {
  const after = text.slice(end, end + 24)
  const unit = unitAfter.find(([, pattern]) => pattern.test(after))?.[0] ?? ""
  const inDate = unit === "day" && /[月월]\s?$/.test(text.slice(Math.max(0, start - 2), start))
  return inDate ? "" : unit
}

const fromEnglish = (text: string): ReadonlyArray<Quantity> =>
  Array.from(text.matchAll(englishWord)).flatMap((match) => {
    const [whole, ten, one, single, magnitude] = match
    const end = match.index + whole.length
    const unit = unitAt(text, match.index, end)
    // "One" and "third" also point at things; with a unit they count.
    if (unit === "" && magnitude === undefined && single?.toLowerCase() === "one") return []
    const value = ten === undefined
      ? valueOf(single) * (magnitudes.get(magnitude?.toLowerCase() ?? "") ?? 1)
      : valueOf(ten) + valueOf(one)
    return [quantity(text, match.index, end, value, unit, "number")]
  })

const valueOf = (word: string | undefined): number => wordValues.get(word?.toLowerCase() ?? "") ?? 0

const fromHan = (text: string): ReadonlyArray<Quantity> =>
  counts(text, hanNumber, ([number]) => hanValue(number))

/** Numerals that a unit follows, with what they are worth. */
const counts = (
  text: string,
  numeral: RegExp,
  valueOf: (match: RegExpExecArray) => number
): ReadonlyArray<Quantity> =>
  Array.from(text.matchAll(numeral), (match) => {
    const end = match.index + match[0].length
    const unit = unitAt(text, match.index, end)
    return quantity(text, match.index, end, valueOf(match), unit, "number")
  })

const hanValue = (number: string): number => {
  const [left, right] = number.split("十")
  if (right === undefined) return hanDigits.indexOf(number.charAt(0))
  const tensDigit = left === undefined || left === "" ? 1 : hanDigits.indexOf(left)
  return tensDigit * 10 + (right === "" ? 0 : hanDigits.indexOf(right))
}

const fromKorean = (text: string): ReadonlyArray<Quantity> =>
  counts(text, koreanNumber, ([numeral]) => koreanValues.get(numeral) ?? 0)

const fromMonths = (text: string): ReadonlyArray<Quantity> =>
  [...text.matchAll(monthName), ...text.matchAll(cjkMonth)].map((match) => {
    const short = match[0].slice(0, 3).toLowerCase()
    const value = /^\d/.test(short)
      ? Number(match[1])
      : months.findIndex((name) => name.startsWith(short)) + 1
    return quantity(text, match.index, match.index + match[0].length, value, "", "month")
  })

const quantity = (
  text: string,
  start: number,
  end: number,
  value: number,
  unit: Unit,
  kind: Quantity["kind"]
): Quantity => {
  const before = text.slice(Math.max(0, start - nearChars), start).split(/[.;:!?。！？;；]/).at(-1)
  const after = text.slice(end, end + nearChars).split(/[.;:!?。！？;；]/)[0]
  const noun = /^[\s-]{0,2}(\p{L}+)/u.exec(text.slice(end, end + nearChars))?.[1] ?? ""
  // A sign of money was read with its number.
  const sign = /^\p{Sc}\s?/u.exec(text.slice(start, start + 2))?.[0].length ?? 0
  const measures = kind === "number" ? Measures.unitsBeside(text, start + sign, end) : []
  const near = `${before ?? ""} ${after ?? ""}`
  return { value, unit, kind, near, noun: noun.toLowerCase(), measures }
}
