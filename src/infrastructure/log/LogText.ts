/** An entry of the log as one line of text, whatever it holds. */
import { Formatter } from "effect"
import type { LogEntry } from "./LogEntry.ts"

/**
 * - `logfmt`: `name=value` pairs. - `json`: one JSON object, for machines. - `pretty`: time, level
 * and message in columns, for people.
 */
export const logFormats = ["logfmt", "json", "pretty"] as const
export type LogFormat = typeof logFormats[number]

export const write = (entry: LogEntry, format: LogFormat): string => {
  switch (format) {
    case "logfmt":
      return pairs(recordOf(entry))
    case "json":
      return Formatter.formatJson(recordOf(entry))
    case "pretty":
      return pretty(entry)
  }
}

const recordOf = ({ fields, level, message, timestamp }: LogEntry) => ({
  timestamp,
  level,
  message,
  ...fields
})

const levelChars = "ERROR".length

const pretty = ({ fields, level, message, timestamp }: LogEntry): string => {
  const time = timestamp.slice("YYYY-MM-DDT".length, -1)
  const words = message.replaceAll("\n", "\\n")
  return `${time} ${level.padEnd(levelChars)} ${words}  ${pairs(fields)}`.trimEnd()
}

const pairs = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields).map(([name, value]) => `${nameOf(name)}=${valueOf(value)}`).join(" ")

const nameOf = (name: string): string => name.replace(/[\s="]/g, "_")

const valueOf = (value: unknown): string => {
  const text = typeof value === "string" ? value : Formatter.formatJson(value)
  return text === "" || /[\s="]/.test(text) ? JSON.stringify(text) : text
}
