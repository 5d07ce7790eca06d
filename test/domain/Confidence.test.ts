import { assert, describe, it } from "@effect/vitest"
import * as Confidence from "../../src/domain/pack/Confidence.ts"
import { sectionOf } from "../../src/domain/pack/SectionOf.ts"
import * as HitFusion from "../../src/domain/retrieval/HitFusion.ts"
import * as RankFusion from "../../src/domain/store/RankFusion.ts"
import { hit } from "../support/sessionFacts.ts"

const grounds: Confidence.Grounds = {
  independent: 1,
  official: false,
  support: "supported",
  wording: "verbatim",
  freshness: "unasked"
}

describe("the confidence of a claim", () => {
  it.each<readonly [string, Partial<Confidence.Grounds>, number]>([
    ["one site", {}, 0.6],
    ["two sites", { independent: 2 }, 0.8],
    ["three sites", { independent: 3 }, 0.88],
    ["four sites", { independent: 4 }, 0.88],
    ["one official site", { official: true }, 0.72],
    ["two sites, one official", { independent: 2, official: true }, 0.92],
    ["three sites, one official: nothing is certain", { independent: 3, official: true }, 0.95],
    ["partly borne out", { support: "partly" }, 0.45],
    ["outdated", { freshness: "outdated" }, 0.45],
    ["undated", { freshness: "undated" }, 0.55],
    ["fresh", { freshness: "fresh" }, 0.6],
    ["partly, outdated", { support: "partly", freshness: "outdated" }, 0.3],
    [
      "official, two sites, undated",
      { independent: 2, official: true, freshness: "undated" },
      0.87
    ],
    ["no site", { independent: 0 }, 0.05]
  ])("%s", (_, some, expected) => {
    assert.strictEqual(Confidence.ofClaim({ ...grounds, ...some }, 1), expected)
  })

  it("is held below the ceilings of quotation, failure, dispute and background", () => {
    const best = { ...grounds, independent: 3, official: true }
    assert.deepStrictEqual([
      Confidence.ofClaim(best, Confidence.localMax),
      Confidence.ofClaim(best, Confidence.afterFailureMax),
      Confidence.ofDisputed(best, 1),
      Confidence.ofBeside(best, 1),
      Confidence.ofDisputed({ ...grounds, independent: 0 }, 1)
    ], [0.75, 0.3, 0.25, 0.25, 0.05])
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
      const fused = RankFusion.fuse([
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
