/**
 * JSON objects in a model's text, coerced to the requested shape: "3" to 3, a text to a list of
 * one. A value without a default is never invented.
 */
import { type JsonSchema, Option, Predicate, Schema } from "effect"

/** UTF-16 code units read from the end, where the answer is. */
const saidCharsMax = 262_144
/** Most unfinished or invalid objects: each may cost a scan. */
const brokenMax = 32
const objectsMax = 64
/** Most levels of an object; no shape has as many. */
const depthMax = 64

type Json = Readonly<Record<string, unknown>>

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
)

/** Times that an answer may be encoded as a string within JSON. */
const encodedMax = 2

/** Objects in a text, last first: bare, in a code block, among reasoning, or as a string. */
export const objectsIn = (text: string): ReadonlyArray<Json> => {
  let said = text.slice(-saidCharsMax)
  let objects = writtenIn(said)
  for (let times = 0; times < encodedMax && objects.length === 0; times++) {
    if (!encoded.test(said)) break
    said = said.replace(escaped, (sign) => signs[sign] ?? (sign.length > 2 ? sign : sign.slice(1)))
    objects = writtenIn(said)
  }
  return objects
}

const encoded = /\{(?:\s|\\[nrt])*\\["\\]/
const escaped = /\\(?:u[\da-f]{4}|[^])/gi
const signs: Readonly<Record<string, string>> = { "\\n": "\n", "\\r": "\r", "\\t": "\t" }

const writtenIn = (said: string): ReadonlyArray<Json> => {
  const objects: Array<Json> = []
  const starts = /\{\s*(?:["'“}]|\/\/)/g
  let broken = 0
  for (
    let start = starts.exec(said);
    start !== null && broken < brokenMax;
    start = starts.exec(said)
  ) {
    const end = endOf(said, start.index)
    const written = said.slice(start.index, end)
    const json = Option.orElse(decode(written), () => decode(mended(written)))
    if (Option.isSome(json)) objects.push(json.value)
    else broken += 1
    starts.lastIndex = Option.isSome(json) ? end : start.index + 1
  }
  return objects.toReversed().slice(0, objectsMax)
}

/** Index after the brace that closes the object, ignoring strings; `start` if unclosed. */
const endOf = (text: string, start: number): number => {
  const marks = /"(?:[^"\\]|\\[^])*(?:"|$)|[{}[\]]/g
  marks.lastIndex = start
  let depth = 0
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (/^[{[]/.test(mark[0])) depth += 1
    else if (/^[}\]]/.test(mark[0])) depth -= 1
    if (depth === 0) return marks.lastIndex
    if (depth > depthMax) return start
  }
  return start
}

// Each string runs to the end if unclosed, so that no two scans overlap.
const unusual = new RegExp(
  "\"(?:[^\"\\\\]|\\\\[^])*(?:\"|$)|'(?:[^'\\\\]|\\\\[^])*(?:'|$)|“[^”]*(?:”|$)|" +
    "\\/\\/[^\\n]*|\\b(?:True|False|None)\\b",
  "g"
)
const lastCommas = /"(?:[^"\\]|\\[^])*(?:"|$)|,(?=\s*[}\]])/g
const words: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" }

/** Python literals, single quotes, comments, raw newlines and trailing commas converted to JSON. */
const mended = (text: string): string =>
  text.replace(unusual, (token) => {
    if (token.startsWith("//")) return ""
    const inner = token.slice(1, -1)
    return words[token] ?? (token.startsWith("\"")
      ? token.replace(/[\0-\x1f]/g, (sign) => JSON.stringify(sign).slice(1, -1))
      : `"${inner.replaceAll("\\'", "'").replace(/\\?"/g, "\\\"")}"`)
  }).replace(lastCommas, (token) => token === "," ? "" : token)

/** Values by field for what an answer leaves out or misspells; or a function of its object. */
export type Defaults = Readonly<Record<string, unknown>>

/** The object in the shape, or the one that it holds under the shape's or another name. */
export const fitted = (shape: JsonSchema.JsonSchema, defaults: Defaults, said: Json): unknown => {
  const isOurs = (json: object) => propertiesOf(shape).some(([name]) => name in json)
  const inner = Object.values(said).filter(Predicate.isObject).find(isOurs)
  return fit({ shape, defaults }, isOurs(said) || inner === undefined ? said : inner)
}

interface Wanted {
  readonly shape: JsonSchema.JsonSchema
  readonly defaults: Defaults
}

const propertiesOf = ({ properties }: JsonSchema.JsonSchema) =>
  Object.entries(Predicate.isObject(properties) ? properties : {}).flatMap(([name, own]) =>
    Predicate.isObject(own) ? [[name, own] as const] : []
  )

const fit = (wanted: Wanted, value: unknown): unknown => {
  const { shape } = wanted
  if (Array.isArray(shape["enum"])) return wordOf(shape["enum"], value)
  switch (shape.type) {
    case "object":
      return objectOf(wanted, value)
    case "array":
      return listOf(wanted, value)
    case "integer":
    case "number":
      return numberOf(shape, value)
    case "boolean":
      return truthOf(value)
    default:
      return textOf(value)
  }
}

const textOf = (value: unknown): unknown => {
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  const [only, ...others] = Predicate.isObject(value) ? Object.values(value) : []
  return typeof only === "string" && others.length === 0 ? only : value
}

const objectOf = ({ defaults, shape }: Wanted, value: unknown): unknown => {
  if (Array.isArray(value) && value.length === 1) return objectOf({ defaults, shape }, value[0])
  if (!Predicate.isObject(value)) return value
  const held = new Map(Object.entries(value))
  return Object.fromEntries(
    propertiesOf(shape).flatMap(([name, own]) => {
      const said = held.get(name) ?? undefined
      const read = said === undefined ? undefined : fit({ shape: own, defaults }, said)
      const isNone = read === undefined || Array.isArray(own["enum"]) && !own["enum"].includes(read)
      if (isNone && name in defaults) {
        const other = defaults[name]
        return [[name, Predicate.isFunction(other) ? other(value) : other]]
      }
      return said === undefined ? [] : [[name, read]]
    })
  )
}

/** Elements that cannot be read are left out, unless none is left. */
const listOf = ({ defaults, shape }: Wanted, value: unknown): unknown => {
  const items: JsonSchema.JsonSchema = Predicate.isObject(shape["items"]) ? shape["items"] : {}
  const words = items["enum"]
  if (typeof value === "number" && items.type === "string") return value
  const values = typeof value === "string" && Array.isArray(words) ? value.split(/[,;\s]+/) : value
  const list: ReadonlyArray<unknown> = Array.isArray(values) ? values : [values]
  const read = list.map((one) => fit({ shape: items, defaults }, one))
  if (Array.isArray(words)) return read.filter((word) => words.includes(word))
  const required = Array.isArray(items.required) ? items.required : []
  const whole = read.filter((one) => required.every((name) => Predicate.hasProperty(one, name)))
  return whole.length > 0 ? whole : read
}

const wordOf = (known: ReadonlyArray<unknown>, value: unknown): unknown => {
  const plain = (word: unknown) => plainOf(word).replace(/[\s-]+/g, "_")
  const one = textOf(Array.isArray(value) && value.length === 1 ? value[0] : value)
  return known.find((word) => plain(word) === plain(one)) ?? value
}

const numberOf = ({ maximum, minimum }: JsonSchema.JsonSchema, value: unknown): unknown => {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value
  const [figure] = typeof one === "string" ? /-?\d+/.exec(one) ?? [] : []
  const number = typeof one === "number" ? one : Number(figure ?? Number.NaN)
  if (!Number.isFinite(number)) return value
  const least = typeof minimum === "number" ? minimum : number
  const most = typeof maximum === "number" ? maximum : number
  return Math.min(most, Math.max(least, Math.round(number)))
}

/** An object has no text of its own: it may be in one of its fields. */
const plainOf = (value: unknown): string =>
  Predicate.isObjectOrArray(value) ? "" : String(value).trim().toLowerCase()

const truthOf = (value: unknown): unknown => {
  const word = plainOf(value)
  if (["true", "yes", "1"].includes(word)) return true
  return ["false", "no", "0"].includes(word) ? false : value
}
