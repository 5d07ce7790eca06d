/**
 * Whether a text gives the value of a slot, and does not only speak of it.
 *
 * In doubt it does not: a question too many costs the user a word, one too few an answer that fits
 * somebody else.
 */
import { Record } from "effect"
import { sentenceTexts } from "./Sentences.ts"
import forms from "./ValueForms.json" with { type: "json" }
import { terms } from "./Words.ts"

/** Words that may stand among those of the slot: "type of your visa". */
const betweenMax = 2
/**
 * `vague` is said of a thing without telling which it is; `reversed` finds "Osaka is the city", but
 * not "this is the city".
 */
const patterns = Record.map(forms, (form) => new RegExp(form, "iu"))

/**
 * Whether a claim gives the slot's value: one sentence holds the slot's words and, joined to them,
 * a value.
 */
export const isGiven = (text: string, slot: string): boolean =>
  sentenceTexts(text).filter((sentence) => !/[?？]$/.test(sentence)).some((sentence) =>
    patterns.unspaced.test(slot)
      ? isGivenUnspaced(sentence, slot)
      : spansOf(sentence, slot).some(([start, end]) => isJoined(sentence, start, end, slot))
  )

/**
 * Whether a known fact gives the slot's value: it holds the slot's words, one more that tells, and
 * no word of doubt.
 */
export const isKnown = (fact: string, slot: string): boolean => {
  const [held, wanted] = [new Set(terms(fact)), new Set(terms(slot))]
  const others = [...held].filter((term) => !wanted.has(term) && !patterns.ofUsers.test(term))
  return wanted.size > 0 && wanted.isSubsetOf(held) && others.length > 0 &&
    !patterns.unknown.test(fact)
}

/** Spans in which all words of the slot stand close together. */
const spansOf = (
  sentence: string,
  slot: string
): ReadonlyArray<readonly [start: number, end: number]> => {
  const wanted = [...new Set(terms(slot))]
  const tokens = [...sentence.matchAll(/[\p{L}\p{N}]+/gu)]
  if (wanted.length === 0) return []
  return tokens.flatMap((first, place) => {
    const near = tokens.slice(place, place + wanted.length + betweenMax)
    const end = near.find((_, count) => {
      const held = new Set(near.slice(0, count + 1).flatMap(([word]) => terms(word)))
      return wanted.every((term) => held.has(term))
    })
    const isStart = terms(first[0]).some((term) => wanted.includes(term))
    return end === undefined || !isStart ? [] : [[first.index, end.index + end[0].length] as const]
  })
}

const isJoined = (sentence: string, start: number, end: number, slot: string): boolean => {
  const [before, after] = [sentence.slice(0, start), sentence.slice(end)]
  if (patterns.conditional.test(before)) return false
  const said = patterns.joined.exec(after)?.groups?.["said"]
  if (said !== undefined) return !patterns.vague.test(said)
  return patterns.named.test(after) || patterns.reversed.test(before) ||
    (patterns.counted.test(slot) &&
      (patterns.numberAfter.test(after) || patterns.numberBefore.test(before)))
}

const compact = (text: string): string => text.normalize("NFKC").replace(/\s+/gu, "")

/** The slot's words as they stand, a particle or "is", and a short value up to the end. */
const isGivenUnspaced = (sentence: string, slot: string): boolean => {
  const [text, wanted] = [compact(sentence), compact(slot)]
  const rests = text.split(wanted).slice(1)
  return wanted !== "" && rests.some((rest) => {
    const value = patterns.tied.exec(rest)?.groups?.["value"] ?? ""
    return value !== "" && !patterns.unspacedVague.test(value)
  })
}
