/** How much of a claim its quotations hold, word by word: what the checks of a claim judge by. */
import * as Polarity from "../opposition/Polarity.ts"
import * as Direction from "../text/Direction.ts"
import { nameTerms } from "../text/Names.ts"
import { sentences } from "../text/Sentences.ts"
import { terms, termsOf, words } from "../text/Words.ts"
import * as MissingNames from "./MissingNames.ts"
import { highest, highestOf, merged, rowOf, share, soughtOf, weight } from "./SoughtTerms.ts"

/** From here on claim and sentence are copies of one another but for a word or two. */
const nearCopy = { recall: 0.75, overlap: 0.6 } as const
/** Claims state several things; each is sought by itself. A clause of one term states nothing. */
const clauseEnd = new RegExp(
  "[,;:()、，；：（）]|\\s[-–—]\\s|" +
    "\\b(?:and|but|which|who|where|while|although|because|after|before|with)\\b",
  "iu"
)
const clauseTermsMin = 2
/** What the weakest clause and the mean of the clauses count beside the claim as a whole. */
const clauseShare = { weakest: 0.1, mean: 0.2 } as const

export interface Reading {
  /** Share of the claim's terms, weighted; 0 to 1. */
  readonly recall: number
  /** The same within two neighbouring sentences, the title's terms given. */
  readonly together: number
  /** As `recall`, phrases, nearness and clauses counted. */
  readonly coverage: number
  /** Share of the name terms that are missing, weighted; 0 to 1. */
  readonly namesMissing: number
  /** Missing name terms, in a claim that is no copy without those of its subject; 0 or more. */
  readonly otherNamesMissing: number
  /** Of all quotations together. */
  readonly termsCount: number
  /** The sentence nearest to the claim. */
  readonly nearest: string
  /** As `recall`, in that sentence alone. */
  readonly nearestRecall: number
  readonly isNearCopy: boolean
  /** Whether something rises or falls alike in the claim and that sentence: 1, 0 or -1. */
  readonly direction: number
  /** Whether only one denies anything: the claim, or what is quoted, of a copy its sentence. */
  readonly isDeniedOnce: boolean
}

export const read = (claim: string, quoted: string, title: string): Reading => {
  const said = terms(claim)
  const sought = soughtOf(said)
  const parts = sentences(quoted).map(({ end, start }) => quoted.slice(start, end))
  const wordLists = parts.map((part) => words(part))
  const lists = wordLists.map(termsOf)
  const all = lists.flat()
  const titled = terms(title)
  const rows = lists.map((list) => rowOf(sought, list))
  const titleRow = rowOf(sought, titled)
  const everywhere = rows.reduce(merged, rowOf(sought, []))
  const recalls = rows.map((row) => share(sought, row.map(Math.floor)))
  const best = recalls.indexOf(Math.max(...recalls))
  const names = nameTerms(claim)
  const known = new Set([...all, ...titled])
  const pairs = rows.map((row, place) => merged(row, rows[place + 1] ?? row))
  const triples = pairs.map((row, place) => merged(row, rows[place + 2] ?? row))
  const withTitle = rows.map((row, place) => merged(merged(row, rows[place + 1] ?? row), titleRow))
  const nearestRecall = recalls[best] ?? 0
  const isNearCopy = nearestRecall >= nearCopy.recall &&
    overlap(said, lists[best] ?? []) >= nearCopy.overlap
  const whole = 0.35 * highest(sought, pairs) + 0.3 * highest(sought, triples) +
    0.25 * share(sought, merged(everywhere, titleRow)) + 0.1 * pairRecall(said, all)
  return {
    recall: share(sought, merged(everywhere, titleRow).map(Math.ceil)),
    together: highest(sought, withTitle),
    coverage: withClauses(
      whole,
      clausesOf(claim).map((clause) => highestOf(clause, sought, pairs))
    ),
    namesMissing: names.length === 0 ? 0 : 1 - nameRecall(names, known),
    otherNamesMissing: MissingNames.count(claim, known, isNearCopy ? "all" : "but_subject"),
    termsCount: all.length,
    nearest: parts[best] ?? "",
    nearestRecall,
    isNearCopy,
    direction: Direction.agreement(said, lists[best] ?? []),
    isDeniedOnce: Polarity.holdsNegator(claim, words(claim)) !==
      parts.some((part, place) =>
        (!isNearCopy || place === best) && Polarity.holdsNegator(part, wordLists[place] ?? [])
      )
  }
}

const clausesOf = (claim: string): ReadonlyArray<ReadonlySet<string>> =>
  claim.split(clauseEnd).map((clause) => new Set(terms(clause)))
    .filter(({ size }) => size >= clauseTermsMin)

const withClauses = (whole: number, clauses: ReadonlyArray<number>): number => {
  if (clauses.length === 0) return whole
  const mean = clauses.reduce((sum, held) => sum + held, 0) / clauses.length
  const { mean: meanShare, weakest } = clauseShare
  return (1 - meanShare - weakest) * whole + meanShare * mean + weakest * Math.min(...clauses)
}

const nameRecall = (names: ReadonlyArray<string>, known: ReadonlySet<string>): number => {
  const sum = (list: ReadonlyArray<string>) => list.reduce((held, term) => held + weight(term), 0)
  return sum(names.filter((term) => known.has(term))) / sum(names)
}

const pairRecall = (said: ReadonlyArray<string>, read: ReadonlyArray<string>): number => {
  const pairs = said.slice(1).map((term, place) => `${said[place] ?? ""} ${term}`)
  if (pairs.length === 0) return 1
  const sought = new Set(said)
  const known = new Set<string>()
  read.forEach((term, place) => {
    const before = read[place - 1]
    if (before !== undefined && sought.has(term) && sought.has(before)) {
      known.add(`${before} ${term}`)
    }
  })
  return pairs.filter((pair) => known.has(pair)).length / pairs.length
}

const overlap = (said: ReadonlyArray<string>, read: ReadonlyArray<string>): number => {
  const [left, right] = [new Set(said), new Set(read)]
  const shared = Array.from(left).filter((term) => right.has(term)).length
  return shared / Math.max(1, left.size + right.size - shared)
}
