/** A fetched document of any kind that can be read, as an extracted page. Runs in the worker. */
import { Effect, Result } from "effect"
import { textOf } from "./Charset.ts"
import { type ExtractedPage, ExtractionFailed } from "./ExtractedPage.ts"
import * as MainContent from "./MainContent.ts"
import type { PageDocument } from "./PageDocument.ts"
import * as PdfPage from "./PdfPage.ts"
import * as PlainPage from "./PlainPage.ts"

export const readDocument = (
  { body, contentType, url }: PageDocument
): Effect.Effect<ExtractedPage, ExtractionFailed> => {
  if (isPdf(body)) return PdfPage.readPdf(body)
  const text = textOf(body, contentType)
  // Text has no NUL.
  if (text.slice(0, 4_096).includes("\0")) return failed("malformed")
  const type = typeOf(contentType, text, url)
  if (type === "other") return failed("unsupported_type")
  const answer = type === "html"
    ? MainContent.readContent(text, url)
    : type === "markdown"
    ? PlainPage.readMarkdown(text)
    : PlainPage.readText(text)
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
