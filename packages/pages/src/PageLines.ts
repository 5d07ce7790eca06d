/** Blocks as one plain text, and where its headings stand. */
import * as CleanText from "@web-grounding/language/CleanText"
import type { Span } from "@web-grounding/language/Span"
import { Result } from "effect"
import {
  type ExtractedPage,
  type ExtractionReason,
  headingsMax,
  textCharsMax,
  titleCharsMax
} from "./ExtractedPage.ts"
import type { PageFacts } from "./PageFacts.ts"
import type { TextBlock } from "./TextBlocks.ts"

/**
 * Page of text blocks, newlines between them, cut where it would grow too long. Fails with
 * `no_text`.
 */
export const page = (
  blocks: ReadonlyArray<Pick<TextBlock, "kind" | "text">>,
  { title = "", ...facts }: PageFacts
): Result.Result<ExtractedPage, ExtractionReason> => {
  const named = CleanText.clean(title.replace(/\s+/g, " ").trim())
  const lines: Array<string> = []
  const headings: Array<Span> = []
  let length = 0
  let removed = named.removedCount
  let isCut = false
  for (const block of blocks) {
    const { removedCount, text } = CleanText.clean(block.text)
    removed += removedCount
    const start = length === 0 ? 0 : length + 1
    const whole = text.trim()
    if (whole === "") continue
    const line = CleanText.cut(whole, Math.max(0, textCharsMax - start))
    isCut = line.length < whole.length
    if (line === "") break
    lines.push(line)
    length = start + line.length
    if (block.kind === "heading" && headings.length < headingsMax) {
      headings.push({ start, end: length })
    }
    if (isCut) break
  }
  if (length === 0) return Result.fail("no_text")
  const short = CleanText.cut(named.text, titleCharsMax)
  return Result.succeed({
    text: lines.join("\n"),
    ...(isCut ? { truncated: true } : {}),
    ...(short === "" ? {} : { title: short }),
    ...facts,
    headings,
    removed_chars_count: removed
  })
}
