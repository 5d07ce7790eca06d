/** Breaks text into lines of a terminal, where Chinese, Japanese and Korean take two columns. */

const unspaced = "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}"
const wide = new RegExp(
  `[${unspaced}\\p{scx=Hangul}\\p{Emoji_Presentation}\\u3000-\\u303F\\uFF01-\\uFF60\\uFFE0-\\uFFE6]`,
  "v"
)
const unseen = /[\p{Mn}\p{Me}\p{Cf}]/v
/** Spaces, a character that needs none around it with what may not open a line, or a word. */
const piece = new RegExp(
  ` +|[[${unspaced}]&&[\\p{L}]][ー々\\p{Pe}\\p{Pf}、。，．！？]*|(?:(?![[${unspaced}]&&[\\p{L}]])[^ ])+`,
  "gv"
)

/** Columns that a text takes. */
export const widthOf = (text: string): number =>
  Array.from(text).reduce((sum, character) => {
    if (unseen.test(character)) return sum
    return sum + (wide.test(character) ? 2 : 1)
  }, 0)

/** The first line after `first` spaces, the others after `rest`; a long word is left whole. */
export const indent = (
  text: string,
  first: number,
  rest: number,
  columns: number
): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = " ".repeat(first)
  for (const [part] of text.matchAll(piece)) {
    const isSpace = part.startsWith(" ")
    if (!isSpace && widthOf(line) + widthOf(part) > columns && line.trim() !== "") {
      lines.push(line.trimEnd())
      line = " ".repeat(rest)
    }
    line += isSpace && line.trim() === "" ? "" : part
  }
  return [...lines, line.trimEnd()]
}

/**
 * Parts that are kept whole, two spaces between them, as many a line as fit. The first line starts
 * after `first` spaces, the others after `rest`. A part wider than a line is broken at its spaces.
 */
export const indentParts = (
  parts: ReadonlyArray<string>,
  first: number,
  rest: number,
  columns: number
): ReadonlyArray<string> =>
  parts.reduce<ReadonlyArray<string>>((lines, part) => {
    const last = lines.at(-1)
    const joined = last === undefined ? undefined : `${last}  ${part}`
    if (joined !== undefined && widthOf(joined) <= columns) return [...lines.slice(0, -1), joined]
    return [...lines, ...indent(part, last === undefined ? first : rest, rest, columns)]
  }, [])
