/** Days of the year that a text names, day and month held together: 3 May, May 3rd, 5月3日. */
import listed from "./CalendarForms.json" with { type: "json" }
import names from "./MonthNames.json" with { type: "json" }

interface CalendarDay {
  readonly day: number
  /** 1 to 12. */
  readonly month: number
  readonly year: string | undefined
}

/** Most days read from one text; a longer list is a calendar. */
const daysMax = 100

/** Months by their names in the languages that are served. */
const monthOf = new Map(
  names.flatMap((list, place) => list.split(" ").map((name) => [name, place + 1] as const))
)
const longestFirst = Array.from(monthOf.keys()).toSorted((a, b) => b.length - a.length)
const parts = Object.entries({ ...listed.parts, name: `(?<month>${longestFirst.join("|")})` })
const forms = listed.forms.map((form) =>
  new RegExp(parts.reduce((made, [part, words]) => made.replace(`{${part}}`, words), form), "giu")
)

/** Days that a text names, in no order; 3/5/2025 may be either of two. */
const daysOf = (text: string): ReadonlyArray<ReadonlyArray<CalendarDay>> => {
  const plain = text.normalize("NFKC")
  return forms.flatMap((form) =>
    Array.from(plain.matchAll(form)).flatMap(({ groups = {} }) => {
      const { day, last = day, month = "", number, stroke, year } = groups
      const inMonth = monthOf.get(month.toLowerCase()) ?? Number(number)
      return [...new Set([day, last])].map(Number).map((found) => [
        { day: found, month: inMonth, year },
        ...(stroke === undefined ? [] : [{ day: inMonth, month: found, year }])
      ])
    })
  ).slice(0, daysMax)
}

/**
 * Days that the claim names and the other text, naming days too, does not. A year that only one of
 * the two gives makes no difference.
 */
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
