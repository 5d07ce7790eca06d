/** Kind of a body: as its header says, and only if its first bytes do not say otherwise. */

export type ContentKind = "html" | "xhtml" | "text" | "markdown" | "pdf"

const kinds: Readonly<Record<string, ContentKind>> = {
  "text/html": "html",
  "application/xhtml+xml": "xhtml",
  "text/plain": "text",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
  "application/pdf": "pdf"
}

export const mediaTypes: Readonly<Record<ContentKind, string>> = {
  html: "text/html",
  xhtml: "application/xhtml+xml",
  text: "text/plain",
  markdown: "text/markdown",
  pdf: "application/pdf"
}

const sniffBytes = 1_024

/** Kept out of texts by the rules that browsers sniff by; escape is in: Japanese mail uses it. */
const binaryBytes = /[\x00-\x08\x0B\x0E-\x1A\x1C-\x1F]/
const pdfMark = /^\s{0,64}%PDF-/
/** Beginnings that hold no byte of the above. */
const binaryMark = /^(?:PK\x03\x04|GIF8[79]a|Rar!|7z\xBC\xAF|RIFF|OggS|MZ|\x7FELF|wOF[F2]|%!PS)/
/** An image that is written in angle brackets. */
const drawing =
  /^(?:\xEF\xBB\xBF)?\s{0,64}(?:<\?xml[^>]{0,200}>\s{0,64})?(?:<!--[^]{0,400}?-->\s{0,64})?(?:<!DOCTYPE svg[^>]{0,200}>\s{0,64})?<svg[\s>]/i
const markup =
  /^(?:\xEF\xBB\xBF)?\s{0,64}<(?:!doctype|html|head|body|title|!--|meta|p|div|h1)[\s>-]/i
const wideMark = /^(?:\xFF\xFE|\xFE\xFF)/

/**
 * Kind of a document, by its content type and its first bytes. `undefined` for what is not read,
 * and for one thing served as another.
 */
export const kindOf = (contentType: string, body: Uint8Array): ContentKind | undefined => {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, sniffBytes))
    .toString("latin1")
  const essence = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase()
  const kind = essence === "" ? guessed(start) : kinds[essence]
  if (kind === undefined) return undefined
  if (kind === "pdf" || pdfMark.test(start)) {
    return kind === "pdf" && pdfMark.test(start) ? "pdf" : undefined
  }
  return isText(start, contentType) ? kind : undefined
}

const guessed = (start: string): ContentKind =>
  pdfMark.test(start) ? "pdf" : markup.test(start) ? "html" : "text"

/** A text of two bytes a character has zeros in it; its mark or its header says so. */
const isText = (start: string, contentType: string): boolean => {
  if (wideMark.test(start) || /charset\s*=\s*"?utf-16/i.test(contentType)) return true
  return !binaryBytes.test(start) && !binaryMark.test(start) && !drawing.test(start)
}
