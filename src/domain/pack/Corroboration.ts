/** Joins what several sources say alike: agreement is seen, and nothing is told twice. */
import * as Languages from "../language/Languages.ts"
import * as CalendarDays from "../text/CalendarDays.ts"
import type { CitedSource, Quote } from "./GroundingPack.ts"
import type { PlacedClaim } from "./PlacedClaim.ts"
import * as Sameness from "./Sameness.ts"

const sourcesMax = 6
const quotesMax = 4

/** Claims in order, each statement once; the first wording stays and gains the others' sources. */
export const merge = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>
): ReadonlyArray<PlacedClaim> =>
  claims.reduce<ReadonlyArray<PlacedClaim>>((list, claim) => {
    const place = list.findIndex((other) => saysTheSame(question, other, claim))
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

const saysTheSame = (question: string, left: PlacedClaim, right: PlacedClaim): boolean => {
  if (left.beside_question !== right.beside_question) return false
  if (left.text === right.text && left.reason === right.reason) return true
  if (left.reason !== undefined || right.reason !== undefined) return false
  return isAlike(left.text, right.text) || agree(question, left.text, right.text)
}

/** Whether two sentences are one statement in almost the same words, with the same numbers. */
export const isAlike = (left: string, right: string): boolean =>
  Sameness.isAlike(left, right) && Sameness.sameNumbers(left, right) &&
  Languages.isNegated(left) === Languages.isNegated(right) &&
  Sameness.isLimited(left) === Sameness.isLimited(right) &&
  !Sameness.isOfOtherBound(left, right) && !Sameness.isOfOthers("", left, right) &&
  !Sameness.isOfOtherTime(left, right) &&
  CalendarDays.missingFrom(left, right).length === 0

/** Whether two sentences give the same value for what was asked, however they put it. */
const agree = (question: string, left: string, right: string): boolean =>
  Sameness.isSameSubject(question, left, right) && Sameness.haveSameNumber(left, right) &&
  Languages.isNegated(left) === Languages.isNegated(right) &&
  !Sameness.areOfTwoTimes(left, right) && !Sameness.isOfOtherBound(left, right) &&
  Sameness.isLimited(left) === Sameness.isLimited(right) &&
  !Sameness.isOfOthers(question, left, right)
