/**
 * Whether two sentences that use the same words say the opposite.
 *
 * Meant for sentences that are near copies only: over free paraphrase a difference of negation
 * words says nothing (measured: right in 33 to 47 % of the cases, less than by chance).
 */
import { isStopWord, terms, words } from "../text/Words.ts"
import * as Negation from "./Negation.ts"
import * as OppositeWords from "./OppositeWords.ts"

/** A negator reaches this many words. */
const reach = 4
const clauseBreak = /[,;:()]|\b(?:but|although|while|whereas|however)\b/i

/** Whether a sentence denies anything. */
export const isNegated = (sentence: string): boolean =>
  Negation.easternCount(sentence) > 0 || Negation.count(sentence) > 0

/** The same of a sentence whose words are known; the words that deny nothing count here. */
export const holdsNegator = (sentence: string, list: ReadonlyArray<string>): boolean =>
  list.some(Negation.isNegator) || Negation.easternCount(sentence) > 0

/** Whether the words both share are mostly negated in one sentence and plain in the other. */
export const isNegatedOtherwise = (left: string, right: string): boolean => {
  if (cjkCount(left) !== cjkCount(right)) return true
  const [leftSides, rightSides] = [sides(left), sides(right)]
  const shared = Array.from(leftSides).flatMap(([term, side]) => {
    const other = rightSides.get(term)
    return side === "both" || other === undefined || other === "both" ? [] : [{ side, other }]
  })
  const opposed = shared.filter(({ other, side }) => other !== side).length
  const alike = shared.filter(({ other, side }) => other === side && side === "negated").length
  return opposed > alike
}

/** Whether the claim puts a word where the other sentence has its opposite. */
export const holdsOpposite = OppositeWords.areTurned

const strong = new RegExp(
  "\\b(?:all|every|always|only|solely|exclusively|entirely|completely|never|none|must|shall|" +
    "guarantees?|exactly)\\b|必ず|すべて|常に|반드시|항상|모든|必须|必須|总是",
  "giu"
)
const weak = new RegExp(
  "\\b(?:some|many|most|several|often|usually|sometimes|may|might|can|could|should|about|" +
    "approximately|likely|suggests?|generally|typically|up to|at least|more than|over)\\b|" +
    "場合が?ある|ことが?多い|約|程度|보통|대체로|약\\s|경우가",
  "giu"
)

/** Whether the claim is firmer than the sentence: "may" became "must", "some" became "all". */
export const isStronger = (claim: string, sentence: string): boolean => {
  const [said, read] = [wordsOf(claim, strong), wordsOf(sentence, strong)]
  const gained = Array.from(said).some((word) => !read.has(word))
  const [saidWeak, readWeak] = [wordsOf(claim, weak), wordsOf(sentence, weak)]
  const softened = Array.from(readWeak).some((word) => !saidWeak.has(word))
  return gained && softened
}

/** Whether a bound was turned round or dropped: "at least" became "at most". */
export const isBoundedOtherwise = (claim: string, sentence: string): boolean => {
  const bounds =
    /\bat (?:least|most)\b|\b(?:more|less|fewer) than\b|\bup to\b|以上|以下|以内|이상|이하|이내/giu
  const [said, read] = [wordsOf(claim, bounds), wordsOf(sentence, bounds)]
  return Array.from(said).some((bound) => !read.has(bound)) && read.size > 0
}

const wordsOf = (text: string, pattern: RegExp): ReadonlySet<string> =>
  new Set((text.match(pattern) ?? []).map((word) => word.toLowerCase()))

/** 1 for an odd number of negations, as two of them cancel out. */
const cjkCount = (text: string): number => Negation.easternCount(text) % 2

type Side = "plain" | "negated" | "both"

const sides = (sentence: string): ReadonlyMap<string, Side> => {
  const table = new Map<string, Side>()
  for (const clause of Negation.withoutIdle(sentence.trim()).split(clauseBreak)) {
    let left = 0
    for (const word of words(clause)) {
      const side = left > 0 ? "negated" : "plain"
      left = Negation.isNegator(word) ? reach : Math.max(0, left - 1)
      const [term] = isStopWord(word) || Negation.isNegator(word) ? [] : terms(word)
      if (term === undefined) continue
      const known = table.get(term)
      table.set(term, known === undefined || known === side ? side : "both")
    }
  }
  return table
}
