/** Numbers, times and codes as people read them. Times are in UTC. */
import { DateTime } from "effect"

const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 1 })

export const number = (value: number): string => numbers.format(value)

/** A share of something, 0 to 1; `undefined` when there was nothing. */
export const share = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${numbers.format(100 * part / whole)} %`

const microsInDollar = 1_000_000

export const dollars = (micros: number): string =>
  micros === 0 ? "–" : `$${(micros / microsInDollar).toFixed(micros < 10_000 ? 4 : 2)}`

const msInSecond = 1_000
const secondsInMinute = 60

/** "640 ms", "2.1 s", "3 min". */
export const duration = (ms: number): string => {
  if (ms < msInSecond) return `${Math.round(ms)} ms`
  const seconds = ms / msInSecond
  if (seconds < secondsInMinute) return `${numbers.format(seconds)} s`
  const minutes = seconds / secondsInMinute
  return minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`
}

const moments = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit"
})

/** Instant in UTC as "22 Nov 2026, 13:04:11"; a text that is no instant stays. */
export const moment = (iso: string): string => {
  const ms = epochMs(iso)
  return ms === undefined ? iso : moments.format(ms)
}

/** "3 min ago"; of what is to come "in 3 min". */
export const timeAgo = (iso: string, nowIso: string): string => {
  const then = epochMs(iso)
  const now = epochMs(nowIso)
  if (then === undefined || now === undefined) return iso
  return then > now ? `in ${duration(then - now)}` : `${duration(now - then)} ago`
}

const epochMs = (iso: string): number | undefined => {
  const at = DateTime.make(iso)
  return at._tag === "Some" ? at.value.epochMilliseconds : undefined
}

/** A code of the contract as words: `key_points` as "key points". */
export const words = (code: string): string => code.toLowerCase().replaceAll("_", " ")

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`

/** First and last characters of a fingerprint. */
export const shortHash = (hash: string): string =>
  hash.length <= 12 ? hash : `${hash.slice(0, 6)}…${hash.slice(-4)}`
