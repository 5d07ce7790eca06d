/** Reads names and comments from the sources of the contract's schemas, in the forms used here. */
import { readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"

/** An expression, and the file whose names it speaks of. */
export interface Expression {
  readonly file: string
  readonly text: string
}

export interface Declaration extends Expression {
  readonly name: string
  readonly doc: string
}

export interface Part {
  readonly doc: string
  readonly text: string
}

interface Source {
  readonly declarations: ReadonlyMap<string, Declaration>
  /** Local name -> file and the name there; `*`: all of it. */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>
}

const opening = "([{"
const closing = ")]}"

/** Where the string, comment or pattern that begins here ends; itself where none begins. */
const skipped = (text: string, at: number): number => {
  const rest = text.slice(at)
  const token = /^(?:\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)/.exec(rest) ??
    (/[(,=:?[]\s*$/.test(text.slice(0, at))
      ? /^\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+\/[a-z]*/.exec(rest)
      : null)
  return at + (token?.[0].length ?? 0)
}

/** Position of the first sign at depth 0 that fits, from there on. */
const findAt = (text: string, from: number, fits: (at: number) => boolean): number => {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const after = skipped(text, at)
    if (after > at) {
      at = after - 1
      continue
    }
    if (depth === 0 && fits(at)) return at
    const sign = text[at] ?? ""
    if (opening.includes(sign)) depth += 1
    if (closing.includes(sign)) depth -= 1
    if (depth < 0) return at
  }
  return text.length
}

/** One sentence a line, without the stars. */
const docOf = (comment: string): string =>
  comment.replace(/^\s*\/\*\*|\*\/\s*$/g, "").split("\n").map((line) =>
    line.replace(/^\s*\*? ?/, "").trimEnd()
  ).join("\n").trim()

const declarationsIn = (file: string, text: string): ReadonlyMap<string, Declaration> => {
  const found = new Map<string, Declaration>()
  const pattern =
    /(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?^(?:export )?(?:const (\w+|\{[^}]*\})(?:: [^=\n]+)? =|class (\w+)\s+extends)\s/gm
  for (const match of text.matchAll(pattern)) {
    const from = match.index + match[0].length
    const end = findAt(text, from, (at) => text[at] === "\n" && /\S/.test(text[at + 1] ?? "\n"))
    const value = text.slice(from, end).trim()
    const doc = docOf(match[1] ?? "")
    const named = match[2] ?? match[3] ?? ""
    const names = named.startsWith("{")
      ? named.slice(1, -1).split(",").map((one) => one.trim()).filter((one) => /^\w+$/.test(one))
      : [named]
    for (const name of names) {
      const of = named.startsWith("{") ? `${value}.${name}` : value
      found.set(name, { file, name, doc, text: of })
    }
  }
  return found
}

const importsIn = (file: string, text: string): Source["imports"] => {
  const found = new Map<string, { readonly file: string; readonly name: string }>()
  for (const [, names = "", from = ""] of text.matchAll(/^import ([^"]+?) from "(\.[^"]+)"/gm)) {
    const target = normalize(join(dirname(file), from))
    const whole = /\* as (\w+)/.exec(names)?.[1]
    if (whole !== undefined) found.set(whole, { file: target, name: "*" })
    for (const [, name = "", local] of names.matchAll(/(?:type )?\b(\w+)\b(?: as (\w+))?/g)) {
      if (whole === undefined) found.set(local ?? name, { file: target, name })
    }
  }
  return found
}

const sources = new Map<string, Source>()

const sourceOf = (file: string): Source => {
  const known = sources.get(file)
  if (known !== undefined) return known
  const text = readFileSync(file, "utf8")
  const source = { declarations: declarationsIn(file, text), imports: importsIn(file, text) }
  sources.set(file, source)
  return source
}

/** What a name, or a name of a namespace, refers to. */
export const declared = ({ file, text }: Expression): Declaration | undefined => {
  const [first = "", second, ...rest] = text.split(".")
  if (rest.length > 0 || !/^[\w.]+$/.test(text)) return undefined
  const { declarations, imports } = sourceOf(file)
  const imported = imports.get(first)
  if (second === undefined) {
    if (imported === undefined) return declarations.get(first)
    return declared({ file: imported.file, text: imported.name })
  }
  return imported?.name === "*" ? declared({ file: imported.file, text: second }) : undefined
}

/** What is between the first brackets of these, e.g. of `Schema.Array(`. */
export const argument = ({ file, text }: Expression, head: RegExp): Expression | undefined => {
  const match = head.exec(text)
  if (match === null || match.index !== 0) return undefined
  const end = findAt(text, match[0].length, () => false)
  return { file, text: text.slice(match[0].length, end).trim() }
}

/** What is parted by commas, each with the comment before it. */
export const partsOf = (text: string): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  for (let from = 0; from < text.length;) {
    const end = findAt(text, from, (at) => text[at] === ",")
    const whole = text.slice(from, end).trim()
    const comment = /^(?:\/\*[^]*?\*\/\s*|\/\/[^\n]*\n\s*)+/.exec(whole)?.[0] ?? ""
    const doc = comment.trimEnd().endsWith("*/") ? docOf(comment.trim()) : ""
    const part = whole.slice(comment.length).trim()
    if (part !== "") parts.push({ doc, text: part })
    from = end + 1
  }
  return parts
}

/** The expression without what is checked or defaulted behind it. */
export const bare = ({ file, text }: Expression): Expression => {
  const end = findAt(text, 0, (at) => /^\s*\.(?:pipe|check|annotate)\(/.test(text.slice(at)))
  const optional = argument(
    { file, text: text.slice(0, end).trim() },
    /^Schema\.(?:optionalKey|optional|UndefinedOr)\(/
  )
  return optional === undefined ? { file, text: text.slice(0, end).trim() } : bare(optional)
}

export interface Field {
  readonly doc: string
  readonly value: Expression
}

const structHead =
  /^(?:Schema\.Struct\(|Schema\.TaggedStruct\("\w+",|Schema\.(?:Class|TaggedError)<\w+>\(\)?\(?"\w+"[,)]\s*\(?)\s*\{/

/** The fields of a struct, by name, spread ones included. */
export const fieldsOf = (of: Expression): ReadonlyMap<string, Field> => {
  const expression = bare(of)
  const inner = argument(expression, structHead) ?? argument(expression, /^\{/)
  if (inner === undefined) {
    const { file, text } = expression
    const meant = declared({ file, text: text.replace(/\.fields$/, "") })
    return meant === undefined ? new Map() : fieldsOf(meant)
  }
  const fields = new Map<string, Field>()
  for (const { doc, text } of partsOf(inner.text)) {
    const { file } = inner
    if (text.startsWith("...")) {
      const spread = fieldsOf({ file, text: text.slice("...".length) })
      for (const [name, field] of spread) fields.set(name, field)
      continue
    }
    const [, name = text, value = text] = /^"?(\w+)"?\s*:\s*([^]+)$/.exec(text) ?? []
    fields.set(name, { doc, value: { file, text: value } })
  }
  return fields
}

/** The field that `X.fields.y` names. */
export const memberOf = ({ file, text }: Expression): Expression | undefined => {
  const match = /^([\w.]+)\.fields\.(\w+)$/.exec(text)
  if (match === null) return undefined
  return fieldsOf({ file, text: `${match[1]}.fields` }).get(match[2] ?? "")?.value
}
