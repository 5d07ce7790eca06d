/** Turns a hit into text that can be quoted. */
import { Context, type Effect } from "effect"
import type { Reader, Span } from "../../domain/page/Page.ts"
import type { SearchHit } from "../../domain/search/SearchHit.ts"
import type { WebAddress } from "../../domain/search/WebAddress.ts"
import type { EngineFailed, EngineInfo, Rungs } from "./Rungs.ts"

export interface PageText {
  readonly reader: Reader
  /** The address that answered, where it is not the one that was asked for. */
  readonly address?: WebAddress
  /** What the reader adds about this reading, in a word of its own, e.g. `cached_snapshot`. */
  readonly detail?: string
  /** What the page says of itself, each left out when it does not. */
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

/** What a reader needs of a hit; a page that is named by its address alone has no `content`. */
export interface Readable extends Pick<SearchHit, "url" | "content"> {
  /** Of the page's text, in UTF-16 code units. Default: the reader's own. */
  readonly textCharsMax?: number
  /** From when on a passage of a page may be closed, in UTF-16 code units. Default: as above. */
  readonly chunkCharsMin?: number
}

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
