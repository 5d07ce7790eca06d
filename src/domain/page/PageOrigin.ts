/**
 * Attributes a page to its publisher: that of the address that answered, not of one that redirected
 * to it.
 */
import { Option } from "effect"
import { isOfficial } from "../search/OfficialSite.ts"
import type { SearchHit } from "../search/SearchHit.ts"
import * as WebAddress from "../search/WebAddress.ts"
import type { Page, Reader } from "./Page.ts"

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
