/**
 * Selects the few passages that a writer sees by their scores; no page and no site fills the list.
 */
import type { Chunk, ChunkRef } from "../page/Page.ts"
import * as Shingles from "../text/Shingles.ts"

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
      shingles: Shingles.shinglesOf(chunk.text)
    }))
    .sort((left, right) => right.score - left.score)
  const spread = fill([], ranked, limit, (taken, candidate) => !fillsList(taken, candidate))
  const filled = fill(spread, ranked, limit, () => true)
  return filled
    .toSorted((left, right) => right.score - left.score)
    .map(({ chunk, score }) => ({ source_id: chunk.page.source_id, index: chunk.index, score }))
}

const fill = (
  taken: ReadonlyArray<Candidate>,
  ranked: ReadonlyArray<Candidate>,
  limit: number,
  allows: (taken: ReadonlyArray<Candidate>, candidate: Candidate) => boolean
): ReadonlyArray<Candidate> =>
  ranked.reduce<ReadonlyArray<Candidate>>((list, candidate) => {
    const fits = list.length < limit && !list.some((other) => isCopy(other, candidate))
    return fits && allows(list, candidate) ? [...list, candidate] : list
  }, taken)

const fillsList = (taken: ReadonlyArray<Candidate>, { chunk }: Candidate): boolean =>
  count(taken, (other) => other.page.source_id === chunk.page.source_id) >= perPageMax ||
  count(taken, (other) => other.page.site === chunk.page.site) >= perSiteMax

const count = (taken: ReadonlyArray<Candidate>, test: (chunk: Chunk) => boolean): number =>
  taken.filter(({ chunk }) => test(chunk)).length

const isCopy = (left: Candidate, right: Candidate): boolean =>
  left === right || Shingles.sharedShare(left.shingles, right.shingles) >= copyShare
