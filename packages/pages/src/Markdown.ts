/** Markdown as blocks, each on its own lines: headings, paragraphs, items, rows, code. */
import { decodeHTMLStrict } from "entities"
import * as Baseline from "./Baseline.ts"
import type { BlockKind, TextBlock } from "./TextBlocks.ts"

/** Text as displayed; lines of code are kept, other blocks are one line. */
type MarkdownBlock = Pick<TextBlock, "kind" | "text">

/** A longer paragraph with an underline is no heading. In UTF-16 code units. */
const headingCharsMax = 300

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

/** Empty lines separate paragraphs; reference definitions, rulers and images are removed. */
export const markdownBlocks = (markdown: string): ReadonlyArray<MarkdownBlock> => {
  const lines = markdown.replace(/\r\n?/g, "\n").split("\n")
  const references = new Set(
    lines.flatMap((line) => {
      const label = definition.exec(line)?.[1]
      return label === undefined ? [] : [labelOf(label)]
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

/** Whether an indented block continues the item before it, and is no code. */
const follows = (blocks: ReadonlyArray<Open>, kind: BlockKind): boolean =>
  blocks.at(-1)?.kind === kind

const textOf = (
  kind: BlockKind,
  lines: ReadonlyArray<string>,
  references: ReadonlySet<string>
): string => {
  if (kind === "code") return lines.join("\n").replace(/^\n+/, "").trimEnd()
  const wordsOf = (text: string) =>
    words(text, references).replace(/[^\S\n]*\n\s*|[^\S\n]+/g, spaced).trim()
  return kind === "row"
    ? withoutEnd(cellsOf(lines.join(" ")).map(wordsOf)).join(cellMark).trim()
    : wordsOf(lines.map((line) => line.trim()).join("\n"))
}

/** Joins wrapped lines, without a space between Chinese or Japanese characters. */
const spaced = (gap: string, at: number, text: string): string =>
  gap.includes("\n") && joined.test(text.charAt(at - 1)) &&
    joined.test(text.charAt(at + gap.length))
    ? ""
    : " "

const joined = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u

/** Separated by bars that are neither escaped nor code; empty cells keep the columns aligned. */
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

// One pass over the text and one over its marks: time is linear. An unclosed mark stays, except for
// a URL that the end cut off.

interface Bracket {
  /** Index of its `[` among the pieces. */
  readonly piece: number
  readonly isImage: boolean
  /** Number of emphases opened before it, which nothing inside can close. */
  readonly emphasisDepth: number
}

interface Emphasis {
  readonly piece: number
  readonly mark: string
  left: number
}

const scanOf = (text: string, references: ReadonlySet<string>) => ({
  text,
  references,
  pieces: new Array<string>(),
  brackets: new Array<Bracket>(),
  emphases: new Array<Emphasis>(),
  hasCommentEnd: true
})
type Scan = ReturnType<typeof scanOf>

/** Most open marks; the oldest of more become text. */
const openMax = 64

const punctuation = /[!-/:-@[-`{-~]/
const plain = /[^\\`*_~[\]!<&]+/y
const backticks = /`+/y
/** A destination with at most one pair of parentheses inside, and a title. */
const destination =
  /\(\s*(?:<[^<>\n]*>|(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*)(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\([^()]*\)))?\s*\)/y
/** An invalid destination that still looks like one; also if the page was cut off within it. */
const brokenDestination = /\((?:[^\s()]*\([^\s()]*\))?(?=[a-z+.-]*(?::|$)|[/#.])[^\n)]*(?:\)|$)/iy
const reference = /\[([^[\]]{0,999})\]/y
const autolink = /<((?:https?|ftp|mailto):[^\s<>]*|[^\s<>@]+@[^\s<>]+)>/iy
/** Other words in angle brackets may be text, such as `List<String>`. */
const element = new RegExp(
  "<(?:/?(?:a|abbr|article|aside|audio|b|blockquote|body|br|button|canvas|caption|center|cite|code|" +
    "col|colgroup|dd|del|details|div|dl|dt|em|embed|figcaption|figure|font|footer|form|h[1-6]|head|" +
    "header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|math|meta|nav|noscript|object|" +
    "ol|option|p|picture|pre|s|samp|script|section|select|small|source|span|strike|strong|style|sub|" +
    "summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|u|ul|var|video)" +
    "(?=[\\s/>])[^<>]*>|[!?][a-z\\[][^<>]*>)",
  "iy"
)
/** A superscript, subscript or strikethrough without an element inside. */
const signed = /<(sup|sub|del|strike|s)\s*>([^<>]{0,200})<\/\1\s*>/iy
const signCharsMax = 60
const entity = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|[a-z][a-z\d]{1,30});/iy

/** `references`: the page's defined labels, folded by `labelOf`. */
export const words = (text: string, references: ReadonlySet<string>): string => {
  const scan = scanOf(text, references)
  for (let at = 0; at < text.length;) at = step(scan, at)
  // A link around whole blocks opens in one of them and closes in another.
  if (scan.brackets[0]?.piece === 0) scan.pieces[0] = ""
  return scan.pieces.join("")
}

const labelOf = (label: string): string => label.trim().replace(/\s+/g, " ").toLowerCase()

/** Processes one mark or run and returns the next index: always after `at`. */
const step = (scan: Scan, at: number): number => {
  const { pieces, text } = scan
  switch (text.charAt(at)) {
    case "\\":
      return escape(scan, at)
    case "`":
      return codeSpan(scan, at)
    case "*":
    case "_":
    case "~":
      return emphasis(scan, at)
    case "!":
      return text.charAt(at + 1) === "[" ? openBracket(scan, at, true) : literal(scan, at, 1)
    case "[":
      return openBracket(scan, at, false)
    case "]":
      return closeBracket(scan, at)
    case "<":
      return angle(scan, at)
    case "&":
      return entityAt(scan, at)
    default: {
      const run = matchAt(plain, text, at)?.[0] ?? text.charAt(at)
      pieces.push(run)
      return at + run.length
    }
  }
}

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const literal = ({ pieces, text }: Scan, at: number, length: number): number => {
  pieces.push(text.slice(at, at + length))
  return at + length
}

const escape = ({ pieces, text }: Scan, at: number): number => {
  const next = text.charAt(at + 1)
  const isEscape = next === "\n" || punctuation.test(next)
  pieces.push(isEscape ? next : "\\")
  return at + (isEscape ? 2 : 1)
}

const codeSpan = (scan: Scan, at: number): number => {
  const { pieces, text } = scan
  const mark = matchAt(backticks, text, at)?.[0] ?? "`"
  const inside = at + mark.length
  for (let end = text.indexOf(mark, inside); end >= 0;) {
    const run = matchAt(backticks, text, end)?.[0] ?? mark
    if (run.length === mark.length) {
      pieces.push(text.slice(inside, end).trim())
      return end + run.length
    }
    end = text.indexOf(mark, end + run.length)
  }
  // No other mark of this length closes either, so later ones are plain text, too.
  return literal(scan, at, mark.length)
}

const openBracket = (scan: Scan, at: number, isImage: boolean): number => {
  scan.brackets.push({
    piece: scan.pieces.length,
    isImage,
    emphasisDepth: scan.emphases.length
  })
  return literal(scan, at, isImage ? 2 : 1)
}

const closeBracket = (scan: Scan, at: number): number => {
  const { brackets, pieces, text } = scan
  const open = brackets.pop()
  if (open === undefined) {
    const target = targetAt(text, at + 1)
    if (target === null) pieces.push("]")
    return at + 1 + (target?.[0].length ?? 0)
  }
  const end = endOfTarget(scan, open, at + 1)
  if (end === undefined) {
    pieces.push(text.charAt(at))
    return at + 1
  }
  scan.emphases.length = Math.min(scan.emphases.length, open.emphasisDepth)
  if (open.isImage) pieces.length = open.piece
  else pieces[open.piece] = ""
  return end
}

const targetAt = (text: string, at: number): RegExpExecArray | null =>
  matchAt(destination, text, at) ?? matchAt(brokenDestination, text, at)

/** End of `(address)` or `[reference]`; none if it makes no link. */
const endOfTarget = (
  { pieces, references, text }: Scan,
  { piece }: Bracket,
  at: number
): number | undefined => {
  const found = targetAt(text, at)
  if (found !== null) return at + found[0].length
  const named = matchAt(reference, text, at)
  const label = named?.[1] ?? ""
  const own = pieces.slice(piece + 1, piece + 20).join("")
  if (references.size === 0) return undefined
  if (named !== null && references.has(labelOf(label === "" ? own : label))) {
    return at + named[0].length
  }
  return references.has(labelOf(own)) ? at : undefined
}

const angle = (scan: Scan, at: number): number => {
  const { pieces, text } = scan
  if (scan.hasCommentEnd && text.startsWith("<!--", at)) {
    const end = text.indexOf("-->", at + 4)
    if (end >= 0) return end + 3
    scan.hasCommentEnd = false
  }
  const link = matchAt(autolink, text, at)
  if (link !== null) {
    pieces.push(link[1] ?? "")
    return at + link[0].length
  }
  const tag = matchAt(element, text, at)
  if (tag === null) return literal(scan, at, 1)
  if (/^<br\b/i.test(tag[0])) pieces.push(" ")
  const sign = matchAt(signed, text, at)
  if (sign === null) return at + tag[0].length
  const [whole, name = "", inside = ""] = sign
  const before = lastOf(pieces)
  if (/^sup/i.test(name)) pieces.push(Baseline.raised(before, inside))
  if (/^sub/i.test(name)) pieces.push(Baseline.lowered(before, inside))
  const next = text.charAt(at + whole.length)
  if (Baseline.behind(lastOf(pieces), next) !== next) pieces.push(" ")
  return at + whole.length
}

/** Last characters of the output. */
const lastOf = (pieces: Scan["pieces"]): string =>
  pieces.findLast((piece) => piece !== "")?.slice(-signCharsMax) ?? ""

const entityAt = (scan: Scan, at: number): number => {
  const found = matchAt(entity, scan.text, at)
  if (found === null) return literal(scan, at, 1)
  const [whole, decimal, hex] = found
  if (decimal === undefined && hex === undefined) {
    const named = decodeHTMLStrict(whole)
    if (named === whole) return literal(scan, at, 1)
    scan.pieces.push(named === "\u00a0" ? " " : named)
    return at + whole.length
  }
  const code = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal)
  const isCode = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  scan.pieces.push(isCode ? String.fromCodePoint(code) : "")
  return at + whole.length
}

/** Closes open emphasis, then opens the rest; between digits and in `a_b` it is text. */
const emphasis = (scan: Scan, at: number): number => {
  const { emphases, pieces, text } = scan
  const mark = text.charAt(at)
  let end = at
  while (text.charAt(end) === mark) end += 1
  const before = text.charAt(at - 1)
  const after = text.charAt(end)
  const length = end - at
  const opens = /\S/.test(after)
  const closes = /\S/.test(before)
  const piece = pieces.push(text.slice(at, end)) - 1
  const isInside = opens && closes && isLiteralInside(mark, before, after)
  if (isInside || length > 3 || (mark === "~" && length !== 2)) return end
  const left = closes ? closed(scan, mark, length) : length
  pieces[piece] = mark.repeat(left)
  if (left > 0 && opens) {
    if (emphases.length >= openMax) emphases.length = 0
    emphases.push({ piece, mark, left })
  }
  return end
}

const isLiteralInside = (mark: string, before: string, after: string): boolean =>
  mark === "_"
    ? /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after)
    : /\p{N}/u.test(before) && /\p{N}/u.test(after)

/** Length of a closing mark that closed nothing. */
const closed = ({ brackets, emphases, pieces }: Scan, mark: string, length: number): number => {
  const floor = brackets.at(-1)?.emphasisDepth ?? 0
  let left = length
  for (let top = emphases.length - 1; top >= floor && left > 0; top = emphases.length - 1) {
    const open = emphases[top]
    if (open === undefined || open.mark !== mark) {
      if (!emphases.slice(floor).some((other) => other.mark === mark)) return left
      emphases.pop()
      continue
    }
    const used = Math.min(open.left, left)
    open.left -= used
    left -= used
    if (mark === "~") pieces.fill("", open.piece)
    pieces[open.piece] = mark.repeat(open.left)
    if (open.left === 0) emphases.pop()
  }
  return left
}
