/** Joins what several sources say alike: agreement is seen, and nothing is told twice. */
import * as Negation from "../opposition/Negation.ts"
import * as Polarity from "../opposition/Polarity.ts"
import * as CalendarDays from "../text/CalendarDays.ts"
import * as HanWords from "../text/HanWords.ts"
import { quantities } from "../text/Quantities.ts"
import { terms } from "../text/Words.ts"
import * as CopyEdits from "./CopyEdits.ts"
import type { CitedSource, Quote } from "./GroundingPack.ts"
import type { PlacedClaim } from "./PlacedClaim.ts"
import { isLimited, partyOf } from "./Scope.ts"
import * as Verification from "./Verification.ts"

/** Share of the shorter claim's terms the other must hold, and of all terms both hold. */
const alike = { contained: 0.75, shared: 0.45 } as const
/** The same, when both give the same numbers for the same party. */
const alikeWithNumbers = { contained: 0.6, shared: 0.3 } as const
const sourcesMax = 6
const quotesMax = 4

/** Claims in order, each statement once; the first wording stays and gains the others' sources. */
export const merge = (claims: ReadonlyArray<PlacedClaim>): ReadonlyArray<PlacedClaim> =>
  claims.reduce<ReadonlyArray<PlacedClaim>>((list, claim) => {
    const place = list.findIndex((other) => saysTheSame(other, claim))
    const other = list[place]
    return other === undefined ? [...list, claim] : list.with(place, joined(other, claim))
  }, [])

const joined = (kept: PlacedClaim, added: PlacedClaim): PlacedClaim => ({
  ...kept,
  sources: joinSources(kept.sources, added.sources)
})

const joinSources = (
  kept: ReadonlyArray<CitedSource>,
  added: ReadonlyArray<CitedSource>
): ReadonlyArray<CitedSource> => {
  const known = kept.map((source) => {
    const same = added.find(({ source_id }) => source_id === source.source_id)
    const quotes = joinQuotes(source.quotes, same?.quotes ?? [])
    return { ...source, quotes }
  })
  const ids = new Set(kept.map(({ source_id }) => source_id))
  const more = added.filter(({ source_id }) => !ids.has(source_id))
  return [...known, ...more].slice(0, sourcesMax)
}

const joinQuotes = (
  kept: ReadonlyArray<Quote>,
  added: ReadonlyArray<Quote>
): ReadonlyArray<Quote> =>
  [
    ...kept,
    ...added.filter(({ end, start }) =>
      !kept.some((quote) => quote.start < end && start < quote.end)
    )
  ].slice(0, quotesMax)

const saysTheSame = (left: PlacedClaim, right: PlacedClaim): boolean => {
  if (left.beside_question !== right.beside_question) return false
  if (left.text === right.text && left.reason === right.reason) return true
  if (left.reason !== undefined || right.reason !== undefined) return false
  return isAlike(left.text, right.text) && bears(left, right) && bears(right, left)
}

/**
 * Whether two sentences are one statement in almost the same words: both affirm or both deny, count
 * and date alike, with the same parties in the same places.
 */
export const isAlike = (left: string, right: string): boolean => {
  const [said, read] = [new Set(terms(left)), new Set(terms(right))]
  const shared = Array.from(said).filter((term) => read.has(term)).length
  const contained = shared / Math.max(1, Math.min(said.size, read.size))
  const isEnough = (least: { readonly contained: number; readonly shared: number }) =>
    contained >= least.contained && shared / (said.size + read.size - shared) >= least.shared
  return (isEnough(alike) || (isEnough(alikeWithNumbers) && holdsNumbers(left))) &&
    Verification.sameNumbers(left, right) &&
    partyOf(left) === partyOf(right) && isLimited(left) === isLimited(right) &&
    !Polarity.isNegatedOtherwise(left, right) && !Polarity.holdsOpposite(left, right) &&
    (Negation.count(left) === 0) === (Negation.count(right) === 0) &&
    CalendarDays.missingFrom(left, right).length === 0 &&
    !HanWords.namesSibling(left, right) && CopyEdits.find(left, right).length === 0 &&
    CopyEdits.find(right, left).length === 0
}

const holdsNumbers = (text: string): boolean =>
  quantities(text).some(({ kind, unit }) => kind === "number" && unit !== "")

const bears = (source: PlacedClaim, claim: PlacedClaim): boolean =>
  source.sources.some(({ quotes, title }) => {
    const evidence = { quotes: quotes.map(({ text }) => text), title }
    return Verification.check(claim.text, evidence).reason === undefined
  })
