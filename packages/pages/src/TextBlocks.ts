/** An element's text as blocks, in order: what stands on lines of its own. */
import { childrenOf, isElement, isTextNode, type PageElement } from "./HtmlTree.ts"
import listed from "./PageWords.json" with { type: "json" }

export type BlockKind = "text" | "heading" | "item" | "row" | "code"

export interface TextBlock {
  readonly kind: BlockKind
  /** Trimmed, never empty. White space is one space, but in code. */
  readonly text: string
  /** 0 to 1: how much of the text is links. */
  readonly linkShare: number
}

const breaking = new Set(listed.breaking)
/** A table's row is one line when its cells are short. In UTF-16 code units. */
const cellCharsMax = 300
const cellMark = " | "

interface Open {
  kind: BlockKind
  text: string
  linkChars: number
}

export const charsOf = (blocks: ReadonlyArray<TextBlock>): number =>
  blocks.reduce((sum, { text }) => sum + text.length, 0)

export const blocksOf = (element: PageElement): ReadonlyArray<TextBlock> => {
  const blocks: Array<TextBlock> = []
  const open: Open = { kind: "text", text: "", linkChars: 0 }

  const close = (next: BlockKind) => {
    for (const text of linesOf(open)) {
      const linkShare = Math.min(1, open.linkChars / Math.max(1, open.text.trim().length))
      blocks.push({ kind: open.kind, text, linkShare })
    }
    open.kind = next
    open.text = ""
    open.linkChars = 0
  }

  const walk = (parent: PageElement, kind: BlockKind, isLink: boolean): void => {
    for (const child of childrenOf(parent)) {
      if (isTextNode(child)) {
        const raw = child.textContent ?? ""
        const text = kind === "code" ? raw : raw.replace(/\s+/g, " ")
        open.text += text
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
    if (name === "sup" && isFootnoteMark(child)) return
    if (!breaking.has(name)) {
      walk(child, kind, isLink || name === "a")
      return
    }
    const inner = kindIn(name, kind)
    close(inner)
    const row = name === "tr" ? rowOf(child) : undefined
    if (row === undefined) walk(child, inner, isLink)
    else blocks.push({ kind: "row", text: row, linkShare: 0 })
    close(kind)
  }

  walk(element, kindIn(element.localName, "text"), false)
  close("text")
  return blocks
}

const kindIn = (name: string, outer: BlockKind): BlockKind => {
  if (/^h[1-6]$/.test(name)) return "heading"
  if (name === "pre" || outer === "code") return "code"
  if (name === "li" || name === "dt" || name === "dd") return "item"
  return name === "td" || name === "th" ? "row" : outer === "heading" ? "heading" : "text"
}

/** A row of short cells as one line; none where its cells are blocks of their own. */
const rowOf = (row: PageElement): string | undefined => {
  const cells = childrenOf(row).filter(isElement).map(unwrapped)
  if (!cells.every(isRunning)) return undefined
  const texts = cells.map((cell) => (cell.textContent ?? "").replace(/\s+/g, " ").trim())
    .filter((text) => text !== "")
  const isShort = texts.length > 1 && texts.every(({ length }) => length <= cellCharsMax)
  return isShort ? texts.join(cellMark) : undefined
}

/** A cell, or the one element that holds all of it. */
const unwrapped = (cell: PageElement): PageElement => {
  const [only, ...others] = childrenOf(cell).filter((child) => child.textContent?.trim() !== "")
  return only !== undefined && isElement(only) && others.length === 0 ? unwrapped(only) : cell
}

/** Whether nothing in an element stands on a line of its own. */
const isRunning = (element: PageElement): boolean =>
  childrenOf(element).filter(isElement).every((child) =>
    child.localName !== "br" && !breaking.has(child.localName) && isRunning(child)
  )

/** `[1]`, or a link to the page's own notes. */
const isFootnoteMark = (sup: PageElement): boolean => {
  const text = sup.textContent?.trim() ?? ""
  const link = childrenOf(sup).find(isElement)?.getAttribute("href") ?? ""
  return text.length <= 12 && (/^\[.*\]$/.test(text) || link.startsWith("#"))
}

const linesOf = ({ kind, text }: Open): ReadonlyArray<string> => {
  if (kind === "code") {
    const code = text.replace(/(?<![^\S\n])[^\S\n]+$/gm, "").replace(/\n{3,}/g, "\n\n").replace(
      /^\n+|\s+$/g,
      ""
    )
    return code === "" ? [] : [code]
  }
  // A sentence that is broken for its looks goes on in a small letter.
  return text.replace(/ *\n */g, "\n").replace(/(?<![.!?:;。！？\n])\n(?=\p{Ll})/gu, " ").split(
    "\n"
  )
    .map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line !== "")
}
