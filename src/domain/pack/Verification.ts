/**
 * Whether quotations bear a claim out, from words alone.
 *
 * Only checks that were measured to be precise demote: numbers, dates, half of the names, too few
 * shared words, and opposite polarity between near copies. What is doubtful lowers the support to
 * `partly` instead. Words cannot see a contradiction told in other words.
 */
import { nameTerms } from "../text/Names.ts"
import * as Polarity from "../text/Polarity.ts"
import { isSame, quantities, type Quantity } from "../text/Quantities.ts"
import { sentences } from "../text/Sentences.ts"
import { terms, words } from "../text/Words.ts"
import type { DemotionReason, Support } from "./GroundingPack.ts"

export interface Verdict {
  readonly support: Support
  /** Present when the claim must not stand outside `disputed_or_uncertain`. */
  readonly reason?: DemotionReason
  /** 0 to 1: the claim's words found in the quotations, less what the checks found. */
  readonly score: number
  /** Doubts that lower the support without demoting. */
  readonly doubts: ReadonlyArray<Doubt>
}

export type Doubt = "firmer" | "bound" | "order" | "opposite" | "other_language"

export interface Evidence {
  readonly quotes: ReadonlyArray<string>
  /** Of the source: may name what the quotation calls "it". */
  readonly title: string
}

/** Share of a claim's words: below the first it is not borne out, from the second on fully. */
const recallMin = 0.5
const recallFull = 0.8
/** Share of a claim's name words that may be missing. */
const namesMissingMax = 0.5
/** From here on claim and sentence are copies of one another but for a word or two. */
const nearCopy = { recall: 0.75, overlap: 0.6 } as const
const stemLetters = 5
/** What remains of the score when a check fails, when there is a doubt, and per missing name. */
const checkPenalty = 0.6
const doubtPenalty = 0.7
const namePenalty = 0.35

export const check = (claim: string, { quotes, title }: Evidence): Verdict => {
  const quoted = quotes.join("\n")
  if (isWithin(claim, quoted)) return { support: "supported", score: 1, doubts: [] }
  const missing = missingQuantity(claim, quoted)
  if (scriptOf(claim) !== scriptOf(quoted)) {
    if (missing !== undefined) return refused("unsupported", missing, 0)
    return { support: "partly", score: recallMin, doubts: ["other_language"] }
  }
  const read = readingOf(claim, quoted, title)
  const score = read.coverage * (1 - namePenalty * read.namesMissing)
  if (missing !== undefined) return refused("unsupported", missing, score * checkPenalty)
  if (isNameMissing(read)) return refused("unsupported", "name_not_in_quote", score)
  if (isOpposite(claim, read)) {
    return refused("contradicted", "negation_mismatch", score * checkPenalty)
  }
  if (read.recall < recallMin) return refused("unsupported", "not_in_quote", score)
  const doubts = doubtsOf(claim, read)
  const isFull = read.recall >= recallFull && doubts.length === 0
  const lowered = doubts.length === 0 ? score : score * doubtPenalty
  return { support: isFull ? "supported" : "partly", score: lowered, doubts }
}

const refused = (support: Support, reason: DemotionReason, score: number): Verdict => ({
  support,
  reason,
  score,
  doubts: []
})

/** Half of the names, or one name changed in a sentence that is otherwise copied. */
const isNameMissing = ({ isNearCopy, namesMissing }: Reading): boolean =>
  namesMissing >= namesMissingMax || (isNearCopy && namesMissing > 0)

/** The same words in the same order, punctuation aside. */
export const isWithin = (claim: string, quoted: string): boolean => {
  const said = words(claim).join(" ")
  return said !== "" && ` ${words(quoted).join(" ")} `.includes(` ${said} `) &&
    missingQuantity(claim, quoted) === undefined
}

const missingQuantity = (claim: string, quoted: string): DemotionReason | undefined => {
  const read = quantities(quoted, "evidence")
  const missing = quantities(claim).filter((number) => !read.some((other) => isSame(number, other)))
  if (missing.some(({ kind }) => kind === "number")) return "number_not_in_quote"
  return missing.length > 0 ? "date_not_in_quote" : undefined
}

/** Words of different scripts cannot be compared; numbers can. */
const scriptOf = (text: string): "hangul" | "han" | "latin" => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const hangul = text.match(/\p{Script=Hangul}/gu)?.length ?? 0
  const han = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
  if (hangul > letters / 4) return "hangul"
  return han > letters / 4 ? "han" : "latin"
}

interface Reading {
  /** Share of the claim's terms, weighted; 0 to 1. */
  readonly recall: number
  /** As `recall`, phrases and nearness counted. */
  readonly coverage: number
  readonly namesMissing: number
  /** The sentence nearest to the claim. */
  readonly nearest: string
  readonly isNearCopy: boolean
  /** Whether two names stand the other way round in the nearest sentence. */
  readonly isTurned: boolean
}

const readingOf = (claim: string, quoted: string, title: string): Reading => {
  const said = terms(claim)
  const distinct = Array.from(new Set(said))
  const parts = sentences(quoted).map(({ end, start }) => quoted.slice(start, end))
  const lists = parts.map((part) => terms(part))
  const sets = lists.map((list) => new Set(list))
  const titled = new Set(terms(title))
  const recalls = sets.map((set) => recall(distinct, (term) => set.has(term)))
  const best = recalls.indexOf(Math.max(...recalls))
  const nearest = lists[best] ?? []
  const names = nameTerms(claim)
  const paired = Math.max(
    0,
    ...sets.map((set, place) =>
      recall(distinct, (term) => holds(set, term) || holds(sets[place + 1], term))
    )
  )
  const everywhere = new Set([...lists.flat(), ...titled])
  const whole = recall(distinct, (term) => holds(everywhere, term))
  return {
    recall: whole,
    coverage: 0.45 * paired + 0.35 * whole + 0.2 * pairRecall(said, lists.flat()),
    namesMissing: names.length === 0 ? 0 : 1 - recall(names, (term) => everywhere.has(term)),
    nearest: parts[best] ?? "",
    isNearCopy: (recalls[best] ?? 0) >= nearCopy.recall &&
      overlap(distinct, nearest) >= nearCopy.overlap,
    isTurned: isTurned(said.filter((term) => names.includes(term)), nearest)
  }
}

/** Long words say more than short ones. */
const weight = (term: string): number => 0.5 + Math.min(term.length, 10) / 10

const recall = (list: ReadonlyArray<string>, has: (term: string) => boolean): number =>
  list.length === 0 ? 0 : total(list.filter(has)) / total(list)

const total = (list: ReadonlyArray<string>): number =>
  list.reduce((sum, term) => sum + weight(term), 0)

/** Up to the ending: "terminated" for "termination". */
const holds = (set: ReadonlySet<string> | undefined, term: string): boolean => {
  if (set === undefined) return false
  if (set.has(term)) return true
  if (term.length <= stemLetters || !/^[a-z]+$/.test(term)) return false
  const start = term.slice(0, stemLetters)
  return Array.from(set).some((other) =>
    other.startsWith(start) && Math.abs(other.length - term.length) < stemLetters - 1
  )
}

const pairRecall = (said: ReadonlyArray<string>, read: ReadonlyArray<string>): number => {
  const known = new Set(read.slice(1).map((term, place) => `${read[place] ?? ""} ${term}`))
  const pairs = said.slice(1).map((term, place) => `${said[place] ?? ""} ${term}`)
  return pairs.length === 0 ? 1 : pairs.filter((pair) => known.has(pair)).length / pairs.length
}

const overlap = (said: ReadonlyArray<string>, read: ReadonlyArray<string>): number => {
  const [left, right] = [new Set(said), new Set(read)]
  const shared = Array.from(left).filter((term) => right.has(term)).length
  return shared / Math.max(1, left.size + right.size - shared)
}

const isTurned = (names: ReadonlyArray<string>, read: ReadonlyArray<string>): boolean => {
  const once = names.filter((name) => count(names, name) === 1 && count(read, name) === 1)
  const places = once.map((name) => read.indexOf(name))
  return places.slice(1).some((place, index) => place < (places[index] ?? 0))
}

const count = (list: ReadonlyArray<string>, item: string): number =>
  list.filter((other) => other === item).length

const isOpposite = (claim: string, { isNearCopy, nearest }: Reading): boolean =>
  isNearCopy && Polarity.isNegatedOtherwise(claim, nearest)

const doubtsOf = (claim: string, read: Reading): ReadonlyArray<Doubt> => {
  if (!read.isNearCopy) return []
  const found: ReadonlyArray<readonly [Doubt, boolean]> = [
    ["firmer", Polarity.isStronger(claim, read.nearest)],
    ["bound", Polarity.isBoundedOtherwise(claim, read.nearest)],
    ["opposite", Polarity.holdsOpposite(claim, read.nearest)],
    ["order", read.isTurned]
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
