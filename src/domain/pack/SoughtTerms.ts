/** A claim's terms, and which of them a text holds. */

/** Words that begin alike are taken for forms of one, and count this much. */
const stemLetters = 5
const startShare = 0.6

/** A claim's distinct terms, by their places in the rows. */
export interface Sought {
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
export type Row = ReadonlyArray<number>

export const soughtOf = (said: ReadonlyArray<string>): Sought => {
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
export const rowOf = ({ places, starts, weights }: Sought, list: ReadonlyArray<string>): Row => {
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

export const merged = (left: Row, right: Row): Row =>
  left.map((found, place) => Math.max(found, right[place] ?? 0))

/** Long words say more than short ones. */
export const weight = (term: string): number => 0.5 + Math.min(term.length, 10) / 10

export const share = ({ total, weights }: Sought, row: Row): number =>
  total === 0
    ? 0
    : row.reduce((sum, found, place) => sum + found * (weights[place] ?? 0), 0) / total

export const highest = (sought: Sought, rows: ReadonlyArray<Row>): number =>
  rows.reduce((most, row) => Math.max(most, share(sought, row)), 0)

/** As `highest`, of a clause's terms alone. */
export const highestOf = (
  clause: ReadonlySet<string>,
  { places, weights }: Sought,
  rows: ReadonlyArray<Row>
): number => {
  const own = Array.from(clause).flatMap((term) => places.get(term) ?? [])
  const total = own.reduce((sum, place) => sum + (weights[place] ?? 0), 0)
  return rows.reduce((most, row) =>
    Math.max(
      most,
      own.reduce((sum, place) => sum + (row[place] ?? 0) * (weights[place] ?? 0), 0) /
        Math.max(total, Number.EPSILON)
    ), 0)
}
