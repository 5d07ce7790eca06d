import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { marketOf } from "../../packages/dialects/src/Dialect.ts"
import * as DuckDuckGoSearch from "../../packages/dialects/src/DuckDuckGo.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import type { SearchRequest } from "../../src/application/ports/SearchProvider.ts"
import { cpuMsOf } from "../support/machine.ts"
import { oneAnswer } from "../support/oneAnswer.ts"
import { dialectAt, readBy } from "../support/sandboxSearch.ts"
import { acceptanceTable, commonRows, type Row, searchBy } from "./acceptanceTable.ts"
import { assertPromised } from "./searchProviderContract.ts"

const providerAt = dialectAt(DuckDuckGoSearch.DuckDuckGo)
const searchAt = (baseUrl: string, fields: Partial<SearchRequest> = {}) =>
  searchBy(providerAt, baseUrl, fields)

const tenMinutes = 600_000
const blocked = { status: "rate_limited" as const, waitMs: tenMinutes }
const throttled = { ...blocked, detail: "throttled" }
const rows: ReadonlyArray<Row> = [
  ...commonRows.map((row) => row.status === "rate_limited" ? { ...row, detail: "throttled" } : row),
  { fault: "captcha", ...blocked, detail: "captcha", http: 200 },
  { fault: "ddg-202", ...throttled, http: 202 },
  { fault: "202", ...throttled, http: 202 },
  { fault: "403", ...throttled, http: 403 },
  { fault: "403,retry-after=60", ...throttled, http: 403, waitMs: 60_000 },
  { fault: "429", ...throttled, http: 429 },
  { fault: "429,retry-after=junk", ...throttled, http: 429 },
  { fault: "401", status: "unknown_error", detail: "upstream_4xx", http: 401 },
  { fault: "432", status: "unknown_error", detail: "upstream_4xx", http: 432 }
]

acceptanceTable("DuckDuckGo", providerAt, rows)

describe("what DuckDuckGo is sent", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    const sentBy = (fields: Partial<SearchRequest>) =>
      Effect.gen(function*() {
        const { baseUrl, forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        yield* Effect.ignore(searchAt(`${baseUrl}/`, fields))
        const { by_provider, recent } = yield* hits
        assert.deepStrictEqual(by_provider, { duckduckgo: 1 })
        return recent.at(-1)
      })

    it.effect("the form of a browser, first page only, and no trace of ours", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const sent = yield* sentBy({
          query: "q",
          locale: "ko-KR",
          timeRange: "month",
          excludeDomains: ["b.example"]
        }).pipe(Effect.withSpan("outer"))
        assert.strictEqual(sent?.path, "/html/")
        assert.deepStrictEqual(sent?.body, { q: "q -site:b.example", b: "", kl: "kr-kr", df: "m" })
        const { host: _host, "user-agent": browser, ...headers } = sent?.headers ?? {}
        assert.match(browser ?? "", /^Mozilla\/5\.0 /)
        assert.deepStrictEqual(headers, {
          accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
          "accept-encoding": "gzip, deflate, br",
          "accept-language": "ko-KR,en;q=0.5",
          connection: "keep-alive",
          "content-length": "38",
          "content-type": "application/x-www-form-urlencoded",
          cookie: "kl=kr-kr; df=m",
          referer: `${baseUrl}/`,
          "sec-fetch-dest": "document",
          "sec-fetch-mode": "navigate",
          "sec-fetch-site": "same-origin",
          "sec-fetch-user": "?1"
        })
      }))

    it.effect("a bang finds what it names and goes nowhere", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const { hits } = yield* searchAt(baseUrl, { query: "Halvern !w tram fare!" })
        assert.isAbove(hits.length, 0)
      }))
  })

  it.each([
    ["tram fare", "tram fare"],
    ["!w tram", "'!w' tram"],
    ["! tram", "'!' tram"],
    ["tram w! now", "tram w now"],
    ["\\tram fare", "'\\tram' fare"],
    ["\"!w tram\" fare", "\"!w tram\" fare"]
  ])("%s is asked as %s", (query, asked) => {
    assert.strictEqual(DuckDuckGoSearch.queryText({ query }), asked)
  })

  it("a query never passes 499, whatever domains it is for", () => {
    const domains = Array.from({ length: 50 }, (_, n) => `department-${n}.gov.example`)
    for (const query of ["q", "x".repeat(498) + "😀", "!".repeat(600), "a ".repeat(300)]) {
      for (const [includeDomains, excludeDomains] of [[[], []], [domains, []], [[], domains]]) {
        const asked = DuckDuckGoSearch.queryText({
          query,
          includeDomains: includeDomains ?? [],
          excludeDomains: excludeDomains ?? []
        })
        assert.isAtMost(asked.length, DuckDuckGoSearch.queryCharsMax)
        assert.isTrue(asked.isWellFormed())
        if (includeDomains === domains) assert.include(asked, "(site:department-0.gov.example OR ")
        if (excludeDomains === domains) assert.include(asked, " -site:department-0.gov.example")
      }
    }
  })

  it.each([
    ["en", undefined, "wt-wt"],
    ["en-US", undefined, "us-en"],
    ["en", "US", "us-en"],
    ["es", "US", "us-es"],
    ["en", "GB", "uk-en"],
    ["ja", undefined, "jp-jp"],
    ["ko", undefined, "kr-kr"],
    ["en", "KR", "kr-kr"],
    ["de", undefined, "de-de"],
    ["fr", "CH", "ch-fr"],
    ["en", "CH", "ch-de"],
    ["ca", "ES", "es-ca"],
    ["zh-TW", undefined, "tw-tzh"],
    ["en", "AQ", "wt-wt"],
    ["xx", undefined, "wt-wt"]
  ])("locale %s with country %s is region %s", (locale, country, region) => {
    const market = marketOf(country === undefined ? { locale } : { locale, country })
    assert.strictEqual(DuckDuckGoSearch.regionOf(market), region)
  })
})

describe("what DuckDuckGo answers", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect("hits come with their day, without the ad, cut to hitsMax", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const answer = yield* searchAt(baseUrl, { hitsMax: 3 })
        assertPromised(answer, 3)
        assert.strictEqual(answer.hits.length, 3)
        assert.deepStrictEqual(answer.hits.map(({ rank }) => rank), [1, 2, 3])
        assert.isTrue(answer.hits.every(({ url }) => !url.includes("advert.example")))
        assert.isTrue(answer.hits.some(({ published_date }) => published_date !== undefined))
        assert.notProperty(answer, "credits")
      }))

    it.effect("domains are kept to and kept out, even where they did not fit the query", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const hostsOf = (fields: Partial<SearchRequest>) =>
          Effect.map(
            searchAt(baseUrl, { hitsMax: 20, ...fields }),
            ({ hits }) => hits.map(({ url }) => new URL(url).hostname)
          )
        const inside = yield* hostsOf({ includeDomains: ["gov.example"] })
        assert.isTrue(inside.length > 0 && inside.every((host) => host.endsWith(".gov.example")))
        const many = Array.from({ length: 49 }, (_, n) => `some-long-name-${n}.example`)
        const outside = yield* hostsOf({ excludeDomains: [...many, "gov.example"] })
        assert.isTrue(outside.length > 0 && !outside.some((host) => host.endsWith("gov.example")))
      }))

    it.effect("every way to say that there is nothing is an honest nothing", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const answer = yield* searchAt(baseUrl, { query: "fault:empty" })
        assert.deepStrictEqual(answer, { hits: [], droppedCount: 0 })
        for (const said of ["<div class=\"no-results\">-</div>", "<td>No more results.</td>"]) {
          assert.deepStrictEqual(DuckDuckGoSearch.readPage(`${said}</html>`), Result.succeed([]))
        }
      }))

    it.effect("a result whose address or text is unusable is left out and counted", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const answer = yield* searchAt(baseUrl, { query: "fault:odd-results", hitsMax: 20 })
        assertPromised(answer, 20)
        assert.deepStrictEqual(
          answer.hits.map(({ title, url }) => [url, title]),
          [
            ["https://one.example/", "A page"],
            ["https://two.example/", "two.example"],
            ["https://three.example/", "A page"]
          ]
        )
        assert.strictEqual(answer.droppedCount, 3)
      }))
  })

  const row = (link: string, after = "") =>
    `<div class="result web-result"><h2><a class="result__a" href="${link}">T &amp; t</a></h2>${after}</div>`
  const pageOf = (rows: string) => `<html><body><div id="links">${rows}</div></body></html>`
  const addressesOf = (html: string) =>
    Result.match(DuckDuckGoSearch.readPage(html), {
      onFailure: ({ detail }) => detail,
      onSuccess: (results) => results.map(({ url }) => url)
    })

  it.each([
    ["https://a.example/?q=1&amp;r=2", "https://a.example/?q=1&r=2"],
    [
      "//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F%25C3%25A9&amp;rut=1",
      "https://a.example/%C3%A9"
    ],
    ["/l/?uddg=https%3A%2F%2Fa.example%2F", "https://a.example/"],
    ["//duckduckgo.com/l/?rut=1", ""],
    ["https://duckduckgo.com/about", "https://duckduckgo.com/about"],
    [
      "https://evil-duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F",
      "https://evil-duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F"
    ]
  ])("the link %s leads to %s", (link, address) => {
    assert.deepStrictEqual(addressesOf(pageOf(row(link))), [address])
  })

  it.each([
    ["an ad's link", row("//duckduckgo.com/y.js?ad_domain=x.example")],
    ["a wrapped ad", row("//duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2Fy.js%3Fa%3D1")],
    ["nothing at all", ""],
    ["the words in a longer text", "<p>No results are better than wrong ones, they say here.</p>"]
  ])("%s is neither a result nor an honest nothing", (_, rows) => {
    assert.strictEqual(addressesOf(pageOf(rows)), "bad_body")
  })

  it("a result without its link is a result lost, not a page without results", () => {
    const lost = "<div class='web-result'><p>No results.</p></div>"
    assert.deepStrictEqual(addressesOf(pageOf(lost)), [""])
    assert.isTrue(Option.isNone(readBy(DuckDuckGoSearch.DuckDuckGo, pageOf(lost))))
  })

  it("a page that stops before its end is none, and the 30th of February no day", () => {
    const whole = DuckDuckGoSearch.resultsPage("q", [
      { url: "https://a.example/", title: "A", content: "One.", published_date: "2026-02-30" }
    ])
    const page = DuckDuckGoSearch.readPage(whole)
    assert.isUndefined(Result.getOrThrow(page)[0]?.published_date)
    assert.deepStrictEqual(addressesOf(whole), ["https://a.example/"])
    assert.strictEqual(addressesOf(whole.replace(/<\/html>\s*$/, "")), "bad_body")
  })

  it("a bot check among results is a bot check", () => {
    const page = pageOf(row("https://a.example/") + "<form id='challenge-form'></form>")
    assert.strictEqual(addressesOf(page), "captcha")
  })

  it("words of a bot check in a result are only words", () => {
    const snippet = "<a class='result__snippet'>bots use DuckDuckGo too: challenge-form</a>"
    assert.deepStrictEqual(addressesOf(pageOf(row("https://a.example/", snippet))), [
      "https://a.example/"
    ])
  })

  it.each([
    ["deep", "<div>".repeat(400_000)],
    ["deep in results", pageOf(row("https://a.example/", "<span>".repeat(2_900)))],
    ["results in results", pageOf("<div class='web-result'><a class='result__a'>".repeat(1_400))],
    ["wide", pageOf("<div class='web-result'></div>".repeat(2_900))],
    ["unclosed", "<div class='no-results'".repeat(80_000)],
    ["entities", pageOf(row("https://a.example/", "&lt;".repeat(500_000)))]
  ])("a page that is %s is read in no time", (_, html) => {
    assert.isBelow(cpuMsOf(() => DuckDuckGoSearch.readPage(html)), 1_500)
  })

  it.live("a page is read as UTF-8 whatever else it claims", () =>
    Effect.gen(function*() {
      const { baseUrl, say } = yield* oneAnswer
      const found = { url: "https://a.example/", title: "보증금", content: "敷金" }
      yield* say({
        body: DuckDuckGoSearch.resultsPage("q", [found]),
        contentType: "text/html; charset=euc-kr"
      })
      const { hits } = yield* searchAt(baseUrl)
      assert.deepStrictEqual([hits[0]?.title, hits[0]?.content], ["보증금", "敷金"])
      assert.isTrue(Option.isNone(Option.fromUndefinedOr(hits[0]?.published_date)))
    }))
})
