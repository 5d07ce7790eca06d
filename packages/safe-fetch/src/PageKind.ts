/** Type of a document, by its first bytes before its header, and pages that only redirect. */

const pageTypes: ReadonlySet<string> = new Set([
  "text/html",
  "application/xhtml+xml",
  "text/plain",
  "text/markdown"
])

/** Types of servers that do not know the type, or want a file to be saved. */
const unknownType =
  /^$|^[^/]*$|^\*\/\*$|\bunknown\b|octet-stream|(?:x-|force-)?download|\bpdf\b|acrobat/

const sniffBytes = 1_024

/** Not in text by the browsers' sniffing rules; escape may be: Japanese mail uses it. */
const binaryBytes = /[\x00-\x08\x0B\x0E-\x1A\x1C-\x1F]/
/** Binary signatures without such bytes. */
const binaryMark = /^(?:PK\x03\x04|GIF8[79]a|Rar!|7z\xBC\xAF|RIFF|OggS|MZ|\x7FELF|wOF[F2]|%!PS)/
/** SVG. */
const drawing =
  /^(?:\xEF\xBB\xBF)?\s{0,64}(?:<\?xml[^>]{0,200}>\s{0,64})?(?:<!--[^]{0,400}?-->\s{0,64})?(?:<!DOCTYPE svg[^>]{0,200}>\s{0,64})?<svg[\s>]/i
const markup =
  /^(?:\xEF\xBB\xBF)?\s{0,64}<(?:!doctype|html|head|body|title|!--|meta|p|div|h1)[\s>-]/i
/** A byte order mark, or the start of markup, in UTF-16. */
const wideMark = /^(?:\xFF\xFE|\xFE\xFF|<\0[!-~]\0|\0<\0[!-~])/
const padding = /\0+$/

/**
 * Media type by its first bytes if they are specific, else by its header. `undefined` for
 * unsupported types, and an image or program served as a page.
 */
export const mediaTypeOf = (contentType: string, body: Uint8Array): string | undefined => {
  const start = startOf(body)
  const essence = essenceOf(contentType).replace("/x-markdown", "/markdown")
  if (isPdf(contentType, body)) return "application/pdf"
  if (!isText(start, contentType)) return undefined
  if (pageTypes.has(essence)) return essence
  if (!unknownType.test(essence)) return undefined
  return markup.test(start) ? "text/html" : "text/plain"
}

const startOf = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, sniffBytes)).toString("latin1")

const essenceOf = (contentType: string): string =>
  (contentType.split(";", 1)[0] ?? "").trim().toLowerCase()

/** Its version, and nothing else on the line except a binary marker. */
const pdfMark =
  /^(?:\xEF\xBB\xBF|\xFE\xFF|\xFF\xFE)?\s{0,64}%PDF-\d\.\d[ \t]*(?:[\r\n%\0\x80-\xff]|$)/
const pdfBehindJunk = /^[^<]{0,1000}?%PDF-\d/

/** By its signature at the start; after some bytes without markup, if the header agrees. */
export const isPdf = (contentType: string, body: Uint8Array): boolean => {
  const start = startOf(body)
  return pdfMark.test(start) ||
    /pdf|acrobat/.test(essenceOf(contentType)) && pdfBehindJunk.test(start)
}

/** UTF-16 text has zero bytes; its byte order mark or header shows it. */
const isText = (start: string, contentType: string): boolean => {
  if (wideMark.test(start) || /charset\s*=\s*"?utf-16/i.test(contentType)) return true
  return !binaryBytes.test(start.replace(padding, "")) && !binaryMark.test(start) &&
    !drawing.test(start)
}

// A page that only redirects: a refresh within seconds, and hardly any text.

/** A page with more bytes or text is real content. */
const signpostBytesMax = 65_536
const signpostCharsMax = 600
const refreshSecondsMax = 10

/** Content shown by scripts alone, or outside of elements. */
const unread = /<!--[^]*?(?:-->|$)|<(script|style|noscript)\b[^]*?(?:<\/\1\s*>|$)/gi
const refreshes = /<meta\b[^<>]{0,2000}>/gi
const refreshContent = /\bcontent\s*=\s*(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))/i
const refreshForm = /^\s*(\d{1,9})(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?["']?\s*([^"']*)/i

/**
 * URL by the header `Refresh` or an element `meta`, unresolved; `undefined` for a page with
 * content.
 */
export const refreshOf = (header: string, body: Uint8Array): string | undefined => {
  if (body.length > signpostBytesMax) return undefined
  const html = Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1")
    .replace(unread, " ")
  const [next] = [header, ...(html.match(refreshes) ?? []).flatMap(contentOf)].flatMap(addressIn)
  const text = html.replace(/<title\b[^]*?(?:<\/title|$)|<[^<>]*>?/gi, " ").replace(/\s+/g, " ")
  return text.length > signpostCharsMax ? undefined : next
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
