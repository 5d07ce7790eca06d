/** Plain text and Markdown as blocks: wrapped lines are joined, marks are taken off. */
import * as CleanText from "@web-grounding/language/CleanText"
import { Record, type Result } from "effect"
import { type ExtractedPage, type ExtractionReason, unreadDateCharsMax } from "./ExtractedPage.ts"
import { markdownBlocks } from "./markdown/MarkdownBlocks.ts"
import { dateOf, type PageFacts } from "./PageFacts.ts"
import * as PageLines from "./PageLines.ts"

/** A wrapped line of a paragraph is so long, but for the last. In UTF-16 code units. */
const wrappedCharsMin = 45
const wrappedCharsMax = 110

type Answer = Result.Result<ExtractedPage, ExtractionReason>

export const readText = (text: string): Answer =>
  PageLines.page(
    text.replace(/^\uFEFF/, "").replace(/\r\n?|\f/g, "\n").split(/\n\s*?\n/)
      .map((paragraph) => paragraph.split("\n"))
      .flatMap((lines) => isWrapped(lines) ? lines.map((line) => line.trim()).join(" ") : lines)
      .map((text) => ({ kind: "text", text })),
    {}
  )

export const readMarkdown = (text: string): Answer => {
  const { body, title, ...dates } = frontMatter(text)
  const blocks = markdownBlocks(body.replace(/<!--[^]*?-->/g, ""))
  const heading = blocks.find(({ kind }) => kind === "heading")?.text ?? ""
  return PageLines.page(blocks, { ...dates, title: title || heading })
}

/** Prose that was broken at a column: even lines, no columns within, no list. */
const isWrapped = (lines: ReadonlyArray<string>): boolean =>
  lines.length > 1 &&
  lines.every((line, place) =>
    line.length <= wrappedCharsMax && !/\S(?: {3,}|\t)\S/.test(line) &&
    (place === 0 || !/^\s*(?:[-*+•|>]|\d+[.)])\s/.test(line)) &&
    (place === lines.length - 1 || line.trim().length >= wrappedCharsMin)
  )

const frontMatter = (text: string): PageFacts & { readonly body: string } => {
  const matter = /^\uFEFF?---\r?\n([^]{0,20000}?)\r?\n---\r?\n/.exec(text)
  const head = matter?.[1] ?? ""
  const title = /^title:\s*["']?(.*?)["']?\s*$/m.exec(head)?.[1] ?? ""
  const [published, modified] = [dateIn(head, publishedKeys), dateIn(head, modifiedKeys)]
  const facts = {
    title,
    published_date: published.date ?? "",
    modified_date: modified.date ?? "",
    unread_date: published.unread ?? modified.unread ?? ""
  }
  return {
    ...Record.filter(facts, (fact) => fact !== ""),
    body: text.slice(matter?.[0].length ?? 0)
  }
}

/** The first key goes before the others, wherever it stands. */
const publishedKeys = ["published_date", "published", "date"]
const modifiedKeys = ["modified_date", "modified", "updated", "lastmod"]

const dateIn = (
  head: string,
  keys: ReadonlyArray<string>
): { readonly date?: string; readonly unread?: string } => {
  const [value] = keys.flatMap((key) => {
    const told = new RegExp(`^${key}:[ \\t]*(.*)$`, "m").exec(head)?.[1] ?? ""
    const bare = told.replace(/(?:^|\s)#.*$/, "").trim().replace(/^(["'])(.*)\1$/, "$2").trim()
    return bare === "" ? [] : [bare]
  })
  const date = dateOf(value ?? "")
  if (value === undefined || date !== undefined) return date === undefined ? {} : { date }
  return { unread: CleanText.cut(CleanText.clean(value).text, unreadDateCharsMax) }
}
