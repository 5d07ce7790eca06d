/**
 * What the words around a clause make of it: a clause cut out of "It is a myth that …" says the
 * opposite of its sentence, and one out of a question or an "if" says what nobody said.
 */
import { tokens } from "../text/QuoteTokens.ts"
import { sentences } from "../text/Sentences.ts"
import { isStopWord } from "../text/Words.ts"
import * as FrameWords from "./FrameWords.ts"
import * as Negation from "./Negation.ts"

/** `open`: asked, doubted or supposed; `reserved`: told on a condition, or as somebody's claim. */
export type Frame = "denied" | "open" | "reserved"

/** Of one text; what lies beyond is no quotation. */
const sentencesMax = 200
/** Of one claim in one sentence. */
const placesMax = 8

/** Of the claim's own words, where a sentence holds them in others' company. */
const heldMin = 0.8
const heldWordsMin = 2

/**
 * How the texts hold the claim's words. `undefined` where they do not, or where one place says them
 * plainly. Words that are only near to the claim's are looked at for plain denials and doubts.
 */
export const find = (claim: string, texts: ReadonlyArray<string>): Frame | undefined => {
  const said = tokens(claim).map(({ word }) => word)
  if (said.length === 0) return undefined
  const isAsking = FrameWords.asking.test(claim)
  const frames = texts.flatMap((text) =>
    sentences(text).slice(0, sentencesMax).flatMap(({ end, start }) => {
      const sentence = text.slice(start, end)
      const next = text.slice(end)
      return placesOf(said, sentence).map((place) =>
        around(sentence.slice(0, place.start), sentence.slice(place.end) + next, isAsking)
      )
    })
  )
  if (frames.length === 0) return isDenying(claim) ? undefined : findNear(claim, texts)
  return frames.some((frame) => frame === undefined)
    ? undefined
    : worst.find((frame) => frames.includes(frame))
}

const isDenying = (claim: string): boolean =>
  Negation.count(claim) + Negation.easternCount(claim) > 0 || FrameWords.refuted.test(claim)

const findNear = (claim: string, texts: ReadonlyArray<string>): Frame | undefined => {
  const sought = new Set(contentOf(claim))
  if (sought.size < heldWordsMin) return undefined
  const frames = texts.flatMap((text) =>
    sentences(text).slice(0, sentencesMax).flatMap(({ end, start }) => {
      const sentence = text.slice(start, end)
      const place = narrowest(sought, sentence)
      if (place === undefined) return []
      const before = sentence.slice(0, place.start).replace(article, "")
      const after = sentence.slice(place.end)
      const isRefuted = FrameWords.told.test(before) && FrameWords.refuted.test(after)
      if (isRefuted || FrameWords.denying.test(before)) return ["denied" as const]
      return [FrameWords.doubting.test(before) ? "open" as const : undefined]
    })
  )
  return frames.some((frame) => frame === undefined) ? undefined : frames[0]
}

const article =
  /\b(?:the|an?|some|any|all|der|die|das|le|la|les|el|los|las|il|lo|gli|o|os|as)\s+$/iu

const contentOf = (text: string): ReadonlyArray<string> =>
  tokens(text).flatMap(({ word }) => isStopWord(word) || !/\p{L}/u.test(word) ? [] : [word])

/** The shortest stretch that holds most of the words. */
const narrowest = (sought: ReadonlySet<string>, sentence: string): Place | undefined => {
  const read = tokens(sentence)
  const places = read.flatMap(({ word }, place) => sought.has(word) ? [place] : [])
  const known = new Set(places.map((place) => read[place]?.word))
  if (known.size < heldWordsMin || known.size < heldMin * sought.size) return undefined
  const stretches = places.flatMap((first) => {
    const left = new Set(known)
    const last = places.find((place) => {
      if (place >= first) left.delete(read[place]?.word)
      return left.size === 0
    })
    return last === undefined ? [] : [[first, last] as const]
  })
  const [first = 0, last = 0] =
    stretches.toSorted((one, other) => one[1] - one[0] - (other[1] - other[0]))[0] ?? []
  const [start, end] = [read[first]?.start, read[last]?.end]
  return start === undefined || end === undefined ? undefined : { start, end }
}

const worst: ReadonlyArray<Frame> = ["denied", "open", "reserved"]

/** What stands before and after a clause in its sentence; the sentence after may follow. */
const around = (before: string, behind: string, isAsking: boolean): Frame | undefined => {
  const end = behind.search(/[.。!！?？\n]/u)
  const after = end < 0 ? behind : behind.slice(0, end + 1)
  const rest = end < 0 ? "" : behind.slice(end + 1)
  const isRefuted = FrameWords.refuted.test(after)
  if (
    FrameWords.denying.test(before) || FrameWords.negatorBefore.test(before) ||
    FrameWords.negatorAfter.test(after) || FrameWords.refutedAtOnce.test(after) ||
    FrameWords.refutedNext.test(rest) || (FrameWords.told.test(before) && isRefuted)
  ) return "denied"
  if (
    FrameWords.doubting.test(before) || FrameWords.supposing.test(before) ||
    FrameWords.doubtedAfter.test(after) || (!isAsking && FrameWords.asking.test(after))
  ) return "open"
  return FrameWords.told.test(before) || FrameWords.claimed.test(before) ||
      FrameWords.conditionBefore.test(before) || FrameWords.conditionAfter.test(after)
    ? "reserved"
    : undefined
}

interface Place {
  readonly start: number
  readonly end: number
}

const placesOf = (said: ReadonlyArray<string>, sentence: string): ReadonlyArray<Place> => {
  const read = tokens(sentence)
  return read.flatMap((first, place) => {
    const last = read[place + said.length - 1]
    const isHere = last !== undefined &&
      said.every((word, step) => read[place + step]?.word === word)
    return isHere ? [{ start: first.start, end: last.end }] : []
  }).slice(0, placesMax)
}

/** Whether what opens a list denies or doubts its members: "There is no evidence that: …; …". */
export const isListFramed = (list: string): boolean => {
  const opening = /^[^:：]*[:：]/u.exec(list)?.[0]
  return opening !== undefined && (Negation.count(opening) + Negation.easternCount(opening) > 0 ||
    FrameWords.denying.test(opening) || FrameWords.doubting.test(opening))
}
