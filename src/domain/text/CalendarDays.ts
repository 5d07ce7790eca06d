/** Days of the year that a text names, day and month held together: 3 May, May 3rd, 5月3日. */
import names from "./MonthNames.json" with { type: "json" }

export interface CalendarDay {
  readonly day: number
  /** 1 to 12. */
  readonly month: number
  readonly year?: number
}

/** Most days read from one text; a longer list is a calendar. */
const daysMax = 100

/** Months by their names in the languages that are served. */
const monthOf = new Map(
  names.flatMap((list, place) => list.split(" ").map((name) => [name, place + 1] as const))
)
const name = `(?<month>${
  Array.from(monthOf.keys()).toSorted((a, b) => b.length - a.length).join("|")
})`
const day = "(?<day>3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th|er|º|°|\\.)?"
const range =
  "(?:\\s?(?:[-–]|to|and|bis|und)\\s?(?<last>3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th|\\.)?)?"
const year = "(?:,?\\s+(?:de\\s+|del\\s+)?(?<year>[12]\\d{3})(?!\\d))?"
const forms: ReadonlyArray<RegExp> = [
  new RegExp(
    `(?<![\\p{L}\\d.,/-])${day}${range}\\s+(?:of\\s+|de\\s+|di\\s+)?${name}(?!\\p{L})\\.?${year}`,
    "giu"
  ),
  new RegExp(
    `(?<!\\p{L})${name}\\.?\\s+(?:the\\s+)?${day}${range}(?![\\d:%]|\\.\\d)${year}`,
    "giu"
  ),
  new RegExp(
    "(?:(?<year>[12]\\d{3})\\s?[年년]\\s?)?(?<!\\d)(?<number>1[0-2]|0?[1-9])\\s?[月월]\\s?" +
      "(?<day>3[01]|[12]\\d|0?[1-9])\\s?[日일]",
    "gu"
  ),
  /(?<![\d-])(?<year>[12]\d{3})-(?<number>1[0-2]|0[1-9])-(?<day>3[01]|[12]\d|0[1-9])(?!\d)/gu,
  /(?<![\d.])(?<day>3[01]|[12]\d|0?[1-9])\.(?<number>1[0-2]|0?[1-9])\.(?<year>[12]\d{3})(?!\d)/gu
]
/** 3/5/2025 is read either way. */
const slashed = /(?<![\d/])(?<one>\d{1,2})\/(?<other>\d{1,2})\/(?<year>[12]\d{3})(?![\d/])/gu

/** Days that a text names, in no order. Empty when it names no whole day. */
const daysOf = (text: string): ReadonlyArray<CalendarDay> => {
  const plain = text.normalize("NFKC")
  const named = forms.flatMap((form) =>
    Array.from(plain.matchAll(form)).flatMap(({ groups = {} }) => {
      const month = groups["number"] === undefined
        ? monthOf.get((groups["month"] ?? "").toLowerCase())
        : Number(groups["number"])
      const days = [groups["day"], groups["last"]].flatMap((found) => found ?? []).map(Number)
      return month === undefined ? [] : days.map((found) => dayOf(found, month, groups["year"]))
    })
  )
  const either = Array.from(plain.matchAll(slashed)).flatMap(({ groups = {} }) => {
    const [one, other] = [Number(groups["one"]), Number(groups["other"])]
    return [dayOf(one, other, groups["year"]), dayOf(other, one, groups["year"])]
      .filter(({ day, month }) => month >= 1 && month <= 12 && day >= 1 && day <= 31)
  })
  return [...named, ...either].slice(0, daysMax)
}

const dayOf = (found: number, month: number, inYear: string | undefined): CalendarDay => ({
  day: found,
  month,
  ...(inYear === undefined ? {} : { year: Number(inYear) })
})

/**
 * Days that the claim names and the other text, naming days too, does not. A year that only one of
 * the two gives makes no difference.
 */
export const missingFrom = (claim: string, other: string): ReadonlyArray<CalendarDay> => {
  const said = daysOf(claim)
  if (said.length === 0) return []
  const read = daysOf(other)
  if (read.length === 0) return []
  const isRead = (one: CalendarDay) => read.some((found) => isSameDay(one, found))
  // Of a day written with strokes both readings are here; one of them is enough.
  return said.filter((one) =>
    !isRead(one) && !(isSlashed(claim, one) && isRead({ ...one, day: one.month, month: one.day }))
  )
}

const isSameDay = (left: CalendarDay, right: CalendarDay): boolean =>
  left.day === right.day && left.month === right.month &&
  (left.year === undefined || right.year === undefined || left.year === right.year)

const isSlashed = (text: string, { day, month }: CalendarDay): boolean =>
  text.includes("/") && new RegExp(`\\b0?(?:${day}/0?${month}|${month}/0?${day})/`).test(text)
