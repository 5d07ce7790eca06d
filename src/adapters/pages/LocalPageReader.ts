/** Fetches a page itself and keeps its main text: a `PageReader` that needs no key. */
import { chunksOfText } from "@web-grounding/language/Chunking"
import { cut } from "@web-grounding/language/Sentences"
import type { ExtractionReason } from "@web-grounding/pages/ExtractedPage"
import type { FetchFailed, FetchFault } from "@web-grounding/safe-fetch/Network"
import type { FetchedBytes } from "@web-grounding/safe-fetch/SafeFetch"
import { Effect, Option, type Scope } from "effect"
import type { PageReader, PageText } from "../../application/ports/PageReader.ts"
import { EngineFailed } from "../../application/ports/Rungs.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import type { EngineDetail, EngineFault } from "../../domain/session/EngineDetail.ts"

/** Longest text of a page unless more is asked for, in UTF-16 code units; the rest is not read. */
export const textCharsMax = 200_000

/** Result of an extraction. `text` is not empty. */
export type Extracted = Omit<PageText, "reader" | "chunks" | "address">

export interface LocalPageReaderOptions {
  /** Fetches a page. Its bytes count as held until the page is extracted. */
  readonly fetch: (address: string) => Effect.Effect<FetchedBytes, FetchFailed, Scope.Scope>
  /** `reason` is a word of its own, such as `no_text`. */
  readonly extract: (
    page: FetchedBytes
  ) => Effect.Effect<Extracted, { readonly reason: ExtractionReason }>
  /** Length from which a passage may be closed, in UTF-16 code units. Default: 800. */
  readonly chunkCharsMin?: number
}

const info = { engine: "local", version: "1" } as const

/**
 * Page reader that fetches and extracts on this machine. Fails with the fetch's or the extraction's
 * own reason as `detail`: `robots`, `http_404`, `address_forbidden`, `too_large`, `no_text`, … A
 * PDF that could not be read is `pdf_not_read`.
 */
export const make = (options: LocalPageReaderOptions): PageReader => ({
  info,
  read: Effect.fn("LocalPageReader.read")(
    function*({
      chunkCharsMin = options.chunkCharsMin,
      textCharsMax: charsMax = textCharsMax,
      url
    }) {
      const { address, headings = [], text: whole, ...said } = yield* Effect.mapError(
        options.fetch(url),
        notFetched
      ).pipe(
        Effect.flatMap((page) =>
          Effect.mapError(options.extract(page), ({ reason }) => notExtracted(reason, page)).pipe(
            Effect.map((extracted) => ({ ...extracted, address: WebAddress.canonical(page.url) }))
          )
        ),
        // The page's bytes are let go before its text is cut.
        Effect.scoped
      )
      if (Option.isNone(address)) return yield* failed("refused", "address_invalid")
      const text = cut(whole, charsMax)
      const within = headings.filter(({ end }) => end <= text.length)
      const chunks = chunksOfText(text, within, chunkCharsMin)
      if (chunks.length === 0) return yield* failed("malformed", "no_text")
      const read: PageText = {
        reader: "web",
        ...(address.value.href === url ? {} : { address: address.value }),
        ...said,
        ...(text.length < whole.length ? { truncated: true } : {}),
        text,
        chunks,
        headings: within
      }
      return read
    }
  )
})

const failed = (reason: EngineFault, detail: EngineDetail) =>
  new EngineFailed({ engine: info.engine, reason, detail })

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
    : failed("malformed", contentType === "application/pdf" ? "pdf_not_read" : reason)

/** Reasons of a failed fetch in the words of all engines, where it was not refused. */
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
