/** Whether two texts let something rise or fall alike: the words for it are many, the ways two. */
import { terms } from "./Words.ts"

const rising: ReadonlySet<string> = new Set(terms(
  "increase increasing increases rise rising rises risen rose raise raised grow growing grown " +
    "grew growth higher greater faster expand expanded expansion gain gained accelerate " +
    "accelerated acceleration warmer warming"
))
const falling: ReadonlySet<string> = new Set(terms(
  "decrease decreasing decline declining declined reduce reduced reduction lower lowered fewer " +
    "less fall falling fallen fell drop dropped shrink shrinking shrank shrunk loss lose lost " +
    "slower slowed diminish diminished cooler cooling"
))

/** 1 when both name one way, -1 when one only rises and the other only falls, else 0. Of terms. */
export const agreement = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): number => {
  const [said, read] = [waysOf(left), waysOf(right)]
  if (said.rises && read.rises || said.falls && read.falls) return 1
  return said.rises && read.falls || said.falls && read.rises ? -1 : 0
}

const waysOf = (list: ReadonlyArray<string>) => ({
  rises: list.some((term) => rising.has(term)),
  falls: list.some((term) => falling.has(term))
})
