/** How much of a claim its quotations hold, word by word: what the checks of a claim judge by. */
import { nameTerms } from "../text/Names.ts"
import { sentences } from "../text/Sentences.ts"
import { terms } from "../text/Words.ts"

/** From here on claim and sentence are copies of one another but for a word or two. */
const nearCopy = { recall: 0.75, overlap: 0.6 } as const
/** Words that begin alike are taken for forms of one, and count this much. */
const stemLetters = 5
const startShare = 0.6

export interface Reading {
  /** Share of the claim's terms, weighted; 0 to 1. */
  readonly recall: number
  /** The same within two neighbouring sentences, the title's terms given. */
  readonly together: number
  /** As `recall`, phrases and nearness counted. */
  readonly coverage: number
  readonly namesMissing: number
  /** The sentence nearest to the claim. */
  readonly nearest: string
  readonly isNearCopy: boolean
}

export const read = (claim: string, quoted: string, title: string): Reading => {
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
  const within = (sentencesCount: number) =>
    Math.max(
      0,
      ...sets.map((_, place) => nearness(distinct, sets.slice(place, place + sentencesCount)))
    )
  const everywhere = new Set([...lists.flat(), ...titled])
  const whole = recall(distinct, (term) => holds(everywhere, term))
  return {
    recall: whole,
    together: Math.max(
      0,
      ...sets.map((set, place) => nearness(distinct, [set, sets[place + 1] ?? titled, titled]))
    ),
    coverage: 0.3 * within(2) + 0.3 * within(3) + 0.2 * nearness(distinct, [everywhere]) +
      0.2 * pairRecall(said, lists.flat()),
    namesMissing: names.length === 0 ? 0 : 1 - recall(names, (term) => everywhere.has(term)),
    nearest: parts[best] ?? "",
    isNearCopy: (recalls[best] ?? 0) >= nearCopy.recall &&
      overlap(distinct, nearest) >= nearCopy.overlap
  }
}

/** Long words say more than short ones. */
const weight = (term: string): number => 0.5 + Math.min(term.length, 10) / 10

const recall = (list: ReadonlyArray<string>, has: (term: string) => boolean): number =>
  list.length === 0 ? 0 : total(list.filter(has)) / total(list)

const total = (list: ReadonlyArray<string>): number =>
  list.reduce((sum, term) => sum + weight(term), 0)

/** As `recall`, a word found by its start alone counted in part. */
const nearness = (
  list: ReadonlyArray<string>,
  sets: ReadonlyArray<ReadonlySet<string>>
): number => {
  const found = (term: string): number =>
    sets.some((set) => set.has(term)) ? 1 : sets.some((set) => holds(set, term)) ? startShare : 0
  const sum = list.reduce((held, term) => held + weight(term) * found(term), 0)
  return list.length === 0 ? 0 : sum / total(list)
}

/** Up to the ending: "terminated" for "termination". */
const holds = (set: ReadonlySet<string>, term: string): boolean => {
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
