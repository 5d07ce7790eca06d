/**
 * Text that was really fetched, cut into chunks with exact offsets. Everything quoted comes from
 * here.
 */
import * as Sentences from "@web-grounding/language/Sentences"
import { DateTime, Option, Schema } from "effect"
import { ProviderName, type SearchHit, titleCharsMax } from "../search/SearchStatus.ts"
import * as WebAddress from "../search/WebAddress.ts"
import { isOfficial } from "../search/WebAddress.ts"

/** Offsets are UTF-16 code-unit indices, what JavaScript slices; `end` is exclusive. */
export const Span = Schema.Struct({ start: Schema.Natural, end: Schema.Natural })
export type Span = typeof Span.Type

/**
 * Way in which a page's text was got: `snippet` is the hit's own text, `tavily` was sent with the
 * hit, `jina` and `web` (this service) read the page, and `store` had collected it before.
 */
export const Reader = Schema.Literals(["snippet", "jina", "web", "store", "tavily"])
export type Reader = typeof Reader.Type

export const Page = Schema.Struct({
  /** `s1`, `s2`, …: unique within one grounding, and the only name a model may give a source. */
  source_id: Schema.String,
  /** The address that answered: what is cited. */
  url: Schema.String,
  /** The address that was found and led here; absent when it is `url`. */
  hit_url: Schema.optionalKey(Schema.String),
  title: Schema.String,
  /** Registrable domain of `url`. */
  site: Schema.String,
  official: Schema.Boolean,
  published_date: Schema.optionalKey(Schema.String),
  /** Modification date that the page states; ISO 8601, a date or an instant. */
  modified_date: Schema.optionalKey(Schema.String),
  /** BCP 47, as the page says of itself. */
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
   * Contiguous passages, in order, not overlapping. A quote lies within one of them: what a
   * provider joined with `[...]` never becomes one sentence.
   */
  chunks: Schema.Array(Span),
  /** Headings in `text`, in order, not overlapping. */
  headings: Schema.optionalKey(Schema.Array(Span)),
  /** Invisible and active characters taken out before `text` was cut. */
  removed_chars_count: Schema.optionalKey(Schema.Natural)
})
export type Page = typeof Page.Type

/** A passage of a page, as rankers and writers see it. */
export interface Chunk {
  readonly page: Page
  /** 0-based place among the page's chunks. */
  readonly index: number
  readonly start: number
  readonly end: number
  readonly text: string
  /** Heading above it: the last one before it, or at its beginning. */
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

/** A chunk's stored name. */
export const ChunkRef = Schema.Struct({
  source_id: Schema.String,
  index: Schema.Natural,
  /** Score by the ranker that answered; comparable within one ranking only. */
  score: Schema.Finite
})
export type ChunkRef = typeof ChunkRef.Type

// Dates that a page states about itself, as far as they can be true.

export interface PageDates {
  /** ISO 8601, a date or an instant. */
  readonly published_date?: string
  readonly modified_date?: string
}

/** Somewhere it is tomorrow already. */
const ahead = { days: 1 } as const

/**
 * Dates of a page that can be true: none later than `now` (ISO 8601), and none of a change before
 * publication.
 */
export const plausibleDates = (
  { modified_date, published_date }: PageDates,
  now: string
): PageDates => {
  const today = Option.match(DateTime.make(now), {
    onNone: () => "",
    onSome: (instant) => DateTime.formatIsoDateUtc(DateTime.add(instant, ahead))
  })
  const isPast = (date: string) => dayOf(date) <= today
  const published = published_date !== undefined && isPast(published_date) ? { published_date } : {}
  const from = dayOf(published.published_date ?? "")
  return modified_date !== undefined && isPast(modified_date) && dayOf(modified_date) >= from
    ? { ...published, modified_date }
    : published
}

/** Latest date on which one of the pages was changed or published; absent when none says. */
export const newest = (pages: ReadonlyArray<PageDates>): string | undefined =>
  pages.flatMap(({ modified_date, published_date }) => [published_date, modified_date])
    .flatMap((date) => date ?? []).toSorted().at(-1)

/** ISO 8601 dates compare as text up to their day. */
const dayOf = (date: string): string => date.slice(0, 10)

// Attributes a page to its publisher: that of the address that answered, not of one that
// redirected to it.

/** The registrable domain of a host. */
export type SiteOf = (host: string) => string

export interface Answered {
  readonly reader: Reader
  /** The address that answered, where it is not the one that was asked for. */
  readonly address?: WebAddress.WebAddress
}

export type PageOrigin = Pick<Page, "url" | "hit_url" | "site" | "official">

/**
 * Origin of a page. The hit's values stand where no other address answered. Elsewhere a page is
 * official when its host is and, unless it was fetched here, the hit is official as well: another
 * reader only reports the address.
 */
export const originOf = (
  hit: Pick<SearchHit, "url" | "site" | "official">,
  { address, reader }: Answered,
  siteOf: SiteOf
): PageOrigin => {
  const { official, site, url: hit_url } = hit
  if (address === undefined || address.href === hit_url) return { url: hit_url, site, official }
  const { host, href } = address
  return {
    url: href,
    hit_url,
    site: siteOf(host),
    official: isOfficial(host) && (reader === "web" || official)
  }
}

/**
 * Address that a page states as its own, in the canonical spelling, if it may state it: within its
 * own registrable domain. A front page that every page of a site names says nothing about this one.
 */
export const canonicalOf = (
  { canonical_url = "", site, url }: Pick<Page, "url" | "site" | "canonical_url">,
  siteOf: SiteOf
): Option.Option<string> =>
  WebAddress.canonical(canonical_url).pipe(
    Option.filter(({ host, href }) =>
      siteOf(host) === site && (!isFront(href) || href === url || isFront(url))
    ),
    Option.map(({ href }) => href)
  )

const isFront = (href: string): boolean => new URL(href).pathname === "/"

/**
 * Addresses that a page is known by: its own, that of its hit, and the canonical one that it
 * declares.
 */
export const addressesOf = (
  { canonical_url, hit_url, url }: Pick<Page, "url" | "hit_url" | "canonical_url">
): ReadonlyArray<string> =>
  [url, hit_url, canonical_url].flatMap((address) => address === undefined ? [] : [address])

/**
 * Pages without repeats, each where its first reading stands and with all who named it. A text
 * stays rather than a snippet, and the page at the canonical address rather than one that points
 * there. `canonical_url` must have passed `canonicalOf`.
 */
export const merged = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.reduce<ReadonlyArray<Page>>((kept, page) => {
    const place = kept.findIndex((other) => keyOf(other) === keyOf(page))
    const other = kept[place]
    return other === undefined ? [...kept, page] : kept.with(place, joined(other, page))
  }, [])

const keyOf = ({ canonical_url, url }: Page): string => canonical_url ?? url

const joined = (first: Page, second: Page): Page => {
  const best = worthOf(second) > worthOf(first) ? second : first
  const [provider, ...others] = first.providers
  const more = [...others, ...second.providers].filter((name, place, all) =>
    name !== provider && all.indexOf(name) === place
  )
  return { ...best, source_id: first.source_id, providers: [provider, ...more] }
}

const worthOf = (page: Page): number =>
  (page.reader === "snippet" ? 0 : 2) + (keyOf(page) === page.url ? 1 : 0)

// A page's title as it may stand in a pack, a view or a prompt: plain words, cleaned like a
// claim. Titles are a stranger's text that chat screens render as Markdown or HTML. An image in
// one would be loaded by the reader's browser, with whatever its address carries.

/**
 * Most rounds of cleaning: what is removed may leave new markup behind. A title that still has some
 * is not shown.
 */
const roundsMax = 4

const isWorded = /[\p{L}\p{N}]/u

/** Beginnings of images, links, elements and scripts that cleaning did not recognise as such. */
const leftMarkup = /!\[|\]\(|<[a-z!?/]|(?:javascript|vbscript|data):/i

/**
 * `title` without images, links, HTML, script addresses and host names other than the page's own.
 * The host of `url` when nothing is left. Law: cleaning what is clean changes nothing.
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

interface Titled {
  readonly title: string
  readonly url: string
}

export const withClean = <A extends Titled>(source: A): A => ({
  ...source,
  title: clean(source.title, source.url)
})

/**
 * Host of an address; what has no web address, such as an entry of the evidence store, is named by
 * itself.
 */
const hostOf = (url: string): string => URL.parse(url)?.host || url

/** The page's own host, one below it, or one above it that has a dot. */
const isSameSite = (name: string, host: string): boolean => {
  const [named, own] = [name, host].map((one) => `.${one.toLowerCase().replace(/^www\./, "")}`)
  return !/[/:]/.test(name) && named !== undefined && own !== undefined &&
    (named.endsWith(own) || own.endsWith(named))
}
