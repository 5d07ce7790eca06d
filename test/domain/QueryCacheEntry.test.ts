import { assert, describe, it } from "@effect/vitest"
import * as QueryCacheEntry from "../../src/domain/search/QueryCacheEntry.ts"
import { SearchStatus } from "../../src/domain/search/SearchStatus.ts"
import { hit } from "../support/sessionFacts.ts"

const search: QueryCacheEntry.SearchRequest = {
  query: "notice of a tenant",
  region: { country: "JP", city: "Osaka" },
  locale: "en",
  depth: "basic",
  topic: "general",
  timeRange: "week",
  includeDomains: ["a.example", "b.example"],
  excludeDomains: ["c.example"],
  hitsMax: 5
}
type Change = Partial<QueryCacheEntry.SearchRequest & { readonly providers: Array<string> }>

const textOf = ({ providers = ["tavily"], ...change }: Change) =>
  QueryCacheEntry.textOf({ ...search, ...change }, providers)

const others: ReadonlyArray<Change> = [
  { query: "notice of a landlord" },
  { region: { country: "KR", city: "Osaka" } },
  { region: { country: "JP", city: "Kyoto" } },
  { locale: "ko" },
  { depth: "advanced" },
  { topic: "news" },
  { timeRange: "day" },
  { includeDomains: ["a.example"] },
  { excludeDomains: [] },
  { includeDomains: ["c.example"], excludeDomains: ["a.example", "b.example"] },
  { hitsMax: 6 },
  { providers: ["sandbox"] },
  { providers: ["tavily", "serpapi"] }
]

const alike: ReadonlyArray<Change> = [
  { query: "  Notice of a\ttenant " },
  { region: { country: "JP", city: "OSAKA" } },
  { locale: "EN" },
  { includeDomains: ["b.example", "a.example"] }
]

const hits = [hit("https://one.example/")]
const cache = { fresh_ms: 1_000 }

describe("the identity of a search", () => {
  it.each(others)("is another with %j", (change) => {
    assert.notStrictEqual(textOf(change), textOf({}))
  })

  it.each(alike)("is the same with %j", (change) => {
    assert.strictEqual(textOf(change), textOf({}))
  })
})

const event = { eventId: "e-1", streamId: "s-1", recordedAt: "1970-01-01T00:00:05.000Z" }

describe("what a search leaves to the cache", () => {
  it.each(SearchStatus.literals)("is an answer, or that there is none: %s", (status) => {
    const entry = QueryCacheEntry.cacheEntryOf({ status, hits, cache }, event)
    if (status !== "success" && status !== "no_results") return assert.isUndefined(entry)
    assert.deepStrictEqual(entry, {
      status,
      hits,
      recorded_at_ms: 5_000,
      fresh_until_ms: 6_000,
      event_id: "e-1",
      stream_id: "s-1"
    })
  })

  it("is nothing where the search was not to be kept", () => {
    assert.isUndefined(QueryCacheEntry.cacheEntryOf({ status: "success", hits }, event))
  })
})

describe("an entry of the cache", () => {
  const hourMs = 3_600_000
  const entry = (status: "success" | "no_results") => ({
    status,
    hits,
    recorded_at_ms: 0,
    fresh_until_ms: 100,
    event_id: "e-1"
  })

  it("is fresh until its end, and not from then on", () => {
    assert.isTrue(QueryCacheEntry.isFresh(entry("success"), 99))
    assert.isFalse(QueryCacheEntry.isFresh(entry("success"), 100))
  })

  it("replaces providers that fail for a week, when it holds an answer", () => {
    const weekMs = 7 * 24 * hourMs
    assert.isTrue(QueryCacheEntry.isBearable(entry("success"), weekMs))
    assert.isFalse(QueryCacheEntry.isBearable(entry("success"), weekMs + 1))
    assert.isFalse(QueryCacheEntry.isBearable(entry("no_results"), 1))
  })

  it("is fresh for 24 to 72 hours, by a tenth apart, and for minutes when nothing was found", () => {
    const hoursOf = (topic: "news" | "finance" | "general", keyHex: string) =>
      QueryCacheEntry.freshMsOf("success", topic, keyHex) / hourMs
    assert.closeTo(hoursOf("news", "0000"), 24, 0.01)
    assert.closeTo(hoursOf("finance", "ffff"), 24 * 1.1, 0.01)
    assert.closeTo(hoursOf("general", "0000"), 72, 0.01)
    assert.closeTo(hoursOf("general", "ffff"), 72 * 0.9, 0.01)
    assert.closeTo(hoursOf("general", "no hex"), 72, 0.01)
    for (const topic of ["news", "finance", "general"] as const) {
      assert.closeTo(QueryCacheEntry.freshMsOf("no_results", topic, "0000") / 60_000, 10, 0.01)
    }
  })
})
