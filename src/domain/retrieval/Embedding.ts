/** A text as a point among others: near ones mean much the same. Of one model only. */
import { Result } from "effect"

/** Finite numbers, one for each dimension, not all of them 0. */
export type Vector = ReadonlyArray<number>

/** A vector in a model's answer, with the 0-based index of its text. */
export interface PlacedVector {
  readonly index: number
  readonly embedding: Vector
}

/** Why an answer's vectors cannot be used. */
export type VectorFault = "missing_vector" | "doubled_vector" | "bad_vector"

/**
 * Puts the vectors into the order of the texts, whatever the answer's order. A text left out or
 * answered twice fails the answer: a vector in its place would be compared for ever.
 */
export const inTextOrder = (
  answer: ReadonlyArray<PlacedVector>,
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
