/** Passages prepared for several rankings: sentences, terms and term counts. */
import { sentences } from "../text/Sentences.ts"
import * as Words from "../text/Words.ts"
import { termsOf, words } from "../text/Words.ts"

// Shared 4-grams of characters, weighted by rarity: they match what a stemmer does not.

const gramLength = 4

/** 0 to 1. Texts are words with one space around each. */
export const scores = (
  question: string,
  spelled: ReadonlyArray<string>
): ReadonlyArray<number> => {
  const asked = Array.from(grams(question))
  const places = new Map(asked.map((gram, place) => [gram, place]))
  const holders = asked.map(() => 0)
  const held = spelled.map((text) => {
    const marks = new Uint8Array(asked.length)
    for (let at = 0; at + gramLength <= text.length; at++) {
      const place = places.get(text.slice(at, at + gramLength))
      if (place !== undefined) marks[place] = 1
    }
    marks.forEach((mark, place) => holders[place] = (holders[place] ?? 0) + mark)
    return marks
  })
  const weights = holders.map((count) => Math.log(1 + spelled.length / (1 + count)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return held.map((marks) =>
    weights.reduce((sum, weight, place) => marks[place] === 1 ? sum + weight : sum, 0) /
    (total || 1)
  )
}

const grams = (question: string): ReadonlySet<string> => {
  const text = ` ${words(question).join(" ")} `
  return new Set(
    Array.from(
      { length: Math.max(0, text.length - gramLength + 1) },
      (_, place) => text.slice(place, place + gramLength)
    )
  )
}

export interface Passage {
  readonly title: string
  readonly text: string
  readonly page: string
  readonly heading?: string
  /** Rank of the page in the search result, from 0; absent without one. */
  readonly rank?: number
}

interface Part {
  readonly page: { readonly source_id: string; readonly title: string }
  readonly text: string
  readonly heading?: string
}

export const passagesOf = (chunks: ReadonlyArray<Part>): ReadonlyArray<Passage> => {
  const pages = Array.from(new Set(chunks.map(({ page }) => page.source_id)))
  return chunks.map(({ heading, page, text }) => ({
    title: page.title,
    text,
    page: page.source_id,
    rank: pages.indexOf(page.source_id),
    ...(heading === undefined ? {} : { heading })
  }))
}

export type PassageWords = ReturnType<typeof wordsOf>
export type Pool = ReturnType<typeof poolOf>

export const poolOf = (passages: ReadonlyArray<Passage>) => {
  const read = passages.map(wordsOf)
  return { passages: read, bm25: Words.indexOf(read.map(({ terms }) => terms)) }
}

const wordsOf = (passage: Passage) => {
  const head = words(`${passage.title} ${passage.heading ?? ""}`)
  const title = termsOf(head)
  const read = sentences(passage.text).map((span) => {
    const text = passage.text.slice(span.start, span.end)
    const spelled = words(text)
    const terms = termsOf(spelled)
    return { ...span, text, spelled: ` ${spelled.join(" ")} `, terms, held: new Set(terms) }
  })
  return {
    passage,
    sentences: read,
    title: new Set(title),
    /** All terms in order, title and heading first. */
    terms: [title, ...read.map(({ terms }) => terms)].flat(),
    /** Words of the passage with one space around each; a sentence has its own. */
    spelled: [` ${head.join(" ")} `, ...read.map(({ spelled }) => spelled)].join("")
      .replace(/ {2,}/g, " ")
  }
}
