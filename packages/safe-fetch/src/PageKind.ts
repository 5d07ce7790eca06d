/** What a document is, by its first bytes before its header, and where it only leads on. */

export type ContentKind = "html" | "xhtml" | "text" | "markdown" | "pdf"

const kinds: Readonly<Record<string, ContentKind>> = {
  "text/html": "html",
  "application/xhtml+xml": "xhtml",
  "text/plain": "text",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown"
}

export const mediaTypes: Readonly<Record<ContentKind, string>> = {
  html: "text/html",
  xhtml: "application/xhtml+xml",
  text: "text/plain",
  markdown: "text/markdown",
  pdf: "application/pdf"
}

/** Types by which servers say that they do not know, or that a file is to be saved. */
const unknownType =
  /^$|^[^/]*$|^\*\/\*$|\bunknown\b|octet-stream|(?:x-|force-)?download|\bpdf\b|acrobat/

const sniffBytes = 1_024

/** Kept out of texts by the rules that browsers sniff by; escape is in: Japanese mail uses it. */
const binaryBytes = /[\x00-\x08\x0B\x0E-\x1A\x1C-\x1F]/
/** Beginnings that hold no byte of the above. */
const binaryMark = /^(?:PK\x03\x04|GIF8[79]a|Rar!|7z\xBC\xAF|RIFF|OggS|MZ|\x7FELF|wOF[F2]|%!PS)/
/** An image that is written in angle brackets. */
const drawing =
  /^(?:\xEF\xBB\xBF)?\s{0,64}(?:<\?xml[^>]{0,200}>\s{0,64})?(?:<!--[^]{0,400}?-->\s{0,64})?(?:<!DOCTYPE svg[^>]{0,200}>\s{0,64})?<svg[\s>]/i
const markup =
  /^(?:\xEF\xBB\xBF)?\s{0,64}<(?:!doctype|html|head|body|title|!--|meta|p|div|h1)[\s>-]/i
/** A byte order mark, or the begin of markup, of two bytes a character. */
const wideMark = /^(?:\xFF\xFE|\xFE\xFF|<\0[!-~]\0|\0<\0[!-~])/
/** Bytes that fill up a file. */
const padding = /\0+$/

/**
 * Kind of a document, by its first bytes where they say one, else by its content type. `undefined`
 * for what is not read, and for a picture or a program that is served as a page.
 */
export const kindOf = (contentType: string, body: Uint8Array): ContentKind | undefined => {
  const start = startOf(body)
  const essence = essenceOf(contentType)
  if (isPdf(contentType, body)) return "pdf"
  if (!isText(start, contentType)) return undefined
  return kinds[essence] ?? (unknownType.test(essence) ? guessed(start) : undefined)
}

const guessed = (start: string): ContentKind => markup.test(start) ? "html" : "text"

const startOf = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, sniffBytes)).toString("latin1")

const essenceOf = (contentType: string): string =>
  (contentType.split(";", 1)[0] ?? "").trim().toLowerCase()

/** Its version, and nothing else on the line but a mark of binary. */
const pdfMark =
  /^(?:\xEF\xBB\xBF|\xFE\xFF|\xFF\xFE)?\s{0,64}%PDF-\d\.\d[ \t]*(?:[\r\n%\0\x80-\xff]|$)/
const pdfBehindJunk = /^[^<]{0,1000}?%PDF-\d/

/**
 * Whether a document is a PDF: by its mark at the beginning, whatever the header says; behind a
 * little that is no markup, where the header says so too. A text that speaks of the mark is none.
 */
export const isPdf = (contentType: string, body: Uint8Array): boolean => {
  const start = startOf(body)
  return pdfMark.test(start) ||
    /pdf|acrobat/.test(essenceOf(contentType)) && pdfBehindJunk.test(start)
}

/** A text of two bytes a character has zeros in it; its mark or its header says so. */
const isText = (start: string, contentType: string): boolean => {
  if (wideMark.test(start) || /charset\s*=\s*"?utf-16/i.test(contentType)) return true
  return !binaryBytes.test(start.replace(padding, "")) && !binaryMark.test(start) &&
    !drawing.test(start)
}

// A page that only leads on: a refresh within seconds, and hardly a word beside it.

/** A page of more bytes, or with more text, is more than a signpost. */
const signpostBytesMax = 65_536
const signpostCharsMax = 600
const refreshSecondsMax = 10

/** Contents that are shown by scripts alone, or that are no elements. */
const unread = /<!--[^]*?(?:-->|$)|<(script|style|noscript)\b[^]*?(?:<\/\1\s*>|$)/gi
const refreshes = /<meta\b[^<>]{0,2000}>/gi
const refreshContent = /\bcontent\s*=\s*(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))/i
const refreshForm = /^\s*(\d{1,9})(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?["']?\s*([^"']*)/i

/**
 * Address that a page leads on to by the header `Refresh` or an element `meta`, as it is written;
 * `undefined` for a page with contents of its own.
 */
export const refreshOf = (header: string, body: Uint8Array): string | undefined => {
  if (body.length > signpostBytesMax) return undefined
  const html = Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1")
    .replace(unread, " ")
  const [told] = [header, ...(html.match(refreshes) ?? []).flatMap(contentOf)].flatMap(addressIn)
  const text = html.replace(/<title\b[^]*?(?:<\/title|$)|<[^<>]*>?/gi, " ").replace(/\s+/g, " ")
  return text.length > signpostCharsMax ? undefined : told
}

const contentOf = (meta: string): ReadonlyArray<string> => {
  if (!/\bhttp-equiv\s*=\s*["']?\s*refresh\b/i.test(meta)) return []
  const [, double, single, bare] = refreshContent.exec(meta) ?? []
  return [(double ?? single ?? bare ?? "").replace(/&amp;/gi, "&").replace(/&#0?39;|&quot;/gi, "")]
}

const addressIn = (refresh: string): ReadonlyArray<string> => {
  const [, seconds = "", address = ""] = refreshForm.exec(refresh) ?? []
  return address.trim() === "" || Number(seconds) > refreshSecondsMax ? [] : [address.trim()]
}
