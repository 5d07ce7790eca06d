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
  /** Of all quotations together. */
  readonly termsCount: number
  /** The sentence nearest to the claim. */
  readonly nearest: string
  /** As `recall`, in that sentence alone. */
  readonly nearestRecall: number
  readonly isNearCopy: boolean
}

export const read = (claim: string, quoted: string, title: string): Reading => {
  const said = terms(claim)
  const sought = soughtOf(said)
  const parts = sentences(quoted).map(({ end, start }) => quoted.slice(start, end))
  const lists = parts.map((part) => terms(part))
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
  return {
    recall: share(sought, merged(everywhere, titleRow).map(Math.ceil)),
    together: highest(sought, withTitle),
    coverage: 0.35 * highest(sought, pairs) + 0.3 * highest(sought, triples) +
      0.25 * share(sought, merged(everywhere, titleRow)) + 0.1 * pairRecall(said, all),
    namesMissing: names.length === 0 ? 0 : 1 - nameRecall(names, known),
    termsCount: all.length,
    nearest: parts[best] ?? "",
    nearestRecall,
    isNearCopy: nearestRecall >= nearCopy.recall &&
      overlap(said, lists[best] ?? []) >= nearCopy.overlap
  }
}

/** A claim's distinct terms, by their places in the rows. */
interface Sought {
  readonly places: ReadonlyMap<string, number>
  /** Of the English words that are long enough to have an ending, by their start. */
  readonly starts: ReadonlyMap<string, ReadonlyArray<Started>>
  readonly weights: ReadonlyArray<number>
  readonly total: number
}

interface Started {
  readonly place: number
  readonly length: number
}

/** For each term sought: 1 when found, `startShare` when another form of it was, else 0. */
type Row = ReadonlyArray<number>

const soughtOf = (said: ReadonlyArray<string>): Sought => {
  const distinct = Array.from(new Set(said))
  const starts = new Map<string, ReadonlyArray<Started>>()
  distinct.forEach((term, place) => {
    if (term.length <= stemLetters || !/^[a-z]+$/.test(term)) return
    const start = term.slice(0, stemLetters)
    starts.set(start, [...(starts.get(start) ?? []), { place, length: term.length }])
  })
  return {
    places: new Map(distinct.map((term, place) => [term, place])),
    starts,
    weights: distinct.map(weight),
    total: distinct.reduce((sum, term) => sum + weight(term), 0)
  }
}

/** Up to the ending: "terminated" for "termination". */
const rowOf = ({ places, starts, weights }: Sought, list: ReadonlyArray<string>): Row => {
  const row = weights.map(() => 0)
  for (const term of list) {
    const place = places.get(term)
    if (place !== undefined) row[place] = 1
    if (term.length < stemLetters) continue
    for (const { length, place } of starts.get(term.slice(0, stemLetters)) ?? []) {
      if (row[place] === 0 && Math.abs(term.length - length) < stemLetters - 1) {
        row[place] = startShare
      }
    }
  }
  return row
}

const merged = (left: Row, right: Row): Row =>
  left.map((found, place) => Math.max(found, right[place] ?? 0))

/** Long words say more than short ones. */
const weight = (term: string): number => 0.5 + Math.min(term.length, 10) / 10

const share = ({ total, weights }: Sought, row: Row): number =>
  total === 0
    ? 0
    : row.reduce((sum, found, place) => sum + found * (weights[place] ?? 0), 0) / total

const highest = (sought: Sought, rows: ReadonlyArray<Row>): number =>
  rows.reduce((most, row) => Math.max(most, share(sought, row)), 0)

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
