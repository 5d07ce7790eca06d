/** Log entry as fields. No stack; for a bug, its position in the code. */
import { Predicate } from "effect"

export interface LogEntry {
  /** ISO 8601 UTC. */
  readonly timestamp: string
  /** Upper case, e.g. `WARN`. */
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Key of an entry's subject: entries with one key say the same. */
const keyOf = ({ fields, level, message }: LogEntry): string =>
  [level, message, ...telling.map((name) => fields[name])]
    .map((part) => Predicate.isString(part) || Predicate.isNumber(part) ? part : "")
    .join("\n")

const telling = ["error", "engine", "reason", "provider", "detail", "key_slot", "since", "until"]

// The first of a key is written, further ones are counted for a minute, then the last with their
// number. Other levels are never held back.

const windowMs = 60_000

/** Most keys counted at once; entries of further keys are written. */
const keysMax = 1_000

const held: ReadonlySet<string> = new Set(["WARN", "ERROR"])

export const make = (write: (entry: LogEntry) => void) => {
  const windows = new Map<string, { count: number; last: LogEntry }>()

  const close = (key: string): void => {
    const window = windows.get(key)
    windows.delete(key)
    if (window === undefined || window.count === 0) return
    const { last } = window
    write({ ...last, fields: { ...last.fields, repeated: window.count } })
  }

  return {
    take: (entry: LogEntry): void => {
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
    /** Writes entries that were only counted so far. */
    flush: (): void => {
      for (const key of [...windows.keys()]) close(key)
    }
  }
}

/** `logfmt`: `name=value` pairs. `json`: one object. `pretty`: columns, for people. */
export const logFormats = ["logfmt", "json", "pretty"] as const
