/**
 * Claims of different sources that give different numbers for the same thing.
 *
 * Careful on purpose: a false alarm costs the reader a true claim. Limited statements ("some
 * contracts"), conditions, different parties and different years are no contradiction.
 */
import { inBase, isSame, quantities, type Quantity } from "../text/Quantities.ts"
import { terms } from "../text/Words.ts"
import { newestDate, type PlacedClaim } from "./PlacedClaim.ts"
import { isLimited, partyOf } from "./Scope.ts"

/** Share of the question's terms both claims must hold, or of their own terms. */
const askedShareMin = 0.7
const ownShareMin = 0.6
const askedTermsMin = 2
/** A source this much older is outdated rather than of another opinion. In years. */
const outdatedYears = 3

export interface Contradiction {
  readonly left: number
  readonly right: number
  /** The claim that stands because its source is newer by years; absent when neither does. */
  readonly stands?: number
}

/** Pairs of places in `claims` that contradict each other. Empty for most questions. */
export const find = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>
): ReadonlyArray<Contradiction> =>
  claims.flatMap((claim, left) =>
    claims.slice(left + 1).flatMap((other, step) => {
      const right = left + 1 + step
      if (!isFromElsewhere(claim, other) || !contradict(question, claim.text, other.text)) return []
      const newer = newerOf(claim, other)
      if (newer === undefined) return [{ left, right }]
      return [{ left, right, stands: newer === claim ? left : right }]
    })
  )

/** Whether two sentences about the same thing give different numbers for it. */
export const contradict = (question: string, left: string, right: string): boolean =>
  !isLimited(left) && !isLimited(right) && partyOf(left) === partyOf(right) &&
  isSameSubject(question, left, right) &&
  !haveDifferentTimes(left, right) && haveDifferentNumbers(left, right)

const isFromElsewhere = (left: PlacedClaim, right: PlacedClaim): boolean =>
  left.sources.length > 0 && right.sources.length > 0 &&
  left.sources.every(({ site }) => right.sources.every((other) => other.site !== site))

const newerOf = (left: PlacedClaim, right: PlacedClaim): PlacedClaim | undefined => {
  const [leftYear, rightYear] = [yearOf(left), yearOf(right)]
  if (leftYear === undefined || rightYear === undefined) return undefined
  if (Math.abs(leftYear - rightYear) < outdatedYears) return undefined
  return leftYear > rightYear ? left : right
}

const yearOf = ({ sources }: PlacedClaim): number | undefined => {
  const year = Number(newestDate(sources)?.slice(0, 4))
  return Number.isInteger(year) ? year : undefined
}

const isSameSubject = (question: string, left: string, right: string): boolean => {
  const [said, read] = [subject(left), subject(right)]
  const asked = Array.from(subject(question))
  const shared = Array.from(said).filter((term) => read.has(term))
  const answered = asked.filter((term) => said.has(term) && read.has(term))
  const isAsked = asked.length >= askedTermsMin && answered.length / asked.length >= askedShareMin
  return isAsked || shared.length / Math.max(1, Math.min(said.size, read.size)) >= ownShareMin
}

/** What is spoken of: the terms without numbers. */
const subject = (text: string): ReadonlySet<string> =>
  new Set(terms(text).filter((term) => !/\p{N}/u.test(term) && !counting.has(term)))

const counting = new Set(
  terms(
    "one two three four five six seven eight nine ten much many must usually always month week " +
      "day year"
  )
)

/** A sentence that names its year or month speaks of that time only. */
const haveDifferentTimes = (left: string, right: string): boolean => {
  const [said, read] = [yearsOf(left), yearsOf(right)]
  const [month, otherMonth] = [monthsOf(left), monthsOf(right)]
  return said.length + read.length > 0 && !said.some((year) => read.includes(year)) ||
    month.length * otherMonth.length > 0 && !month.some((name) => otherMonth.includes(name))
}

const yearsOf = (text: string): ReadonlyArray<number> =>
  quantities(text).flatMap(({ kind, value }) => kind === "year" ? [value] : [])

const monthsOf = (text: string): ReadonlyArray<number> =>
  quantities(text).flatMap(({ kind, value }) => kind === "month" ? [value] : [])

const haveDifferentNumbers = (left: string, right: string): boolean => {
  const [said, read] = [countsOf(left), countsOf(right)]
  const facing = said.flatMap((number) =>
    read.filter((other) => isOfOneKind(number, other)).map((other) => [number, other] as const)
  )
  return facing.length > 0 && facing.every(([number, other]) => !isSame(number, other)) &&
    facing.some(([number, other]) => isNear(number, other))
}

/** The 17 of "17 September" is no count. */
const ofDate = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$|^[日일]/u

const countsOf = (text: string): ReadonlyArray<Quantity> =>
  quantities(text).filter(({ kind, noun, unit }) =>
    kind === "number" && unit + noun !== "" && !(unit === "" && ofDate.test(noun))
  )

const isOfOneKind = (left: Quantity, right: Quantity): boolean =>
  left.unit === "" || right.unit === ""
    ? left.unit === right.unit && left.noun === right.noun
    : inBase(left).unit === inBase(right).unit

/** Whether a word beside the number stands beside the other too. */
const isNear = (left: Quantity, right: Quantity): boolean => {
  const read = subject(right.near)
  return Array.from(subject(left.near)).some((term) => read.has(term))
}
