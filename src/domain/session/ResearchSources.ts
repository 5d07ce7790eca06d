/** Texts of a request's sources, as research reads them. */
import * as Page from "../page/Page.ts"
import type { SourceText } from "../research/Fit.ts"
import type { Material } from "../research/OutlineFindings.ts"
import { type Grounding, hitsOf, isTextKept } from "./Grounding.ts"

const sourcesMax = 10

/** The page where its text may be kept, else the snippet and the pack's quotes of it. */
export const sourceTexts = (grounding: Grounding): ReadonlyArray<SourceText> => {
  const pages = new Map(grounding.evidence?.pages.map((page) => [page.hit_url ?? page.url, page]))
  const quotes = quotesOf(grounding)
  return hitsOf(grounding).slice(0, sourcesMax).map(({ hit }) => {
    const { content, title } = hit
    const page = pages.get(hit.url)
    // A redirected page's words are those of the host that answered.
    const { official, site, url } = page ?? hit
    if (page !== undefined && page.text !== "" && isTextKept(grounding, page)) {
      const headings = page.headings?.map(({ end, start }) => page.text.slice(start, end)) ?? []
      return { url, title, site, official, text: page.text, headings }
    }
    const quoted = (quotes.get(url) ?? []).filter((quote) => !content.includes(quote))
    return { url, title, site, official, text: [content, ...quoted].join("\n"), headings: [] }
  })
}

export const asMaterial = ({ text, title, url }: SourceText): Material => ({
  type: "external",
  title: Page.withClean({ title, url }).title,
  url,
  text
})

const quotesOf = ({ written }: Grounding): ReadonlyMap<string, ReadonlyArray<string>> => {
  const { constraints_and_rules = [], key_points = [], norms_and_expectations = [] } =
    written?.pack ?? {}
  const cited = [...key_points, ...norms_and_expectations, ...constraints_and_rules]
    .flatMap(({ sources }) => sources)
  return new Map(
    Array.from(
      Map.groupBy(cited, ({ url }) => url),
      ([url, sources]) => [
        url,
        Array.from(new Set(sources.flatMap(({ quotes }) => quotes.map(({ text }) => text))))
      ]
    )
  )
}
