/** Reads an evidence block back: what its excerpts are, if no page has closed the box. */
import * as InjectionFlag from "../../packages/language/src/injection/InjectionFlag.ts"
import type { ParsedExcerpt } from "../../src/domain/view/EvidenceBlock.ts"

/** Excerpts or sentences of a block; empty when the text has no such delimiters. */
export const parse = (text: string, boundary: string): ReadonlyArray<ParsedExcerpt> => {
  const lines = text.split("\n")
  const first = lines.findIndex((line) => line.startsWith(InjectionFlag.openingLine(boundary, "")))
  const last = lines.indexOf(InjectionFlag.closingLine(boundary))
  const inside = lines.slice(first + 1, Math.max(0, last))
  return inside.reduce<ReadonlyArray<ParsedExcerpt>>((list, line) => {
    const marked = /^\[(\d+)(?:\](\+)?[>!?]|\.\d+\]) (.*)$/s.exec(line)
    if (marked === null) return list
    const words = unescaped(marked[3] ?? "")
    const open = list.at(-1)
    return marked[2] === undefined || open === undefined
      ? [...list, { source: Number(marked[1]), text: words }]
      : list.with(-1, { ...open, text: `${open.text}\n${words}` })
  }, [])
}

/** Inverse of `BoxedText.escaped`. */
export const unescaped = (text: string): string =>
  text.replace(
    /\\(?:\\|u\{([0-9a-f]{1,6})\})/g,
    (_, code: string | undefined) =>
      code === undefined ? "\\" : String.fromCodePoint(Number.parseInt(code, 16))
  )
