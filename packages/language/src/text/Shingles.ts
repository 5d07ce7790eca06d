/** Runs of three terms: how much of one text stands in another, word order and all. */
import { terms } from "./Words.ts"

const shingleTerms = 3

/**
 * Overlapping runs of a text's terms. Empty for a text without terms; a shorter text is one
 * shingle.
 */
export const shinglesOf = (text: string): ReadonlySet<string> => {
  const list = terms(text)
  const size = Math.max(1, list.length - shingleTerms + 1)
  return new Set(
    Array.from(
      { length: list.length === 0 ? 0 : size },
      (_, place) => list.slice(place, place + shingleTerms).join(" ")
    )
  )
}

/** 0 to 1: share of the smaller set that the other holds; 0 where one is empty. */
export const sharedShare = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  const least = Math.min(left.size, right.size)
  return least === 0 ? 0 : left.intersection(right).size / least
}
