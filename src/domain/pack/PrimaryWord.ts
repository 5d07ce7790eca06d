/**
 * Compares a claim with what a source of a better class says on the question. `differs`: both give
 * a value of one kind, or agree but for a name or a denial. `silent`: otherwise; holding the
 * claim's words is not saying it.
 */
import * as AnswerSlot from "@web-grounding/language/AnswerSlot"
import {
  inBase,
  isSame,
  missingFrom,
  quantities,
  type Quantity
} from "@web-grounding/language/Quantities"
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import * as Sameness from "@web-grounding/language/Sameness"
import { nameTerms, terms } from "@web-grounding/language/Words"

export type Relation = "differs" | "silent"

/** Minimum share of the question's terms in a sentence that is about it. */
const askedShareMin = 0.5
/** Shared words, apart from names and numbers, from which two sentences are alike but for these. */
const alikeTermsMin = 2
const alikeShareMin = 0.5
/** Words beyond the question that two sentences of one advice share. */
const adviceTermsMin = 3
const adviceShareMin = 0.4
/** Pairs of letters outside the question in which two sentences on one name may differ. */
const strangePairsMax = 2

/** `said`: the other sources' claims that answer; `whole`: the texts of their pages. */
export const relationOf = (
  question: string,
  claim: string,
  said: ReadonlyArray<string>,
  whole: string
): Relation => said.some((other) => differs(question, claim, other, whole)) ? "differs" : "silent"

/** Whether two claims answer differently; `whole` is the text around the second. */
export const differs = (
  question: string,
  claim: string,
  other: string,
  whole: string
): boolean => {
  const kind = AnswerSlot.kindOf(question)
  if (Sameness.isLimited(claim) && kind !== "date") return false
  if (!speaksOf(question, claim) || !speaksOf(question, other)) return false
  if (kind === "date") return isOtherDate(claim, other, whole)
  if (Sameness.areOfTwoTimes(claim, other)) return false
  if (kind === "number") return isOtherNumber(question, claim, other, whole)
  if (!areAlikeButForAnswers(claim, other)) return false
  if (isOtherNumber(question, claim, other, whole)) return true
  return isYesOrNo(question)
    ? Sameness.isAlike(claim, other) && Sameness.isTurned(claim, other)
    : isOtherName(question, claim, other, whole)
}

/** Whether the right claim gives the same value, the same name, or nearly the same words. */
export const agree = (question: string, left: string, right: string): boolean => {
  if (left === right) return true
  const kind = AnswerSlot.kindOf(question)
  const areOnIt = speaksOf(question, left) && speaksOf(question, right)
  if (kind === "date") {
    const dates = datesIn(left)
    return areOnIt && dates.length > 0 && dates.every((date) => datesIn(right).includes(date)) &&
      missingFrom(left, right).length === 0
  }
  const said = countsIn(question, left)
  const read = countsIn(question, right)
  const areCounted = said.length > 0 &&
    said.every((one) => read.some((other) => isOfOneKind(one, other) && isSame(one, other)))
  if (kind === "number") return areCounted
  const asked = new Set(terms(question))
  const areAlike = areAlikeButForAnswers(left, right, asked)
  const areOneSentence = areAlike && !Sameness.isTurned(left, right)
  if (isYesOrNo(question)) return areOnIt && areOneSentence
  // "No more than 40 mg" and "up to 40 mg" are one.
  if (areCounted && areAlike) return true
  if (areOnIt && kind === "other" && shareAdvice(left, right, asked)) return true
  const [own, theirs] = [left, right].map((text) =>
    nameTerms(text).filter((term) => !asked.has(term))
  )
  if (!isCased(left)) {
    const strange = newNamesIn(question, left).filter((term) => !terms(right).includes(term))
    return areOneSentence && strange.length <= strangePairsMax
  }
  // A name that opens a sentence may be any word: the other sentence decides.
  const [names = [], text] = own?.length === 0 ? [theirs, left] : [own, right]
  const held = new Set(terms(text))
  return names.length > 0 ? names.every((term) => held.has(term)) : areOneSentence
}

export const speaksOf = (question: string, text: string, share = askedShareMin): boolean => {
  const asked = QuestionTerms.questionTerms(question)
  const held = new Set(terms(text))
  return asked.length > 0 &&
    asked.filter((term) => held.has(term)).length >= share * asked.length
}

const isYesOrNo = (question: string): boolean =>
  AnswerSlot.kindOf(question) === "other" && !QuestionTerms.asksWhat(question)

const datesIn = (text: string): ReadonlyArray<string> =>
  (["year", "month"] as const).flatMap((kind) =>
    Sameness.valuesOf(text, kind).map((value) => `${kind} ${value}`)
  )

const isOtherDate = (claim: string, other: string, whole: string): boolean => {
  const known = new Set(datesIn(whole))
  const areApart = (["year", "month"] as const).some((kind) =>
    Sameness.areApart(Sameness.valuesOf(claim, kind), Sameness.valuesOf(other, kind))
  )
  return areApart && !datesIn(claim).every((date) => known.has(date)) ||
    missingFrom(claim, other).length > 0 && missingFrom(claim, whole).length > 0
}

const countsIn = (question: string, text: string): ReadonlyArray<Quantity> => {
  const asked = quantities(question, "evidence")
  return quantities(text, "evidence").filter((one) =>
    one.kind === "number" && !asked.some((other) => isSame(one, other))
  )
}

const isOfOneKind = (left: Quantity, right: Quantity): boolean => {
  if (left.measures.length > 0 && right.measures.length > 0) {
    return left.measures.some((measure) => right.measures.includes(measure))
  }
  if (left.unit !== "" && right.unit !== "") return inBase(left).unit === inBase(right).unit
  return left.unit === right.unit && left.noun !== "" && left.noun === right.noun
}

const isOtherNumber = (
  question: string,
  claim: string,
  other: string,
  whole: string
): boolean => {
  const read = countsIn(question, other)
  const facing = countsIn(question, claim).filter((one) =>
    read.some((two) => isOfOneKind(one, two))
  )
  if (facing.length === 0 || facing.some((one) => isWithin(one, read))) return false
  const known = quantities(whole, "evidence")
  return facing.every((one) => !known.some((two) => isSame(one, two)))
}

/** Whether a number lies between two that the other source gives: "4 to 7 percent" and "5 to 6". */
const isWithin = (one: Quantity, read: ReadonlyArray<Quantity>): boolean => {
  const values = read.filter((other) => isOfOneKind(one, other)).map((other) => inBase(other).value)
  const { value } = inBase(one)
  return values.some((other) => other < value) && values.some((other) => other > value)
}

/** Whether both say the same beyond the question, without denial or a name of the first's own. */
const shareAdvice = (left: string, right: string, asked: ReadonlySet<string>): boolean => {
  const [said, read] = [left, right].map((text) => frameOf(text, new Set()).difference(asked))
  if (said === undefined || read === undefined || Sameness.isTurned(left, right)) return false
  if (hasOwnName(left, right, asked)) return false
  const shared = said.intersection(read).size
  return shared >= adviceTermsMin && shared >= adviceShareMin * Math.min(said.size, read.size)
}

const hasOwnName = (text: string, other: string, asked: ReadonlySet<string>): boolean =>
  nameTerms(text).some((term) => !asked.has(term) && !terms(other).includes(term))

const areAlikeButForAnswers = (
  left: string,
  right: string,
  asked: ReadonlySet<string> = new Set()
): boolean => {
  const [said, read] = [frameOf(left, asked), frameOf(right, asked)]
  const shared = said.intersection(read).size
  return shared >= alikeTermsMin && shared >= alikeShareMin * Math.min(said.size, read.size)
}

/** Words but numbers and names; names that the question holds too stay. */
const frameOf = (text: string, asked: ReadonlySet<string>): ReadonlySet<string> => {
  const named = new Set(nameTerms(text)).difference(asked)
  return new Set(terms(text).filter((term) => !/\p{N}/u.test(term) && !named.has(term)))
}

const isOtherName = (question: string, claim: string, other: string, whole: string): boolean => {
  const known = new Set(terms(whole))
  const said = new Set(terms(claim))
  const own = newNamesIn(question, claim)
  const theirs = newNamesIn(question, other)
  return own.some((term) => !known.has(term)) && theirs.some((term) => !said.has(term)) &&
    own.every((term) => !theirs.includes(term))
}

/** Names that the question lacks: by capitals, and in scripts without any by the terms of nouns. */
const newNamesIn = (question: string, text: string): ReadonlyArray<string> => {
  const asked = new Set(terms(question))
  const names = isCased(text)
    ? nameTerms(text)
    : terms(text).filter((term) => /[\p{Script=Han}\p{Script=Hangul}\p{scx=Katakana}]/u.test(term))
  return names.filter((term) => !asked.has(term))
}

const isCased = (text: string): boolean =>
  !/[\p{Script=Han}\p{Script=Hangul}\p{scx=Kana}]/u.test(text)
