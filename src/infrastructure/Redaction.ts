/** Log lines: their fields, limits on repetition, and redaction of secrets. */
import {
  Array as Arr,
  Cause,
  Console,
  Effect,
  Formatter,
  Logger,
  Predicate,
  References,
  type Scope
} from "effect"
import { type LogEntry, logFormats, make } from "./log/LogEntry.ts"
import * as TerminalText from "./TerminalText.ts"

type Options = Logger.Options<unknown>

/** Longest error message, in UTF-16 code units. */
const errorCharsMax = 500

const causesMax = 3

const reserved: ReadonlySet<string> = new Set(["timestamp", "level", "message"])

const logEntryOf = ({ cause, date, fiber, logLevel, message }: Options): LogEntry => {
  const parts = Arr.ensure(message)
  const texts = parts.filter(Predicate.isString)
  const failures = [
    ...parts.filter(isFailure),
    ...cause.reasons.flatMap((reason) => reasonIn(reason))
  ]
  const plain = parts.filter((part) => Predicate.isObject(part) && !isFailure(part))
  const fields = {
    ...fiber.getRef(References.CurrentLogAnnotations),
    ...Object.assign({}, ...plain),
    ...errorFields(failures[0])
  }
  return {
    timestamp: date.toISOString(),
    level: logLevel.toUpperCase(),
    message: texts.length === 0 ? nameOf(failures[0]) : texts.join(" "),
    fields: Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => !reserved.has(name) && value !== undefined)
    )
  }
}

const isFailure = (value: unknown): boolean =>
  value instanceof Error || Cause.isCause(value) || Predicate.hasProperty(value, "_tag")

const reasonIn = (reason: Cause.Reason<unknown>): ReadonlyArray<unknown> => {
  switch (reason._tag) {
    case "Fail":
      return [reason.error]
    case "Die":
      return [reason.defect]
    case "Interrupt":
      return []
  }
}

const errorFields = (failure: unknown): Readonly<Record<string, unknown>> => {
  if (failure === undefined) return {}
  if (Cause.isCause(failure)) return errorFields(failure.reasons.flatMap(reasonIn)[0])
  const causes = causesOf(failure).map(sentenceOf)
  return {
    error: nameOf(failure),
    error_message: messageOf(failure),
    error_cause: causes.length === 0 ? undefined : causes.join(": "),
    error_at: Predicate.hasProperty(failure, "_tag") ? undefined : placeOf(failure)
  }
}

const nameOf = (failure: unknown): string => {
  if (Predicate.hasProperty(failure, "_tag") && Predicate.isString(failure._tag)) {
    return failure._tag
  }
  if (failure instanceof Error) return failure.name
  return failure === undefined ? "" : typeof failure
}

/** The first line: a stack or the origin of the message may follow. */
const messageOf = (failure: unknown): string | undefined => {
  const text = failure instanceof Error
    ? failure.message
    : Predicate.isString(failure)
    ? failure
    : ""
  const [line = ""] = text.split("\n")
  return line === "" ? undefined : line.slice(0, errorCharsMax).toWellFormed()
}

const sentenceOf = (failure: unknown): string =>
  [nameOf(failure), messageOf(failure)].filter((part) => part !== undefined && part !== "")
    .join(" ")

const causesOf = (failure: unknown, left = causesMax): ReadonlyArray<unknown> =>
  left > 0 && Predicate.hasProperty(failure, "cause") && failure.cause !== undefined
    ? [failure.cause, ...causesOf(failure.cause, left - 1)]
    : []

/** The innermost stack frame in this project's sources, e.g. `domain/session/Session.ts:120`. */
const placeOf = (failure: unknown): string | undefined =>
  failure instanceof Error
    ? /(?<=[/\\]src[/\\])(?!.*node_modules)[\w./\\-]+\.[jt]s:\d+/.exec(ownFrames(failure.stack))
      ?.[0]
    : undefined

const ownFrames = (stack = ""): string =>
  stack.split("\n").filter((line) => !line.includes("node_modules")).join("\n")

type LogFormat = typeof logFormats[number]

const write = (entry: LogEntry, format: LogFormat): string => {
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
  Object.entries(fields).map(([name, value]) => `${shownName(name)}=${valueOf(value)}`).join(
    " "
  )

const shownName = (name: string): string => name.replace(/[\s="]/g, "_")

const valueOf = (value: unknown): string => {
  const text = typeof value === "string" ? value : Formatter.formatJson(value)
  return text === "" || /[\s="]/.test(text) ? JSON.stringify(text) : text
}

// Redacts secrets at the sink: the last defence, for unforeseen paths.

/** Shorter values would redact ordinary words. */
const secretCharsMin = 6

const placeholder = "[redacted]"

/** Replaces each secret, also in its URL and JSON encodings. */
export const redact = (secrets: ReadonlyArray<string>): (text: string) => string => {
  const forms = secrets.filter(({ length }) => length >= secretCharsMin).flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1)
  ])
  // Longest first: a secret may be a prefix of another.
  const ordered = [...new Set(forms)].sort((left, right) => right.length - left.length)
  return (text) => ordered.reduce((clean, form) => clean.replaceAll(form, placeholder), text)
}

/**
 * One line on standard error, without terminal control sequences. A repeated warning is written at
 * most once a minute, with its count.
 */
export const logger = (
  secrets: ReadonlyArray<string>,
  format: LogFormat = "logfmt"
): Effect.Effect<Logger.Logger<unknown, void>, never, Scope.Scope> => {
  const clean = redact(secrets)
  return Effect.gen(function*() {
    // Entries flushed at the end of a minute go to the console of the first ones.
    let out = yield* Console.Console
    const repeats = make((entry) => out.error(TerminalText.plainText(clean(write(entry, format)))))
    yield* Effect.addFinalizer(() => Effect.sync(repeats.flush))
    return Logger.make((options) => {
      out = options.fiber.getRef(Console.Console)
      repeats.take(logEntryOf(options))
    })
  })
}
