/** Reads files of text, Markdown, HTML and PDF as fetched pages are read: in workers. */
import { Effect, Layer } from "effect"
import { isUtf8 } from "node:buffer"
import {
  documentBytesMax,
  type DocumentFile,
  DocumentReader,
  DocumentUnreadable
} from "../../application/ports/DocumentReader.ts"
import type { ExtractionReason } from "./ExtractedPage.ts"
import { PageExtractions } from "./PageExtraction.ts"

/** What a file's ending says of it. */
const contentTypes: Readonly<Record<string, string>> = {
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".markdown": "text/markdown; charset=utf-8",
  ".html": "text/html",
  ".htm": "text/html",
  ".pdf": "application/pdf"
}

/** A file has no address; links in it lead nowhere. */
const nowhere = "https://file.invalid/"

export const layer = Layer.effect(
  DocumentReader,
  Effect.gen(function*() {
    const { extractPage } = yield* PageExtractions
    return DocumentReader.of({
      endings: Object.keys(contentTypes),
      read: Effect.fn("DocumentFiles.read")(function*({ bytes, name }: DocumentFile) {
        const refused = (reason: DocumentUnreadable["reason"]) =>
          new DocumentUnreadable({ name, reason })
        const contentType = contentTypes[endingOf(name)]
        if (contentType === undefined) return yield* refused("unknown_kind")
        if (bytes.byteLength > documentBytesMax) return yield* refused("too_large")
        // HTML may say its charset itself.
        const isBound = contentType.includes("charset")
        if (isBound && !isUtf8(bytes)) return yield* refused("not_utf8")
        const { canonical_url: _, headings: __, language: ___, ...document } = yield* extractPage({
          body: bytes,
          contentType,
          url: nowhere
        }).pipe(Effect.mapError(({ reason }) => refused(reasons[reason])))
        return document
      })
    })
  })
)

const endingOf = (name: string): string => /\.[a-z]+$/.exec(name.toLowerCase())?.[0] ?? ""

const reasons: Readonly<Record<ExtractionReason, DocumentUnreadable["reason"]>> = {
  no_text: "no_text",
  unsupported_type: "malformed",
  too_large: "too_large",
  malformed: "malformed",
  timeout: "malformed",
  out_of_memory: "malformed",
  crashed: "malformed"
}
