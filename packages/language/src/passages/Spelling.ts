/** Shared runs of four characters, rare ones counting more: they find what a stemmer does not. */
import { words } from "../text/Words.ts"

const gramLength = 4

/**
 * Share of a question's spelling in each text, 0 to 1. A text is given as its words with one space
 * around each.
 */
export const scores = (
  question: string,
  spelled: ReadonlyArray<string>
): ReadonlyArray<number> => {
  const sums = spelled.map(() => 0)
  let total = 0
  for (const gram of grams(question)) {
    const holds = spelled.map((text) => text.includes(gram))
    const holders = holds.filter(Boolean).length
    const weight = Math.log(1 + spelled.length / (1 + holders))
    total += weight
    holds.forEach((isHeld, place) => {
      if (isHeld) sums[place] = (sums[place] ?? 0) + weight
    })
  }
  return sums.map((sum) => sum / (total || 1))
}

const grams = (question: string): ReadonlySet<string> => {
  const text = ` ${words(question).join(" ")} `
  return new Set(
    Array.from(
      { length: Math.max(0, text.length - gramLength + 1) },
      (_, place) => text.slice(place, place + gramLength)
    )
  )
}
