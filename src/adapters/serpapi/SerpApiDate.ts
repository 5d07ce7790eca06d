/** The day behind a result's `date`, which is written for readers, in the language asked for. */
import { DateTime, Option } from "effect"

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")

/** Each gives year, month and day. `3/4/2025` is left out: nobody knows which is the month. */
const absolute: ReadonlyArray<RegExp> = [
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?=$|[T ])/,
  /^(?<name>[A-Z][a-z]{2})[a-z]{0,6}\.? (?<day>\d{1,2}), (?<year>\d{4})$/,
  /^(?<day>\d{1,2}) (?<name>[A-Z][a-z]{2})[a-z]{0,6}\.? (?<year>\d{4})$/,
  /^(?<year>\d{4})\. ?(?<month>\d{1,2})\. ?(?<day>\d{1,2})\.?$/,
  /^(?<year>\d{4})(?:年|년) ?(?<month>\d{1,2})(?:月|월) ?(?<day>\d{1,2})(?:日|일)$/,
  /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})$/,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/
]

/** Forms of relative dates, up to weeks: a month ago is no day. */
const relative: ReadonlyArray<readonly [RegExp, "minutes" | "hours" | "days" | "weeks"]> = [
  [/^(\d{1,3}) (?:min|mins|minutes?) ago$|^(\d{1,3}) ?(?:분 전|分前)$/, "minutes"],
  [/^(\d{1,3}) hours? ago$|^(\d{1,3}) ?(?:시간 전|時間前)$/, "hours"],
  [/^(\d{1,3}) days? ago$|^(\d{1,3}) ?(?:일 전|日前)$/, "days"],
  [/^(\d{1,2}) weeks? ago$|^(\d{1,2}) ?(?:주 전|週間前)$/, "weeks"]
]

/** `YYYY-MM-DD`; none for what is no day or does not say which. */
export const dayOf = (text: string, now: DateTime.Utc): Option.Option<string> => {
  const written = text.trim()
  const groups = absolute.map((form) => form.exec(written)?.groups).find((found) =>
    found !== undefined
  )
  return groups === undefined ? dayBefore(written, now) : dayFrom(groups)
}

const dayFrom = ({ day = "", month = "", name, year = "" }: Readonly<Record<string, string>>) => {
  const number = name === undefined ? month : String(months.indexOf(name.toLowerCase()) + 1)
  const iso = `${year}-${number.padStart(2, "0")}-${day.padStart(2, "0")}`
  return Option.filter(
    Option.map(DateTime.make(`${iso}T00:00:00Z`), DateTime.formatIsoDateUtc),
    (real) => real === iso
  )
}

const dayBefore = (written: string, now: DateTime.Utc): Option.Option<string> => {
  const found = relative.flatMap(([form, unit]) => {
    const [, latin, other] = form.exec(written) ?? []
    const count = latin ?? other
    return count === undefined ? [] : [DateTime.subtract(now, { [unit]: Number(count) })]
  })
  return Option.map(Option.fromUndefinedOr(found[0]), DateTime.formatIsoDateUtc)
}
