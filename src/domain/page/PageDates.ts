/** Dates that a page states about itself, as far as they can be true. */
import { DateTime, Option } from "effect"

export interface PageDates {
  /** ISO 8601, a date or an instant. */
  readonly published_date?: string
  readonly modified_date?: string
}

/** Somewhere it is tomorrow already. */
const ahead = { days: 1 } as const

/**
 * Dates of a page that can be true: none later than `now` (ISO 8601), and none of a change before
 * publication.
 */
export const plausibleDates = (
  { modified_date, published_date }: PageDates,
  now: string
): PageDates => {
  const today = Option.match(DateTime.make(now), {
    onNone: () => "",
    onSome: (instant) => DateTime.formatIsoDateUtc(DateTime.add(instant, ahead))
  })
  const published = [published_date].find((date) => date !== undefined && dayOf(date) <= today)
  const modified = [modified_date].find((date) =>
    date !== undefined && dayOf(date) <= today && dayOf(date) >= dayOf(published ?? "")
  )
  return {
    ...(published === undefined ? {} : { published_date: published }),
    ...(modified === undefined ? {} : { modified_date: modified })
  }
}

/** Latest date on which one of the pages was changed or published; absent when none says. */
export const newest = (pages: ReadonlyArray<PageDates>): string | undefined =>
  pages.flatMap(({ modified_date, published_date }) => [published_date, modified_date])
    .flatMap((date) => date ?? []).toSorted().at(-1)

/** ISO 8601 dates compare as text up to their day. */
const dayOf = (date: string): string => date.slice(0, 10)
