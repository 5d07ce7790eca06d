/** Reads files of text, Markdown, HTML and PDF as fetched pages are read: in workers. */
import { PageExtractions } from "@web-grounding/pages/PageExtraction"
import { Effect, Layer } from "effect"
import { isUtf8 } from "node:buffer"
import {
  documentBytesMax,
  type DocumentFile,
  DocumentReader,
  DocumentUnreadable
} from "../../application/ports/EvidenceStore.ts"

/** The media type that a file's ending stands for. */
const contentTypes: Readonly<Record<string, string>> = {
  ".txt": "text/plain",
  ".md": "text/markdown",
  ".markdown": "text/markdown",
  ".html": "text/html",
  ".htm": "text/html",
  ".pdf": "application/pdf"
}

/** Types whose text must be UTF-8, whatever charset is declared. HTML may have another one. */
const utf8Types: ReadonlySet<string> = new Set(["text/plain", "text/markdown"])
const utf8Names: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii"])

/** A file has no address; links in it lead nowhere. */
const nowhere = "https://file.invalid/"

export const layer = Layer.effect(
  DocumentReader,
  Effect.gen(function*() {
    const { extractPage } = yield* PageExtractions
    return DocumentReader.of({
      endings: Object.keys(contentTypes),
      contentTypes: [...readTypes],
      read: Effect.fn("DocumentFiles.read")(function*({ bytes, contentType, name }: DocumentFile) {
        const refused = (reason: DocumentUnreadable["reason"]) =>
          new DocumentUnreadable({ name, reason })
        const declared = contentType ?? contentTypes[endingOf(name)] ?? ""
        const type = essenceOf(declared)
        if (!readTypes.has(type)) return yield* refused("unknown_kind")
        if (bytes.byteLength > documentBytesMax) return yield* refused("too_large")
        const isText = utf8Types.has(type)
        const isOtherCharset = !utf8Names.has(charsetOf(declared) ?? "utf-8")
        if (isText && (isOtherCharset || !isUtf8(bytes))) return yield* refused("not_utf8")
        const { canonical_url: _, headings: __, language: ___, ...document } = yield* extractPage({
          body: bytes,
          contentType: isText ? `${type}; charset=utf-8` : declared,
          url: nowhere
        }).pipe(
          Effect.mapError(({ reason }) =>
            refused(reason === "no_text" || reason === "too_large" ? reason : "malformed")
          )
        )
        return document
      })
    })
  })
)

const readTypes: ReadonlySet<string> = new Set(Object.values(contentTypes))

/** A media type in lower case without its parameters. */
const essenceOf = (contentType: string): string =>
  contentType.split(";")[0]?.trim().toLowerCase() ?? ""

const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase()

const endingOf = (name: string): string => /\.[a-z]+$/.exec(name.toLowerCase())?.[0] ?? ""
