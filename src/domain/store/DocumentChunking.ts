/** Chunks of a document for the evidence store. */
import { sentences } from "@web-grounding/language/Sentences"
import type { Span } from "../page/Page.ts"

// Cuts documents into overlapping passages of 500 to 1,000 estimated tokens (one for six letters or
// digits, for each Chinese, Japanese or Korean character, and each other sign), at paragraphs or
// sentences, of about equal size.

export const chunkTokensMin = 500

export const chunkTokensMax = 1_000

/** Tokens shared with the passage before: whole sentences where they fit into twice as much. */
export const overlapTokens = 100

/** Most new tokens of a passage, so that sizes stay well within the bounds. */
const freshTokensMax = 750

/** Distance from the even size within which a passage may end with a sentence. */
const slackTokens = 150

const wordPieceChars = 6

/** A longer run of letters is no word; it may be cut like a run of signs. */
const wordCharsMax = 300

const wide = "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}"

const pattern = new RegExp(`[[\\p{L}\\p{M}\\p{N}]--[${wide}]]{1,${wordCharsMax}}|\\S`, "gv")

interface Piece extends Span {
  /** Estimated tokens of the text up to its end. */
  readonly total: number
}

export const tokensOf = (text: string): number => piecesOf(text).at(-1)?.total ?? 0

const piecesOf = (text: string): ReadonlyArray<Piece> => {
  let total = 0
  return Array.from(text.matchAll(pattern), ({ 0: word, index }) => {
    total += Math.ceil(word.length / wordPieceChars)
    return { start: index, end: index + word.length, total }
  })
}

interface Cuts {
  readonly pieces: ReadonlyArray<Piece>
  readonly sentenceEnds: ReadonlySet<number>
  readonly paragraphEnds: ReadonlySet<number>
}

/** In order; together they hold every word. Empty for blank text. */
export const chunksOfDocument = (text: string): ReadonlyArray<Span> => {
  const cuts = cutsOf(text)
  const { pieces } = cuts
  const spans: Array<Span> = []
  let from = 0
  while (from < pieces.length) {
    const until = endOf(cuts, from)
    spans.push({ start: pieces[from]?.start ?? 0, end: pieces[until - 1]?.end ?? 0 })
    if (until === pieces.length) break
    from = overlapStart(cuts, from, until)
  }
  return spans
}

const cutsOf = (text: string): Cuts => {
  const pieces = piecesOf(text)
  const sentenceEnds = new Set<number>()
  const paragraphEnds = new Set<number>()
  let count = 0
  for (const { end } of sentences(text)) {
    while ((pieces[count]?.end ?? Infinity) <= end) count++
    sentenceEnds.add(count)
    if (/^[^\S\n]*\n/.test(text.slice(end, end + lookCharsMax))) paragraphEnds.add(count)
  }
  return { pieces, sentenceEnds, paragraphEnds }
}

const lookCharsMax = 80

const totalAt = (pieces: ReadonlyArray<Piece>, count: number): number =>
  pieces[count - 1]?.total ?? 0

const endOf = ({ pieces, paragraphEnds, sentenceEnds }: Cuts, from: number): number => {
  const before = totalAt(pieces, from)
  const rest = totalAt(pieces, pieces.length) - before
  if (rest <= chunkTokensMax) return pieces.length
  const passages = Math.ceil((rest - overlapTokens) / freshTokensMax)
  const even = (rest - overlapTokens) / passages + overlapTokens
  const least = Math.max(chunkTokensMin, even - slackTokens)
  // The remaining text must fill a passage of its own.
  const most = Math.min(chunkTokensMax, even + slackTokens, rest - chunkTokensMin + overlapTokens)
  let best = { until: from + 1, distance: Infinity }
  for (let until = from + 1; until < pieces.length; until++) {
    const size = totalAt(pieces, until) - before
    if (size > most && best.distance < Infinity) break
    if (size > chunkTokensMax) break
    const distance = Math.abs(size - even) + penaltyOf(
      size < least || size > most,
      paragraphEnds.has(until),
      sentenceEnds.has(until)
    )
    if (distance < best.distance) best = { until, distance }
  }
  return best.until
}

/** Ends of paragraphs are preferred to ends of sentences, these to cuts between words. */
const penaltyOf = (outside: boolean, paragraph: boolean, sentence: boolean): number => {
  if (outside) return 3 * chunkTokensMax
  if (paragraph) return 0
  return sentence ? chunkTokensMax : 2 * chunkTokensMax
}

/** Start of whole sentences of at least the overlap, else of as many words. */
const overlapStart = ({ pieces, sentenceEnds }: Cuts, from: number, until: number): number => {
  const total = totalAt(pieces, until)
  let exact = until - 1
  while (exact > from + 1 && total - totalAt(pieces, exact) < overlapTokens) exact--
  let start = exact
  while (start > from + 1 && total - totalAt(pieces, start) <= 2 * overlapTokens) {
    if (sentenceEnds.has(start)) return start
    start--
  }
  return exact
}
