import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as PageOrigin from "../../src/domain/page/PageOrigin.ts"
import * as WebAddress from "../../src/domain/search/WebAddress.ts"
import * as RegistrableDomain from "../../src/infrastructure/RegistrableDomain.ts"
import { pageOf } from "../support/evidencePages.ts"

const siteOf = RegistrableDomain.registrableDomain
const hitAt = (url: string, official = false) => ({
  url,
  site: siteOf(new URL(url).hostname),
  official
})
const answered = (reader: "web" | "jina" | "snippet", url?: string): PageOrigin.AnsweredPage => ({
  reader,
  ...Option.match(WebAddress.canonical(url ?? ""), {
    onNone: () => ({}),
    onSome: (address) => ({ address })
  })
})

const ministry = "https://www.housing.gov.example/go?to=spam"
const spam = "https://spam.example/offer"
const agency = "https://www.gov.uk/renting"

/** Rule by rule, what must hold of a decision whose word a page is. */
const creditsWrongly = (originOf: typeof PageOrigin.originOf): ReadonlyArray<string> => {
  const of = (hit: string, official: boolean, read: PageOrigin.AnsweredPage) =>
    originOf(hitAt(hit, official), read, siteOf)
  const rules: ReadonlyArray<readonly [string, boolean]> = [
    ["open redirect", !of(ministry, true, answered("web", spam)).official],
    ["open redirect, reported", !of(ministry, true, answered("jina", spam)).official],
    ["site", of(ministry, true, answered("web", spam)).site === "spam.example"],
    ["address", of(ministry, true, answered("web", spam)).url === spam],
    ["only reported", !of(spam, false, answered("jina", agency)).official],
    ["fetched", of(spam, false, answered("web", agency)).official],
    ["both", of(ministry, true, answered("jina", agency)).official],
    ["stayed", of(ministry, true, answered("web")).official]
  ]
  return rules.flatMap(([rule, holds]) => holds ? [] : [rule])
}

describe("whose word a page is", () => {
  it("is that of the address that answered", () => {
    assert.deepStrictEqual(creditsWrongly(PageOrigin.originOf), [])
    assert.deepStrictEqual(
      PageOrigin.originOf(hitAt(ministry, true), answered("web", spam), siteOf),
      { url: spam, hit_url: ministry, site: "spam.example", official: false }
    )
    assert.notProperty(
      PageOrigin.originOf(hitAt(ministry, true), answered("snippet"), siteOf),
      "hit_url"
    )
  })
})

describe("a canonical address", () => {
  const canonical = (url: string, canonical_url: string) =>
    Option.getOrUndefined(
      PageOrigin.canonicalOf({ url, site: siteOf(new URL(url).hostname), canonical_url }, siteOf)
    )
  it("is believed within its own registrable domain", () => {
    const known = "https://www.a.example/story"
    assert.strictEqual(canonical("https://amp.a.example/story", known), known)
    assert.strictEqual(canonical(`${known}?page=1`, `${known}?utm_source=x#y`), known)
    assert.isUndefined(canonical("https://b.example/copy", known))
    assert.isUndefined(canonical("https://me.github.io/x", "https://you.github.io/x"))
    assert.isUndefined(canonical(known, "javascript:alert(1)"))
  })
  it("is not the front page for every page of a site", () => {
    assert.isUndefined(canonical("https://a.example/story", "https://a.example/"))
    assert.strictEqual(
      canonical("https://a.example/?x", "https://a.example/"),
      "https://a.example/"
    )
  })
})

describe("pages", () => {
  const at = (source_id: string, fields: Parameters<typeof pageOf>[1] = {}) =>
    pageOf(`Text of ${source_id}.`, { source_id, reader: "web", ...fields })
  const url = "https://a.example/story"
  const ids = (...pages: Parameters<typeof PageOrigin.merged>[0]) =>
    PageOrigin.merged(pages).map(({ source_id, text, url }) => `${source_id} ${text} ${url}`)

  it("of one address occur once, named by all who named them", () => {
    const merged = PageOrigin.merged([
      at("s1", { url, hit_url: "https://short.example/1", providers: ["tavily"] }),
      at("s2"),
      at("s3", { url, hit_url: "https://short.example/2", providers: ["serpapi", "tavily"] })
    ])
    assert.deepStrictEqual(merged.map(({ source_id }) => source_id), ["s1", "s2"])
    assert.deepStrictEqual(merged[0]?.providers, ["tavily", "serpapi"])
  })

  it("of one canonical address occur once, the text there before others, a snippet last", () => {
    const print = { url: `${url}?print`, canonical_url: url }
    assert.deepStrictEqual(ids(at("s1", print), at("s2", { url })), [`s1 Text of s2. ${url}`])
    assert.deepStrictEqual(
      ids(at("s1", { url, reader: "snippet" }), at("s2", print)),
      [`s1 Text of s2. ${url}?print`]
    )
  })
})
