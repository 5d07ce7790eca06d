/** The header `Retry-After`: read as seconds or a date, written as seconds. */
import { DateTime, Option } from "effect"

/** Longest accepted `Retry-After`, in milliseconds: a day. */
export const millisMax = 24 * 60 * 60 * 1_000

const seconds = /^\d{1,12}(?:\.\d{1,6})?$/
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** 0 for a past date, at most a day; none if invalid. */
export const millis = (header: string, now: DateTime.Utc): Option.Option<number> => {
  const value = header.trim()
  if (seconds.test(value)) return Option.some(within(Number(value) * 1_000))
  if (!httpDate.test(value)) return Option.none()
  return Option.map(
    DateTime.make(value),
    (until) => within(DateTime.toEpochMillis(until) - DateTime.toEpochMillis(now))
  )
}

export const header = (ms: number): { readonly "retry-after": string } => ({
  "retry-after": String(Math.ceil(ms / 1_000))
})

const within = (ms: number): number => Math.min(millisMax, Math.max(0, Math.ceil(ms)))
