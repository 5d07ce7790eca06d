/**
 * Which claims are of an earlier time: a newer source gives another figure for the same thing.
 *
 * That is time and no conflict, so the newer one stands. Asked of questions about the present only.
 */
import { quantities } from "../text/Quantities.ts"
import * as Contradiction from "./Contradiction.ts"
import { newestWritten, type PlacedClaim } from "./PlacedClaim.ts"
import { isLimited, partyOf } from "./Scope.ts"

/** Figures that come once a quarter are further apart; what is nearer may be a conflict. */
const daysApartMin = 60
/** "from 3.25 to 3.00 percent", "up from 2.40 crowns": the first is what was before. */
const former = /\bfrom \p{Sc}?\d[\d.,]*(?:\s?%|\s\p{L}+)?(?=\s+to\b|[,.;]|$)/giu

/** Places in `claims`. Empty when the question itself names its time. */
export const overtaken = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>
): ReadonlySet<number> => {
  if (isDated(question)) return new Set()
  return new Set(
    claims.flatMap((older, place) =>
      claims.some((newer) => overtakes(question, newer, older)) ? [place] : []
    )
  )
}

const overtakes = (question: string, newer: PlacedClaim, older: PlacedClaim): boolean =>
  [newer, older].every(({ beside_question, reason }) =>
    beside_question === undefined && reason === undefined
  ) && !isLimited(newer.text) &&
  isLater(newer, older) && mayOvertake(newer, older) &&
  partyOf(newer.text) === partyOf(older.text) &&
  Contradiction.isSameSubject(question, newer.text, older.text) &&
  Contradiction.haveDifferentNumbers(current(newer.text), current(older.text))

const isLater = (newer: PlacedClaim, older: PlacedClaim): boolean => {
  const [late, early] = [dayOf(newer), dayOf(older)]
  return late !== undefined && early !== undefined && late - early >= daysApartMin
}

/** Anybody may be newer than an authority; only what the authority dated itself is overtaken so. */
const mayOvertake = (newer: PlacedClaim, older: PlacedClaim): boolean =>
  isOfficial(newer) || !isOfficial(older) || isDated(older.text)

const isOfficial = ({ sources }: PlacedClaim): boolean => sources.some(({ official }) => official)

const isDated = (text: string): boolean => quantities(text).some(({ kind }) => kind === "year")

const current = (text: string): string => text.replace(former, " ")

/** About which day its newest source is of; months count 31 days, which is near enough. */
const dayOf = ({ sources }: PlacedClaim): number | undefined => {
  const [year, month, day] = (newestWritten(sources)?.slice(0, 10).split("-") ?? []).map(Number)
  return year === undefined || month === undefined || day === undefined
    ? undefined
    : year * 365 + month * 31 + day
}
