/** A hit as a provider found it: its address, its site and what the search was limited to. */
import { clean, cut } from "@web-grounding/language/Sentences"
import { Option } from "effect"
import type { Region } from "../request/GroundingRequest.ts"
import {
  contentCharsMax,
  type ProviderName,
  type SearchHit,
  titleCharsMax
} from "./SearchStatus.ts"
import { canonical, isOfficial } from "./WebAddress.ts"

// Page that a provider names, and the hit made of it: canonical, cleaned and cut.

export interface FoundPage {
  readonly address: string
  readonly title: string
  readonly content: string
  /** `YYYY-MM-DD`. */
  readonly publishedDate: Option.Option<string>
  /** 1-based place in the provider's answer. */
  readonly rank: number
}

interface Finder {
  readonly provider: ProviderName
  /** The registrable domain of a host. */
  readonly siteOf: (host: string) => string
}

/**
 * Hit of a page that a provider found. None without a plain web address, and none when it says
 * nothing of its page.
 */
export const hitOf = (page: FoundPage, finder: Finder): Option.Option<SearchHit> =>
  Option.flatMap(canonical(page.address), ({ host, href }) => {
    const title = lineOf(page.title, titleCharsMax)
    const content = cut(clean(page.content).text.trim(), contentCharsMax)
    if (title === "" && content === "") return Option.none()
    return Option.some({
      url: href,
      title: title === "" ? host : title,
      content,
      ...Option.match(page.publishedDate, {
        onNone: () => ({}),
        onSome: (date) => ({ published_date: date })
      }),
      provider: finder.provider,
      rank: page.rank,
      site: finder.siteOf(host),
      official: isOfficial(host)
    })
  })

/** Cleans a text and cuts it to one line. */
export const lineOf = (text: string, charsMax: number): string =>
  cut(clean(text).text.replace(/\s+/gu, " ").trim(), charsMax)

/** Every address once, where it stands first. */
export const withoutRepeats = (hits: ReadonlyArray<SearchHit>): ReadonlyArray<SearchHit> => {
  const seen = new Set<string>()
  return hits.filter(({ url }) => !seen.has(url) && seen.add(url))
}

// Wanted and unwanted domains, for search engines that know them only as words of the query.

export interface Domains {
  readonly includeDomains: ReadonlyArray<string>
  readonly excludeDomains: ReadonlyArray<string>
}

/** Length kept for operators even beside a long query, in UTF-16 code units. */
const operatorCharsMin = 120

/**
 * The query with `site:` operators, at most `charsMax` UTF-16 code units. Domains that do not fit
 * are left out, so the answer needs `isWanted` all the same. For an engine that counts words, too,
 * its adapter gives fewer words and fewer domains: each wanted one takes two words of the query.
 */
export const withSites = (query: string, domains: Domains, charsMax: number): string => {
  const { excludeDomains, includeDomains } = domains
  const isPlain = includeDomains.length + excludeDomains.length === 0
  const words = cut(query, isPlain ? charsMax : charsMax - operatorCharsMin)
  const included = fitting(
    includeDomains,
    (some) => spaced(words, anyOf(some)).length <= charsMax
  )
  const start = spaced(words, anyOf(included))
  const excluded = fitting(
    excludeDomains,
    (some) => spaced(start, noneOf(some)).length <= charsMax
  )
  return spaced(start, noneOf(excluded))
}

/** Whether a host is of the domains asked for, subdomains counted. */
export const isWanted = (host: string, { excludeDomains, includeDomains }: Domains): boolean => {
  const isOf = (domain: string) => host === domain || host.endsWith(`.${domain}`)
  return (includeDomains.length === 0 || includeDomains.some(isOf)) && !excludeDomains.some(isOf)
}

const fitting = (
  domains: ReadonlyArray<string>,
  fits: (some: ReadonlyArray<string>) => boolean
): ReadonlyArray<string> =>
  domains.reduce<ReadonlyArray<string>>((some, domain) => {
    const more = [...some, domain]
    return fits(more) ? more : some
  }, [])

const anyOf = (domains: ReadonlyArray<string>): string => {
  const operators = domains.map((domain) => `site:${domain}`).join(" OR ")
  return domains.length > 1 ? `(${operators})` : operators
}

const noneOf = (domains: ReadonlyArray<string>): string =>
  domains.map((domain) => `-site:${domain}`).join(" ")

const spaced = (left: string, right: string): string => right === "" ? left : `${left} ${right}`

// The country and the language that a search is for, as far as the caller says.

export interface SearchMarket {
  /** ISO 639, lower case. */
  readonly language: string
  /** ISO 3166-1 alpha-2, upper case: the region's, else the one named in the locale. */
  readonly country: Option.Option<string>
}

export const marketOf = (
  { locale, region }: { readonly locale: string; readonly region?: Region }
): SearchMarket => {
  const [language = "", ...subtags] = locale.split("-")
  const ofLocale = subtags.find((subtag) => /^[A-Za-z]{2}$/.test(subtag))?.toUpperCase()
  return {
    language: language.toLowerCase(),
    country: Option.fromUndefinedOr(region?.country ?? ofLocale)
  }
}
