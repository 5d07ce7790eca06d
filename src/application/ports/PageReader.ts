/** Turns a hit into text that can be quoted. */
import { Context, Effect } from "effect"
import type { Reader, Span } from "../../domain/page/Page.ts"
import type { ProviderName, SearchHit } from "../../domain/search/SearchStatus.ts"
import type { WebAddress } from "../../domain/search/WebAddress.ts"
import type { RungFault } from "../../domain/session/EngineDetail.ts"
import type { EngineFailed, EngineInfo, Rungs } from "./Rungs.ts"
import type { SearchFailed } from "./SearchProvider.ts"

/**
 * Text of one page, cleaned of invisible characters, with its passages and what the page states.
 */
export interface PageText {
  readonly reader: Reader
  /** The address that answered, where it is not the one that was asked for. */
  readonly address?: WebAddress
  /** Detail of this reading, in the reader's own word, e.g. `cached_snapshot`. */
  readonly detail?: string
  /** Facts that the page states about itself, each absent when it does not. */
  readonly title?: string
  readonly published_date?: string
  readonly modified_date?: string
  readonly language?: string
  readonly canonical_url?: string
  /** The page goes on where `text` ends. */
  readonly truncated?: true
  /** Plain text without invisible characters. Never empty. */
  readonly text: string
  /** Contiguous passages, in order, not overlapping. Never empty. */
  readonly chunks: ReadonlyArray<Span>
  /** Headings in `text`, in order, not overlapping. */
  readonly headings?: ReadonlyArray<Span>
  /** Invisible and active characters taken out before `text` was cut. */
  readonly removed_chars_count?: number
}

/**
 * Fields of a hit that a reader needs; a page that is named by its address alone has no `content`.
 */
export interface Readable extends Pick<SearchHit, "url" | "content"> {
  /** Longest text kept of the page, in UTF-16 code units. Default: the reader's own limit. */
  readonly textCharsMax?: number
  /**
   * Length from which a passage of a page may be closed, in UTF-16 code units. Default: the
   * reader's own.
   */
  readonly chunkCharsMin?: number
}

/** An engine that reads one page: over the web, by a service, or from the hit's own snippet. */
export interface PageReader<E = EngineFailed> {
  readonly info: EngineInfo
  /** `undefined` when the hit holds no text at all. */
  readonly read: (hit: Readable) => Effect.Effect<PageText | undefined, E>
}

/** The readers of this deployment, preferred first; the last reads the provider's snippet. */
export class PageReaders
  extends Context.Service<PageReaders, Rungs<PageReader, PageReader<never>>>()(
    "web-grounding/application/ports/PageReaders"
  )
{}

/** Pages for a paid extraction in one request. */
export interface ExtractRequest {
  /** Canonical, no address twice; at least one, at most `urlsMax`. */
  readonly urls: ReadonlyArray<string>
  /** Milliseconds that the caller waits, so that the provider gives up before. */
  readonly timeoutMs: number
  /** Length from which a passage of a page may be closed, in UTF-16 code units. */
  readonly chunkCharsMin?: number
}

/** Pages that a paid extraction has read, and what it charged. */
export interface ExtractAnswer {
  /** Texts by the address that was asked for; an address that could not be read is left out. */
  readonly pages: ReadonlyMap<string, PageText>
  /**
   * Credits that the provider reports; `NaN` when it reports no number. Absent when it reports
   * nothing.
   */
  readonly credits?: number
}

/** A provider that reads several pages for one paid request, by one of its keys. */
export interface PageExtractor {
  readonly info: EngineInfo
  /** Provider whose key and monthly quota the extractor uses. */
  readonly provider: ProviderName
  /** 1-based. */
  readonly keySlot: number
  /** Addresses of one request. */
  readonly urlsMax: number
  /** Pages that one credit pays; those that could not be read are free. */
  readonly pagesPerCredit: number
  /** Whether the address may be told to the provider: only of the public internet. */
  readonly mayBeTold: (url: string) => boolean
  /** Asks the provider in one request. Interrupting it closes the socket. */
  readonly extract: (request: ExtractRequest) => Effect.Effect<ExtractAnswer, SearchFailed>
}

/** The extractors, one for each key of the provider, in slot order. Empty: no page is extracted. */
export class PageExtractors extends Context.Service<PageExtractors, ReadonlyArray<PageExtractor>>()(
  "web-grounding/application/ports/PageExtractors"
) {}

/** Pages to extract for payment, and the time left for it. */
export interface PagesWanted {
  /** Canonical. What is beyond the provider's ceiling, or twice, is not asked for. */
  readonly urls: ReadonlyArray<string>
  /** Milliseconds for all of it. */
  readonly leftMs: number
  /** Milliseconds for one request, at most. */
  readonly timeoutMs: number
  /** Length from which a passage of a page may be closed, in UTF-16 code units. */
  readonly chunkCharsMin?: number
}

/** Texts that were extracted, by address, and why the others have none. */
export interface Extracted {
  readonly texts: ReadonlyMap<string, PageText>
  /** Faults by address, for each page without a text, whether it was asked for or held back. */
  readonly faults: ReadonlyMap<string, RungFault>
}

/** Asks the extractors, within their months. The default extracts nothing. */
export const ExtractPages = Context.Reference<{
  /** `undefined`: this deployment extracts nothing. */
  readonly info: EngineInfo | undefined
  readonly extract: (wanted: PagesWanted) => Effect.Effect<Extracted>
}>("web-grounding/application/ports/ExtractPages", {
  defaultValue: () => ({
    info: undefined,
    extract: () => Effect.succeed({ texts: new Map(), faults: new Map() })
  })
})
