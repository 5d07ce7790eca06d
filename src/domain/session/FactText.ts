/** Words that the texts of facts are made of. */
import { Schema } from "effect"
import type { Rung } from "./EngineDetail.ts"

/** `warning`: something failed or was left out. `quiet`: bookkeeping. */
export const Tone = Schema.Literals(["done", "quiet", "warning"])

export interface EntryText {
  readonly tone: typeof Tone.Type
  readonly title: string
  readonly detail: string
}

const inTone =
  (tone: EntryText["tone"]) => (title: string, parts: ReadonlyArray<string>): EntryText => ({
    tone,
    title,
    detail: listed(parts)
  })

export const inDone = inTone("done")
export const inQuiet = inTone("quiet")
export const inWarning = inTone("warning")

export const listed = (parts: ReadonlyArray<string>): string =>
  parts.map((part) => part.trim()).filter((part) => part !== "").join(" · ")

/** Engines that failed, and the one that answered instead; empty where the first one answered. */
export const byEngine = ({ engine, faults }: Rung): string =>
  faults.length === 0
    ? ""
    : `${
      faults.map((fault) => `${fault.engine} ${plain(fault.detail ?? fault.reason)}`).join(", ")
    }` +
      `, then ${engine}`

export const quoted = (text: string): string => `“${text}”`

export const plain = (code: string): string => code.toLowerCase().replaceAll("_", " ")

export const someOf = (things: ReadonlyArray<unknown>, one: string): string =>
  things.length === 0 ? "" : counted(things.length, one)

/** "1 entry", "2 entries", "0 searches". */
export const counted = (count: number, one: string): string =>
  `${count} ${count === 1 ? one : pluralOf(one)}`

const pluralOf = (one: string): string =>
  /[^aeo]y$/.test(one)
    ? `${one.slice(0, -1)}ies`
    : /(?:ch|sh|s|x)$/.test(one)
    ? `${one}es`
    : `${one}s`

/** Milliseconds between two times, 0 to any; 0 where one is no time. */
export const msBetween = (from: string, until: string): number =>
  Math.max(0, Date.parse(until) - Date.parse(from) || 0)

const minuteMs = 60_000
const minutesInTwoHours = 120

export const ofAge = (ms: number): string => {
  const minutes = Math.round(ms / minuteMs)
  return minutes < minutesInTwoHours ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
