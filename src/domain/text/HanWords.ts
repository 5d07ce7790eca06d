/**
 * Words of Chinese characters that name two things of a kind: 転入届 and 転居届, 二週間 and 三週間.
 *
 * Pairs of characters see much in common there, and no gap says where a word ends; so runs of one
 * length that differ in one character are taken for two things. Shorter runs prove nothing.
 */

const charsMin = 3
const run = /[\p{Script=Han}々]+/gu

/** Whether each text names such a thing where the other names its sibling, and not the same. */
export const namesSibling = (left: string, right: string): boolean => {
  const [said, read] = [runsOf(left, right), runsOf(right, left)]
  return said.some((word) => read.some((other) => isSibling(word, other)))
}

/** Of `text`, what `other` does not hold. */
const runsOf = (text: string, other: string): ReadonlyArray<ReadonlyArray<string>> =>
  (text.normalize("NFKC").match(run) ?? [])
    .filter((word) => !other.normalize("NFKC").includes(word))
    .map((word) => Array.from(word))
    .filter(({ length }) => length >= charsMin)

const isSibling = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.length === right.length &&
  left.filter((character, place) => character !== right[place]).length === 1
