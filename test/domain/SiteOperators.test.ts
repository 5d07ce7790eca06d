import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { withSites } from "../../packages/dialects/src/Dialect.ts"
import { hitsOf } from "../../src/domain/search/FoundPage.ts"
import type { Domains } from "../../src/domain/search/SitePolicy.ts"

const none: Domains = { includeDomains: [], excludeDomains: [] }

describe("site operators", () => {
  it.each([
    [none, "rent"],
    [{ ...none, includeDomains: ["a.example"] }, "rent site:a.example"],
    [
      { ...none, includeDomains: ["a.example", "b.example"] },
      "rent (site:a.example OR site:b.example)"
    ],
    [
      { ...none, excludeDomains: ["a.example", "b.example"] },
      "rent -site:a.example -site:b.example"
    ],
    [
      { includeDomains: ["a.example"], excludeDomains: ["b.example"] },
      "rent site:a.example -site:b.example"
    ]
  ])(
    "%j makes '%s'",
    (domains, query) => assert.strictEqual(withSites("rent", domains, { charsMax: 499 }), query)
  )

  it("what does not fit is left out, the words keep most of the room", () => {
    const domains = { ...none, includeDomains: [`${"x".repeat(200)}.example`, "b.example"] }
    const query = withSites("w".repeat(600), domains, { charsMax: 499 })
    assert.strictEqual(query, `${"w".repeat(379)} site:b.example`)
  })

  it("forbidden hits take no rank of allowed ones", () => {
    const found = hitsOf(
      ["evil", "a", "b"].map((name) =>
        Option.some({ url: `https://${name}.example/`, title: "T", content: "" })
      ),
      { hitsMax: 2, ...none, sites: { allow: [], deny: ["evil.example"], known: ["b.example"] } },
      { provider: "mock", siteOf: (host) => host }
    )
    const hits = Option.map(
      found,
      ({ hits }) => hits.map(({ site, source_class }) => [site, source_class])
    )
    assert.deepStrictEqual(hits, Option.some([["a.example", undefined], ["b.example", "known"]]))
  })

  it.each([
    ["a.example", true],
    ["www.a.example", true],
    ["ba.example", false],
    ["no.a.example", false],
    ["example", false]
  ])("%s is wanted: %s", (host, expected) => {
    const countOf = (domains: Domains) =>
      hitsOf(
        [Option.some({ url: `https://${host}/`, title: "T", content: "" })],
        { hitsMax: 1, ...domains },
        { provider: "mock", siteOf: (host) => host }
      ).pipe(Option.map(({ hits }) => hits.length))
    const domains = { includeDomains: ["a.example"], excludeDomains: ["no.a.example"] }
    assert.deepStrictEqual(countOf(domains), Option.some(expected ? 1 : 0))
    assert.deepStrictEqual(countOf(none), Option.some(1))
  })
})
