/** Joins what several sources say alike: agreement is seen, and nothing is told twice. */
import * as Languages from "@web-grounding/language/Languages"
import * as Quantities from "@web-grounding/language/Quantities"
import * as Sameness from "@web-grounding/language/Sameness"
import * as ClaimPlacement from "./ClaimPlacement.ts"
import type { PlacedClaim } from "./PlacedClaim.ts"

const sourcesMax = 6

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

const joined = (kept: PlacedClaim, added: PlacedClaim): PlacedClaim => {
  const bySource = Map.groupBy([...kept.sources, ...added.sources], ({ source_id }) => source_id)
  const sources = Array.from(bySource.values()).flatMap((same) =>
    same.slice(0, 1).map((source) => ({
      ...source,
      quotes: ClaimPlacement.withoutOverlaps(same.flatMap(({ quotes }) => quotes))
    }))
  )
  return { ...kept, sources: sources.slice(0, sourcesMax) }
}

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
  !Sameness.isOfOtherCases(left, right) &&
  !Sameness.isOfOtherBound(left, right) && !Sameness.isOfOthers("", left, right) &&
  !Sameness.isOfOtherTime(left, right) &&
  Quantities.missingFrom(left, right).length === 0

/** Whether two sentences give the same value for what was asked, however they put it. */
const agree = (question: string, left: string, right: string): boolean =>
  Sameness.isSameSubject(question, left, right) && Sameness.haveSameNumber(left, right) &&
  Languages.isNegated(left) === Languages.isNegated(right) &&
  !Sameness.areOfTwoTimes(left, right) && !Sameness.isOfOtherBound(left, right) &&
  !Sameness.isOfOtherCases(left, right) &&
  !Sameness.isOfOthers(question, left, right)
