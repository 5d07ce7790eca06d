/** Page that a provider names, and the hit made of it: canonical, cleaned and cut. */
import { clean, cut } from "@web-grounding/language/Sentences"
import { Option } from "effect"
import { isOfficial } from "./OfficialSite.ts"
import { contentCharsMax, type ProviderName, type SearchHit, titleCharsMax } from "./SearchHit.ts"
import * as WebAddress from "./WebAddress.ts"

export interface FoundPage {
  readonly address: string
  readonly title: string
  readonly content: string
  /** `YYYY-MM-DD`. */
  readonly publishedDate: Option.Option<string>
  /** 1-based place in the provider's answer. */
  readonly rank: number
}

export interface Finder {
  readonly provider: ProviderName
  /** The registrable domain of a host. */
  readonly siteOf: (host: string) => string
}

/**
 * Hit of a page that a provider found. None without a plain web address, and none when it says
 * nothing of its page.
 */
export const hitOf = (page: FoundPage, finder: Finder): Option.Option<SearchHit> =>
  Option.flatMap(WebAddress.canonical(page.address), ({ host, href }) => {
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
