/**
 * Splits a text line by line into paragraphs, headings, lists and tables. Extracted pages have lost
 * their markup, so that lines are told apart by their form alone.
 */
import type { Span } from "../text/Span.ts"

export interface Block extends Span {
  readonly kind: "prose" | "heading" | "item" | "row"
}

/** A line of so few letters that does not end like a sentence is a heading. In code units. */
const headingCharsMax = 90
/** A line as long as this that does not end a sentence goes on in the next. In code units. */
const wrappedCharsMin = 30

const item = /^\s*(?:[-*•▪‣·◦–—✓✗✔✘]|\(?\d{1,2}[.)](?=\s)|[①-⑳]|\(?[a-z][.)](?=\s))\s*\S/u
/** Cells beside each other: between bars, or parted by a tab or by several blanks. */
const row = /^\s*\|.*\||\S\s+\|\s+\S|\S\t+\S|\S {3,}\S/u
/** A longer line with such a mark is prose. In UTF-16 code units. */
const rowCharsMax = 200
const ends = /[.!?。！？．…:：;；"”’」』)）\]]\s*$/u

/**
 * Blocks in order, without blank lines. Lines that were broken within a sentence are one paragraph.
 */
export const blocksOf = (text: string, { end, start }: Span): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let at = start
  let isParted = true
  for (const line of text.slice(start, end).split("\n")) {
    const from = at + (line.length - line.trimStart().length)
    const to = at + line.trimEnd().length
    at += line.length + 1
    if (to <= from) {
      isParted = true
      continue
    }
    const previous = blocks.at(-1)
    const kind = kindOf(line)
    if (previous !== undefined && !isParted && goesOn(text, previous, line, kind)) {
      blocks[blocks.length - 1] = {
        start: previous.start,
        end: to,
        kind: previous.kind === "item" ? "item" : "prose"
      }
    } else blocks.push({ start: from, end: to, kind })
    isParted = false
  }
  return blocks
}

const kindOf = (line: string): Block["kind"] => {
  if (/^\s*#{1,6}\s/.test(line)) return "heading"
  if (line.length <= rowCharsMax && row.test(line)) return "row"
  if (item.test(line)) return "item"
  return line.trim().length <= headingCharsMax && !ends.test(line) ? "heading" : "prose"
}

/** A line that ends within a sentence, and is too long for a heading or is followed by its rest. */
const goesOn = (text: string, previous: Block, line: string, kind: Block["kind"]): boolean => {
  if (previous.kind === "row" || kind === "row" || kind === "item") return false
  const before = text.slice(previous.start, previous.end)
  if (/[.!?。！？．…:：]["”’」』)）]?\s*$/u.test(before)) return false
  const last = before.slice(before.lastIndexOf("\n") + 1)
  const next = line.trimStart()
  return /^\p{Ll}/u.test(next) || /[-‐,，、]\s*$/u.test(last) ||
    (last.length >= wrappedCharsMin && !/^\p{Lu}\S*(?:\s+\p{Lu}\S*)*$/u.test(next))
}
