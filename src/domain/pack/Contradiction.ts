/** Sentences of different sources that answer a question differently, or deny each other. */
import * as AnswerSlot from "@web-grounding/language/AnswerSlot"
import * as Languages from "@web-grounding/language/Languages"
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import * as Sameness from "@web-grounding/language/Sameness"
import * as Sentences from "@web-grounding/language/Sentences"
import * as Words from "@web-grounding/language/Words"
import { nameTerms, plainForm, plainTerms, terms } from "@web-grounding/language/Words"
import { Option } from "effect"
import * as Confidence from "./Confidence.ts"
import {
  areApart,
  countriesOf,
  mayAnswer,
  newestWritten,
  originsCount,
  type PlacedClaim,
  rankOf
} from "./PlacedClaim.ts"
import * as PrimaryWord from "./PrimaryWord.ts"

/** Sentences of a claim that are compared with another's; a quotation holds seldom more. */
const sentencesMax = 8
/** A source this much older is outdated, not contradicting. In years. */
const outdatedYears = 3
/** Minimum disagreement of differing answers: right in 94 % of RAMDocs' dev pairs. */
const disagreementMin = 0.9
/** Agreement, 0 to 1, of two texts when neither holds an answer to compare. */
const unknownAgreement = 0.4
/** Weight of shared words where the expected answers are names or of any kind. */
const sharedWeight = 0.5

export interface Contradiction {
  readonly left: number
  readonly right: number
  /** Index of the claim to keep: newer by years, or better supported; absent when neither is. */
  readonly stands?: number
}

/** Pairs of indices in `claims` that contradict each other. Empty for most questions. */
export const find = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>,
  /** Indices in the draft of claims that a judge found to contradict each other. */
  judged: ReadonlyArray<readonly [left: number, right: number]> = []
): ReadonlyArray<Contradiction> => {
  const pairs = pairsOf(question, claims, judged)
  const opposed = new Set(pairs.flatMap(({ left, right }) => [left, right]))
  const undisputed = claims.filter((claim, index) => !opposed.has(index) && mayAnswer(claim))
  return pairs.map((pair) => {
    const stands = pair.stands ??
      [pair.left, pair.right].find((index) =>
        isBorneOut(claims[index], claims[pair.left + pair.right - index], undisputed)
      )
    return stands === undefined ? pair : { ...pair, stands }
  })
}

/** Whether a primary or a known source gives the figure of one claim and not the other's. */
const isBorneOut = (
  claim: PlacedClaim | undefined,
  other: PlacedClaim | undefined,
  undisputed: ReadonlyArray<PlacedClaim>
): boolean =>
  claim !== undefined && other !== undefined &&
  undisputed.some((third) =>
    rankOf(third) > 0 && rankOf(third) >= rankOf(other) &&
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
      const isAgainstBetter = rankOf(claim) + rankOf(other) > 0 &&
        [[claim, other], [other, claim]].some(([one, better]) =>
          one?.relation === "differs" && better !== undefined && rankOf(better) >= rankOf(one)
        )
      if (
        !isFromElsewhere(claim, other) || isOfOtherCountry(claim, other) ||
        !isJudged && !isAgainstBetter && !textsOf(claim).some((said) =>
            textsOf(other).some((read) => contradict(question, said, read))
          )
      ) return []
      const stronger = settledBy(claim, other) ?? checkedOf(claim, other)
      if (stronger === undefined) return [{ left, right }]
      return [{ left, right, stands: stronger === claim ? left : right }]
    })
  )

/** The one that its sources vouch for, where those of the other say that they do not. */
const checkedOf = (left: PlacedClaim, right: PlacedClaim): PlacedClaim | undefined => {
  const checked = [left, right].filter((claim) =>
    !textsOf(claim).some((text) =>
      Languages.patternsOf(Languages.languageOf(text)).unchecked.test(text)
    )
  )
  return checked.length === 1 ? checked[0] : undefined
}

const textsOf = ({ sources, text }: PlacedClaim): ReadonlyArray<string> => [
  ...new Set([text, ...sources.flatMap(({ quotes }) => quotes.map((quote) => quote.text))])
]

export const contradict = (question: string, left: string, right: string): boolean => {
  const [said, read] = [withoutBrackets(left), withoutBrackets(right)]
  if (Sameness.isLimited(said) || Sameness.isLimited(read)) return false
  if (Sameness.isOfOtherBound(said, read)) return false
  if (haveDifferentNames(question, said, read)) return true
  return !Sameness.isOfOthers(question, said, read) &&
    (isDenied(said, read) ||
      haveDifferentDates(question, said, read) ||
      Sameness.isSameSubject(question, said, read) && !Sameness.isOfOtherTime(said, read) &&
        Sameness.haveDifferentNumbers(said, read) && Sameness.mayMeanTheSame(question, said, read))
}

/** Whether one sentence denies the other: a denial in the next sentence is of something else. */
const isDenied = (left: string, right: string): boolean =>
  sentencesOf(left).some((said) =>
    sentencesOf(right).some((read) =>
      Sameness.isDenied(said, read) && Sameness.sameNumbers(said, read)
    )
  )

const sentencesOf = (text: string) => Sentences.sentenceTexts(text).slice(0, sentencesMax)

const withoutBrackets = (text: string): string => text.replace(/\([^)]*\)|（[^）]*）/gu, " ")

/** Names are compared where one was asked for, between sentences that are the same but for them. */
const haveDifferentNames = (question: string, left: string, right: string): boolean => {
  const kind = AnswerSlot.kindOf(question)
  return (kind === "person" || kind === "place") && Sameness.isAsked(question, left, right) &&
    Sameness.isOfOthers(question, left, right) && Sameness.isAlikeButForNames(left, right)
}

const haveDifferentDates = (question: string, left: string, right: string): boolean =>
  AnswerSlot.kindOf(question) === "date" && Sameness.isAsked(question, left, right) &&
  (Sameness.areApart(Sameness.valuesOf(left, "year"), Sameness.valuesOf(right, "year")) ||
    Sameness.areApart(Sameness.valuesOf(left, "month"), Sameness.valuesOf(right, "month")))

/**
 * 0 to 1. Also high when the passages speak of different things of one name. Only `contradict`
 * demotes.
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
 * Whether sites seem to answer differently without an outright contradiction. Counts are left out:
 * a page holds too many.
 */
export const doSitesDisagree = (question: string, claims: ReadonlyArray<PlacedClaim>): boolean => {
  const kind = AnswerSlot.kindOf(question)
  if (kind === "number" || kind === "other") return false
  const texts = Array.from(quotedBySite(claims).values())
  return texts.some((left, index) =>
    texts.slice(index + 1).some((right) =>
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
  left.sources.length > 0 && right.sources.length > 0 && areApart(left, right)

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

/**
 * The better class wins, unless a known source is newer by years than the primary; of equals the
 * newer by years. Sources without a class settle nothing: both number and date cost nothing to make
 * up.
 */
const settledBy = (left: PlacedClaim, right: PlacedClaim): PlacedClaim | undefined => {
  const [one, other] = [rankOf(left), rankOf(right)]
  const newer = newerOf(left, right)
  if (one === other) return one > 0 ? newer : undefined
  const [better, plain] = one > other ? [left, right] : [right, left]
  return newer === plain && rankOf(plain) > 0 ? undefined : better
}

const yearOf = ({ sources }: PlacedClaim): number | undefined => {
  const year = Number(newestWritten(sources)?.slice(0, 4))
  return Number.isInteger(year) ? year : undefined
}

/** Share, 0 to 1, of the shorter text's terms that both hold, without the question's own. */
const sharedBeside = (question: string, left: string, right: string): number => {
  const asked = new Set(terms(question))
  const beside = (text: string) => new Set(terms(text)).difference(asked)
  return Words.sharedShare(beside(left), beside(right))
}

// Superseded claims. A newer source with another figure, or one that reports the end, replaces the
// older one without conflict. For a question about a past year, the claim written by then is kept.

/** Quarterly figures are further apart; what is nearer may be a conflict. */
const daysApartMin = 60
/** Words of the question that both sentences must hold to speak of one thing's end. */
const namedTermsMin = 2

/** Claims whose figures a newer one replaces, by index. Empty when the question names its time. */
export const overtaken = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>
): ReadonlySet<number> => {
  return new Set(
    claims.flatMap((older, index) => isOvertaken(question, claims, older) ? [index] : [])
  )
}

const isOvertaken = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>,
  older: PlacedClaim
): boolean =>
  !isDated(question) && claims.some((newer) =>
    overtakes(question, newer, older) &&
    !claims.some((said) =>
      areOfOneSource(said, newer) && Sameness.haveSameNumber(said.text, older.text)
    )
  )

/** If the newer source also holds the older figure, its newer figure is of another case. */
const areOfOneSource = (left: PlacedClaim, right: PlacedClaim): boolean =>
  left.sources.some(({ url }) => right.sources.some((other) => other.url === url))

const overtakes = (question: string, newer: PlacedClaim, older: PlacedClaim): boolean => {
  if (![newer, older].every(mayAnswer) || !mayOvertake(newer, older)) return false
  const [said, read] = [saysOf(newer.text), saysOf(older.text)]
  // A draft or a forecast is overtaken by the next day's decision.
  const isDecided = read.isTentative && !said.isTentative
  if (!isLater(newer, older, isDecided ? 1 : daysApartMin)) return false
  if (said.isEnded && !read.isEnded && areOfOneName(question, newer, older)) return true
  return !Sameness.isLimited(newer.text) && isOtherFigure(question, newer.text, older.text)
}

/**
 * Whether a sentence of the pages is overtaken by a kept claim or by one of its site's newer pages,
 * or answers otherwise than a kept claim while it agrees with none.
 */
export const isDoubtful = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>,
  said: PlacedClaim,
  ofSite: ReadonlyArray<PlacedClaim> = []
): boolean =>
  isOvertaken(question, ofSite, said) ||
  !claims.some((claim) =>
      mayAnswer(claim) && rankOf(claim) >= rankOf(said) &&
      PrimaryWord.agree(question, said.text, claim.text)
    ) && claims.some((claim) =>
      !isDated(question) && overtakes(question, claim, said) ||
      find(question, [claim, said]).some(({ stands }) => stands !== 1)
    )

const saysOf = (text: string) => {
  const { ends, tentative } = Languages.patternsOf(Languages.languageOf(text))
  return { isEnded: ends.test(text), isTentative: tentative.test(text) }
}

/** Whether the older claim and its titles hold the newer's names and numbers from the question. */
const areOfOneName = (question: string, newer: PlacedClaim, older: PlacedClaim): boolean => {
  const said = plainTerms(newer.text)
  const read = plainTerms([older.text, ...older.sources.map(({ title }) => title)].join("\n"))
  const named = new Set([...nameTerms(question.slice(1)), ...question.match(/\p{N}+/gu) ?? []])
  const asked = QuestionTerms.questionTerms(question).filter((term) => said.has(plainForm(term)))
  const shared = asked.filter((term) => read.has(plainForm(term)))
  return asked.every((term) => !named.has(term) || shared.includes(term)) &&
    shared.length >= Math.max(namedTermsMin, asked.length / 2)
}

const isOtherFigure = (question: string, newer: string, older: string): boolean =>
  Sameness.isSameSubject(question, newer, older) &&
  Sameness.haveDifferentNumbers(newer, older)

/** Claims written after the year in the question, with other figures than one written by then. */
export const laterThanAsked = (
  question: string,
  claims: ReadonlyArray<PlacedClaim>,
  now: string
): ReadonlySet<number> => {
  const year = pastYear(question, now)
  if (year === undefined) return new Set()
  const ofThen = claims.filter((claim) => mayAnswer(claim) && statedYearOf(claim) <= year)
  return new Set(
    claims.flatMap((claim, index) =>
      statedYearOf(claim) > year && !yearsOf(claim.text).includes(year) &&
        ofThen.some((then) =>
          rankOf(then) >= rankOf(claim) && isOfOtherFigures(question, claim.text, then.text)
        )
        ? [index]
        : []
    )
  )
}

/** The one year that a question names, if it is over. */
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
const statedYearOf = ({ sources }: PlacedClaim): number =>
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
 * A newer page overtakes older ones of its class or below; a known one also a primary that dated
 * itself. A page without a class overtakes one other where several origins agree: dates cost
 * nothing.
 */
const mayOvertake = (newer: PlacedClaim, older: PlacedClaim): boolean =>
  rankOf(newer) > 0
    ? rankOf(newer) >= rankOf(older) || isDated(older.text)
    : rankOf(older) === 0 && originsCount(newer) > 1 && originsCount(older) < 2

const isDated = (text: string): boolean => yearsOf(text).length > 0
