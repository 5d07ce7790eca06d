/** TypeScript of the contract: shapes from JSON schemas, names and comments from their sources. */
import { Option, Schema } from "effect"
import {
  argument,
  bare,
  type Declaration,
  declared,
  type Expression,
  fieldsOf,
  memberOf,
  partsOf
} from "./SchemaSource.ts"

interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<string | number | boolean>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

export interface JsonDocument {
  readonly schema: JsonSchema
  readonly definitions: Readonly<Record<string, JsonSchema>>
}

/** Schemas whose literals are explained elsewhere, with what each means. */
export type Meanings = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Types {
  /** Adds a type and all it is made of. Answers how to name it. */
  readonly add: (schema: Schema.Top, source: Expression, defaultsOf?: unknown) => string
  readonly text: () => string
}

type Defaults = Readonly<Record<string, unknown>>

/** Bounds beyond this are those of the number format itself. */
const numberMax = Number.MAX_SAFE_INTEGER

/** What one comment says; `*` begins each line of a long one. */
const commented = (doc: string): string => {
  if (doc === "") return ""
  const safe = doc.replaceAll("*/", "* /")
  return safe.includes("\n") || safe.length > 90
    ? `/**\n${safe.split("\n").map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`
    : `/** ${safe} */\n`
}

/** Longest comment that fits on one line of a nested field. */
const lineCharsMax = 84

const wrapped = (doc: string, sentence: string): string => {
  const line = `${doc} ${sentence}`.trim()
  const fits = line.length <= lineCharsMax && !doc.includes("\n") && !sentence.startsWith("-")
  return sentence === "" || fits ? line : `${doc}\n${sentence}`
}

const boundsOf = (schema: JsonSchema, doc: string): string => {
  const { maxItems, maxLength, maximum, minimum } = schema
  if (maxLength !== undefined) return `At most ${maxLength} characters.`
  if (maxItems !== undefined) return `At most ${maxItems}.`
  if (maximum === undefined || maximum >= numberMax || / to \d/.test(doc)) return ""
  return `${minimum ?? 0} to ${maximum}.`
}

const defaultOf = (value: unknown, doc: string): string =>
  value === undefined || /default/i.test(doc) ? "" : `Default: \`${JSON.stringify(value)}\`.`

export const make = (meanings: Meanings): Types => {
  /** Name -> its declaration. */
  const written = new Map<string, string>()

  const typeOf = (
    schema: JsonSchema,
    source: Expression | undefined,
    definitions: Readonly<Record<string, JsonSchema>>,
    defaults: Defaults = {}
  ): string => {
    if (schema.$ref !== undefined) {
      const meant = definitions[schema.$ref.split("/").at(-1) ?? ""]
      return meant === undefined ? "unknown" : typeOf(meant, source, definitions, defaults)
    }
    const declaration = source === undefined ? undefined : meantBy(source)
    if (declaration === undefined || !isNamed(schema, declaration)) {
      return shapeOf(schema, source, definitions, defaults)
    }
    const { name } = declaration
    // What it is made of is written before it is known to be the same.
    const shape = shapeOf(schema, declaration, definitions, defaults)
    const doc = wrapped(declaration.doc, literalsOf(name, declaration))
    const text = commented(doc) +
      (schema.properties === undefined
        ? `export type ${name} = ${shape}\n`
        : `export interface ${name} ${shape}\n`)
    const before = written.get(name)
    if (before === undefined) written.set(name, text)
    else if (bareOf(before) !== bareOf(text)) throw new Error(`${name} means two things`)
    return name
  }

  /** What each literal means, a line each. */
  const literalsOf = (name: string, declaration: Declaration): string => {
    const meant = meanings[name] ?? Object.fromEntries(
      partsOf(argument(bare(declaration), /^Schema\.Literals\(\[/)?.text ?? "")
        .filter(({ doc }) => doc !== "")
        .map(({ doc, text }) => [text.replaceAll("\"", ""), doc.replaceAll("\n", " ")])
    )
    return Object.entries(meant).map(([literal, meaning]) => `- \`${literal}\`: ${meaning}`)
      .join("\n")
  }

  /** Literals, and a union, of another named type with more: that name, and what comes on top. */
  const joinedOf = ({ file, text }: Expression): string | undefined => {
    const [, name = "", literal] =
      /^Schema\.Literals\(\[\.\.\.(\w+)\.literals, ("\w+")\]\)$/.exec(text) ??
        /^Schema\.Union\(\[(\w+), Schema\.Literal\(("\w+")\)\]\)$/.exec(text) ?? []
    return declared({ file, text: name }) === undefined ? undefined : `${name} | ${literal}`
  }

  const shapeOf = (
    schema: JsonSchema,
    source: Expression | undefined,
    definitions: Readonly<Record<string, JsonSchema>>,
    defaults: Defaults
  ): string => {
    const within = source === undefined ? undefined : bare(source)
    const joined = within === undefined ? undefined : joinedOf(within)
    if (joined !== undefined) return joined
    if (schema.enum !== undefined) {
      return schema.enum.map((one) => JSON.stringify(one)).join(" | ")
    }
    if (schema.anyOf !== undefined) {
      const listed = within === undefined ? undefined : argument(within, /^Schema\.Union\(\[/)
      const members = listed === undefined ? [] : partsOf(listed.text)
      const types = schema.anyOf.map((one, at) => {
        const text = members.length === schema.anyOf?.length ? members[at]?.text : undefined
        const member = listed === undefined || text === undefined
          ? undefined
          : { file: listed.file, text }
        return typeOf(one, member, definitions)
      })
      return [...new Set(types)].join(" | ")
    }
    switch (schema.type) {
      case "object":
        return objectOf(schema, within, definitions, defaults)
      case "array": {
        const of = within === undefined
          ? undefined
          : argument(within, /^Schema\.(?:NonEmpty)?Array\(/)
        const item = typeOf(schema.items ?? {}, of, definitions)
        return `ReadonlyArray<${item}>`
      }
      case "integer":
      case "number":
        return "number"
      case "string":
      case "boolean":
      case "null":
        return schema.type
      default:
        return "unknown"
    }
  }

  const objectOf = (
    { additionalProperties, properties, required = [] }: JsonSchema,
    source: Expression | undefined,
    definitions: Readonly<Record<string, JsonSchema>>,
    defaults: Defaults
  ): string => {
    if (properties === undefined) {
      const value = typeof additionalProperties === "object" ? additionalProperties : {}
      const parts = source === undefined ? undefined : argument(source, /^Schema\.Record\(/)
      const text = parts === undefined ? undefined : partsOf(parts.text)[1]?.text
      const of = parts === undefined || text === undefined ? undefined : { file: parts.file, text }
      return `Readonly<Record<string, ${typeOf(value, of, definitions)}>>`
    }
    const fields = source === undefined ? new Map<string, never>() : fieldsOf(source)
    const lines = Object.entries(properties).map(([name, schema]) => {
      const field = fields.get(name)
      const type = typeOf(schema, field?.value, definitions)
      const own = field?.doc ?? ""
      const doc = [boundsOf(schema, own), defaultOf(defaults[name], own)]
        .reduce(wrapped, own)
      const mark = required.includes(name) ? "" : "?"
      return `${commented(doc)}readonly ${JSON.stringify(name).slice(1, -1)}${mark}: ${type}`
    })
    return `{\n${lines.join("\n")}\n}`
  }

  return {
    add: (schema, source, sample) => {
      const document = Schema.toJsonSchemaDocument(schema)
      const decoded = sample === undefined
        ? Option.none()
        : Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))(sample)
      return typeOf(
        document.schema,
        source,
        document.definitions,
        Option.getOrElse(decoded, () => ({}))
      )
    },
    text: () => [...written.values()].join("\n")
  }
}

/** Defaults are stated where the type is an input of its own, which is where it comes first. */
const bareOf = (text: string): string => text.replace(/\/\*\*[^]*?\*\/\n/g, "")

/** Types of their own: what has a name and is more than a text or a number. */
const isNamed = (schema: JsonSchema, { name }: Declaration): boolean =>
  /^[A-Z]/.test(name) &&
  (schema.properties !== undefined || schema.enum !== undefined || schema.anyOf !== undefined)

/** The declaration that an expression comes to through names and fields alone. */
const meantBy = (source: Expression): Declaration | undefined => {
  const expression = bare(source)
  const member = memberOf(expression)
  if (member !== undefined) return meantBy(member)
  const found = declared(expression)
  if (found === undefined) return undefined
  const [, of, field] = /^(\w+)\.fields\.(\w+)$/.exec(found.text) ?? []
  if (of === undefined || field === undefined) return found
  return meantBy(found) ?? undefined
}
