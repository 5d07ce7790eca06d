/** Reads a fetched document of any supported kind as an extracted page. Runs in the worker. */
import * as Sentences from "@web-grounding/language/Sentences"
import { isPdf } from "@web-grounding/safe-fetch/PageKind"
import { Effect, Record, Result } from "effect"
import { textOf } from "./Charset.ts"
import {
  convertedType,
  type ExtractedPage,
  ExtractionFailed,
  type ExtractionReason,
  type PageDocument,
  unreadDateCharsMax
} from "./ExtractedPage.ts"
import * as MainContent from "./MainContent.ts"
import { markdownBlocks } from "./Markdown.ts"
import * as PageFacts from "./PageFacts.ts"
import { dateOf } from "./PageFacts.ts"
import * as PdfReading from "./PdfReading.ts"

export const readDocument = Effect.fn("DocumentReading.readDocument")(
  function*({ body, contentType, url }: PageDocument) {
    if (contentType === convertedType) {
      const page = readConverted(new TextDecoder().decode(body))
      return yield* Effect.mapError(Effect.fromResult(page), failedBy)
    }
    if (isPdf(contentType, body)) return yield* PdfReading.readPdf(body)
    const padded = yield* textOf(body, contentType)
    if (isBinary(padded.slice(0, startChars))) return yield* failed("malformed")
    // As browsers show it: byte order marks and zeros are nothing, wherever they are.
    const text = padded.replace(/[\uFEFF\0]/g, "")
    const type = typeOf(contentType, text, url)
    if (type === "other") return yield* failed("unsupported_type")
    const answer = type === "html"
      ? MainContent.readContent(text, url)
      : type === "markdown"
      ? readMarkdown(text)
      : readText(text)
    return yield* Effect.mapError(Effect.fromResult(answer), failedBy)
  }
)

/** UTF-16 code units that are tested for text, and the zeros permitted in them. */
const startChars = 4_096
const zerosMax = 8

const isBinary = (start: string): boolean =>
  (start.replace(/\0+$/, "").match(/\0/g)?.length ?? 0) > zerosMax ||
  start.includes("\0") && /[\x01-\x08\x0E-\x1A\x1C-\x1F]/.test(start)

const failedBy = (reason: ExtractionReason) => new ExtractionFailed({ reason })
const failed = (reason: ExtractionReason) => Effect.fail(failedBy(reason))

type Kind = "html" | "markdown" | "text" | "other"

/** HTML declared as plain text is HTML: its tags must not be quoted. */
const typeOf = (contentType: string, text: string, url: string): Kind => {
  const type = contentType.split(";", 1).join("").trim().toLowerCase()
  const isHtml = /^\s*(?:<!--[^]{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(
    text.slice(0, 4_096)
  )
  if (isHtml || type === "text/html" || type === "application/xhtml+xml") return "html"
  if (/markdown/.test(type)) return "markdown"
  if (type !== "" && !type.startsWith("text/")) return "other"
  if (/\.(?:md|markdown|mdx)$/i.test(URL.parse(url)?.pathname ?? "")) return "markdown"
  if (type === "" && /<(?:p|div|table|h1)\b/i.test(text.slice(0, 20_000))) return "html"
  return "text"
}

// Plain text and Markdown as blocks: wrapped lines are joined, markup is removed.

/** Least length of a wrapped line, except a paragraph's last. In UTF-16 code units. */
const wrappedCharsMin = 45
const wrappedCharsMax = 110

type ReadResult = Result.Result<ExtractedPage, ExtractionReason>

const readText = (text: string): ReadResult =>
  PageFacts.page(
    text.replace(/^\uFEFF/, "").replace(/\r\n?|\f/g, "\n").split(/\n\s*?\n/)
      .map((paragraph) => paragraph.split("\n"))
      .flatMap((lines) => isWrapped(lines) ? lines.map((line) => line.trim()).join(" ") : lines)
      .map((text) => ({ kind: "text", text })),
    {}
  )

/** A page may show a link's syntax as text; separated, its halves form no link. */
const shownLink = /\](?=\(\s{0,9}<?(?:[a-z][a-z\d+.-]{0,30}:|\/\/))/gi

/** Has no front matter, and what looks like a comment is text that the page shows. */
export const readConverted = (markdown: string): ReadResult => {
  // First, so that an invisible character cannot hide a mark.
  const { removedCount, text } = Sentences.clean(markdown)
  const { blocks, isCut } = markdownBlocks(text)
  const shown = blocks.map(({ kind, text }) => ({ kind, text: text.replace(shownLink, "] ") }))
  return Result.map(
    PageFacts.page(shown, { isCut }),
    (page) => ({ ...page, removed_chars_count: page.removed_chars_count + removedCount })
  )
}

const readMarkdown = (text: string): ReadResult => {
  const { body, title, ...dates } = frontMatter(text)
  const { blocks, isCut } = markdownBlocks(withoutComments(body))
  const heading = blocks.find(({ kind }) => kind === "heading")?.text ?? ""
  return PageFacts.page(blocks, { ...dates, title: title || heading, isCut })
}

/** Text after the last `-->` has no comment; to search it would take quadratic time. */
const withoutComments = (text: string): string => {
  const end = text.lastIndexOf("-->") + "-->".length
  return text.slice(0, end).replace(/<!--[^]*?-->/g, "") + text.slice(end)
}

/** Prose wrapped at a column: lines of similar length, no columns within, no list. */
const isWrapped = (lines: ReadonlyArray<string>): boolean =>
  lines.length > 1 &&
  lines.every((line, place) =>
    line.length <= wrappedCharsMax && !/\S(?: {3,}|\t)\S/.test(line) &&
    (place === 0 || !/^\s*(?:[-*+•|>]|\d+[.)])\s/.test(line)) &&
    (place === lines.length - 1 || line.trim().length >= wrappedCharsMin)
  )

const frontMatter = (text: string): PageFacts.PageFacts & { readonly body: string } => {
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

/** In order of precedence. */
const publishedKeys = ["published_date", "published", "date"]
const modifiedKeys = ["modified_date", "modified", "updated", "lastmod"]

const dateIn = (
  head: string,
  keys: ReadonlyArray<string>
): { readonly date?: string; readonly unread?: string } => {
  const [value] = keys.flatMap((key) => {
    const stated = new RegExp(`^${key}:[ \\t]*(.*)$`, "m").exec(head)?.[1] ?? ""
    const bare = stated.replace(/(?:^|\s)#.*$/, "").trim().replace(/^(["'])(.*)\1$/, "$2").trim()
    return bare === "" ? [] : [bare]
  })
  const date = dateOf(value ?? "")
  if (value === undefined || date !== undefined) return date === undefined ? {} : { date }
  return { unread: Sentences.cut(Sentences.clean(value).text, unreadDateCharsMax) }
}
