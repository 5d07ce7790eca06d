/**
 * Whether quotations bear a claim out, from words alone.
 *
 * Only checks that were measured to be precise demote: numbers, dates, half of the names, too few
 * shared words, what near copies turn round, and a clause that its sentence does not assert. What
 * is doubtful lowers the support to `partly` instead. Words cannot see a contradiction told in
 * other words.
 */
import * as Framing from "../opposition/Framing.ts"
import * as OtherScript from "../opposition/OtherScript.ts"
import * as Polarity from "../opposition/Polarity.ts"
import * as CalendarDays from "../text/CalendarDays.ts"
import { isSame, quantities, type Quantity } from "../text/Quantities.ts"
import { tokens } from "../text/QuoteTokens.ts"
import * as ClaimReading from "./ClaimReading.ts"
import * as ClaimScore from "./ClaimScore.ts"
import * as CopyEdits from "./CopyEdits.ts"
import type { DemotionReason, Support } from "./GroundingPack.ts"

export interface Verdict {
  readonly support: Support
  /** Present when the claim must not stand outside `disputed_or_uncertain`. */
  readonly reason?: DemotionReason
  /** 0 to 1: how likely people would call the claim supported. */
  readonly score: number
  /** Doubts that lower the support without demoting. */
  readonly doubts: ReadonlyArray<Doubt>
}

export type Doubt =
  | "firmer"
  | "bound"
  | "order"
  | "opposite"
  | "other_name"
  | "other_language"
  | "reserved"

export interface Evidence {
  readonly quotes: ReadonlyArray<string>
  /** Of the source: may name what the quotation calls "it". */
  readonly title: string
  /** The sentences that the quotations are cut from; the quotations themselves when absent. */
  readonly contexts?: ReadonlyArray<string>
}

/** Share of a claim's words: below the first it is not borne out, from the second on fully. */
const recallMin = 0.5
const recallFull = 0.8
/** Of claims as likely as this, people called at least so many supported. */
const likelihoodFull = 0.75
/** Share of a claim's name words that may be missing. */
const namesMissingMax = 0.5
/** "[2]" and the "3." of a list state nothing. */
const marks = /^\s*\d{1,2}[.)]\s+(?=\p{L})/gu
/** What remains of the score when a copy was changed, and when there is a doubt. */
const checkPenalty = 0.5
const doubtPenalty = 0.7
/** Of a copied clause that its sentence does not assert. */
const framedScore = 0.2

export const check = (text: string, evidence: Evidence): Verdict => {
  const verdict = judged(text, evidence)
  return { ...verdict, score: ClaimScore.likelihood(verdict.score) }
}

/** The score not yet a likelihood. */
const judged = (text: string, { contexts, quotes, title }: Evidence): Verdict => {
  const quoted = quotes.join("\n")
  const claim = text.replace(marks, "")
  const frame = Framing.find(claim, contexts ?? quotes)
  if (frame === "denied") return refused("contradicted", "negation_mismatch", framedScore)
  if (frame === "open") return refused("unsupported", "not_asserted", framedScore)
  if (frame === "reserved") return { support: "partly", score: doubtPenalty, doubts: ["reserved"] }
  if (isWithin(claim, quotes)) return { support: "supported", score: 1, doubts: [] }
  const missing = missingFrom(claim, quoted)
  const lacked = reasonOf(missing)
  if (scriptOf(claim) !== scriptOf(quoted)) {
    if (lacked !== undefined) return refused("unsupported", lacked, 0)
    return OtherScript.isComparable(claim, quoted)
      ? { support: "partly", score: recallMin, doubts: ["other_language"] }
      : refused("unsupported", "not_comparable", recallMin * checkPenalty)
  }
  const read = ClaimReading.read(claim, quoted, title)
  const score = ClaimScore.signs(claim, quoted, read, missing)
  if (lacked !== undefined) return refused("unsupported", lacked, score)
  if (isNameMissing(read)) return refused("unsupported", "name_not_in_quote", score)
  const edits = CopyEdits.find(claim, read.nearest)
  const changed = edits.includes("number")
    ? "number_not_in_quote"
    : edits.includes("date")
    ? "date_not_in_quote"
    : undefined
  if (changed !== undefined) return refused("unsupported", changed, score * checkPenalty)
  if (isOpposite(claim, read) || edits.includes("negation")) {
    return refused("contradicted", "negation_mismatch", score * checkPenalty)
  }
  if (edits.some((edit) => turned.has(edit))) {
    return refused("contradicted", "opposite_of_quote", score * checkPenalty)
  }
  if (read.recall < recallMin) return refused("unsupported", "not_in_quote", score)
  const doubts = doubtsOf(claim, read, edits)
  const isFull = read.together >= recallFull && doubts.length === 0 &&
    ClaimScore.likelihood(score) >= likelihoodFull
  const lowered = doubts.length === 0 ? score : score * doubtPenalty
  return { support: isFull ? "supported" : "partly", score: lowered, doubts }
}

/** Edits of a copy that turn what it says. */
const turned: ReadonlySet<CopyEdits.CopyEdit> = new Set(["opposite", "bound", "roles"])

const refused = (support: Support, reason: DemotionReason, score: number): Verdict => ({
  support,
  reason,
  score,
  doubts: []
})

/** Half of the names, or one name changed in a sentence that is otherwise copied. */
const isNameMissing = ({ isNearCopy, namesMissing }: ClaimReading.Reading): boolean =>
  namesMissing >= namesMissingMax || (isNearCopy && namesMissing > 0)

/** The same words, signs and endings in the same order, punctuation aside, in one quotation. */
const isWithin = (claim: string, quotes: ReadonlyArray<string>): boolean => {
  const said = spelled(claim)
  return said.trim() !== "" && quotes.some((quote) => spelled(quote).includes(said)) &&
    missingFrom(claim, quotes.join("\n")).length === 0
}

const spelled = (text: string): string => ` ${tokens(text).map(({ word }) => word).join(" ")} `

/** Numbers and dates of a claim that its quotations do not state. */
const missingFrom = (claim: string, quoted: string): ReadonlyArray<ClaimScore.Missing> => {
  const said = quantities(claim)
  if (said.length === 0) return []
  const days = CalendarDays.missingFrom(claim, quoted)
  const read = quantities(quoted, "evidence")
  const missing = said.filter((number) => !read.some((other) => isSame(number, other)))
  const found = missing.map((quantity) => ({
    quantity,
    isDenied: read.some(({ kind }) => (kind === "number") === (quantity.kind === "number"))
  }))
  const ofDay = said.find(({ kind }) => kind !== "number") ?? said[0]
  return days.length === 0 || ofDay === undefined
    ? found
    : [...found, { quantity: { ...ofDay, kind: "month" }, isDenied: true }]
}

const reasonOf = (missing: ReadonlyArray<ClaimScore.Missing>): DemotionReason | undefined => {
  if (missing.some(({ quantity }) => quantity.kind === "number")) return "number_not_in_quote"
  return missing.length > 0 ? "date_not_in_quote" : undefined
}

const eastern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Words of different scripts cannot be compared; numbers can. */
const scriptOf = (text: string): "hangul" | "han" | "latin" => {
  if (!eastern.test(text)) return "latin"
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const hangul = text.match(/\p{Script=Hangul}/gu)?.length ?? 0
  const han = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
  if (hangul > letters / 4) return "hangul"
  return han > letters / 4 ? "han" : "latin"
}

/** Where words have no gaps, and places cannot be compared, near copies are compared as a whole. */
const isOpposite = (claim: string, { isNearCopy, nearest }: ClaimReading.Reading): boolean =>
  isNearCopy && scriptOf(claim) !== "latin" && Polarity.isNegatedOtherwise(claim, nearest)

const doubtsOf = (
  claim: string,
  { isNearCopy, nearest }: ClaimReading.Reading,
  edits: ReadonlyArray<CopyEdits.CopyEdit>
): ReadonlyArray<Doubt> => {
  const found: ReadonlyArray<readonly [Doubt, boolean]> = [
    ["firmer", edits.includes("firmer") || isNearCopy && Polarity.isStronger(claim, nearest)],
    ["bound", isNearCopy && Polarity.isBoundedOtherwise(claim, nearest)],
    ["opposite", isNearCopy && Polarity.holdsOpposite(claim, nearest)],
    ["other_name", edits.includes("name")],
    ["order", edits.includes("order")]
  ]
  return found.flatMap(([doubt, holdsTrue]) => holdsTrue ? [doubt] : [])
}

/** Whether two claims state the same numbers, dates aside. */
export const sameNumbers = (left: string, right: string): boolean => {
  const [said, read] = [numbersOf(left), numbersOf(right)]
  const within = (some: ReadonlyArray<Quantity>, others: ReadonlyArray<Quantity>) =>
    some.every((number) => others.some((other) => isSame(number, other)))
  return within(said, read) && within(read, said)
}

const numbersOf = (text: string): ReadonlyArray<Quantity> => quantities(text)
