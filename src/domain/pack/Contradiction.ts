/**
 * Claims of different sources that answer the same question differently.
 *
 * Careful on purpose: a false alarm costs the reader a true claim. Limited statements ("some
 * contracts"), conditions, different parties and different years are no contradiction.
 */
import { inBase, isSame, quantities, type Quantity } from "../text/Quantities.ts"
import * as ThingWords from "../text/ThingWords.ts"
import { terms } from "../text/Words.ts"
import * as AnswerSlot from "./AnswerSlot.ts"
import * as CopyEdits from "./CopyEdits.ts"
import { newestWritten, type PlacedClaim } from "./PlacedClaim.ts"
import { isLimited, isOfSome, partyOf } from "./Scope.ts"

/** Share of the question's terms both claims must hold, or of their own terms. */
const askedShareMin = 0.7
const ownShareMin = 0.6
const askedTermsMin = 2
/** Two short sentences share a unit and one word more by chance. */
const ownTermsMin = 3
/** A source this much older is outdated rather than of another opinion. In years. */
const outdatedYears = 3

/** Names are compared only between sentences that are otherwise almost the same. */
const frameShareMin = 0.75
/** From here on passages that answer are taken to differ: right in 94 % of RAMDocs' dev pairs. */
const disagreementMin = 0.9
/** Of two texts that offer no answer to compare. */
const unknownAgreement = 0.4
/** What shared words say of texts whose answers are names or anything. */
const sharedWeight = 0.5

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

/** Whether two sentences about the same thing answer differently, or give other numbers for it. */
const contradict = (question: string, left: string, right: string): boolean =>
  areOpposites(left, right) ||
  !isLimited(left) && !isLimited(right) && partyOf(left) === partyOf(right) &&
    (haveDifferentAnswers(question, left, right) || isEditedCopy(question, left, right) ||
      isSameSubject(question, left, right) && !haveDifferentTimes(left, right) &&
        haveDifferentNumbers(left, right))

/**
 * 0 to 1: how likely two passages answer the question differently. Says who may be of another
 * opinion or speak of another thing of the same name; `contradict` asks more before it says so.
 */
export const disagreement = (question: string, left: string, right: string): number => {
  const [said, read] = [AnswerSlot.read(question, left), AnswerSlot.read(question, right)]
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
  const asked = subject(question.replace(ThingWords.kindOf(question)?.asked ?? "", " "))
  const texts = Array.from(quotedBySite(claims).values())
  return texts.some((left, place) =>
    texts.slice(place + 1).some((right) =>
      isAsked(asked, left, right) && disagreement(question, left, right) >= disagreementMin
    )
  )
}

const quotedBySite = (claims: ReadonlyArray<PlacedClaim>): ReadonlyMap<string, string> =>
  claims.flatMap(({ sources }) => sources).reduce((texts, { quotes, site }) => {
    const said = quotes.map(({ text }) => text).join("\n")
    return texts.set(site, `${texts.get(site) ?? ""}\n${said}`)
  }, new Map<string, string>())

/** Whether both sentences answer the question, and not alike. What stands in brackets is aside. */
const haveDifferentAnswers = (question: string, left: string, right: string): boolean => {
  const kind = AnswerSlot.kindOf(question)
  const [said, read] = [withoutBrackets(left), withoutBrackets(right)]
  const asked = subject(question.replace(ThingWords.kindOf(question)?.asked ?? "", " "))
  if (kind === "number" || kind === "other" || !isAsked(asked, said, read)) return false
  if (kind === "date") return haveDifferentDates(said, read)
  if (kind === "thing") return disagreement(question, said, read) >= disagreementMin
  const [answers, others] = [AnswerSlot.read(question, said), AnswerSlot.read(question, read)]
  return answers.size > 0 && others.size > 0 && AnswerSlot.agreement(answers, others) === 0 &&
    isOneFrame(frame(said, answers), frame(read, others))
}

/** One sentence is the other, denied or turned round. */
const areOpposites = (left: string, right: string): boolean => {
  const edits = CopyEdits.find(right, left)
  const beside = edits.includes("roles") ? ["order", "name"] : []
  return !isOfSome(left) && !isOfSome(right) && partyOf(left) === partyOf(right) &&
    edits.length > 0 && edits.every((edit) => opposing.has(edit) || beside.includes(edit))
}

const opposing: ReadonlySet<CopyEdits.CopyEdit> = new Set([
  "negation",
  "opposite",
  "bound",
  "roles"
])

/**
 * Whether one sentence is the other but for what was asked. A copy with another year speaks of
 * another time, one with another name of someone else, unless that is the question.
 */
const isEditedCopy = (question: string, left: string, right: string): boolean => {
  const edits = CopyEdits.find(right, left)
  const kind = AnswerSlot.kindOf(question)
  const isOnly = (...allowed: ReadonlyArray<CopyEdits.CopyEdit>) =>
    edits.length > 0 && edits.every((edit) => allowed.includes(edit))
  if (kind === "date") return isOnly("date", "number")
  return kind === "person" || kind === "place" ? isOnly("name") : isOnly("number")
}

const withoutBrackets = (text: string): string => text.replace(/\([^)]*\)|（[^）]*）/gu, " ")

const haveDifferentDates = (left: string, right: string): boolean =>
  areApart(yearsOf(left), yearsOf(right)) ||
  (isSameSet(yearsOf(left), yearsOf(right)) && areApart(monthsOf(left), monthsOf(right)))

const areApart = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): boolean =>
  left.length * right.length > 0 && !left.some((value) => right.includes(value))

const isSameSet = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): boolean =>
  left.every((value) => right.includes(value)) && right.every((value) => left.includes(value))

/** What a sentence says around the names that answer. */
const frame = (text: string, answers: AnswerSlot.Answers): ReadonlySet<string> =>
  new Set(terms(text).filter((term) => !answers.has(term)))

const isOneFrame = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean => {
  const shared = Array.from(left).filter((term) => right.has(term)).length
  return shared > 0 && shared / (left.size + right.size - shared) >= frameShareMin
}

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
  const year = Number(newestWritten(sources)?.slice(0, 4))
  return Number.isInteger(year) ? year : undefined
}

/** 0 to 1: share of the shorter text's terms that both hold, the question's own left out. */
const sharedBeside = (question: string, left: string, right: string): number => {
  const asked = new Set(terms(question))
  const [said, read] = [left, right].map((text) => terms(text).filter((term) => !asked.has(term)))
  const [few, many] = [new Set(said), new Set(read)].toSorted((one, other) => one.size - other.size)
  if (few === undefined || many === undefined || few.size === 0) return 0
  return Array.from(few).filter((term) => many.has(term)).length / few.size
}

/** Whether both hold what the question is about, or most of what the other speaks of. */
export const isSameSubject = (question: string, left: string, right: string): boolean => {
  const [said, read] = [subject(left), subject(right)]
  const shared = Array.from(said).filter((term) => read.has(term)).length
  return isAsked(subject(question), left, right) || shared >= ownTermsMin &&
      shared / Math.max(1, Math.min(said.size, read.size)) >= ownShareMin
}

/** Whether both sentences hold what the question is about. */
const isAsked = (asked: ReadonlySet<string>, left: string, right: string): boolean => {
  const [said, read] = [subject(left), subject(right)]
  const answered = Array.from(asked).filter((term) => said.has(term) && read.has(term))
  return asked.size >= askedTermsMin && answered.length / asked.size >= askedShareMin
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

/** Whether both hold counts of one kind beside the same words, and no two of them are equal. */
export const haveDifferentNumbers = (left: string, right: string): boolean => {
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
