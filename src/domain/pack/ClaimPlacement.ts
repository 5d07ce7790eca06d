/** Finds the quotations of a proposed claim, and merges claims that say the same. */
import * as InjectionFlag from "@web-grounding/language/InjectionFlag"
import * as Languages from "@web-grounding/language/Languages"
import * as Quantities from "@web-grounding/language/Quantities"
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import * as QuotedPassage from "@web-grounding/language/QuotedPassage"
import { tokens } from "@web-grounding/language/QuotedPassage"
import * as Sameness from "@web-grounding/language/Sameness"
import * as Sentences from "@web-grounding/language/Sentences"
import { nameTerms, terms } from "@web-grounding/language/Words"
import { Option, Struct } from "effect"
import type { Chunk, Page, Span } from "../page/Page.ts"
import type { CitedSource, DemotionReason, DraftClaim, Quote } from "./GroundingPack.ts"
import { type PlacedClaim, type Proposal, rankOf } from "./PlacedClaim.ts"

const claimCharsMax = 600
const citationsMax = 8
const quotesPerSourceMax = 4

export interface QuotablePage {
  readonly page: Page
  readonly searchable: QuotedPassage.Searchable
  /** Sentences that address a model (prompt injection); nothing that overlaps one is quoted. */
  readonly flagged: ReadonlyArray<Span>
}

export const quotable = (page: Page): QuotablePage => ({
  page,
  searchable: QuotedPassage.searchable(page.text, page.chunks),
  flagged: InjectionFlag.suspiciousSpans(page.text)
})

/** `undefined` when no text of the claim is left, or its quotations cannot be read alone. */
export const proposalOf = (
  draft: DraftClaim,
  pages: ReadonlyMap<string, QuotablePage>
): Proposal | undefined => {
  const text = Sentences.proseOf(draft.text, claimCharsMax, isHostOf(pages))
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined
  const citations = draft.citations.slice(0, citationsMax).map((one) => traced(one, pages))
  const ids = Array.from(new Set(citations.map(({ source_id }) => source_id)))
  const cited = ids.flatMap((id) => {
    const page = pages.get(id)
    const quotes = citations.flatMap(({ quote, source_id }) => source_id === id ? [quote] : [])
    return page === undefined ? [] : [quoted(page, quotes)]
  })
  const found = cited.filter(({ source }) => source.quotes.length > 0)
  const claim = { ...Struct.pick(draft, ["section", "beside_question"]), text }
  if (found.length > 0) {
    const sources = found.map(({ source }) => source)
    const isVerbatim = sources.some(({ quotes }) => quotes.some((one) => holds(one.text, text)))
    return { ...claim, sources, wording: isVerbatim ? "verbatim" : "rephrased" }
  }
  if (cited.some(({ unreadableCount }) => unreadableCount > 0)) return undefined
  const reason = unfoundReason(citations.length, cited)
  return { ...claim, sources: cited.map(({ source }) => source), wording: "unfound", reason }
}

type Citation = DraftClaim["citations"][number]

/** The citation with the page or sentence that holds its quotation. Unchanged without any. */
const traced = (
  citation: Citation,
  pages: ReadonlyMap<string, QuotablePage>
): Citation => {
  const named = pages.get(citation.source_id)
  const all = [...named === undefined ? [] : [named], ...pages.values()]
  const holder = all.find(({ searchable }) =>
    Option.isSome(QuotedPassage.find(searchable, citation.quote))
  )
  if (holder !== undefined) return { ...citation, source_id: holder.page.source_id }
  const [meant] = all.flatMap(({ page, searchable }) =>
    Option.toArray(QuotedPassage.nearest(searchable, citation.quote)).map(({ end, start }) => ({
      source_id: page.source_id,
      quote: page.text.slice(start, end)
    }))
  ).filter(({ quote }) => isAlike(quote, citation.quote))
  return meant ?? citation
}

/** Whether the text holds the words of the quotation in order, punctuation aside. */
const holds = (quote: string, text: string): boolean => {
  const said = spelled(text)
  return said.trim() !== "" && spelled(quote).includes(said)
}

const spelled = (text: string): string => ` ${tokens(text).map(({ word }) => word).join(" ")} `

interface Quoted {
  readonly source: CitedSource
  /** Quotations that were found on a page that may not be quoted. */
  readonly refusedCount: number
  /** Quotations that were found, but cannot be read alone. */
  readonly unreadableCount: number
}

const unfoundReason = (citationsCount: number, cited: ReadonlyArray<Quoted>): DemotionReason => {
  if (citationsCount === 0) return "no_citation"
  if (cited.length === 0) return "unknown_source"
  return cited.some(({ refusedCount }) => refusedCount > 0) ? "flagged_source" : "quote_not_found"
}

export const quotationsIn = (chunks: ReadonlyArray<Chunk>): ReadonlyArray<Quotation> =>
  Array.from(Map.groupBy(chunks, ({ page }) => page)).flatMap(([page, own]) => {
    const isFit = fitting({ page, flagged: InjectionFlag.suspiciousSpans(page.text) })
    return own.toSorted((left, right) => left.start - right.start).flatMap((chunk) =>
      QuotedPassage.passagesIn(QuotedPassage.readable(page.text, chunk)).filter(isFit)
        .map((span) => ({ ...span, page, within: chunk }))
    )
  })

export interface Quotation extends Span {
  readonly page: Page
  readonly within: Chunk
}

/** Whether a stretch of the page addresses no model and names no address. */
const fitting =
  ({ flagged, page }: Pick<QuotablePage, "flagged" | "page">) => ({ end, start }: Span): boolean =>
    !flagged.some((span) => span.start < end && start < span.end) &&
    !Sentences.hasLink(page.text.slice(start, end))

const quoted = (
  { flagged, page, searchable }: QuotablePage,
  wanted: ReadonlyArray<string>
): Quoted => {
  const found = wanted.flatMap((quote) => Option.toArray(QuotedPassage.find(searchable, quote)))
  const isFit = fitting({ flagged, page })
  const fit = found.filter(isFit)
  const whole = fit.flatMap((location) => {
    const passage = Option.flatMap(
      chunkOf(page, location),
      (chunk) => QuotedPassage.passageAround(QuotedPassage.readable(page.text, chunk), location)
    )
    return Option.toArray(passage).filter(isFit).map((span) => ({
      ...span,
      text: page.text.slice(span.start, span.end),
      match: location.match
    }))
  })
  return {
    source: { ...Struct.pick(page, citedFields), quotes: withoutOverlaps(whole) },
    refusedCount: found.length - fit.length,
    unreadableCount: fit.length - whole.length
  }
}

const citedFields = [
  ...["source_id", "url", "title", "site", "official", "source_class"] as const,
  ...["published_date", "modified_date", "text_sha256"] as const
] as const

const chunkOf = ({ chunks }: Page, { end, start }: Span): Option.Option<Span> =>
  Option.fromUndefinedOr(chunks.find((chunk) => chunk.start <= start && end <= chunk.end))

/** Quotations of one source without overlaps, earlier ones first; at most four. */
const withoutOverlaps = (quotes: ReadonlyArray<Quote>): ReadonlyArray<Quote> =>
  quotes.filter(({ end, start }, index) =>
    !quotes.slice(0, index).some((other) => start < other.end && other.start < end)
  ).slice(0, quotesPerSourceMax)

export const isHostOf = (pages: ReadonlyMap<string, QuotablePage>) => (name: string): boolean =>
  Array.from(pages.values()).some(({ page }) =>
    page.text.includes(name) || page.site === name.toLowerCase() ||
    page.url.toLowerCase().includes(`//${name.toLowerCase()}`)
  )

const sourcesMax = 6

/** Each statement once, with the sources of all that make it, in the words of the best class. */
export const merge = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>
): ReadonlyArray<PlacedClaim> =>
  claims.reduce<ReadonlyArray<PlacedClaim>>((list, claim) => {
    const index = list.findIndex((other) => saysTheSame(question, other, claim))
    const other = list[index]
    return other === undefined ? [...list, claim] : list.with(index, joined(other, claim))
  }, [])

/** Sources of a lower class in other words are echoes: they may say more than the better source. */
export const joined = (first: PlacedClaim, later: PlacedClaim): PlacedClaim => {
  const [kept, added] = rankOf(later) > rankOf(first) ? [later, first] : [first, later]
  const echoes = [...kept.echoes ?? [], ...added.echoes ?? []]
  if (rankOf(kept) > rankOf(added) && !isRepeated(kept, added)) {
    return { ...kept, echoes: [...echoes, ...added.sources] }
  }
  const bySource = Map.groupBy([...kept.sources, ...added.sources], ({ source_id }) => source_id)
  const sources = Array.from(bySource.values()).flatMap((same) =>
    same.slice(0, 1).map((source) => ({
      ...source,
      quotes: withoutOverlaps(same.flatMap(({ quotes }) => quotes))
    }))
  )
  return { ...kept, sources: sources.slice(0, sourcesMax), ...echoes.length > 0 ? { echoes } : {} }
}

/** Whether the second claim's quotations are the first one's words. */
const isRepeated = ({ text }: PlacedClaim, { sources }: PlacedClaim): boolean =>
  sources.every(({ quotes }) => quotes.every((quote) => holds(text, quote.text)))

const saysTheSame = (question: string, left: PlacedClaim, right: PlacedClaim): boolean => {
  if (left.beside_question !== right.beside_question) return false
  if (left.text === right.text && left.reason === right.reason) return true
  if (left.reason !== undefined || right.reason !== undefined) return false
  return isAlike(left.text, right.text) || agree(question, left.text, right.text)
}

export const isAlike = (left: string, right: string): boolean =>
  Sameness.isAlike(left, right) && Sameness.sameNumbers(left, right) &&
  Languages.isNegated(left) === Languages.isNegated(right) && !Sameness.isTurned(left, right) &&
  !Sameness.isOfOtherCases(left, right) &&
  !Sameness.isOfOtherBound(left, right) && !Sameness.isOfOthers("", left, right) &&
  !Sameness.isOfOtherTime(left, right) &&
  Quantities.missingFrom(left, right).length === 0

/** Whether two sentences give the same value for what was asked, in any wording. */
const agree = (question: string, left: string, right: string): boolean =>
  Sameness.isSameSubject(question, left, right) && Sameness.haveSameNumber(left, right) &&
  Languages.isNegated(left) === Languages.isNegated(right) &&
  !Sameness.areOfTwoTimes(left, right) && !Sameness.isOfOtherBound(left, right) &&
  !Sameness.isOfOtherCases(left, right) &&
  giveOneValue(question, left, right)

/**
 * Both give a number that the question lacks, and neither a name that the other lacks: a sentence
 * about one product does not support one about all.
 */
const giveOneValue = (question: string, left: string, right: string): boolean => {
  const asked = new Set([...terms(question), ...QuestionTerms.questionTerms(question)])
  const numbersIn = (text: string) =>
    new Set(Sameness.valuesOf(text, "number").filter((value) => !asked.has(`${value}`)))
  const isNamedIn = (text: string, other: string) => {
    const held = new Set(terms(other))
    return nameTerms(text).every((term) => asked.has(term) || held.has(term))
  }
  return !numbersIn(left).isDisjointFrom(numbersIn(right)) &&
    isNamedIn(left, right) && isNamedIn(right, left)
}
