/** Markdown as blocks, each on its own lines: rendered as HTML, and read as a page's HTML is. */
import MarkdownIt, { type RendererRule, type StateBlock, type StateCore } from "markdown-it"
import * as HtmlTree from "./HtmlTree.ts"
import { blocksOf } from "./TextBlocks.ts"

/** A longer paragraph with an underline is no heading. In UTF-16 code units. */
const headingCharsMax = 300

/** Without links and images; lines of code are kept, other blocks are one line. */
export const markdownBlocks = (markdown: string) => {
  const { body, isCut } = HtmlTree.build(parser.render(markdown))
  return { blocks: blocksOf(body), isCut }
}

const parser = new MarkdownIt({ html: true })
// A tag must not take the text after it out of the Markdown.
parser.disable(["html_block"])
parser.validateLink = () => true

// Readers that turn pages into Markdown write emphasis without regard to spaces and punctuation.

class Inline extends parser.inline.State {
  /** Opens before a word and closes after one; between digits and in `a_b` it is text. */
  override scanDelims(start: number, canSplitWord: boolean) {
    const { length } = super.scanDelims(start, canSplitWord)
    const before = this.src.charAt(start - 1)
    const after = this.src.charAt(start + length)
    const inside = this.src.charAt(start) === "_" ? /[\p{L}\p{N}]/u : /\p{N}/u
    const isText = inside.test(before) && inside.test(after)
    return {
      length,
      can_open: !isText && /\S/.test(after),
      can_close: !isText && /\S/.test(before)
    }
  }
}
parser.inline.State = Inline

// Their links hold other links, whole blocks, and addresses with spaces or without an end.

const { parseLinkDestination, parseLinkLabel } = parser.helpers
parser.helpers.parseLinkLabel = (state, start) => parseLinkLabel(state, start)
parser.helpers.parseLinkDestination = (text, start, max) => {
  const found = parseLinkDestination(text, start, max)
  if (found.ok && /^\s*(?:\)|\s["'(])/.test(text.slice(found.pos, found.pos + 20))) return found
  const end = endOf(brokenAddress, text, start)
  return end === undefined ? found : { ok: true, pos: end, str: "" }
}
/** It may have spaces, and one pair of parentheses. */
const brokenAddress = /(?:[^\s()]*\([^\s()]*\))?(?=[a-z+.-]*:|[/#.])[^\n)]{0,1000}(?=\))/iy
const address = /\]\((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*(?:\s+"[^"\n]*")?\s*\)/y

const endOf = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** The end of a link that another block opens. */
parser.inline.ruler.push("link_end", (state) => {
  const end = endOf(address, state.src, state.pos)
  state.pos = end ?? state.pos
  return end !== undefined
})

/** Rows with bars at their beginning, or below a heading with a ruler; of any number of cells. */
const rows = (state: StateBlock, first: number, end: number, isSilent: boolean): boolean => {
  const lineAt = (line: number) =>
    line < end && (state.sCount[line] ?? 0) >= state.blkIndent
      ? state.getLines(line, line + 1, state.sCount[line] ?? 0, false).trim()
      : ""
  const isHeaded = isRuler(lineAt(first + 1))
  const isRow = (line: string) => isHeaded ? line.includes("|") : line.startsWith("|")
  if (isSilent || !isRow(lineAt(first))) return isRow(lineAt(first))
  state.push("table_open", "table", 1)
  for (state.line = first; isRow(lineAt(state.line)); state.line++) {
    const row = lineAt(state.line)
    if (isRuler(row)) continue
    state.push("tr_open", "tr", 1)
    for (const cell of row.replace(/^\|/, "").split(/(?<!\\)\|/)) {
      state.push("td_open", "td", 1)
      const content = cell.trim().replaceAll("\\|", "|")
      Object.assign(state.push("inline", "", 0), { content, children: [] })
      state.push("td_close", "td", -1)
    }
    state.push("tr_close", "tr", -1)
  }
  state.push("table_close", "table", -1)
  return true
}
const isRuler = (line: string): boolean => line.includes("|") && /^[\s|:-]+$/.test(line)
parser.block.ruler.at("table", rows, { alt: ["paragraph", "reference"] })

const cutAddress = /\]\((?=[a-z+.-]*(?::|$)|[/#.])[^\n)]*$/iy

/** An item has its number; a link that the end of the page cuts off, an end. */
parser.core.ruler.before("inline", "blocks", ({ tokens }: StateCore) => {
  tokens.forEach((token, at) => {
    if (token.type !== "inline") return
    const [outer, opening] = [tokens[at - 2], tokens[at - 1]]
    const last = token.content.lastIndexOf("](")
    if (endOf(cutAddress, token.content, last) !== undefined) token.content += ")"
    if (outer?.type === "list_item_open") {
      const number = outer.info === "" ? "" : `${outer.info}${outer.markup} `
      token.content = number + token.content.replace(/^\[[ xX]\][ \t]+/, "")
    }
    if (opening?.type === "heading_open" && token.content.length > headingCharsMax) {
      for (const mark of [opening, tokens[at + 1]]) Object.assign(mark ?? {}, { tag: "p" })
    }
  })
})

/** A link around whole blocks begins with a bracket alone. */
parser.core.ruler.after("inline", "link_begin", ({ tokens }: StateCore) => {
  for (const { children } of tokens) {
    const [first] = children ?? []
    const isOpen = first?.content.startsWith("[") === true &&
      children?.some(({ content }) => content.includes("]")) === false
    if (isOpen) first.content = first.content.slice(1)
  }
})

// What stays of the inline elements.

const nothing: RendererRule = () => ""

/** Joins wrapped lines, without a space between Chinese or Japanese characters. */
const wrapped: RendererRule = (tokens, at) => {
  const isJoined = joined.test(tokens[at - 1]?.content.slice(-1) ?? "") &&
    joined.test(tokens[at + 1]?.content.slice(0, 1) ?? "")
  return isJoined ? "" : " "
}
const joined = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u

const kept = /^<\/?(?:sup|sub|del|s|strike)\s*>$/i
/** Other words in angle brackets may be text, such as `List<String>`. */
const element = new RegExp(
  "^<(?:/?(?:a|abbr|article|aside|audio|b|blockquote|body|br|button|canvas|caption|center|cite|code|" +
    "col|colgroup|dd|del|details|div|dl|dt|em|embed|figcaption|figure|font|footer|form|h[1-6]|head|" +
    "header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|math|meta|nav|noscript|object|" +
    "ol|option|p|picture|pre|s|samp|script|section|select|small|source|span|strike|strong|style|sub|" +
    "summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|u|ul|var|video)" +
    "(?=[\\s/>])|[!?])",
  "i"
)

Object.assign(
  parser.renderer.rules,
  {
    image: nothing,
    link_open: nothing,
    link_close: nothing,
    softbreak: wrapped,
    hardbreak: wrapped,
    html_inline: (tokens, at) => {
      const tag = tokens[at]?.content ?? ""
      if (kept.test(tag)) return tag
      if (/^<br\b/i.test(tag)) return " "
      return element.test(tag) ? "" : parser.utils.escapeHtml(tag)
    }
  } satisfies Record<string, RendererRule>
)
