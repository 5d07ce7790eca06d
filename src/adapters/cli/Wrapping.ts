/** Breaks text into lines of a terminal, where Chinese, Japanese and Korean take two columns. */

const unspaced = "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}"
const wide = new RegExp(`[${unspaced}\\p{scx=Hangul}\\u3000-\\u303F\\uFF01-\\uFF60]`, "v")
const unseen = /\p{M}/v
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
