/** An element's text as blocks, in order, each on its own lines. */
import * as Baseline from "./Baseline.ts"
import { childrenOf, isElement, isTextNode, type PageElement } from "./HtmlTree.ts"
import listed from "./PageWords.json" with { type: "json" }

export type BlockKind = "text" | "heading" | "item" | "row" | "code"

export interface TextBlock {
  readonly kind: BlockKind
  /** Trimmed, never empty. White space is collapsed, except in code. */
  readonly text: string
  /** 0 to 1: share of links in the text. */
  readonly linkShare: number
}

export type Blocks = ReadonlyArray<TextBlock>

const breaking = new Set(listed.breaking)
/** Longest cell of a row on one line. In UTF-16 code units. */
const cellCharsMax = 300
const cellMark = " | "
/** White space that is not one space alone. */
const gaps = /\s{2,}|[^\S ]/g

interface Open extends Inline {
  kind: BlockKind
  linkChars: number
}

const unread = { text: "", isEdge: false, linkChars: 0 }

export const charsOf = (blocks: Blocks): number =>
  blocks.reduce((sum, { text }) => sum + text.length, 0)

export const blocksOf = (element: PageElement): Blocks => {
  const blocks: Array<TextBlock> = []
  const open: Open = { ...unread, kind: "text" }
  const rows = new Map<PageElement, string>()

  const close = (next: BlockKind) => {
    for (const text of linesOf(open)) {
      const linkShare = Math.min(1, open.linkChars / Math.max(1, open.text.trim().length))
      blocks.push({ kind: open.kind, text, linkShare })
    }
    Object.assign(open, { ...unread, kind: next })
  }

  const walk = (parent: PageElement, kind: BlockKind, isLink: boolean): void => {
    for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
      if (isTextNode(child)) {
        const raw = child.textContent ?? ""
        const text = kind === "code" ? raw : raw.replace(gaps, " ")
        add(open, text)
        if (isLink) open.linkChars += text.trim().length
      } else if (isElement(child)) {
        visit(child, kind, isLink)
      }
    }
  }

  const visit = (child: PageElement, kind: BlockKind, isLink: boolean): void => {
    const name = child.localName
    if (name === "br") {
      open.text += "\n"
      return
    }
    if (addSpecial(open, child)) return
    if (!breaking.has(name)) {
      walk(child, kind, isLink || name === "a")
      if (name === "q") open.text += "”"
      return
    }
    const inner = kindIn(name, kind)
    close(inner)
    if (name === "table") { for (const [row, text] of linesOfTable(child)) rows.set(row, text) }
    const row = rows.get(child)
    if (row === undefined) walk(child, inner, isLink)
    else blocks.push({ kind: "row", text: row, linkShare: 0 })
    close(kind)
  }

  walk(element, kindIn(element.localName, "text"), false)
  close("text")
  return blocks
}

// Inline text. Formatting is applied to the text: superscripts and subscripts are marked,
// strikethrough is removed, a fraction has its bar.

interface Inline {
  text: string
  /** Whether the text ends at the end of an element that was transformed. */
  isEdge: boolean
}

const add = (line: Inline, text: string): void => {
  if (text === "") return
  line.text += line.isEdge ? Baseline.behind(line.text, text) : text
  line.isEdge = false
}

export const inlineOf = (element: PageElement): string => {
  const line: Inline = { text: "", isEdge: false }
  const walk = (parent: PageElement): void => {
    for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
      if (isTextNode(child)) add(line, child.textContent ?? "")
      else if (isElement(child) && !addSpecial(line, child)) {
        walk(child)
        if (child.localName === "q") line.text += "”"
        if (child.localName === "br") line.text += " "
      }
    }
  }
  walk(element)
  return line.text.replace(gaps, " ").trim()
}

const struck = new Set(listed.struck)
const powers = new Set(["msup", "msubsup", "munderover", "mover"])

/** Adds an element whose text is not the concatenation of its children; false for any other. */
const addSpecial = (line: Inline, element: PageElement): boolean => {
  const name = element.localName
  if (name === "q") add(line, "“")
  const isNote = isNoteMark(element, line.text)
  if (isNote || struck.has(name)) {
    line.isEdge = true
    return true
  }
  const special = fractionText(line, element) ?? (name === "sup"
    ? raisedText(line, element)
    : name === "sub"
    ? Baseline.lowered(line.text, inlineOf(element))
    : drawnText(line, element) ?? mathText(line, element))
  if (special === undefined) return false
  line.text += special
  line.isEdge = true
  return true
}

/** Two numbers above each other, by the element's name or because each has its own line. */
const fractionText = (line: Inline, element: PageElement): string | undefined => {
  const isNamed = /\bfrac/i.test(element.getAttribute("class") ?? "")
  if (!isNamed && element.localName !== "span") return undefined
  const children = childrenOf(element)
  if (children.length > fractionPartsMax) return undefined
  if (!isNamed && !children.some((one) => isElement(one) && one.localName === "div")) {
    return undefined
  }
  const parts = children.filter((part) => part.textContent?.trim() !== "")
  const [over, under, ...others] = parts.filter(({ textContent }) =>
    !fractionBar.test(textContent ?? "")
  )
  const isOf = over !== undefined && isElement(over) && under !== undefined && isElement(under) &&
    others.length === 0 && [over, under].every((part) => number.test(part.textContent ?? ""))
  if (!isOf || over.localName === "sup") return undefined
  const isStacked = element.localName === "span" && over.localName === "div"
  return isNamed || isStacked
    ? Baseline.fraction(line.text, inlineOf(over), inlineOf(under))
    : undefined
}

/** Most children of a fraction, white space included. */
const fractionPartsMax = 9
const number = /^\s*\d{1,4}\s*$/
const fractionBar = /^\s*[/⁄∕]\s*$/
/** A denominator on the line, after a superscript numerator: `1<sup>1</sup>/2`. */
const fractionRest = /^\s*[/⁄∕]\s*(\d{1,2})(?!\d)/

/** A fraction's numerator with its bar, or a superscript. */
const raisedText = (line: Inline, sup: PageElement): string => {
  const [bar, under] = [sup.nextSibling, sup.nextSibling?.nextSibling]
  const [text, behind] = [inlineOf(sup), bar?.textContent ?? ""]
  const rest = number.test(text) ? Number(fractionRest.exec(behind)?.[1] ?? 0) : 0
  const isFraction = rest > Number(text) && !/\p{L}$/u.test(line.text) ||
    fractionBar.test(behind) && under != null && isElement(under) && under.localName === "sub"
  return isFraction ? Baseline.behind(line.text, text) : Baseline.raised(line.text, text)
}

/** Class names of images that replace text: emoji, and TeX formulas. */
const signNames = /\b(?:emoji|emoticon|smiley|latex|tex|mwe-math)/i
const signCharsMax = 200

const drawnText = (line: Inline, picture: PageElement): string | undefined => {
  const sign = picture.getAttribute("alt") ?? ""
  const isSign = sign !== "" && sign.length <= signCharsMax &&
    signNames.test(picture.getAttribute("class") ?? "")
  return isSign ? Baseline.behind(line.text, Baseline.ofTex(sign)) : undefined
}

/** Text of a MathML element of more than one line. */
const mathText = (line: Inline, element: PageElement): string | undefined => {
  const name = element.localName
  const parts = () => childrenOf(element).filter(isElement).map(inlineOf)
  if (name === "mfrac") {
    const [over = "", under = ""] = parts()
    return Baseline.fraction(line.text, over, under)
  }
  if (powers.has(name) || name === "msub" || name === "munder") {
    const [base = "", ...signs] = parts()
    const marks = powers.has(name) ? (signs.length > 1 ? "_^" : "^") : "_"
    const marked = signs.map((sign, place) => `${marks[place] ?? "^"}${Baseline.grouped(sign)}`)
    return Baseline.behind(line.text, base + marked.join(""))
  }
  return name === "msqrt" || name === "mroot"
    ? Baseline.behind(line.text, `√${Baseline.grouped(parts().slice(0, 1).join(""))}`)
    : undefined
}

const noteNames =
  /\b(?:foot|end)?note(?:s|-?ref|-?anchor)?\b|\bnoteref\b|\bcite_?ref\b|\breference\b/i
const noteText = /^(?:\[.{1,10}\]|\(?\d{1,3}\)?|[*†‡§¶]{1,3}|[a-z])$/i

/** A footnote mark: by its role or name, by its brackets, or by a link down the page. */
const isNoteMark = (element: PageElement, before: string): boolean => {
  const name = element.localName
  if (name !== "sup" && name !== "a" && name !== "span") return false
  const text = (element.textContent ?? "").trim()
  if (!noteText.test(text)) return false
  const names = ["role", "class", "id"].map((key) => element.getAttribute(key) ?? "").join(" ")
  const isNamed = noteNames.test(names)
  const inner = childrenOf(element).filter(isElement)
  const isDescribed = (element.getAttribute("aria-describedby") ?? "") !== ""
  const isLocal = isDescribed ||
    [element, ...inner].some((link) => link.getAttribute("href")?.startsWith("#"))
  const isRaised = name === "sup" || inner.some(({ localName }) => localName === "sup")
  if (/doc-noteref/.test(names) || isRaised && text.startsWith("[")) return true
  return (isLocal || isNamed) &&
    (isRaised || (isDescribed || name === "a") && /\S$/.test(before))
}

const kindIn = (name: string, outer: BlockKind): BlockKind => {
  if (/^h[1-6]$/.test(name)) return "heading"
  if (name === "pre" || outer === "code") return "code"
  if (name === "li" || name === "dt" || name === "dd") return "item"
  return name === "td" || name === "th" ? "row" : outer === "heading" ? "heading" : "text"
}

// A spanning cell is in each of its columns or rows, and an empty one keeps its column.

const columnsMax = 100
const rowsSpannedMax = 500
/** Longest line of a row, with spanning cells, in UTF-16 code units. */
const rowCharsMax = 2_000

interface Cell {
  readonly text: string
  /** Whether it is short and on one line. */
  readonly isPlain: boolean
}

/** Rows of short cells, each as one line; none for a row whose cells are blocks. */
const linesOfTable = (table: PageElement): ReadonlyMap<PageElement, string> => {
  const grid: Array<readonly [PageElement, ReadonlyArray<Cell | undefined>]> = []
  /** By column: the cell that spans the next rows, and their number. */
  const reaching: Array<{ readonly cell: Cell; rows: number } | undefined> = []
  for (const row of rowsOf(table)) {
    const cells: Array<Cell | undefined> = []
    /** The cell that spans a column in this row; counts the row. */
    const above = (column: number) => {
      const reach = reaching[column]
      if (reach === undefined || reach.rows === 0) return undefined
      reach.rows -= 1
      return reach.cell
    }
    for (const element of childrenOf(row).filter(isElement)) {
      const cell = cellOf(element)
      const rows = Math.min(spanOf(element, "rowspan"), rowsSpannedMax) - 1
      const columns = Math.min(spanOf(element, "colspan"), columnsMax)
      for (let span = 0; span < columns && cells.length < columnsMax; span++) {
        for (let down = above(cells.length); down !== undefined; down = above(cells.length)) {
          cells.push(down)
        }
        cells.push(cell)
        if (rows > 0) reaching[cells.length - 1] = { cell, rows }
      }
    }
    for (let column = cells.length; column < reaching.length; column++) {
      cells[column] = above(column)
    }
    grid.push([row, cells])
  }
  // A column without the start of a cell only continues the previous one.
  const isUsed = (column: number) =>
    grid.some(([, cells]) =>
      (cells[column]?.text ?? "") !== "" && cells[column] !== cells[column - 1]
    )
  const columns = Array.from({ length: columnsMax }, (_, column) => column).filter(isUsed)
  return new Map(grid.flatMap(([row, cells]): ReadonlyArray<readonly [PageElement, string]> => {
    const parts = columns.map((column) => cells[column])
    const isOne = new Set(parts.filter((cell) =>
          cell !== undefined && cell.text !== ""
        )).size < 2 &&
      (parts[0]?.text !== "" || columns.length < 2)
    const chars = parts.reduce((sum, cell) => sum + (cell?.text.length ?? 0), 0)
    const isLong = chars > rowCharsMax || parts.some((cell) => cell?.isPlain === false)
    if (isOne || isLong) return []
    const line = parts.map((cell) => cell?.text ?? "").join(cellMark).replace(/(?: \| *)+$/, "")
    return [[row, line]]
  }))
}

const rowsOf = (table: PageElement): ReadonlyArray<PageElement> =>
  childrenOf(table).filter(isElement).flatMap((child) =>
    child.localName === "tr"
      ? [child]
      // Rows of a table with too many children are in additional elements.
      : /^(?:t(?:head|body|foot)|span)$/.test(child.localName)
      ? rowsOf(child)
      : []
  )

/** A cell with a `rowspan` of 0 spans to the end. */
const spanOf = (cell: PageElement, name: string): number => {
  const span = Number.parseInt(cell.getAttribute(name) ?? "1", 10)
  return span === 0 && name === "rowspan" ? rowsSpannedMax : Math.max(1, span || 1)
}

const cellOf = (element: PageElement): Cell => {
  const lines = linesOfCell(element)
  if (lines === undefined) return { text: "…", isPlain: false }
  const text = lines || drawnIn(element)
  return { text, isPlain: text.length <= cellCharsMax }
}

/** A cell's lines, separated by semicolons; none for one with tables, headings or code. */
const linesOfCell = (cell: PageElement): string | undefined => {
  if (isRunning(unwrapped(cell))) return inlineOf(cell)
  return isFlat(cell) ? blocksOf(cell).map(({ text }) => text).join("; ") : undefined
}

const isFlat = (element: PageElement): boolean =>
  childrenOf(element).filter(isElement).every((child) =>
    !/^(?:table|h[1-6]|pre)$/.test(child.localName) && isFlat(child)
  )

/** Names of the images in a cell without words, often "Yes" and "No". */
const drawnIn = (element: PageElement): string =>
  childrenOf(element).filter(isElement).map((child) => child.getAttribute("alt") || drawnIn(child))
    .filter((name) => name !== "" && name.length <= pictureCharsMax).join(" ")

const pictureCharsMax = 60

/** A cell, or the one element that holds all of it. */
const unwrapped = (cell: PageElement): PageElement => {
  const [only, ...others] = childrenOf(cell).filter((child) => child.textContent?.trim() !== "")
  return only !== undefined && isElement(only) && others.length === 0 ? unwrapped(only) : cell
}

const isRunning = (element: PageElement): boolean =>
  childrenOf(element).filter(isElement).every((child) =>
    child.localName !== "br" && !breaking.has(child.localName) && isRunning(child)
  )

const linesOf = ({ kind, text }: Open): ReadonlyArray<string> => {
  if (kind === "code") {
    const code = text.replace(/(?<![^\S\n])[^\S\n]+$/gm, "").replace(/\n{3,}/g, "\n\n")
      .replace(/^\n+/, "").trimEnd()
    return code === "" ? [] : [code]
  }
  if (!text.includes("\n")) return [text.replace(gaps, " ").trim()].filter((line) => line !== "")
  // A sentence with a line break for its looks continues in lower case.
  return text.replace(/ *\n */g, "\n").replace(/(?<![\p{STerm}:;\n])\n(?=\p{Ll})/gu, " ").split(
    "\n"
  )
    .map((line) => line.replace(gaps, " ").trim()).filter((line) => line !== "")
}
