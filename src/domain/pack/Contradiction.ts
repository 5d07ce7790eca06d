/**
 * Sentences of different sources that answer the same question differently: another value of the
 * same thing, place and time, or the same statement denied.
 */
import * as AnswerSlot from "@web-grounding/language/AnswerSlot"
import * as Sameness from "@web-grounding/language/Sameness"
import * as Words from "@web-grounding/language/Words"
import { terms } from "@web-grounding/language/Words"
import {
  countriesOf,
  independentCount,
  isOfficial,
  mayAnswer,
  newestWritten,
  type PlacedClaim
} from "./PlacedClaim.ts"

/** A source this much older is outdated rather than of another opinion. In years. */
const outdatedYears = 3
/**
 * Disagreement from which passages that answer are taken to differ: right in 94 % of RAMDocs' dev
 * pairs.
 */
const disagreementMin = 0.9
/** Agreement, 0 to 1, of two texts when neither holds an answer to compare. */
const unknownAgreement = 0.4
/** Weight of shared words where the expected answers are names or of any kind. */
const sharedWeight = 0.5

export interface Contradiction {
  readonly left: number
  readonly right: number
  /** The claim that stands: newer by years, or better supported; absent when neither does. */
  readonly stands?: number
}

/**
 * Pairs of places in `claims` that contradict each other, the ones that others bear out standing.
 * Empty for most questions.
 */
export const find = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>,
  /** Places of the draft whose claims a judge found to say something else of one thing. */
  judged: ReadonlyArray<readonly [left: number, right: number]> = []
): ReadonlyArray<Contradiction> => {
  const pairs = pairsOf(question, claims, judged)
  const opposed = new Set(pairs.flatMap(({ left, right }) => [left, right]))
  const undisputed = claims.filter((claim, place) => !opposed.has(place) && mayAnswer(claim))
  return pairs.map((pair) => {
    const stands = pair.stands ??
      [pair.left, pair.right].find((place) =>
        isBorneOut(claims[place], claims[pair.left + pair.right - place], undisputed)
      )
    return stands === undefined ? pair : { ...pair, stands }
  })
}

/** Whether an authority or several sites give the figure of one claim and not the other's. */
const isBorneOut = (
  claim: PlacedClaim | undefined,
  other: PlacedClaim | undefined,
  undisputed: ReadonlyArray<PlacedClaim>
): boolean =>
  claim !== undefined && other !== undefined &&
  undisputed.some((third) =>
    (isOfficial(third) || independentCount(third.sources) > 1) &&
    Sameness.haveSameNumber(third.text, claim.text) &&
    !Sameness.haveSameNumber(third.text, other.text)
  )

const pairsOf = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>,
  judged: ReadonlyArray<readonly [left: number, right: number]>
): ReadonlyArray<Contradiction> =>
  claims.flatMap((claim, left) =>
    claims.slice(left + 1).flatMap((other, step) => {
      const right = left + 1 + step
      const isJudged = judged.some(([one, two]) =>
        one === claim.place && two === other.place || two === claim.place && one === other.place
      )
      if (
        !isFromElsewhere(claim, other) || isOfOtherCountry(claim, other) ||
        !isJudged && !textsOf(claim).some((said) =>
            textsOf(other).some((read) => contradict(question, said, read))
          )
      ) return []
      const stronger = newerOf(claim, other) ?? betterBorneOf(claim, other)
      if (stronger === undefined) return [{ left, right }]
      return [{ left, right, stands: stronger === claim ? left : right }]
    })
  )

/** A claim of several sources says what each of its quotations says. */
const textsOf = ({ sources, text }: PlacedClaim): ReadonlyArray<string> => [
  ...new Set([text, ...sources.flatMap(({ quotes }) => quotes.map((quote) => quote.text))])
]

/** Whether two sentences about the same thing answer differently. */
export const contradict = (question: string, left: string, right: string): boolean => {
  const [said, read] = [withoutBrackets(left), withoutBrackets(right)]
  if (Sameness.isLimited(said) || Sameness.isLimited(read)) return false
  if (Sameness.isOfOtherBound(said, read)) return false
  if (haveDifferentNames(question, said, read)) return true
  return !Sameness.isOfOthers(question, said, read) &&
    (Sameness.isDenied(said, read) && Sameness.sameNumbers(said, read) ||
      haveDifferentDates(question, said, read) ||
      Sameness.isSameSubject(question, said, read) && !Sameness.isOfOtherTime(said, read) &&
        Sameness.haveDifferentNumbers(said, read) && Sameness.mayMeanTheSame(question, said, read))
}

/** Text without what stands in brackets, which is an aside. */
const withoutBrackets = (text: string): string => text.replace(/\([^)]*\)|（[^）]*）/gu, " ")

/** Names are compared where one was asked for, between sentences that are the same but for them. */
const haveDifferentNames = (question: string, left: string, right: string): boolean => {
  const kind = AnswerSlot.kindOf(question)
  return (kind === "person" || kind === "place") && Sameness.isAsked(question, left, right) &&
    Sameness.isOfOthers(question, left, right) && Sameness.isAlikeButForNames(left, right)
}

/** Dates are compared where a date was asked for. */
const haveDifferentDates = (question: string, left: string, right: string): boolean =>
  AnswerSlot.kindOf(question) === "date" && Sameness.isAsked(question, left, right) &&
  (Sameness.areApart(Sameness.valuesOf(left, "year"), Sameness.valuesOf(right, "year")) ||
    Sameness.areApart(Sameness.valuesOf(left, "month"), Sameness.valuesOf(right, "month")))

/**
 * Degree, 0 to 1, to which two passages seem to answer the question differently. It says who may be
 * of another opinion or speak of another thing of the same name; `contradict` alone demotes.
 */
export const disagreement = (question: string, left: string, right: string): number => {
  const [said, read] = [AnswerSlot.answersIn(question, left), AnswerSlot.answersIn(question, right)]
  const agreed = said.size === 0 || read.size === 0
    ? unknownAgreement
    : AnswerSlot.agreement(said, read)
  const kind = AnswerSlot.kindOf(question)
  const isNamed = kind === "person" || kind === "other"
  const shared = isNamed ? sharedWeight * sharedBeside(question, left, right) : 0
  return 1 - Math.min(1, agreed + shared)
}

/**
 * Whether sites that speak of what was asked seem to answer it differently, though no two of their
 * claims contradict each other outright. Counts are left out: a page holds too many of them.
 */
export const doSitesDisagree = (question: string, claims: ReadonlyArray<PlacedClaim>): boolean => {
  const kind = AnswerSlot.kindOf(question)
  if (kind === "number" || kind === "other") return false
  const texts = Array.from(quotedBySite(claims).values())
  return texts.some((left, place) =>
    texts.slice(place + 1).some((right) =>
      Sameness.isAsked(question, left, right) &&
      disagreement(question, left, right) >= disagreementMin
    )
  )
}

const quotedBySite = (claims: ReadonlyArray<PlacedClaim>): ReadonlyMap<string, string> =>
  claims.flatMap(({ sources }) => sources).reduce((texts, { quotes, site }) => {
    const said = quotes.map(({ text }) => text).join("\n")
    return texts.set(site, `${texts.get(site) ?? ""}\n${said}`)
  }, new Map<string, string>())

const isFromElsewhere = (left: PlacedClaim, right: PlacedClaim): boolean =>
  left.sources.length > 0 && right.sources.length > 0 &&
  left.sources.every(({ site }) => right.sources.every((other) => other.site !== site))

const isOfOtherCountry = (left: PlacedClaim, right: PlacedClaim): boolean => {
  const [said, read] = [countriesOf(left), countriesOf(right)]
  return said.size > 0 && read.size > 0 && said.isDisjointFrom(read)
}

const newerOf = (left: PlacedClaim, right: PlacedClaim): PlacedClaim | undefined => {
  const [leftYear, rightYear] = [yearOf(left), yearOf(right)]
  if (leftYear === undefined || rightYear === undefined) return undefined
  if (Math.abs(leftYear - rightYear) < outdatedYears) return undefined
  return leftYear > rightYear ? left : right
}

/** An authority against single voices that are no newer, or several sites against one. */
const betterBorneOf = (left: PlacedClaim, right: PlacedClaim): PlacedClaim | undefined =>
  [[left, right], [right, left]].flatMap(([one, other]) => {
    if (one === undefined || other === undefined) return []
    const isAuthority = isOfficial(one) && !isOfficial(other) && !isWrittenAfter(other, one)
    const isShared = independentCount(one.sources) > 1 && independentCount(other.sources) < 2 &&
      !isOfficial(other)
    return isAuthority || isShared ? [one] : []
  })[0]

/** ISO 8601 dates compare as text; what has no date is not newer. */
const isWrittenAfter = (late: PlacedClaim, early: PlacedClaim): boolean => {
  const [one, other] = [newestWritten(late.sources), newestWritten(early.sources)]
  return one !== undefined && (other === undefined || one.slice(0, 10) > other.slice(0, 10))
}

const yearOf = ({ sources }: PlacedClaim): number | undefined => {
  const year = Number(newestWritten(sources)?.slice(0, 4))
  return Number.isInteger(year) ? year : undefined
}

/** 0 to 1: share of the shorter text's terms that both hold, the question's own left out. */
const sharedBeside = (question: string, left: string, right: string): number => {
  const asked = new Set(terms(question))
  const beside = (text: string) => new Set(terms(text)).difference(asked)
  return Words.sharedShare(beside(left), beside(right))
}
