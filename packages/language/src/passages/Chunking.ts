/**
 * Cuts fetched text into passages that can be ranked and quoted, with exact offsets.
 *
 * Passages do not overlap: sentences are never split, so overlap is useless. For speed, only
 * the paragraph at a passage's end is cut into sentences.
 *
 * ```ts
 * import { chunksOfText } from "./Chunking.ts"
 *
 * const text = "A tenant gives notice. ".repeat(80)
 * const chunks = chunksOfText(text)
 * chunks.length // => 2
 * chunks.every(({ end, start }) => text.slice(start, end).endsWith("notice.")) // => true
 * ```
 */
import * as Languages from "../language/Languages.ts"
import * as Sentences from "../text/Sentences.ts"
import { sentenceTexts, type Span } from "../text/Sentences.ts"
import { terms } from "../text/Words.ts"

/** Length at which a passage closes at a paragraph's end, in UTF-16 code units. */
export const chunkCharsMin = 800
/** Longest passage for the minimum above; for another minimum, one and a half times as much. */
export const chunkCharsMax = 1_200

/** Providers' separator between passages that are not adjacent. */
const joiner = /\[\s{0,3}(?:\.\.\.|…)\s{0,3}\]/g

/** Distance searched backwards for a pause. */
const pauseCharsMax = 200

/** Positions to cut a sentence that is too long for a passage, best first. */
const pauses: ReadonlyArray<RegExp> = [
  /[\p{STerm}…]["')\]”’»]*\s|[。！？]["'”’」』）]*/gu,
  /[;:]\s|[；：]/g,
  /,\s|[、，]/g,
  /\s/g
]

/**
 * In order, not overlapping; empty for blank text. A passage never ends with a heading (spans in
 * order), unless the text does. `charsMin`: at least 200, so that a sentence can pause within.
 */
export const chunksOfText = (
  text: string,
  headings: ReadonlyArray<Span> = [],
  charsMin: number = chunkCharsMin
): ReadonlyArray<Span> => chunksWithin(text, { start: 0, end: text.length }, headings, charsMin)

/** Like `chunksOfText`, but parts that a provider joined with `[...]` never share a passage. */
export const chunksOfSnippet = (text: string): ReadonlyArray<Span> =>
  parted(text).flatMap((span) =>
    span.end - span.start <= chunkCharsMax
      ? [span]
      : chunksWithin(text, span, [], chunkCharsMin)
  )

const parted = (text: string): ReadonlyArray<Span> => {
  const cuts = Array.from(text.matchAll(joiner))
  const starts = [0, ...cuts.map(({ 0: found, index }) => index + found.length)]
  return starts.flatMap((start, place) =>
    Sentences.trimmed(text, { start, end: cuts[place]?.index ?? text.length })
  )
}

const chunksWithin = (
  text: string,
  span: Span,
  headings: ReadonlyArray<Span>,
  charsMin: number
): ReadonlyArray<Span> => {
  const charsMax = Math.round(charsMin * chunkCharsMax / chunkCharsMin)
  const closed: Array<Span> = []
  let open: Array<Span & { readonly isHeading: boolean }> = []
  const bodyParts = () => open.findLastIndex(({ isHeading }) => !isHeading) + 1
  const fits = (part: Span) => part.end - (open[0] ?? part).start <= charsMax
  const closeAt = (count: number) => {
    const [first, last] = [open[0], open[count - 1]]
    if (first !== undefined && last !== undefined) {
      closed.push({ start: first.start, end: last.end })
    }
    open = open.slice(count)
  }
  /** Closes the passage; trailing headings move to the next one. */
  const close = () => closeAt(bodyParts() || open.length)
  /** Whether it is large enough and the rest would not fit; before a heading, half suffices. */
  const closesBefore = (isHeading: boolean) => {
    const from = open[0]?.start ?? Infinity
    const size = (open[bodyParts() - 1]?.end ?? from) - from
    return isHeading
      ? size >= Math.round(charsMin / 2)
      : size >= charsMin && span.end - from > charsMax
  }
  let place = 0
  for (let at = span.start; at < span.end;) {
    while ((headings[place]?.end ?? Infinity) <= at) place += 1
    const nextHeading = headings[place]?.start ?? Infinity
    const lines = linesFrom(
      text,
      at,
      span.end,
      Math.min((open[0]?.start ?? at) + charsMin - 1, nextHeading)
    )
    at = lines.end + 1
    const [paragraph] = Sentences.trimmed(text, lines)
    if (paragraph === undefined) continue
    const isHeading = nextHeading < paragraph.end
    if (closesBefore(isHeading)) close()
    const parts = fits(paragraph) ? [paragraph] : sentencesOf(text, paragraph, charsMax)
    for (const part of parts) {
      // A heading too long for its sentence's passage is a passage of its own.
      while (open.length > 0 && !fits(part)) close()
      open.push({ ...part, isHeading })
    }
  }
  closeAt(open.length)
  return closed
}

/** All lines that end by `reach`, where nothing can close a passage, else one. */
const linesFrom = (text: string, start: number, end: number, reach: number): Span => {
  const last = text.lastIndexOf("\n", Math.min(reach, end - 1))
  if (last > start) return { start, end: last }
  const newline = text.indexOf("\n", start)
  return { start, end: newline < 0 || newline > end ? end : newline }
}

const sentencesOf = (
  text: string,
  paragraph: Span,
  charsMax: number
): ReadonlyArray<Span> =>
  Sentences.split(text.slice(paragraph.start, paragraph.end)).flatMap(({ end, start }) =>
    shortened(text, { start: paragraph.start + start, end: paragraph.start + end }, charsMax)
  )

/** A sentence longer than a passage is cut at a pause, else between characters. */
const shortened = (
  text: string,
  { end, start }: Span,
  charsMax: number
): ReadonlyArray<Span> => {
  const pieces: Array<Span> = []
  let from = start
  while (end - from > charsMax) {
    const rest = text.slice(from, end)
    const cut = from + Sentences.cutAt(rest, pauseIn(rest.slice(0, charsMax)))
    pieces.push(...Sentences.trimmed(text, { start: from, end: cut }))
    from = cut
  }
  return [...pieces, ...Sentences.trimmed(text, { start: from, end })]
}

/** End of the last pause near the end of `text`; the text's end if none. */
const pauseIn = (text: string): number => {
  for (const pattern of pauses) {
    const last = Array.from(text.matchAll(pattern)).at(-1)
    const end = last === undefined ? 0 : last.index + last[0].length
    if (end > text.length - pauseCharsMax) return end
  }
  return text.length
}

// Unquoted claims that may be shown as uncertain: those about the sources' subject.

interface Source {
  readonly text: string
  readonly chunks: ReadonlyArray<Span>
}

/** Whether a passage covers each sentence, and none is about a reader or user. */
export const isOfSources = (claim: string, pages: ReadonlyArray<Source>): boolean =>
  sentenceTexts(claim).every((sentence) => isHeld(sentence, pages))

const isHeld = (claim: string, pages: ReadonlyArray<Source>): boolean => {
  if (speaksOfUser(claim)) return false
  // Numbers are the most common error in misquoted sentences.
  const said = new Set(terms(claim).filter((term) => !/\p{N}/u.test(term)))
  return said.size > 0 &&
    pages.some(({ chunks, text }) =>
      chunks.some(({ end, start }) => said.isSubsetOf(new Set(terms(text.slice(start, end)))))
    )
}

/** In the text's language or in English, which occurs in texts of any other. */
export const speaksOfUser = (text: string): boolean =>
  [Languages.languageOf(text), Languages.ofLocale("en")].some((language) =>
    Languages.patternsOf(language).reader.test(text)
  )
