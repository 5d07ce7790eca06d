/** Checks one proposed claim: finds its quotations and asks whether they bear it out. */
import { Option } from "effect"
import * as InjectionFlag from "../injection/InjectionFlag.ts"
import type { Page, Span } from "../page/Page.ts"
import * as PlainText from "../text/PlainText.ts"
import { sentences } from "../text/Sentences.ts"
import type { CitedSource, DemotionReason, DraftClaim, Quote } from "./GroundingPack.ts"
import type { PlacedClaim } from "./PlacedClaim.ts"
import * as QuoteLocation from "./QuoteLocation.ts"
import * as Verification from "./Verification.ts"

const claimCharsMax = 600
const citationsMax = 8
const quotesPerSourceMax = 4
/** Read on either side of a quotation to see its sentence. In UTF-16 code units. */
const contextCharsMax = 600

/** A page made ready once for all the claims that quote it. */
export interface QuotablePage {
  readonly page: Page
  readonly searchable: QuoteLocation.Searchable
  /** Sentences that address a model; nothing that overlaps one is quoted. */
  readonly flagged: ReadonlyArray<Span>
}

export const quotable = (page: Page): QuotablePage => ({
  page,
  searchable: QuoteLocation.searchable(page.text, page.chunks),
  flagged: InjectionFlag.suspiciousSpans(page.text)
})

/** `undefined` when nothing is left of the claim's text. */
export const place = (
  draft: DraftClaim,
  pages: ReadonlyMap<string, QuotablePage>
): PlacedClaim | undefined => {
  const text = PlainText.clean(draft.text, claimCharsMax, isHostOf(pages))
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined
  const citations = draft.citations.slice(0, citationsMax)
  const ids = Array.from(new Set(citations.map(({ source_id }) => source_id)))
  const cited = ids.flatMap((id) => {
    const page = pages.get(id)
    const quotes = citations.flatMap(({ quote, source_id }) => source_id === id ? [quote] : [])
    return page === undefined ? [] : [quoted(page, quotes)]
  })
  const found = cited.filter(({ source }) => source.quotes.length > 0)
  const claim = {
    section: draft.section,
    text,
    support: "unsupported" as const,
    ...(draft.beside_question === undefined ? {} : { beside_question: draft.beside_question })
  }
  if (found.length > 0) return verified(claim, found)
  const reason = unfoundReason(citations.length, cited)
  return { ...claim, sources: cited.map(({ source }) => source), reason }
}

interface Quoted {
  readonly source: CitedSource
  /** The page's sentences that the quotations are cut from. */
  readonly contexts: ReadonlyArray<string>
  /** Quotations that were found, but where nothing is quoted from. */
  readonly refusedCount: number
}

const unfoundReason = (citationsCount: number, cited: ReadonlyArray<Quoted>): DemotionReason => {
  if (citationsCount === 0) return "no_citation"
  if (cited.length === 0) return "unknown_source"
  return cited.some(({ refusedCount }) => refusedCount > 0) ? "flagged_source" : "quote_not_found"
}

const quoted = (
  { flagged, page, searchable }: QuotablePage,
  wanted: ReadonlyArray<string>
): Quoted => {
  const found = wanted.flatMap((quote) => Option.toArray(QuoteLocation.find(searchable, quote)))
  const fit = found.filter(({ end, start }) =>
    !flagged.some((span) => span.start < end && start < span.end) &&
    !PlainText.hasLink(page.text.slice(start, end))
  )
  const quotes = fit.map((location) => ({
    text: page.text.slice(location.start, location.end),
    ...location
  }))
  const { modified_date, official, published_date, site, source_id, text_sha256, title, url } = page
  return {
    source: {
      source_id,
      url,
      title,
      site,
      official,
      ...(published_date === undefined ? {} : { published_date }),
      ...(modified_date === undefined ? {} : { modified_date }),
      text_sha256,
      quotes: apart(quotes)
    },
    contexts: apart(quotes).map((quote) => sentenceAround(page.text, quote)),
    refusedCount: found.length - fit.length
  }
}

/** Quotations that overlap stand once, the first. */
const apart = (quotes: ReadonlyArray<Quote>): ReadonlyArray<Quote> =>
  quotes.filter(({ end, start }, place) =>
    !quotes.slice(0, place).some((other) => start < other.end && other.start < end)
  ).slice(0, quotesPerSourceMax)

/**
 * Sources that bear the claim out alone are kept and the others let go, so that a citation never
 * lends weight it has not; only when none does are the quotations of all taken together.
 */
const verified = (
  claim: Omit<PlacedClaim, "sources">,
  cited: ReadonlyArray<Quoted>
): PlacedClaim => {
  const alone = cited.map((one) => ({ ...one, verdict: verdictOn(claim.text, [one]) }))
  const bearing = alone.filter(({ verdict }) => verdict.reason === undefined)
  const full = bearing.some(({ verdict }) => verdict.support === "supported")
  if (bearing.length > 0) {
    return {
      ...claim,
      sources: bearing.map(({ source }) => source),
      support: full ? "supported" : "partly"
    }
  }
  const { reason, support } = verdictOn(claim.text, cited)
  const sources = cited.map(({ source }) => source)
  return reason === undefined
    ? { ...claim, sources, support: "partly" }
    : { ...claim, sources, support, reason }
}

const verdictOn = (text: string, cited: ReadonlyArray<Quoted>): Verification.Verdict =>
  Verification.check(text, {
    quotes: cited.flatMap(({ source }) => source.quotes.map((quote) => quote.text)),
    title: cited.map(({ source }) => source.title).join(" "),
    contexts: cited.flatMap(({ contexts }) => contexts)
  })

/** Who quotes half a sentence is held to the whole of it, and to a "This is false." behind it. */
const sentenceAround = (text: string, { end, start }: Span): string => {
  const from = Math.max(0, start - contextCharsMax)
  const near = text.slice(from, end + contextCharsMax)
  const touched = sentences(near).filter((span) =>
    span.start < end - from && start - from < span.end
  )
  const last = touched.at(-1)?.end ?? end - from
  const next = sentences(near).find((span) => span.start >= last)
  return near.slice(touched[0]?.start ?? start - from, next?.end ?? last)
}

/** Whether fetched text or a source's own address holds the host. */
export const isHostOf = (pages: ReadonlyMap<string, QuotablePage>) => (name: string): boolean =>
  Array.from(pages.values()).some(({ page }) =>
    page.text.includes(name) || page.site === name.toLowerCase() ||
    page.url.toLowerCase().includes(`//${name.toLowerCase()}`)
  )
