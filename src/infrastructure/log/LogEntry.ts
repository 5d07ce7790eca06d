/**
 * Entry of the log as fields: a message, ids and other annotations, and the tag and message of an
 * error. No stack; for a bug, the place in the code where it came up.
 */
import { Predicate } from "effect"

export interface LogEntry {
  /** ISO 8601 UTC. */
  readonly timestamp: string
  /** Upper case, e.g. `WARN`. */
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Key of an entry's subject: entries of one key say the same. */
const keyOf = ({ fields, level, message }: LogEntry): string =>
  [level, message, fields["error"], fields["engine"], fields["reason"], fields["provider"]]
    .map((part) => Predicate.isString(part) ? part : "")
    .join("\n")

// Keeps one warning or error from flooding the log: the first is written, further ones of the
// same key are counted for a minute, and then the last of them is written with their number.
// Entries of other levels are never held back.

/** How long further entries of a key are counted instead of written. */
const windowMs = 60_000

/** Keys that are counted at the same time; an entry of one more is written. */
const keysMax = 1_000

const held: ReadonlySet<string> = new Set(["WARN", "ERROR"])

interface Window {
  count: number
  last: LogEntry
}

interface LogRepeats {
  /** Writes the entry, or counts it. */
  readonly take: (entry: LogEntry) => void
  /** Writes what was only counted until now. */
  readonly flush: () => void
}

export const make = (write: (entry: LogEntry) => void): LogRepeats => {
  const windows = new Map<string, Window>()

  const close = (key: string): void => {
    const window = windows.get(key)
    windows.delete(key)
    if (window === undefined || window.count === 0) return
    const { last } = window
    write({ ...last, fields: { ...last.fields, repeated: window.count } })
  }

  return {
    take: (entry) => {
      if (!held.has(entry.level)) return write(entry)
      const key = keyOf(entry)
      const window = windows.get(key)
      if (window !== undefined) {
        window.count += 1
        window.last = entry
        return
      }
      write(entry)
      if (windows.size >= keysMax) return
      windows.set(key, { count: 0, last: entry })
      setTimeout(() => close(key), windowMs).unref()
    },
    flush: () => {
      for (const key of [...windows.keys()]) close(key)
    }
  }
}

// An entry of the log as one line of text, whatever it holds.

/**
 * - `logfmt`: `name=value` pairs. - `json`: one JSON object, for machines. - `pretty`: time, level
 * and message in columns, for people.
 */
export const logFormats = ["logfmt", "json", "pretty"] as const
