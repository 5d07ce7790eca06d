/** A fetched document of any kind that can be read, as an extracted page. Runs in the worker. */
import * as Sentences from "@web-grounding/language/Sentences"
import { Effect, Record, Result } from "effect"
import { getDocumentProxy, getMeta } from "unpdf"
import { textOf } from "./Charset.ts"
import {
  type ExtractedPage,
  ExtractionFailed,
  type ExtractionReason,
  type PageDocument,
  textCharsMax,
  unreadDateCharsMax
} from "./ExtractedPage.ts"
import * as MainContent from "./MainContent.ts"
import { markdownBlocks } from "./markdown/Markdown.ts"
import * as PageFacts from "./PageFacts.ts"
import { dateOf } from "./PageFacts.ts"

export const readDocument = (
  { body, contentType, url }: PageDocument
): Effect.Effect<ExtractedPage, ExtractionFailed> => {
  if (isPdf(body)) return readPdf(body)
  const text = textOf(body, contentType)
  // Text has no NUL.
  if (text.slice(0, 4_096).includes("\0")) return failed("malformed")
  const type = typeOf(contentType, text, url)
  if (type === "other") return failed("unsupported_type")
  const answer = type === "html"
    ? MainContent.readContent(text, url)
    : type === "markdown"
    ? readMarkdown(text)
    : readText(text)
  return Result.isSuccess(answer) ? Effect.succeed(answer.success) : failed(answer.failure)
}

const failed = (reason: ExtractionFailed["reason"]) => Effect.fail(new ExtractionFailed({ reason }))

/** `%PDF-`, whatever the server calls it. */
const isPdf = (bytes: Uint8Array): boolean =>
  new TextDecoder("latin1").decode(bytes.subarray(0, 1_024)).includes("%PDF-")

type Kind = "html" | "markdown" | "text" | "other"

/** A page of HTML that is called text is HTML: its tags are nothing to be quoted. */
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

// A PDF's text: its lines joined to paragraphs by their distance, page after page.

/** Most pages of a document; the rest is not read. */
const pagesMax = 200
const itemsMax = 20_000
/** A new paragraph begins where lines stand further apart than this share of their height. */
const paragraphGap = 1.8

/**
 * Text of a PDF's pages. Fails with `malformed` for what is no PDF or is locked, with `no_text` for
 * pictures of pages.
 */
const readPdf = Effect.fn("PdfPage.readPdf")(function*(bytes: Uint8Array) {
  const pdf = yield* Effect.tryPromise({
    try: () => getDocumentProxy(bytes, { useSystemFonts: false }),
    catch: () => new ExtractionFailed({ reason: "malformed" })
  })
  const paragraphs: Array<string> = []
  let chars = 0
  let page = 1
  for (; page <= Math.min(pdf.numPages, pagesMax) && chars < textCharsMax; page++) {
    // A page that cannot be read leaves the others as they are.
    const items = yield* Effect.promise(() =>
      pdf.getPage(page).then((proxy) => proxy.getTextContent()).then(({ items }) => items, () => [])
    )
    // Other kinds of items, such as marks of structure, hold no text.
    for (
      const paragraph of paragraphsOf(
        items.flatMap((item) => "str" in item ? item : []).slice(0, itemsMax)
      )
    ) {
      paragraphs.push(paragraph)
      chars += paragraph.length
    }
  }
  const title: unknown = yield* Effect.promise(() =>
    getMeta(pdf).then(({ info }) => info["Title"], () => "")
  )
  const blocks = paragraphs.map((text) => ({ kind: "text" as const, text }))
  const read = yield* Effect.fromResult(
    PageFacts.page(blocks, typeof title === "string" ? { title } : {})
  ).pipe(
    Effect.mapError((reason) => new ExtractionFailed({ reason }))
  )
  const isWhole = page > pdf.numPages
  return isWhole ? read : { ...read, truncated: true as const }
})

interface Item {
  readonly str: string
  readonly hasEOL: boolean
  readonly height: number
  readonly transform: ReadonlyArray<number>
}

interface Line {
  text: string
  readonly bottom: number
  readonly height: number
}

/** Lines by the ends that the document marks; a larger gap or another size begins a paragraph. */
const paragraphsOf = (items: ReadonlyArray<Item>): ReadonlyArray<string> => {
  const lines: Array<Line> = []
  let isOpen = false
  for (const item of items) {
    const last = lines.at(-1)
    if (isOpen && last !== undefined) last.text += item.str
    else if (item.str.trim() !== "") {
      lines.push({ text: item.str, bottom: item.transform[5] ?? 0, height: item.height })
      isOpen = true
    }
    if (item.hasEOL) isOpen = false
  }
  const paragraphs: Array<string> = []
  lines.forEach((line, place) => {
    const before = lines[place - 1]
    if (before === undefined || isApart(before, line)) paragraphs.push(line.text.trim())
    else paragraphs.push(joined(paragraphs.pop() ?? "", line.text.trim()))
  })
  return paragraphs
}

const isApart = (above: Line, below: Line): boolean => {
  const height = Math.max(above.height, below.height, 1)
  const fall = above.bottom - below.bottom
  return fall < 0 || fall > paragraphGap * height ||
    Math.abs(above.height - below.height) > height / 5
}

/** A word parted at the line's end is made whole again. */
const joined = (text: string, line: string): string =>
  /\p{L}-$/u.test(text) && /^\p{Ll}/u.test(line) ? text.slice(0, -1) + line : `${text} ${line}`

// Plain text and Markdown as blocks: wrapped lines are joined, marks are taken off.

/** A wrapped line of a paragraph is so long, but for the last. In UTF-16 code units. */
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

const readMarkdown = (text: string): ReadResult => {
  const { body, title, ...dates } = frontMatter(text)
  const blocks = markdownBlocks(body.replace(/<!--[^]*?-->/g, ""))
  const heading = blocks.find(({ kind }) => kind === "heading")?.text ?? ""
  return PageFacts.page(blocks, { ...dates, title: title || heading })
}

/** Prose that was broken at a column: even lines, no columns within, no list. */
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
  return { unread: Sentences.cut(Sentences.clean(value).text, unreadDateCharsMax) }
}
