/** Finds the known name most likely meant by a misspelt one. */
import { Option } from "effect"

/** Largest share of edited characters; beyond it two names have nothing in common. */
const editsShareMax = 0.4

export const distance = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced))
    }
    row = next
  }
  return row[right.length] ?? 0
}

/** The known name with the fewest edits, the first of equals; none if all are too far away. */
export const nearestName = (
  name: string,
  known: ReadonlyArray<string>,
  editsMax = name.length * editsShareMax
): Option.Option<string> => {
  const [best] = known.filter(({ length }) => Math.abs(length - name.length) <= editsMax)
    .map((candidate) => ({ candidate, edits: distance(name, candidate) }))
    .filter(({ edits }) => edits <= editsMax)
    .toSorted((left, right) => left.edits - right.edits)
  return Option.map(Option.fromUndefinedOr(best), ({ candidate }) => candidate)
}
