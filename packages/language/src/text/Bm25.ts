/** Okapi BM25 over a handful of passages, the title's words folded into the text. */
import { terms } from "./Words.ts"

export interface Document {
  readonly title?: string
  readonly text: string
}

export interface Bm25Index {
  /** Term counts of each document, in the order given. */
  readonly counts: ReadonlyArray<ReadonlyMap<string, number>>
  /** Lengths of the documents, in terms. */
  readonly lengths: ReadonlyArray<number>
  readonly lengthMean: number
}

/** How soon a repeated term stops counting, and how much long documents pay. */
const saturation = 1.2
const lengthWeight = 0.6

export const index = (documents: ReadonlyArray<Document>): Bm25Index => {
  return indexOf(documents.map(({ text, title }) => terms(`${title ?? ""} ${text}`)))
}

/** Indexes documents that are already split into terms. */
export const indexOf = (termLists: ReadonlyArray<ReadonlyArray<string>>): Bm25Index => {
  const lengths = termLists.map((list) => list.length)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  return {
    counts: termLists.map(countTerms),
    lengths,
    lengthMean: total / Math.max(1, lengths.length)
  }
}

/** Scores each document, in the order indexed; 0 when it shares no term with the query. */
export const scores = (bm25: Bm25Index, query: string): ReadonlyArray<number> =>
  weightedScores(bm25, new Map(terms(query).map((term) => [term, rarity(bm25, term)])))

/** BM25 score of each document, in order, for terms with weights of the caller's own. */
export const weightedScores = (
  bm25: Bm25Index,
  weights: ReadonlyMap<string, number>
): ReadonlyArray<number> =>
  bm25.counts.map((counts, document) => {
    const length = (bm25.lengths[document] ?? 0) / (bm25.lengthMean || 1)
    const norm = saturation * (1 - lengthWeight + lengthWeight * length)
    let sum = 0
    for (const [term, weight] of weights) {
      const count = counts.get(term) ?? 0
      if (count > 0) sum += (weight * count * (saturation + 1)) / (count + norm)
    }
    return sum
  })

/** Inverse document frequency: large for a term that few documents hold. */
export const rarity = (bm25: Bm25Index, term: string): number => {
  const holders = bm25.counts.filter((counts) => counts.has(term)).length
  return Math.log(1 + (bm25.counts.length - holders + 0.5) / (holders + 0.5))
}

const countTerms = (list: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const term of list) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
