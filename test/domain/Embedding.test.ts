import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import * as Ranking from "../../src/domain/retrieval/Ranking.ts"

const at = (index: number, ...embedding: ReadonlyArray<number>) => ({ index, embedding })

describe("vectors of an answer", () => {
  it("are put in the texts' order", () => {
    assert.deepStrictEqual(
      Ranking.inTextOrder([at(1, 0, 2), at(0, 1, 0)], 2, 2),
      Result.succeed([[1, 0], [0, 2]])
    )
    assert.deepStrictEqual(Ranking.inTextOrder([], 0, 2), Result.succeed([]))
  })

  it.each([
    { why: "missing_vector", answer: [at(0, 1, 0)] },
    { why: "missing_vector", answer: [at(0, 1, 0), at(2, 1, 0)] },
    { why: "missing_vector", answer: [at(0, 1, 0), at(1, 1, 0), at(2, 1, 0)] },
    { why: "missing_vector", answer: [at(-1, 1, 0), at(0.5, 1, 0)] },
    { why: "doubled_vector", answer: [at(0, 1, 0), at(1, 1, 0), at(1, 0, 1)] },
    { why: "bad_vector", answer: [at(0, 1, 0), at(1, 1)] },
    { why: "bad_vector", answer: [at(0, 1, 0), at(1, 1, 0, 0)] },
    { why: "bad_vector", answer: [at(0, 1, 0), at(1, 0, 0)] },
    { why: "bad_vector", answer: [at(0, 1, 0), at(1, Number.NaN, 1)] },
    { why: "bad_vector", answer: [at(0, 1, 0), at(1, Infinity, 1)] }
  ])("are refused as $why, never filled in: $answer", ({ answer, why }) => {
    assert.strictEqual(
      Option.getOrUndefined(Result.getFailure(Ranking.inTextOrder(answer, 2, 2))),
      why
    )
  })
})
