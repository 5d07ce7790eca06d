/** Text that was really fetched, cut into chunks with exact offsets. Every quotation is of it. */
import * as Sentences from "@web-grounding/language/Sentences"
import { Schema } from "effect"
import { ProviderName, SourceClass, titleCharsMax } from "../search/SearchStatus.ts"

/** Offsets are UTF-16 code-unit indices, as JavaScript slices; `end` is exclusive. */
export const Span = Schema.Struct({ start: Schema.Natural, end: Schema.Natural })

export type Span = typeof Span.Type

/**
 * Source of the text: the hit's own (`snippet`), sent with the hit (`tavily`), read (`jina`, `web`:
 * this service), or collected earlier (`store`).
 */
export const Reader = Schema.Literals(["snippet", "jina", "web", "store", "tavily"])

export type Reader = typeof Reader.Type

export const Page = Schema.Struct({
  /** `s1`, `s2`, …: unique within one grounding, and the only name a model may give a source. */
  source_id: Schema.String,
  /** The address that answered, which is cited. */
  url: Schema.String,
  /** The address that was found and led here; absent when it is `url`. */
  hit_url: Schema.optionalKey(Schema.String),
  title: Schema.String,
  /** Registrable domain of `url`. */
  site: Schema.String,
  official: Schema.Boolean,
  /** Absent where its host has no class, and where an older release read it. */
  source_class: Schema.optionalKey(SourceClass),
  published_date: Schema.optionalKey(Schema.String),
  /** Modification date that the page states; ISO 8601, a date or an instant. */
  modified_date: Schema.optionalKey(Schema.String),
  /** BCP 47, as the page states it. */
  language: Schema.optionalKey(Schema.String),
  /** Address that the page states as its own, within its registrable domain; never fetched. */
  canonical_url: Schema.optionalKey(Schema.String),
  /** Origin of the page's address: search providers, the evidence store, or the caller. */
  providers: Schema.NonEmptyArray(
    Schema.Union([ProviderName, Schema.Literals(["store", "caller"])])
  ),
  reader: Reader,
  /** Detail of this reading, in the reader's own word, e.g. `cached_snapshot`. */
  detail: Schema.optionalKey(Schema.String),
  /** The page goes on where `text` ends. */
  truncated: Schema.optionalKey(Schema.Literal(true)),
  /** The extracted text; for `snippet` the provider's own words. */
  text: Schema.String,
  /** SHA-256 of `text` as UTF-8, lower-case hex. */
  text_sha256: Schema.String,
  /**
   * Contiguous passages, in order. A quote stays within one of them: `[...]` joins no sentences.
   */
  chunks: Schema.Array(Span),
  /** Headings in `text`, in order, not overlapping. */
  headings: Schema.optionalKey(Schema.Array(Span)),
  /** Links to other sites, in order, at most 40: registrable domain, and their words in `text`. */
  links: Schema.optionalKey(
    Schema.Array(Schema.Struct({ url: Schema.String, site: Schema.String, ...Span.fields }))
  ),
  /** Marks that pages of one owner share: publisher's names, ids of counters. */
  owners: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Invisible and active characters removed before `text` was cut. */
  removed_chars_count: Schema.optionalKey(Schema.Natural),
  removed_blocks_count: Schema.optionalKey(Schema.Natural)
})

export type Page = typeof Page.Type

export interface Chunk {
  readonly page: Page
  /** 0-based, among the page's chunks. */
  readonly index: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly heading?: string
}

export const chunksOf = (pages: ReadonlyArray<Page>): ReadonlyArray<Chunk> =>
  pages.flatMap((page) =>
    page.chunks.map(({ end, start }, index) => {
      const heading = page.headings?.findLast((span) => span.start <= start)
      return {
        page,
        index,
        start,
        end,
        text: page.text.slice(start, end),
        ...(heading === undefined ? {} : { heading: page.text.slice(heading.start, heading.end) })
      }
    })
  )

export const ChunkRef = Schema.Struct({
  source_id: Schema.String,
  index: Schema.Natural,
  /** Score by the ranker that answered; comparable within one ranking only. */
  score: Schema.Finite
})

export type ChunkRef = typeof ChunkRef.Type

// Cleans untrusted titles for packs, views and prompts. Chat screens render Markdown and HTML: an
// image would be loaded, with any data in its address.

/** Removal may leave new markup. A title that still has some is not shown. */
const roundsMax = 4

const isWorded = /[\p{L}\p{N}]/u

/** Starts of images, links, elements and scripts that cleaning did not recognise. */
const leftMarkup = /!\[|\]\(|<[a-z!?/]|(?:javascript|vbscript|data):/i

/**
 * `title` without markup, script addresses and other hosts' names, else the host of `url`.
 * Idempotent.
 */
export const clean = (title: string, url: string): string => {
  const host = hostOf(url)
  const isOwn = (name: string) => isSameSite(name, host)
  const cleanOnce = (text: string) => Sentences.proseOf(text, titleCharsMax, isOwn)
  const [shown, again] = Array.from({ length: roundsMax }).reduce<readonly [string, string]>(
    ([, text]) => [text, cleanOnce(text)],
    [title, cleanOnce(title)]
  )
  const isPlain = shown === again && !leftMarkup.test(shown) && isWorded.test(shown)
  return isPlain ? shown : host
}

export const withClean = <A extends { readonly title: string; readonly url: string }>(
  source: A
): A => ({
  ...source,
  title: clean(source.title, source.url)
})

/** Host of an address; without a web address, such as an entry of the evidence store, itself. */
const hostOf = (url: string): string => URL.parse(url)?.host || url

/** The page's own host, one below it, or one above it that has a dot. */
const isSameSite = (name: string, host: string): boolean => {
  const [named, own] = [name, host].map((one) => `.${one.toLowerCase().replace(/^www\./, "")}`)
  return !/[/:]/.test(name) && named !== undefined && own !== undefined &&
    (named.endsWith(own) || own.endsWith(named))
}
