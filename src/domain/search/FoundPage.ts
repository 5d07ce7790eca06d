/** Pages that a provider found, as hits: canonical, cleaned, cut, and of the requested domains. */
import { clean, cut } from "@web-grounding/language/Sentences"
import { Option } from "effect"
import { asGiven } from "../request/GivenFields.ts"
import {
  contentCharsMax,
  type ProviderName,
  type SearchHit,
  titleCharsMax
} from "./SearchStatus.ts"
import * as SitePolicy from "./SitePolicy.ts"
import { classFieldsOf } from "./SourceClass.ts"
import { canonical } from "./WebAddress.ts"

export interface FoundPage {
  readonly url: string
  readonly title: string
  readonly content: string
  readonly score?: number
  /** `YYYY-MM-DD`. */
  readonly published_date?: string
}

interface Finder {
  readonly provider: ProviderName
  readonly siteOf: (host: string) => string
}

export interface Wanted extends SitePolicy.Domains, SitePolicy.Wish {
  readonly hitsMax: number
}

interface Hits {
  /** Best first, unusable ones after the others; every address once. */
  readonly hits: ReadonlyArray<SearchHit>
  /** Results left out because they, their address or their text were unusable. */
  readonly droppedCount: number
}

/** None where no result is usable: that must not pass for "nothing found". */
export const hitsOf = (
  results: ReadonlyArray<Option.Option<FoundPage>>,
  asked: Wanted,
  finder: Finder
): Option.Option<Hits> => {
  const usable = results.flatMap((result, index) =>
    Option.toArray(Option.flatMap(result, (page) => hitOf(page, index + 1, finder, asked.sites)))
  )
  if (usable.length === 0 && results.length > 0) return Option.none()
  const seen = new Set<string>()
  const domains = { allow: asked.includeDomains, deny: asked.excludeDomains }
  const hits = usable.filter(({ url }) =>
    SitePolicy.allows(domains, [url]) && !seen.has(url) && seen.add(url)
  )
  return Option.some({
    hits: SitePolicy.usableFirst(asked, hits).slice(0, asked.hitsMax),
    droppedCount: results.length - usable.length
  })
}

/** None without a plain web address, or without a title and text. */
const hitOf = (
  page: FoundPage,
  rank: number,
  finder: Finder,
  sites: SitePolicy.SitePolicy | undefined
): Option.Option<SearchHit> =>
  Option.flatMap(canonical(page.url), ({ host, href }) => {
    const title = lineOf(page.title, titleCharsMax)
    const content = cut(clean(page.content).text.trim(), contentCharsMax)
    if (title === "" && content === "") return Option.none()
    return Option.some({
      url: href,
      title: title === "" ? host : title,
      content,
      ...(page.score === undefined ? {} : { score: Math.min(1, Math.max(0, page.score)) }),
      ...asGiven({ published_date: page.published_date }),
      provider: finder.provider,
      rank,
      site: finder.siteOf(host),
      ...classFieldsOf({ host, href }, sites)
    })
  })

export const lineOf = (text: string, charsMax: number): string =>
  cut(clean(text).text.replace(/\s+/gu, " ").trim(), charsMax)
