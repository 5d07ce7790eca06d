/**
 * Input as agents' clients send it: null or blank for an absent field; numbers, booleans, lists and
 * objects as text. A value is converted only where the schema refuses it and it has one possible
 * meaning; a text field is never changed.
 */
import { Effect, Option, Predicate, Schema, SchemaIssue } from "effect"

/** A text may hold an object whose fields are texts again. */
const roundsMax = 4

type Path = ReadonlyArray<PropertyKey>
type Decode<A> = (input: unknown) => Effect.Effect<A, Schema.SchemaError>

/** Retries `decode` with the converted fields. It must report all errors. */
export const loosely = <A>(decode: Decode<A>): Decode<A> => (input) => {
  const from = (value: unknown, left: number): Effect.Effect<A, Schema.SchemaError> =>
    Effect.catch(decode(value), (failure) => {
      const paths = pathsOf(failure.issue)
      const next = paths.reduce((tree, path) => changedAt(tree, path, meant), value)
      if (next !== value && left > 0) return from(next, left - 1)
      // A required field is reported as it was sent, and so is one that no conversion helped.
      const required = paths.filter((path) => path.length > 0 && isBlank(valueAt(input, path)))
        .map(([key = ""]) => [key, valueAt(input, [key])])
      if (required.length > 0) {
        return decode(Object.assign({}, withoutBlanks(input), Object.fromEntries(required)))
      }
      const sent = paths.reduce(
        (tree, path) => changedAt(tree, path, () => valueAt(input, path)),
        value
      )
      return sent === value ? Effect.fail(failure) : decode(sent)
    })
  return from(withoutBlanks(input), roundsMax)
}

/** Null and blank fields at the top are absent, whether or not their schema accepts such. */
const withoutBlanks = (input: unknown): unknown =>
  Predicate.isObject(input) && Object.values(input).some(isBlank)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => !isBlank(value)))
    : input

const isBlank = (value: unknown): boolean =>
  value === null || typeof value === "string" && value.trim() === ""

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The only possible meaning of a refused value; `undefined`: absent; itself: wrong. */
const meant = (value: unknown): unknown => {
  if (isBlank(value)) return undefined
  if (typeof value !== "string") return value
  const written = /^\s*(?:true|false|null)\s*$/i.test(value) ? value.toLowerCase() : value
  const parsed = Option.getOrElse(decodeJson(written), () => value)
  if (typeof parsed !== "string") return parsed
  const trimmed = value.trim()
  return trimmed === value ? listOf(value) : trimmed
}

/** A list without brackets; other text is not changed. */
const listOf = (text: string): ReadonlyArray<string> =>
  text.split(",").map((part) => part.trim()).filter((part) => part !== "")

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const pathsOf = (issue: SchemaIssue.Issue): ReadonlyArray<Path> =>
  issuesOf(issue).issues.map(({ path = [] }) =>
    path.map((part) => typeof part === "object" ? part.key : part)
  )

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (at, key) => Predicate.isObjectOrArray(at) ? Reflect.get(at, key) : at,
    value
  )

export const changedAt = (
  value: unknown,
  [key, ...rest]: Path,
  change: (value: unknown) => unknown
): unknown => {
  if (key === undefined) return change(value)
  if (!Predicate.isObjectOrArray(value) || !Object.hasOwn(value, key)) return value
  const before: unknown = Reflect.get(value, key)
  const after = changedAt(before, rest, change)
  if (after === before) return value
  if (Array.isArray(value)) {
    return value.map((part: unknown, index) => String(index) === String(key) ? after : part)
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      name !== String(key) ? [[name, part]] : after === undefined ? [] : [[name, after]]
    )
  )
}
