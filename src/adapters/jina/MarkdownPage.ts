/** Markdown as one plain text, and where its headings stand. */
import * as Sentences from "@web-grounding/language/Sentences"
import * as Markdown from "@web-grounding/pages/Markdown"
import type { Span } from "../../domain/page/Page.ts"

/** Longest Markdown that is read, in UTF-16 code units. */
export const markdownCharsMax = 400_000
const headingsMax = 1_000

export interface MarkdownPage {
  /** Blocks between newlines, without invisible characters; empty when there is nothing to read. */
  readonly text: string
  /** Spans of the headings in order, not overlapping. */
  readonly headings: ReadonlyArray<Span>
  /** Whether more was given than is read. */
  readonly isCut: boolean
  /** Invisible and active characters taken out. */
  readonly removedCount: number
}

/** A page may show such a link in its own words; apart, the two halves are no link any more. */
const shownLink = /\](?=\(\s{0,9}<?(?:[a-z][a-z\d+.-]{0,30}:|\/\/))/gi

export const readMarkdown = (markdown: string): MarkdownPage => {
  // First of all, so that a character nobody sees cannot hide a mark.
  const source = Sentences.clean(Sentences.cut(markdown, markdownCharsMax))
  const lines: Array<string> = []
  const headings: Array<Span> = []
  let length = 0
  let removedCount = source.removedCount
  for (const { kind, text } of Markdown.markdownBlocks(source.text)) {
    // An entity may have written one.
    const cleaned = Sentences.clean(text.replace(shownLink, "] "))
    const line = kind === "code" ? cleaned.text.trimEnd() : cleaned.text.trim()
    removedCount += cleaned.removedCount
    if (line.trim() === "") continue
    const start = length === 0 ? 0 : length + 1
    lines.push(line)
    length = start + line.length
    if (kind === "heading" && headings.length < headingsMax) headings.push({ start, end: length })
  }
  return {
    text: lines.join("\n"),
    headings,
    isCut: markdown.length > markdownCharsMax,
    removedCount
  }
}
