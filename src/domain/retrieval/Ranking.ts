/**
 * Selects the few passages that a writer sees by their scores; no page and no site fills the list.
 */
import * as Words from "@web-grounding/language/Words"
import type { Chunk, ChunkRef } from "../page/Page.ts"

export const topChunksMax = 6
/** Kept as limits only while other pages and sites have something to offer. */
const perPageMax = 2
const perSiteMax = 3
/** Share of the shorter passage's shingles found in the other, above which they are one text. */
const copyShare = 0.8

interface Candidate {
  readonly chunk: Chunk
  readonly score: number
  readonly shingles: ReadonlySet<string>
}

/**
 * Selects at most `limit` chunks, best first. Ties keep the order given; near-duplicates stand
 * once.
 */
export const top = (
  chunks: ReadonlyArray<Chunk>,
  scores: ReadonlyArray<number>,
  limit: number = topChunksMax
): ReadonlyArray<ChunkRef> => {
  const ranked = chunks
    .map((chunk, place) => ({
      chunk,
      score: scores[place] ?? 0,
      shingles: Words.shinglesOf(chunk.text)
    }))
    .sort((left, right) => right.score - left.score)
  const fill = (
    taken: ReadonlyArray<Candidate>,
    allows: (taken: ReadonlyArray<Candidate>, candidate: Candidate) => boolean
  ) =>
    ranked.reduce((list, candidate) => {
      const fits = list.length < limit && !list.some((other) => isCopy(other, candidate))
      return fits && allows(list, candidate) ? [...list, candidate] : list
    }, taken)
  return fill(fill([], isSpread), () => true)
    .toSorted((left, right) => right.score - left.score)
    .map(({ chunk, score }) => ({ source_id: chunk.page.source_id, index: chunk.index, score }))
}

/** Whether page and site of a candidate have room for one more. */
const isSpread = (taken: ReadonlyArray<Candidate>, { chunk: { page } }: Candidate): boolean =>
  taken.filter(({ chunk }) => chunk.page.source_id === page.source_id).length < perPageMax &&
  taken.filter(({ chunk }) => chunk.page.site === page.site).length < perSiteMax

const isCopy = (left: Candidate, right: Candidate): boolean =>
  left === right || Words.sharedShare(left.shingles, right.shingles) >= copyShare
