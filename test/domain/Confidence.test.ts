import { assert, describe, it } from "@effect/vitest"
import * as SearchEvidence from "../../src/application/evidence/SearchEvidence.ts"
import * as Confidence from "../../src/domain/pack/Confidence.ts"
import { sectionOf } from "../../src/domain/pack/PackAssembly.ts"
import * as HitFusion from "../../src/domain/retrieval/HitFusion.ts"
import { hit } from "../support/sessionFacts.ts"

const grounds: Confidence.Grounds = {
  odds: 400,
  independent: 1,
  origins: undefined,
  relation: undefined,
  isOpposed: false,
  isOfConsequence: false,
  wording: "verbatim",
  freshness: "unasked",
  isChosen: false
}

const primary = { count: 1, best: "primary" } as const

const of = (some: Partial<Confidence.Grounds>): number =>
  Confidence.ofClaim({ ...grounds, ...some }, 1)

describe("the confidence of a claim", () => {
  it("is the probability of the fitted odds, in hundredths", () => {
    assert.strictEqual(of({ odds: 0 }), 0.5)
    const rising = [-4_000, -1_000, 0, 500, 2_000, 9_000].map((odds) => of({ odds }))
    assert.deepStrictEqual(rising, rising.toSorted((left, right) => left - right))
    for (const confidence of rising) {
      assert.strictEqual(confidence, Math.round(confidence * 100) / 100)
      assert.isAbove(confidence, 0)
      assert.isBelow(confidence, 1)
    }
  })

  it.each<readonly [string, Partial<Confidence.Grounds>]>([
    ["a primary source", { origins: primary }],
    ["a model that chose it", { isChosen: true }],
    ["a second source", { independent: 2 }]
  ])("is never lowered by %s", (_, some) => {
    for (const odds of [-3_000, -500, 0, 800, 3_000]) {
      assert.isAtLeast(of({ odds, ...some }), of({ odds }))
    }
  })

  it.each<readonly [string, Partial<Confidence.Grounds>]>([
    ["an outdated source", { freshness: "outdated" }],
    ["an undated source", { freshness: "undated" }],
    ["words that are a model's", { wording: "judged" }]
  ])("is never raised by %s", (_, some) => {
    for (const odds of [-3_000, -500, 0, 800, 3_000]) {
      assert.isAtMost(of({ odds, ...some }), of({ odds }))
    }
    assert.isBelow(of({ odds: 1_500, ...some }), of({ odds: 1_500 }))
  })

  it("takes an outdated source for worse than an undated one", () => {
    assert.isBelow(of({ freshness: "outdated" }), of({ freshness: "undated" }))
    assert.strictEqual(of({ freshness: "fresh" }), of({}))
  })

  it("is usable at least where a model chose the answer, and says nothing without a source", () => {
    assert.isBelow(of({ odds: -5_000 }), Confidence.usableMin)
    assert.strictEqual(of({ odds: -5_000, isChosen: true }), Confidence.usableMin)
    assert.isBelow(of({ odds: 5_000, independent: 0, isChosen: true }), Confidence.usableMin)
  })

  it("is held below the ceilings of certainty, quotation, failure, dispute and background", () => {
    const best = { ...grounds, odds: 20_000, independent: 3, origins: primary, isChosen: true }
    assert.deepStrictEqual([
      Confidence.ofClaim(best, 1),
      Confidence.ofClaim(best, Confidence.localMax),
      Confidence.ofClaim(best, Confidence.afterFailureMax),
      Confidence.ofClaim({ ...best, independent: 1, wording: "judged" }, 1),
      Confidence.ofUncertain(best, 1)
    ], [0.95, 0.75, 0.3, 0.6, 0.25])
  })

  it("of a pack is 0 without a claim, not usable without an answer, and as sure as its odds", () => {
    const pack = (claimsCount: number, best: Confidence.Grounds | undefined, max = 1) =>
      Confidence.ofPack({ claimsCount, best, odds: 1_000 }, max)
    assert.strictEqual(pack(0, undefined), 0)
    assert.isAbove(pack(2, undefined), 0)
    assert.isBelow(pack(2, undefined), Confidence.usableMin)
    assert.strictEqual(pack(2, grounds), of({ odds: 1_000 }))
    assert.isAtMost(pack(2, grounds, Confidence.afterFailureMax), Confidence.afterFailureMax)
  })

  it.each(
    [
      [undefined, "undated"],
      ["2026-11-21", "fresh"],
      ["2025-11-22", "fresh"],
      ["2025-11-20", "outdated"]
    ] as const
  )("a source of %s is %s to a time-sensitive question", (published, expected) => {
    const now = "2026-11-22T00:00:00Z"
    assert.strictEqual(Confidence.freshness(true, published, now), expected)
    assert.strictEqual(Confidence.freshness(false, published, now), "unasked")
  })
})

describe("the section of a sentence", () => {
  it.each(
    [
      ["It is customary, and tenants must by law, give notice.", "constraints_and_rules"],
      ["It is customary to give notice early.", "norms_and_expectations"],
      ["一般的に、借主は通知する義務がある。", "constraints_and_rules"],
      ["一般的に、借主は早めに通知する。", "norms_and_expectations"],
      ["보통 세입자는 통지할 의무가 있다.", "constraints_and_rules"],
      ["보통 세입자는 일찍 알린다.", "norms_and_expectations"],
      ["The museum has a garden.", "key_points"]
    ] as const
  )("duty beats custom: %s", (sentence, expected) => {
    assert.strictEqual(sectionOf(sentence, []), expected)
  })
})

describe("the constant of rank fusion", () => {
  /** Twice at this rank is worth as much as once at the first when it is 62. */
  const rank = 62
  const others = (name: string, count: number) =>
    Array.from({ length: count }, (_, place) => `${name}${place}`)

  it.each([[rank - 1, "twice"], [rank + 1, "once"]] as const)(
    "is 60: twice at %d against once at 1, %s goes first",
    (at, first) => {
      const fused = SearchEvidence.fuse([
        ["once"],
        [...others("a", at - 1), "twice"],
        [...others("b", at - 1), "twice"]
      ])
      const order = fused.map(({ id }) => id).filter((id) => id === "once" || id === "twice")
      assert.strictEqual(order[0], first)
    }
  )

  it.each([[rank - 1, "twice"], [rank + 1, "once"]] as const)(
    "is 60 for hits too: twice at %d against once at 1, %s goes first",
    (at, first) => {
      const of = (name: string, place: number) =>
        hit(`https://${name}.example/`, { title: name, rank: place })
      const fused = HitFusion.fuse([
        { queryIndex: 0, hits: [of("once", 1)] },
        { queryIndex: 1, hits: [of("twice", at)] },
        { queryIndex: 2, hits: [of("twice", at)] }
      ])
      assert.strictEqual(fused[0]?.hit.title, first)
    }
  )
})
