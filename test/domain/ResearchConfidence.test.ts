import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Disagreement from "../../src/domain/research/Disagreement.ts"

/** Plenty, of several sites, and on the subject. */
const plenty: Disagreement.Grounds = {
  isComposed: false,
  hasFailed: false,
  pack: 0.9,
  good: 5,
  found: 10,
  results: 10,
  sites: 5,
  fit: 1,
  resultsMin: 2
}
const composed = { ...plenty, isComposed: true }

const share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))
const Grounds = Schema.Struct({
  isComposed: Schema.Boolean,
  hasFailed: Schema.Boolean,
  pack: share,
  good: count,
  found: count,
  results: count,
  sites: count,
  fit: share,
  resultsMin: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10 }))
})

describe("the confidence of research", () => {
  it.each([
    ["extraction, at its best", plenty, 0.3],
    ["one result of two wanted, of one site", { ...plenty, results: 1, sites: 1 }, 0.11],
    ["two results of one site", { ...plenty, results: 2, sites: 1 }, 0.21],
    ["two results of ten wanted", { ...plenty, results: 2, sites: 2, resultsMin: 10 }, 0.06],
    ["one result where one is enough", { ...plenty, results: 1, sites: 1, resultsMin: 1 }, 0.21],
    ["a fit of the least that counts", { ...plenty, fit: 0.6 }, 0.24],
    ["nothing about the subject", { ...plenty, results: 0, sites: 0, fit: 0 }, 0],
    ["a model, at its best", { ...composed, pack: 1 }, 0.95],
    ["a model, with plenty", composed, 0.95],
    ["a model, with half the pack", { ...composed, pack: 0.45 }, 0.73],
    ["a model, and no good results", { ...composed, good: 0 }, 0.65],
    ["a model, and one result of one site", { ...composed, results: 1, sites: 1 }, 0.33],
    ["a model, and a weak fit", { ...composed, fit: 0.6 }, 0.76],
    ["a model that failed, whatever else", { ...composed, pack: 1, hasFailed: true }, 0.3],
    ["extraction after a model failed", { ...plenty, hasFailed: true, results: 1, sites: 1 }, 0.11]
  ])("of %s", (_, grounds, expected) => {
    assert.strictEqual(Disagreement.confidenceOf(grounds), expected)
  })

  it.prop("is 0 to 0.95, 0.3 at most without a model, and never more for less", {
    grounds: Grounds
  }, ({ grounds }) => {
    const score = Disagreement.confidenceOf(grounds)
    assert.isAtLeast(score, 0)
    assert.isAtMost(score, grounds.isComposed && !grounds.hasFailed ? 0.95 : 0.3)
    for (const field of ["results", "sites", "fit", "good", "pack"] as const) {
      assert.isAtMost(Disagreement.confidenceOf({ ...grounds, [field]: grounds[field] / 2 }), score)
    }
    assert.isAtMost(
      Disagreement.confidenceOf({ ...grounds, resultsMin: grounds.resultsMin + 1 }),
      score
    )
  })
})
