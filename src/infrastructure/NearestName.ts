/** Finds the known name that a misspelt one was most likely meant to be. */
import { Option } from "effect"

/** Edits for each character of a name; with more of them two names have nothing in common. */
const editsShareMax = 0.4

/**
 * Levenshtein distance: characters to insert, delete or replace. Counts no further than it must to
 * tell that it is more than `editsMax`.
 */
export const distance = (left: string, right: string, editsMax = Infinity): number => {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced))
    }
    row = next
    const least = Math.min(...row)
    if (least > editsMax) return least
  }
  return row[right.length] ?? 0
}

/** The known name with the fewest edits, the first of equals; none when all are too far away. */
export const nearestName = (name: string, known: ReadonlyArray<string>): Option.Option<string> => {
  const [best] = known.map((candidate) => ({ candidate, edits: distance(name, candidate) }))
    .filter(({ edits }) => edits <= name.length * editsShareMax)
    .toSorted((left, right) => left.edits - right.edits)
  return Option.map(Option.fromUndefinedOr(best), ({ candidate }) => candidate)
}
