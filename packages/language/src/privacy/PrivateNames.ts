/** Finds what a text tells of private people, names and numbers alike, by the fitted tagger. */
import { introducedIn } from "./Introductions.ts"
import { type NameWeights, type Tagged, tagged } from "./NameTagger.ts"
import { clauseAt, type PrivateText, type Span } from "./PrivateText.ts"
import { isCountry } from "./PublicWords.ts"

/**
 * Certainties from which a word goes, in thousandths of a log-odd. A question needs its words more
 * than what is told beside it, but for the words by which somebody is introduced.
 */
const certain = { asking: 400, telling: -2_000 }
/** Certainty of a word from which on the whole text counts as one about somebody private. */
const certainOfText = 500

export interface PrivateNames {
  readonly spans: ReadonlyArray<Span>
  /** Whether something in the text is likely private. */
  readonly isPrivate: boolean
}

/** Spans of the private words; in a text that seems private, of the likely ones that it tells. */
export const namesIn = (
  text: PrivateText,
  hasSecrets: boolean,
  weights: NameWeights
): PrivateNames => {
  const words = tagged(text, weights).filter(({ low }) => !isCountry(low))
  const own = introducedIn(text, words, hasSecrets)
  const isPrivate = hasSecrets || own.length > 0 ||
    words.some(({ certainty }) => certainty > certainOfText)
  const gone = words.filter((word) => {
    const isTelling = word.isIntroduced && !/d/.test(word.shape) ||
      isPrivate && clauseAt(text, word.start)?.isOfQuestion === false
    return word.certainty > (isTelling ? certain.telling : certain.asking)
  })
  return { spans: [...own, ...joined(text.raw, gone)], isPrivate }
}

/** Spans of words beside each other, as one. */
const joined = (raw: string, words: ReadonlyArray<Tagged>): ReadonlyArray<Span> =>
  words.reduce<Array<Span>>((spans, { end, start }) => {
    const last = spans.at(-1)
    if (last !== undefined && /^[\s.'’-]{0,2}$/u.test(raw.slice(last.end, start))) {
      spans[spans.length - 1] = { start: last.start, end }
    } else spans.push({ start, end })
    return spans
  }, [])
