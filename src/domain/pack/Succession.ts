/**
 * Finds claims of another time than the question's. A newer source that gives another figure for
 * the same thing, or reports a change, supersedes the older one: that is time and no conflict.
 * Asked about the present, the newer one stands; asked about a past year, the one written by then.
 */
import * as Languages from "@web-grounding/language/Languages"
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import * as Sameness from "@web-grounding/language/Sameness"
import { nameTerms, plainForm, plainTerms } from "@web-grounding/language/Words"
import { Option } from "effect"
import * as Confidence from "./Confidence.ts"
import { isOfficial, mayAnswer, newestWritten, type PlacedClaim } from "./PlacedClaim.ts"

/** Figures that come once a quarter are further apart; what is nearer may be a conflict. */
const daysApartMin = 60
/** Words for states that a newer source may have ended. */
const standing = new RegExp(
  "\\b(?:unchanged|still|remain(?:s|ed)?|until further notice|no change|" +
    "next (?:decision|meeting|review))\\b",
  "iu"
)
const changing =
  /\b(?:lower(?:s|ed)|cuts?|raise[sd]|rose|fell|increase[sd]|reduce[sd]|drop(?:s|ped)|change[sd])\b/iu
/** Words of the question that both must hold, to speak of one thing's change. */
const changedTermsMin = 2

/**
 * Indices of claims whose figures a newer claim replaces. Empty when the question itself names its
 * time.
 */
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

const overtakes = (question: string, newer: PlacedClaim, older: PlacedClaim): boolean => {
  if (![newer, older].every(mayAnswer) || !mayOvertake(newer, older)) return false
  const [said, read] = [saysOf(newer.text), saysOf(older.text)]
  // A draft or a forecast is overtaken by the next day's decision.
  const isDecided = read.isTentative && !said.isTentative
  if (!isLater(newer, older, isDecided ? 1 : daysApartMin)) return false
  if (said.isEnded && !read.isEnded && areOfOneName(question, newer, older)) return true
  return !Sameness.isLimited(newer.text) &&
    (isOtherFigure(question, newer.text, older.text) || isChanged(question, newer.text, older.text))
}

const saysOf = (text: string) => {
  const { ends, tentative } = Languages.patternsOf(Languages.languageOf(text))
  return { isEnded: ends.test(text), isTentative: tentative.test(text) }
}

/**
 * Whether the older claim, with its sources' titles, holds each name and number of the question
 * that the newer one holds, and half of its other words.
 */
const areOfOneName = (question: string, newer: PlacedClaim, older: PlacedClaim): boolean => {
  const said = plainTerms(newer.text)
  const read = plainTerms([older.text, ...older.sources.map(({ title }) => title)].join("\n"))
  const named = new Set([...nameTerms(question.slice(1)), ...question.match(/\p{N}+/gu) ?? []])
  const asked = QuestionTerms.questionTerms(question).filter((term) => said.has(plainForm(term)))
  const shared = asked.filter((term) => read.has(plainForm(term)))
  return asked.every((term) => !named.has(term) || shared.includes(term)) &&
    shared.length >= Math.max(changedTermsMin, asked.length / 2)
}

const isOtherFigure = (question: string, newer: string, older: string): boolean =>
  Sameness.isSameSubject(question, newer, older) &&
  Sameness.haveDifferentNumbers(newer, older)

const isChanged = (question: string, newer: string, older: string): boolean => {
  if (!standing.test(older) || standing.test(newer) || !changing.test(newer)) return false
  const [said, read] = [plainTerms(newer), plainTerms(older)]
  return QuestionTerms.questionTerms(question).map(plainForm).filter((term) =>
    !/\p{N}/u.test(term) && said.has(term) && read.has(term)
  ).length >= changedTermsMin
}

/**
 * Places of the claims written after the year that the question names, which give other figures
 * than one written by then. Empty of a question about the present. `now` is ISO 8601.
 */
export const laterThanAsked = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>,
  now: string
): ReadonlySet<number> => {
  const year = pastYear(question, now)
  if (year === undefined) return new Set()
  const ofThen = claims.filter((claim) => mayAnswer(claim) && yearOf(claim) <= year)
  return new Set(
    claims.flatMap((claim, place) =>
      yearOf(claim) > year && !yearsOf(claim.text).includes(year) &&
        ofThen.some(({ text }) => isOfOtherFigures(question, claim.text, text))
        ? [place]
        : []
    )
  )
}

/** The one year that a question names, when it is over. */
export const pastYear = (question: string, now: string): number | undefined => {
  const [year, ...others] = yearsOf(question)
  return year !== undefined && others.length === 0 && year < Number(now.slice(0, 4))
    ? year
    : undefined
}

/** Two lists of prices may share one; each has a figure of its own. */
const isOfOtherFigures = (question: string, newer: string, older: string): boolean => {
  if (!Sameness.isSameSubject(question, newer, older)) return false
  const [said, read] = [Sameness.valuesOf(newer, "number"), Sameness.valuesOf(older, "number")]
  return said.some((value) => !read.includes(value)) && read.some((value) => !said.includes(value))
}

const yearsOf = (text: string): ReadonlyArray<number> => Sameness.valuesOf(text, "year")

/** Year of the claim's newest source; NaN when none is dated. */
const yearOf = ({ sources }: PlacedClaim): number =>
  Number(newestWritten(sources)?.slice(0, 4) ?? Number.NaN)

const isLater = (newer: PlacedClaim, older: PlacedClaim, daysMin: number): boolean => {
  const written = newestWritten(newer.sources)
  return written !== undefined &&
    Option.exists(
      Confidence.daysSince(newestWritten(older.sources), written),
      (days) => days >= daysMin
    )
}

/**
 * Anybody may be newer than an authority; only what the authority dated itself is superseded so.
 */
const mayOvertake = (newer: PlacedClaim, older: PlacedClaim): boolean =>
  isOfficial(newer) || !isOfficial(older) || isDated(older.text)

const isDated = (text: string): boolean => yearsOf(text).length > 0
