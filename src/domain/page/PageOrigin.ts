/** Publisher of a page, its plausible dates, and which pages are one. */
import { DateTime, Option } from "effect"
import type { SearchHit } from "../search/SearchStatus.ts"
import type { SitePolicy } from "../search/SitePolicy.ts"
import { classFieldsOf } from "../search/SourceClass.ts"
import * as WebAddress from "../search/WebAddress.ts"
import { Page, Reader } from "./Page.ts"

// Plausible dates that a page states about itself.

export interface PageDates {
  /** ISO 8601, a date or an instant. */
  readonly published_date?: string
  readonly modified_date?: string
}

/** In some time zone it is tomorrow already. */
const ahead = { days: 1 } as const

/** Dates of a page: none later than `now` (ISO 8601), no change before publication. */
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

/** Latest date on which one of the pages was changed or published; absent without dates. */
export const newest = (pages: ReadonlyArray<PageDates>): string | undefined =>
  pages.flatMap(({ modified_date, published_date }) => [published_date, modified_date])
    .flatMap((date) => date ?? []).toSorted().at(-1)

/** ISO 8601 dates compare as text up to their day. */
const dayOf = (date: string): string => date.slice(0, 10)

// A page is its final address's publisher's, not the redirecting one's.

export type SiteOf = (host: string) => string

export interface AnsweredPage {
  readonly reader: Reader
  /** The address that answered, where it differs from the requested one. */
  readonly address?: WebAddress.WebAddress
}

export type PageOrigin = Pick<Page, "url" | "hit_url" | "site" | "official" | "source_class">

/**
 * The hit's origin, unless another address answered. That page is official, and of a class, when
 * its host is and, unless fetched here, the hit is as well: another reader only reports the
 * address.
 */
export const originOf = (
  hit: Pick<SearchHit, "url" | "site" | "official" | "source_class">,
  { address, reader }: AnsweredPage,
  siteOf: SiteOf,
  sites?: SitePolicy
): PageOrigin => {
  const { official, site, url: hit_url } = hit
  const found = hit.source_class === undefined ? {} : { source_class: hit.source_class }
  if (address === undefined || address.href === hit_url) {
    return { url: hit_url, site, official, ...found }
  }
  const { host, href } = address
  const own = classFieldsOf(address, sites)
  return {
    url: href,
    hit_url,
    site: siteOf(host),
    ...(reader === "web" || own.source_class === found.source_class ? own : {}),
    official: own.official && (reader === "web" || official)
  }
}

/**
 * Address that a page declares in its domain. A front page does not count: any page may name it.
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

export const addressesOf = (
  { canonical_url, hit_url, url }: Pick<Page, "url" | "hit_url" | "canonical_url">
): ReadonlyArray<string> =>
  [url, hit_url, canonical_url].flatMap((address) => address === undefined ? [] : [address])

/**
 * Merges readings of one page, in the order of the first. A text is preferred to a snippet, the
 * canonical page to one that points there. `canonical_url` must have passed `canonicalOf`.
 */
export const merged = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.reduce<ReadonlyArray<Page>>((kept, page) => {
    const index = kept.findIndex((other) => keyOf(other) === keyOf(page))
    const other = kept[index]
    return other === undefined ? [...kept, page] : kept.with(index, joined(other, page))
  }, [])

const keyOf = ({ canonical_url, url }: Page): string => canonical_url ?? url

const joined = (first: Page, second: Page): Page => {
  const best = worthOf(second) > worthOf(first) ? second : first
  const [provider, ...others] = first.providers
  const more = [...others, ...second.providers].filter((name, index, all) =>
    name !== provider && all.indexOf(name) === index
  )
  return { ...best, source_id: first.source_id, providers: [provider, ...more] }
}

const worthOf = (page: Page): number =>
  (page.reader === "snippet" ? 0 : 2) + (keyOf(page) === page.url ? 1 : 0)
