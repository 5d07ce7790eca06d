/** Selects the few passages for a writer by their scores; no page and no site fills the list. */
import * as Words from "@web-grounding/language/Words"
import { Result } from "effect"
import type { Chunk, ChunkRef } from "../page/Page.ts"
import { classOf } from "../search/SourceClass.ts"

export const topChunksMax = 6

/** Limits while other pages and sites have passages left. */
const perPageMax = 2

const perSiteMax = 3

/** Share of the shorter passage's shingles in the other, above which they are one text. */
const copyShare = 0.8

interface Candidate {
  readonly chunk: Chunk
  readonly score: number
  readonly shingles: ReadonlySet<string>
}

/** Best first, one of them of the best class of source. Ties keep their order. */
export const top = (
  chunks: ReadonlyArray<Chunk>,
  scores: ReadonlyArray<number>,
  limit: number = topChunksMax
): ReadonlyArray<ChunkRef> => {
  const ranked = chunks
    .map((chunk, index) => ({
      chunk,
      score: scores[index] ?? 0,
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
  const classed = ["primary", "known"].flatMap((wanted) =>
    ranked.find(({ chunk: { page }, score }) => score > 0 && classOf(page) === wanted) ?? []
  )
  const seated = fill([], (_, candidate) => candidate === classed[0])
  return fill(fill(seated, isSpread), () => true)
    .toSorted((left, right) => right.score - left.score)
    .map(({ chunk, score }) => ({ source_id: chunk.page.source_id, index: chunk.index, score }))
}

const isSpread = (taken: ReadonlyArray<Candidate>, { chunk: { page } }: Candidate): boolean =>
  taken.filter(({ chunk }) => chunk.page.source_id === page.source_id).length < perPageMax &&
  taken.filter(({ chunk }) => chunk.page.site === page.site).length < perSiteMax

const isCopy = (left: Candidate, right: Candidate): boolean =>
  left === right || Words.sharedShare(left.shingles, right.shingles) >= copyShare

// Embedding of a text; vectors of one model only are comparable.

/** Finite numbers, one for each dimension, not all of them 0. */
export type Vector = ReadonlyArray<number>

type VectorFault = "missing_vector" | "doubled_vector" | "bad_vector"

/**
 * In the order of the texts. A missing or repeated vector fails: a wrong one is stored for ever.
 */
export const inTextOrder = (
  answer: ReadonlyArray<{ readonly index: number; readonly embedding: Vector }>,
  textsCount: number,
  dimensions: number
): Result.Result<ReadonlyArray<Vector>, VectorFault> => {
  const byIndex = new Map(answer.map(({ embedding, index }) => [index, embedding]))
  if (byIndex.size !== answer.length) return Result.fail("doubled_vector")
  const vectors = Array.from({ length: textsCount }, (_, index) => byIndex.get(index))
    .filter((vector) => vector !== undefined)
  if (vectors.length !== textsCount || byIndex.size !== textsCount) {
    return Result.fail("missing_vector")
  }
  return vectors.every((vector) => isVector(vector, dimensions))
    ? Result.succeed(vectors)
    : Result.fail("bad_vector")
}

const isVector = (vector: Vector, dimensions: number): boolean =>
  vector.length === dimensions && vector.every(Number.isFinite) &&
  vector.some((value) => value !== 0)
