/**
 * Entry of the log as fields: a message, ids and other annotations, and the tag and message of an
 * error. No stack; for a bug, the place in the code where it came up.
 */
import { Array as Arr, Cause, Logger, Predicate, References } from "effect"

type Options = Logger.Options<unknown>

export interface LogEntry {
  /** ISO 8601 UTC. */
  readonly timestamp: string
  /** Upper case, e.g. `WARN`. */
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Longest message of an error, in UTF-16 code units. */
const errorCharsMax = 500
/** Causes of causes that are told. */
const causesMax = 3

const reserved: ReadonlySet<string> = new Set(["timestamp", "level", "message"])

export const logEntryOf = ({ cause, date, fiber, logLevel, message }: Options): LogEntry => {
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

/** Key of an entry's subject: entries of one key say the same. */
export const keyOf = ({ fields, level, message }: LogEntry): string =>
  [level, message, fields["error"], fields["engine"], fields["reason"], fields["provider"]]
    .map((part) => Predicate.isString(part) ? part : "")
    .join("\n")

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

/** The first line: what follows is a stack, or of whom the message came from. */
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

/** The innermost place in this project's own sources, e.g. `domain/session/Session.ts:120`. */
const placeOf = (failure: unknown): string | undefined =>
  failure instanceof Error
    ? /(?<=[/\\]src[/\\])(?!.*node_modules)[\w./\\-]+\.[jt]s:\d+/.exec(ownFrames(failure.stack))
      ?.[0]
    : undefined

const ownFrames = (stack = ""): string =>
  stack.split("\n").filter((line) => !line.includes("node_modules")).join("\n")
