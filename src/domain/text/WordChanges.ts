/**
 * Which words a sentence changed of the one it was copied from, place by place.
 *
 * Sets of words cannot see that one of two "low" became "high", or that a "not" was put in; the
 * longest common sequence can. For scripts that write gaps between words.
 */

import { commonPlaces } from "./CommonSequence.ts"

/** Words as written; either side may be empty, never both. */
export interface WordChange {
  readonly was: ReadonlyArray<string>
  readonly is: ReadonlyArray<string>
}

export interface Copy {
  /** 0 to 1: share of the copy's words that stand in the original in the same order. */
  readonly kept: number
  /** Words of the copy, and of the original. */
  readonly count: number
  readonly originalCount: number
  readonly changes: ReadonlyArray<WordChange>
}

/** Of one sentence; a longer one is no sentence. The table has this many cells at most, squared. */
const wordsMax = 160

const word = /[\p{L}\p{M}\p{N}@#$€£¥₩%][\p{L}\p{M}\p{N}'’.,:%@_+-]*/gu

/** `undefined` when either side is empty or too long to be compared. */
export const compare = (original: string, copy: string): Copy | undefined => {
  const [was, is] = [wordsOf(original), wordsOf(copy)]
  const longest = Math.max(was.length, is.length)
  if (longest > wordsMax || was.length === 0 || is.length === 0) return undefined
  const [wasKeys, isKeys] = [was.map(keyOf), is.map(keyOf)]
  const pairs = commonPlaces(wasKeys, isKeys)
  const ends = [...pairs, [was.length, is.length] as const]
  const changes = ends.flatMap(([wasEnd, isEnd], step) => {
    const [wasLast, isLast] = pairs[step - 1] ?? [-1, -1]
    const change = { was: was.slice(wasLast + 1, wasEnd), is: is.slice(isLast + 1, isEnd) }
    return change.was.length + change.is.length === 0 ? [] : [change]
  })
  return { kept: pairs.length / is.length, count: is.length, originalCount: was.length, changes }
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.normalize("NFKC").match(word) ?? []).map((found) => found.replace(/[.,:'’-]+$/u, ""))

/** Without case, apostrophes, and separators of thousands. */
const keyOf = (found: string): string =>
  found.toLowerCase().replace(/['’]/gu, "").replace(/(?<=\d),(?=\d{3})/gu, "")
