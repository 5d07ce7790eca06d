import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as HitFusion from "../../src/domain/retrieval/HitFusion.ts"
import type { SearchHit } from "../../src/domain/search/SearchStatus.ts"
import { hit } from "../support/sessionFacts.ts"

const a = "https://a.example/"
const b = "https://b.example/"

const lists = Schema.Array(Schema.Array(Schema.Struct({
  page: Schema.Literals(["a", "b", "c", "d"]),
  rank: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10 })),
  content: Schema.Literals(["", "short", "a longer text"])
})))

const listsOf = (drawn: typeof lists.Type) =>
  drawn.map((hits, queryIndex) => ({
    queryIndex,
    hits: hits.map(({ content, page, rank }): SearchHit =>
      hit(`https://${page}.example/`, { rank, content })
    )
  }))

describe("fused hits", () => {
  it("hold an address once, with every provenance", () => {
    const fused = HitFusion.fuse([
      { queryIndex: 0, hits: [hit(a, { rank: 1 }), hit(b, { rank: 2 })] },
      { queryIndex: 1, hits: [hit(b, { rank: 1, provider: "duckduckgo" })] }
    ])
    assert.deepStrictEqual(fused.map(({ hit }) => hit.url), [b, a])
    assert.deepStrictEqual(fused[0]?.provenances, [
      { provider: "tavily", queryIndex: 0, rank: 2 },
      { provider: "duckduckgo", queryIndex: 1, rank: 1 }
    ])
  })

  it("keep the longest snippet and a date that any of the hits has", () => {
    const [fused] = HitFusion.fuse([
      { queryIndex: 0, hits: [hit(a, { rank: 1, content: "short" })] },
      {
        queryIndex: 1,
        hits: [hit(a, { rank: 2, content: "a longer text", published_date: "2026-01-01" })]
      }
    ])
    assert.deepInclude(fused?.hit, {
      content: "a longer text",
      published_date: "2026-01-01",
      rank: 1
    })
  })

  it.prop("do not depend on the order of the lists", [lists], ([drawn]) => {
    const order = (from: ReadonlyArray<HitFusion.HitList>) =>
      HitFusion.fuse(from).map(({ hit }) => hit)
    const made = listsOf(drawn)
    assert.deepStrictEqual(order(made.toReversed()), order(made))
  })

  it("are parted by address where the ranks are the same, in whatever order they were summed", () => {
    const ranked = (ranks: ReadonlyArray<number>, url: string) =>
      ranks.map((rank, queryIndex) => ({ queryIndex, hits: [hit(url, { rank })] }))
    const ranks = [1, 1, 2]
    for (const [one, other] of [[a, b], [b, a]] as const) {
      const fused = HitFusion.fuse([...ranked(ranks, one), ...ranked(ranks.toReversed(), other)])
      assert.deepStrictEqual(fused.map(({ hit }) => hit.url), [a, b])
    }
  })

  it.prop("lose and invent no address", [lists], ([drawn]) => {
    const made = listsOf(drawn)
    const given = new Set(made.flatMap(({ hits }) => hits.map(({ url }) => url)))
    const fused = HitFusion.fuse(made).map(({ hit }) => hit.url)
    assert.strictEqual(new Set(fused).size, fused.length)
    assert.deepStrictEqual(new Set(fused), given)
  })
})
