/**
 * Reads the YAML that `compose.yaml` and `deploy/` are written in: blocks of mappings and lists,
 * plain and double-quoted scalars, lists in brackets as JSON. Anything else is an error, so that
 * nothing is read in another way than other programs read it.
 */

export type Yaml = string | number | boolean | null | ReadonlyArray<Yaml> | YamlMap
export interface YamlMap {
  readonly [key: string]: Yaml
}

interface Line {
  readonly indent: number
  readonly text: string
}

/** Lines without comments and blanks. A `#` begins a comment where a line or a space is before it. */
const linesOf = (text: string): ReadonlyArray<Line> =>
  text.split("\n").map((line) => line.replace(/(^|\s)#.*$/, "").trimEnd())
    .filter((line) => line !== "").map((line) => {
      if (line.includes("\t")) throw new Error(`a tab in ${line}`)
      const trimmed = line.trimStart()
      return { indent: line.length - trimmed.length, text: trimmed }
    })

const scalar = (text: string): Yaml => {
  if (/^["[]/.test(text)) return JSON.parse(text)
  if (/^[{&*!|>%@`']/.test(text) || text.includes(": ")) throw new Error(`not read here: ${text}`)
  if (/^(true|false)$/.test(text)) return text === "true"
  if (/^(null|~)$/.test(text)) return null
  if (/^-?\d+$/.test(text)) return Number(text)
  if (/^(yes|no|on|off|0[xo]?\d+|-?\d*\.\d+)$/i.test(text)) throw new Error(`ambiguous: ${text}`)
  return text
}

const pair = /^("[^"]*"|[^\s"'[{][^:]*):(?: +(.*))?$/

/** What stands at this indent from the line `from` on, and the line after it. */
const block = (
  lines: ReadonlyArray<Line>,
  from: number,
  indent: number
): readonly [Yaml, number] => {
  const first = lines[from]
  if (first === undefined || first.indent < indent) return [null, from]
  if (first.indent !== indent) throw new Error(`unexpected indent: ${first.text}`)
  return first.text.startsWith("- ") ? list(lines, from, indent) : map(lines, from, indent)
}

const list = (
  lines: ReadonlyArray<Line>,
  from: number,
  indent: number
): readonly [Yaml, number] => {
  const items: Array<Yaml> = []
  let at = from
  for (;;) {
    const line = lines[at]
    if (line === undefined || line.indent !== indent || !line.text.startsWith("- ")) break
    const text = line.text.slice(2).trimStart()
    if (pair.test(text) && !text.startsWith("\"")) {
      // The item's mapping begins behind the dash.
      const inner = indent + line.text.length - text.length
      const item = lines.with(at, { indent: inner, text })
      const [value, next] = map(item, at, inner)
      items.push(value)
      at = next
    } else {
      items.push(scalar(text))
      at += 1
    }
  }
  return [items, at]
}

const map = (lines: ReadonlyArray<Line>, from: number, indent: number): readonly [Yaml, number] => {
  const entries: Array<readonly [string, Yaml]> = []
  let at = from
  for (;;) {
    const line = lines[at]
    if (line === undefined || line.indent !== indent || line.text.startsWith("- ")) break
    const [matched, name = "", inline] = pair.exec(line.text) ?? []
    if (matched === undefined) throw new Error(`neither key nor value: ${line.text}`)
    const key = name.startsWith("\"") ? String(JSON.parse(name)) : name
    if (entries.some(([other]) => other === key)) throw new Error(`twice: ${key}`)
    if (inline !== undefined) {
      entries.push([key, scalar(inline)])
      at += 1
    } else {
      const below = lines[at + 1]
      const inner = below !== undefined && below.indent > indent ? below.indent : indent + 1
      const [value, next] = block(lines, at + 1, inner)
      entries.push([key, value])
      at = next
    }
  }
  return [Object.fromEntries(entries), at]
}

export const readYaml = (text: string): Yaml => {
  const lines = linesOf(text)
  const [value, end] = block(lines, 0, 0)
  if (end !== lines.length) throw new Error(`unexpected: ${lines[end]?.text}`)
  return value
}

/** The value at a path of keys and places; `undefined`: there is none. */
export const valueAt = (
  yaml: Yaml | undefined,
  ...path: ReadonlyArray<string | number>
): Yaml | undefined => {
  const [first, ...others] = path
  if (first === undefined || yaml === undefined) return yaml
  if (typeof yaml !== "object" || yaml === null) return undefined
  const found = Object.entries(yaml).find(([key]) => key === String(first))
  return valueAt(found?.[1], ...others)
}

/** The entries of a mapping at a path; none where there is none. */
export const entriesAt = (
  yaml: Yaml | undefined,
  ...path: ReadonlyArray<string | number>
): ReadonlyArray<readonly [string, Yaml]> => {
  const found = valueAt(yaml, ...path)
  return typeof found === "object" && found !== null ? Object.entries(found) : []
}
