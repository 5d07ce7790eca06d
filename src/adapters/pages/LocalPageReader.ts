/** Page reader that fetches pages itself and extracts their main text, without a key. */
import { chunksOfText } from "@web-grounding/language/Chunking"
import { cut } from "@web-grounding/language/Sentences"
import type { ExtractionReason } from "@web-grounding/pages/ExtractedPage"
import { PageExtractions } from "@web-grounding/pages/PageExtraction"
import { isPartial, type NoPage, noPageOf } from "@web-grounding/pages/PageGate"
import type { FetchFailed, FetchFault } from "@web-grounding/safe-fetch/Network"
import type { FetchedBytes, SafeFetch } from "@web-grounding/safe-fetch/SafeFetch"
import { Effect, Layer, Option } from "effect"
import { isUtf8 } from "node:buffer"
import {
  documentBytesMax,
  type DocumentFile,
  DocumentReader,
  DocumentUnreadable
} from "../../application/ports/Embedder.ts"
import {
  type Engine,
  EngineFailed,
  type PageText,
  type Readable
} from "../../application/ports/Engines.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import type { EngineDetail, EngineFault } from "../../domain/session/EngineDetail.ts"

/** Default longest text of a page, in UTF-16 code units; the rest is not read. */
export const textCharsMax = 200_000

type Extracted = Omit<PageText, "reader" | "chunks" | "address"> & { readonly no_page?: NoPage }

export interface LocalPageReaderOptions {
  /** Fetches a page. Its bytes count as held until the page is extracted. */
  readonly fetch: SafeFetch["open"]
  /** `reason` is a word of its own, such as `no_text`. */
  readonly extract: (
    page: FetchedBytes
  ) => Effect.Effect<Extracted, { readonly reason: ExtractionReason }>
  /** Least length of a closed passage, in UTF-16 code units. Default: 800. */
  readonly chunkCharsMin?: number
}

const info = { engine: "local", version: "1" } as const

/**
 * Fetches and extracts on this machine. Fails with the reason as `detail`: `robots`, `http_404`,
 * `address_forbidden`, `no_text`, … An unreadable PDF is `pdf_not_read`; a text that is no page
 * fails with a word of `NoPage`.
 */
export const make = (options: LocalPageReaderOptions): Engine<"reader"> => ({
  info,
  ask: Effect.fn("LocalPageReader.read")(
    function*({
      chunkCharsMin = options.chunkCharsMin,
      isAllowed,
      textCharsMax: charsMax = textCharsMax,
      url
    }: Readable) {
      const { address, headings = [], links = [], no_page, text: whole, ...said } = yield* Effect
        .mapError(
          options.fetch(url, isAllowed),
          notFetched
        ).pipe(
          Effect.flatMap((page) =>
            Effect.mapError(options.extract(page), ({ reason }) => notExtracted(reason, page)).pipe(
              Effect.map((extracted) => ({ ...extracted, address: WebAddress.canonical(page.url) }))
            )
          ),
          // Frees the page's bytes before its text is chunked.
          Effect.scoped
        )
      if (Option.isNone(address)) return yield* failed("refused", "address_invalid")
      const fault = no_page ?? noPageOf({ ...said, text: whole })
      if (fault !== undefined) return yield* failed(faultOf(fault), fault)
      const text = cut(whole, charsMax)
      const within = headings.filter(({ end }) => end <= text.length)
      const chunks = chunksOfText(text, within, chunkCharsMin)
      if (chunks.length === 0) return yield* failed("malformed", "no_text")
      const read: PageText = {
        reader: "web",
        ...(address.value.href === url ? {} : { address: address.value }),
        ...said,
        ...(text.length < whole.length || isPartial(whole) ? { truncated: true } : {}),
        text,
        chunks,
        headings: within,
        ...(links.length === 0 ? {} : { links: links.filter(({ end }) => end <= text.length) })
      }
      return read
    }
  )
})

const failed = (reason: EngineFault, detail: EngineDetail) =>
  new EngineFailed({ engine: info.engine, reason, detail })

const faultOf = (fault: NoPage): EngineFault => fault === "garbled" ? "malformed" : "refused"

const notFetched = (failure: FetchFailed) =>
  failed(
    failure.fault === "http_status" && (failure.status ?? 0) >= 500
      ? "unreachable"
      : reasons[failure.fault] ?? "refused",
    failure.status === undefined ? failure.fault : `http_${failure.status}`
  )

const notExtracted = (reason: ExtractionReason, { contentType }: FetchedBytes) =>
  reason === "timeout"
    ? failed("timeout", "extraction")
    : reason === "resting"
    ? failed("refused", "resting")
    : failed("malformed", contentType === "application/pdf" ? "pdf_not_read" : reason)

const reasons: Partial<Record<FetchFault, EngineFault>> = {
  name_unresolved: "unreachable",
  unreachable: "unreachable",
  tls_failed: "unreachable",
  timeout: "timeout",
  busy: "unreachable",
  truncated: "truncated",
  malformed: "malformed",
  encoding_unknown: "malformed"
}

// Reads text, Markdown, HTML and PDF files like fetched pages: in workers.

const contentTypes: Readonly<Record<string, string>> = {
  ".txt": "text/plain",
  ".md": "text/markdown",
  ".markdown": "text/markdown",
  ".html": "text/html",
  ".htm": "text/html",
  ".pdf": "application/pdf"
}

/** Types whose text must be UTF-8, whatever charset is declared. HTML may have another. */
const utf8Types: ReadonlySet<string> = new Set(["text/plain", "text/markdown"])
const utf8Names: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii"])

/** A file has no URL; its relative links resolve to nothing. */
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
        const {
          canonical_url: _,
          headings: __,
          language: ___,
          links: ____,
          no_page: _______,
          owners: _____,
          removed_blocks_count: ______,
          ...document
        } = yield* extractPage({
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

const essenceOf = (contentType: string): string =>
  contentType.split(";")[0]?.trim().toLowerCase() ?? ""

const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase()

const endingOf = (name: string): string => /\.[a-z]+$/.exec(name.toLowerCase())?.[0] ?? ""
