/** Sentences of a text as exact spans: what writers quote and what chunks are cut between. */
import { trimmed } from "./Clusters.ts"
import { remembered } from "./Remembered.ts"

/** Offsets are UTF-16 code-unit indices; `end` is exclusive. */
export interface SentenceSpan {
  readonly start: number
  readonly end: number
}

/** Enough to see an abbreviation behind a boundary and the first word after it. */
const lookCharsMax = 40
/** A sentence that ends in a number, as "It was 1998.", has more words than a heading, as "3.". */
const headingWordsMax = 2

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" })

const abbreviation = new RegExp(
  "(?:\\b(?:Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Gen|Sen|Rep|Gov|Lt|Col|Capt|Sgt|Inc|Ltd|Corp|Co|vs|etc|al|" +
    "No|Nos|Fig|Eq|Vol|pp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|Art|Sec|Ave|Blvd|Rd|" +
    "Mt|approx|dept|est|e\\.g|i\\.e|cf|viz|U\\.S|U\\.K|U\\.N|a\\.m|p\\.m|D\\.C|Ph\\.D|M\\.D)|" +
    "\\b[A-Z]|\\d)\\.\\s*$"
)

/** Sentences without surrounding white space, in order, not overlapping; none is empty. */
export const sentences = remembered((text: string): ReadonlyArray<SentenceSpan> => {
  const spans: Array<SentenceSpan> = []
  let start = 0
  for (const { index, segment } of segmenter.segment(text)) {
    const end = index + segment.length - (opening.exec(segment)?.[0].length ?? 0)
    if (goesOn(text, start, end, segment)) continue
    spans.push(...trimmed(text, { start, end }))
    start = end
  }
  return [...spans, ...trimmed(text, { start, end: text.length })]
})

/**
 * Opening quotation marks, which belong to the sentence after them; ICU leaves them with the one
 * before.
 */
const opening = /[「『（【《〈“‘([]\s*$/
/** 「…。」と言った: the quotation is a part of the sentence. */
const quotationGoesOn = /^[とってはがをにでもの、，,]/

const goesOn = (text: string, start: number, end: number, segment: string): boolean => {
  if (/\n\s*$/.test(segment.slice(-lookCharsMax))) return false
  const before = text.slice(Math.max(start, end - lookCharsMax), end)
  const next = text.slice(end, end + lookCharsMax).trimStart()
  if (/[」』]\s*$/.test(before) && quotationGoesOn.test(next)) return true
  if (/^\p{Ll}/u.test(next) && !/[!?]\s*$/.test(before)) return true
  if (next === "" || !abbreviation.test(before)) return false
  const words = text.slice(start, end).trim().split(/\s+/, headingWordsMax + 1)
  const endsInNumber = /\d\.\s+$/.test(before) && words.length > headingWordsMax
  return !(endsInNumber && /^[A-Z]/.test(next))
}
