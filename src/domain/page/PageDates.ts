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
  const isPast = (date: string) => dayOf(date) <= today
  const published = published_date !== undefined && isPast(published_date) ? { published_date } : {}
  const from = dayOf(published.published_date ?? "")
  return modified_date !== undefined && isPast(modified_date) && dayOf(modified_date) >= from
    ? { ...published, modified_date }
    : published
}

/** Latest date on which one of the pages was changed or published; absent when none says. */
export const newest = (pages: ReadonlyArray<PageDates>): string | undefined =>
  pages.flatMap(({ modified_date, published_date }) => [published_date, modified_date])
    .flatMap((date) => date ?? []).toSorted().at(-1)

/** ISO 8601 dates compare as text up to their day. */
const dayOf = (date: string): string => date.slice(0, 10)
