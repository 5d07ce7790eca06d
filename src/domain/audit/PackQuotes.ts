/** Whether a recorded pack's quotes are at their offsets, in the texts that the log holds. */
import type { Claim, GroundingPack } from "../pack/GroundingPack.ts"
import type { Page } from "../page/Page.ts"

export interface MisplacedQuote {
  readonly path: string
  readonly text: string
}

/** First quote that is not at its offsets. Pages whose text the log does not hold are skipped. */
export const firstMisplaced = (
  pack: GroundingPack,
  pages: ReadonlyArray<Page>
): MisplacedQuote | undefined => {
  const textByUrl = new Map(pages.map(({ text, url }) => [url, text]))
  for (const section of sections) {
    for (const [index, claim] of pack[section].entries()) {
      const misplaced = misplacedIn(claim, textByUrl)
      if (misplaced !== undefined) {
        return { path: `pack.${section}.${index}.${misplaced.path}`, text: misplaced.text }
      }
    }
  }
  return undefined
}

const sections = [
  "key_points",
  "norms_and_expectations",
  "constraints_and_rules",
  "disputed_or_uncertain"
] as const

const misplacedIn = (
  { sources }: Claim,
  textByUrl: ReadonlyMap<string, string>
): MisplacedQuote | undefined => {
  for (const [place, { quotes, url }] of sources.entries()) {
    const text = textByUrl.get(url) ?? ""
    if (text === "") continue
    const index = quotes.findIndex((quote) => text.slice(quote.start, quote.end) !== quote.text)
    const quote = quotes[index]
    if (quote !== undefined) {
      return { path: `sources.${place}.quotes.${index}`, text: quote.text }
    }
  }
  return undefined
}
