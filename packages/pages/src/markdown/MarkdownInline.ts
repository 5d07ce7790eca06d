/**
 * A stretch of Markdown as the words that a reader sees: links become their words, images nothing.
 *
 * One pass over the text and one over its marks, so that no page can make it slow. What is not
 * closed is no mark and stays as it was written, but for an address that the end cut off.
 */
import { decodeHTMLStrict } from "entities"

/** Pieces of the text to come; a mark's piece is emptied once it has found its partner. */
type Pieces = Array<string>

interface Bracket {
  /** Index of its `[` among the pieces. */
  readonly piece: number
  readonly isImage: boolean
  /** Emphasis that was open before it: what stands inside cannot close it. */
  readonly emphasisDepth: number
}

interface Emphasis {
  readonly piece: number
  readonly mark: string
  left: number
}

interface Scan {
  readonly text: string
  readonly references: ReadonlySet<string>
  readonly pieces: Pieces
  readonly brackets: Array<Bracket>
  readonly emphases: Array<Emphasis>
  /** Whether a comment may still find its end. */
  hasCommentEnd: boolean
}

/** Marks that wait to be closed; the oldest of more are taken for text. */
const openMax = 64

const punctuation = /[!-/:-@[-`{-~]/
const plain = /[^\\`*_~[\]!<&]+/y
const backticks = /`+/y
/** A destination with at most one pair of parentheses inside, and a title. */
const destination =
  /\(\s*(?:<[^<>\n]*>|(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*)(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\([^()]*\)))?\s*\)/y
/** No proper destination, yet it reads as one; also where a page was cut off within it. */
const brokenDestination = /\((?:[^\s()]*\([^\s()]*\))?(?=[a-z+.-]*(?::|$)|[/#.])[^\n)]*(?:\)|$)/iy
const reference = /\[([^[\]]{0,999})\]/y
const autolink = /<((?:https?|ftp|mailto):[^\s<>]*|[^\s<>@]+@[^\s<>]+)>/iy
/** Other words in angle brackets may be what the page says, such as `List<String>`. */
const element = new RegExp(
  "<(?:/?(?:a|abbr|article|aside|audio|b|blockquote|body|br|button|canvas|caption|center|cite|code|" +
    "col|colgroup|dd|del|details|div|dl|dt|em|embed|figcaption|figure|font|footer|form|h[1-6]|head|" +
    "header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|math|meta|nav|noscript|object|" +
    "ol|option|p|picture|pre|s|samp|script|section|select|small|source|span|strike|strong|style|sub|" +
    "summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|u|ul|var|video)" +
    "(?=[\\s/>])[^<>]*>|[!?][a-z\\[][^<>]*>)",
  "iy"
)
const entity = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|[a-z][a-z\d]{1,30});/iy

/**
 * Inline Markdown as plain text. `references` are the labels that the page defines, folded by
 * `labelOf`.
 */
export const words = (text: string, references: ReadonlySet<string>): string => {
  const scan: Scan = {
    text,
    references,
    pieces: [],
    brackets: [],
    emphases: [],
    hasCommentEnd: true
  }
  for (let at = 0; at < text.length;) at = step(scan, at)
  // A link around whole blocks opens in one of them and closes in another.
  if (scan.brackets[0]?.piece === 0) scan.pieces[0] = ""
  return scan.pieces.join("")
}

export const labelOf = (label: string): string => label.trim().replace(/\s+/g, " ").toLowerCase()

/** Reads one step and gives the place where the next begins: always behind `at`. */
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
  // Nothing closes it, nor any other of its length: what follows the last is plain for all.
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

/** End of `(address)` or `[reference]`; none where neither makes a link of the words. */
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
  return at + tag[0].length
}

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

/** Closes what is open of its kind, opens what is left; between digits and in `a_b` it is text. */
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

/** How much of a closing mark found nothing to close. */
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
    pieces[open.piece] = mark.repeat(open.left)
    if (open.left === 0) emphases.pop()
  }
  return left
}
