/** What does not fit a JSON Schema of a document, by the keywords that such documents of ours have. */
import { assert } from "@effect/vitest"

type Json = Readonly<Record<string, any>>

/** Faults of a value as `place: what`. A keyword that this does not know is a failure of the test. */
export const faultsOf = (
  root: Json,
  schema: Json,
  value: unknown,
  place = "$"
): ReadonlyArray<string> =>
  Object.entries(schema).flatMap(([keyword, rule]) => {
    if (keyword === "$ref") return faultsOf(root, resolved(root, rule), value, place)
    const check = keywords[keyword]
    if (check === undefined) return assert.fail(`unknown keyword ${keyword} at ${place}`)
    return check({ root, schema, rule, value, place })
  })

const resolved = (root: Json, reference: string): Json =>
  reference.replace("#/", "").split("/").reduce((at, key) => at[key], root)

interface Checked {
  readonly root: Json
  readonly schema: Json
  readonly rule: any
  readonly value: any
  readonly place: string
}

type Keyword = (checked: Checked) => ReadonlyArray<string>

const when = (isFaulty: boolean, place: string, what: string) =>
  isFaulty ? [`${place}: ${what}`] : []

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isOfType = (type: string, value: unknown): boolean => {
  switch (type) {
    case "object":
      return isObject(value)
    case "array":
      return Array.isArray(value)
    case "integer":
      return Number.isInteger(value)
    case "null":
      return value === null
    default:
      return typeof value === type
  }
}

const none: Keyword = () => []

const keywords: Readonly<Record<string, Keyword>> = {
  description: none,
  contentMediaType: none,
  contentSchema: none,
  type: ({ place, rule, value }) => when(!isOfType(rule, value), place, `expected ${rule}`),
  enum: ({ place, rule, value }) => when(!rule.includes(value), place, `expected one of ${rule}`),
  anyOf: ({ place, root, rule, value }) => {
    const faults = rule.map((one: Json) => faultsOf(root, one, value, place))
    return faults.some((list: ReadonlyArray<string>) => list.length === 0) ? [] : faults.flat()
  },
  allOf: ({ place, root, rule, value }) =>
    rule.flatMap((one: Json) => faultsOf(root, one, value, place)),
  required: ({ place, rule, value }) =>
    isObject(value)
      ? rule.flatMap((key: string) => when(!(key in value), place, `${key} is missing`))
      : [],
  properties: ({ place, root, rule, schema, value }) =>
    !isObject(value) ? [] : Object.entries(value).flatMap(([key, part]) => {
      if (key in rule) return faultsOf(root, rule[key], part, `${place}.${key}`)
      // Fields outside the document must not be sent, though callers have to bear them.
      return when(schema["additionalProperties"] === undefined, place, `${key} is not named`)
    }),
  additionalProperties: ({ place, root, rule, schema, value }) =>
    !isObject(value) ?
      [] :
      Object.entries(value).flatMap(([key, part]) =>
        key in (schema["properties"] ?? {}) ? [] : faultsOf(root, rule, part, `${place}.${key}`)
      ),
  items: ({ place, root, rule, schema, value }) =>
    !Array.isArray(value) ? [] : value.slice(schema["prefixItems"]?.length ?? 0)
      .flatMap((part, index) =>
        rule === false ? [`${place}: too many`] : faultsOf(root, rule, part, `${place}[${index}]`)
      ),
  prefixItems: ({ place, root, rule, value }) =>
    !Array.isArray(value) ?
      [] :
      rule.flatMap((one: Json, index: number) =>
        index < value.length ? faultsOf(root, one, value[index], `${place}[${index}]`) : []
      ),
  minItems: ({ place, rule, value }) =>
    when(Array.isArray(value) && value.length < rule, place, `fewer than ${rule}`),
  maxItems: ({ place, rule, value }) =>
    when(Array.isArray(value) && value.length > rule, place, `more than ${rule}`),
  minLength: ({ place, rule, value }) =>
    when(typeof value === "string" && value.length < rule, place, `shorter than ${rule}`),
  maxLength: ({ place, rule, value }) =>
    when(typeof value === "string" && [...value].length > rule, place, `longer than ${rule}`),
  pattern: ({ place, rule, value }) =>
    when(typeof value === "string" && !new RegExp(rule, "u").test(value), place, `not ${rule}`),
  minimum: ({ place, rule, value }) =>
    when(typeof value === "number" && value < rule, place, `less than ${rule}`),
  exclusiveMinimum: ({ place, rule, value }) =>
    when(typeof value === "number" && value <= rule, place, `not more than ${rule}`),
  maximum: ({ place, rule, value }) =>
    when(typeof value === "number" && value > rule, place, `more than ${rule}`)
}
