/** Untrusted JSON: its size is bounded before it is parsed. */
import { Option, Predicate, type Schema } from "effect"

/** The contract's longest question has some 70,000 characters, six bytes each if escaped. */
export const bodyBytesMax = 512 * 1_024
const depthMax = 32
const partsMax = 2_000

export const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** Whether a value of `JSON.parse` is JSON: all are, except numbers found by `notFinite`. */
export const isJson = (value: unknown): value is Schema.Json => value !== undefined

/** Path of the first number such as `1e999`, which parses to infinity; `undefined` if none. */
export const notFinite = (value: unknown, path: string): string | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : path
  if (!Predicate.isObjectOrArray(value)) return undefined
  for (const [key, part] of Object.entries(value)) {
    const faulty = notFinite(part, `${path}.${key}`)
    if (faulty !== undefined) return faulty
  }
  return undefined
}

const quote = 34
const backslash = 92
const comma = 44
const colon = 58
const opening: ReadonlySet<number> = new Set([91, 123])
const closing: ReadonlySet<number> = new Set([93, 125])

/** Counted before parsing, which is expensive for hostile text; `undefined` if none. */
export const sizeFaultOf = (text: string): string | undefined => {
  let depth = 0
  let parts = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === backslash) index += 1
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (opening.has(code)) depth += 1
    else if (closing.has(code)) depth -= 1
    else if (code === comma || code === colon) parts += 1
    if (depth > depthMax) return `Expected at most ${depthMax} levels`
    if (parts > partsMax) return `Expected at most ${partsMax} keys and elements`
  }
  return undefined
}
