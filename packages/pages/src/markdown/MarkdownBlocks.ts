/** Markdown as blocks that stand on lines of their own: headings, paragraphs, items, rows, code. */
import * as MarkdownInline from "./MarkdownInline.ts"

export type BlockKind = "heading" | "text" | "item" | "row" | "code"

export interface MarkdownBlock {
  readonly kind: BlockKind
  /** Text as a reader sees it; lines of code are kept, other blocks are one line. */
  readonly text: string
}

/** A longer paragraph with a line below it is no heading. In UTF-16 code units. */
const headingCharsMax = 300

/** Separator between the cells of a row. */
const cellMark = " | "

interface Open {
  kind: BlockKind
  lines: Array<string>
}

interface Fence {
  readonly mark: string
  readonly lines: Array<string>
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})([^`]*)$/
const heading = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/
const underline = /^ {0,3}(?:=+|-{2,})[ \t]*$/
const ruler = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const item = /^[ \t]*(?:[-*+]|(\d{1,9}[.)]))[ \t]+(?:\[[ xX]\][ \t]+)?(.*)$/
const rowLine = /^[ \t]*\|/
const rowRuler = /^[ \t|:-]+$/
const definition = /^ {0,3}\[([^[\]]{1,999})\]:[ \t]*<?(?:[a-z][a-z0-9+.-]*:|[/#.])\S*/i
const quoteMarks = /^(?: {0,3}>[ \t]?)+/

/**
 * Blocks in order. Empty lines separate paragraphs; definitions of references, rulers and images
 * are removed.
 */
export const markdownBlocks = (markdown: string): ReadonlyArray<MarkdownBlock> => {
  const lines = markdown.replace(/\r\n?/g, "\n").split("\n")
  const references = new Set(
    lines.flatMap((line) => {
      const label = definition.exec(line)?.[1]
      return label === undefined ? [] : [MarkdownInline.labelOf(label)]
    })
  )
  const opened = blocksOf(lines)
  return opened.flatMap(({ kind, lines }) => {
    const text = textOf(kind, lines, references)
    return text.trim() === "" ? [] : [{ kind, text }]
  })
}

const blocksOf = (lines: ReadonlyArray<string>): ReadonlyArray<Open> => {
  const blocks: Array<Open> = []
  let fence: Fence | undefined
  let open: Open | undefined
  const start = (kind: BlockKind, first: string): Open => {
    const block: Open = { kind, lines: [first] }
    blocks.push(block)
    return block
  }
  for (const raw of lines) {
    if (fence !== undefined) {
      if (closesFence(raw, fence.mark)) fence = undefined
      else fence.lines.push(raw)
      continue
    }
    const line = raw.replace(quoteMarks, "")
    const mark = fenceLine.exec(line)?.[1]
    if (mark !== undefined) {
      const code: Open = { kind: "code", lines: [] }
      blocks.push(code)
      fence = { mark, lines: code.lines }
      open = undefined
      continue
    }
    if (line.trim() === "" || definition.test(line)) {
      open = undefined
      continue
    }
    const title = heading.exec(line)
    if (title !== null) {
      start("heading", withoutClosingMarks(title[1] ?? ""))
      open = undefined
      continue
    }
    if (open?.kind === "text" && underline.test(line)) {
      if (open.lines.join(" ").length <= headingCharsMax) open.kind = "heading"
      open = undefined
      continue
    }
    if (ruler.test(line)) {
      open = undefined
      continue
    }
    if (rowLine.test(line)) {
      if (!rowRuler.test(line)) start("row", line)
      open = undefined
      continue
    }
    const entry = item.exec(line)
    if (entry !== null) {
      const number = entry[1] === undefined ? "" : `${entry[1]} `
      open = start("item", `${number}${entry[2] ?? ""}`)
      continue
    }
    if (open !== undefined) open.lines.push(line)
    else open = start(/^(?: {4}|\t)/.test(line) && !follows(blocks, "item") ? "code" : "text", line)
  }
  return blocks
}

const closesFence = (line: string, mark: string): boolean => {
  const [, other = "", rest = ""] = fenceLine.exec(line.replace(quoteMarks, "")) ?? []
  return other.startsWith(mark) && rest.trim() === ""
}

/** Whether an indented block belongs to the item before it, and is no code. */
const follows = (blocks: ReadonlyArray<Open>, kind: BlockKind): boolean =>
  blocks.at(-1)?.kind === kind

const textOf = (
  kind: BlockKind,
  lines: ReadonlyArray<string>,
  references: ReadonlySet<string>
): string => {
  if (kind === "code") return lines.join("\n").replace(/^\n+|\s+$/g, "")
  const wordsOf = (text: string) =>
    MarkdownInline.words(text, references).replace(/[^\S\n]*\n\s*|[^\S\n]+/g, spaced).trim()
  return kind === "row"
    ? withoutEnd(cellsOf(lines.join(" ")).map(wordsOf)).join(cellMark).trim()
    : wordsOf(lines.map((line) => line.trim()).join("\n"))
}

/** Lines that were only wrapped go on; between Chinese or Japanese characters without a space. */
const spaced = (gap: string, at: number, text: string): string =>
  gap.includes("\n") && joined.test(text.charAt(at - 1)) &&
    joined.test(text.charAt(at + gap.length))
    ? ""
    : " "

const joined = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u

/** Parted by bars that are neither escaped nor code; empty ones hold the others' columns. */
const cellsOf = (row: string): ReadonlyArray<string> => {
  const cells: Array<string> = []
  const text = row.trim().replace(/^\|/, "")
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === "\\") at += 1
    else if (character === "`") at = Math.max(at, text.indexOf("`", at + 1))
    else if (character === "|") {
      cells.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...cells, text.slice(start)].map((cell) => cell.replaceAll("\\|", "|").trim())
}

const withoutEnd = (cells: ReadonlyArray<string>): ReadonlyArray<string> =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1)

const withoutClosingMarks = (title: string): string => {
  const text = title.trimEnd()
  let end = text.length
  while (text.charAt(end - 1) === "#") end -= 1
  return end === 0 || /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end) : text
}
