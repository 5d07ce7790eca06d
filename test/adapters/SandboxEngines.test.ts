/** The sandbox's two other protocols, seen by a plain client. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Fault from "../../src/adapters/sandbox/dialect/Fault.ts"
import * as SandboxServer from "../../src/adapters/sandbox/SandboxServer.ts"

const ask = (path: string, init: RequestInit = {}) =>
  Effect.gen(function*() {
    const { baseUrl } = yield* SandboxServer.SandboxServer
    return yield* Effect.promise(async (signal) => {
      const response = await fetch(`${baseUrl}${path}`, { signal, redirect: "manual", ...init })
      return { status: response.status, headers: response.headers, body: await response.text() }
    })
  })

const asForm = (fields: Record<string, string>) =>
  ask("/html/", { method: "POST", body: new URLSearchParams(fields) })
const asSerp = (fields: Record<string, string>) =>
  Effect.map(
    ask(`/search.json?${new URLSearchParams({ api_key: "serp-sandbox-1", ...fields })}`),
    ({ body, status }) => ({ status, body: JSON.parse(body) })
  )

describe("DuckDuckGo's protocol", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect("a page of results, wrapped, with an ad before them and a day beside some", () =>
      Effect.gen(function*() {
        const { body, headers, status } = yield* asForm({ q: "Halvern tram fare" })
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("content-type"), "text/html; charset=UTF-8")
        const results = body.match(/class="result results_links results_links_deep web-result "/g)
        assert.isTrue((results ?? []).length > 3 && (results ?? []).length <= 10)
        assert.match(body, /result--ad[^]*web-result/)
        assert.match(
          body,
          /\/\/duckduckgo\.com\/l\/\?uddg=https%3A%2F%2F[^"]+&amp;rut=[0-9a-f]{64}"/
        )
        assert.match(body, /<span>[^<]*\d{4}-\d{2}-\d{2}T00:00:00\.0000000<\/span>/)
      }))

    it.effect.each([
      ["a bang", { q: "!w tram" }, 303],
      ["a bang after a word", { q: "tram w! fare" }, 303],
      ["a query of 500", { q: "x".repeat(500) }, 400],
      ["a quoted bang", { q: "'!w' tram" }, 200]
    ])("%s is answered with its status", ([, fields, expected]) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* asForm(Object(fields))).status, expected)
      }))

    it.effect("a bang says in a header where it leads", () =>
      Effect.gen(function*() {
        const { headers } = yield* asForm({ q: "!w tram" })
        assert.strictEqual(headers.get("location"), "https://elsewhere.example/")
      }))

    it.effect("a later page without its token, and an empty form", () =>
      Effect.gen(function*() {
        assert.include((yield* asForm({ q: "tram", s: "10" })).body, "challenge-form")
        assert.notInclude(
          (yield* asForm({ q: "tram", s: "10", vqd: "4-1" })).body,
          "challenge-form"
        )
        assert.notMatch((yield* asForm({})).body, /web-result|no-results|challenge/)
      }))

    it.effect("words of the query are no markup", () =>
      Effect.gen(function*() {
        const { body } = yield* asForm({ q: "tram <script>alert(1)</script> \"fare" })
        assert.notInclude(body, "<script")
        assert.notInclude(body, "\"fare")
      }))

    it.effect("`df` keeps to the days asked for", () =>
      Effect.gen(function*() {
        const countOf = (fields: Record<string, string>) =>
          Effect.map(asForm({ q: "Halvern tram fare", ...fields }), ({ body }) =>
            body.split("web-result").length)
        assert.isBelow(yield* countOf({ df: "d" }), yield* countOf({ df: "" }))
      }))
  })
})

describe("SerpAPI's protocol", () => {
  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect("an answer with its metadata, its state and its results", () =>
      Effect.gen(function*() {
        const { body, status } = yield* asSerp({ q: "Halvern tram fare", num: "4" })
        assert.strictEqual(status, 200)
        assert.strictEqual(body.search_metadata.status, "Success")
        assert.strictEqual(body.organic_results.length, 4)
        assert.deepStrictEqual(
          body.organic_results.map(({ position }: { readonly position: number }) => position),
          [1, 2, 3, 4]
        )
        const dates = body.organic_results.flatMap(({ date }: { readonly date?: string }) =>
          date ?? []
        )
        assert.isAbove(dates.length, 0)
        for (const date of dates) assert.match(date, /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
        assert.notInclude(JSON.stringify(body), "serp-sandbox-1")
      }))

    it.effect("nothing found is a success with an error in it", () =>
      Effect.gen(function*() {
        const { body, status } = yield* asSerp({ q: "zxqv wobblefrotz gnarpt" })
        assert.strictEqual(status, 200)
        assert.strictEqual(body.search_metadata.status, "Success")
        assert.strictEqual(body.error, "Google hasn't returned any results for this query.")
        assert.notProperty(body, "organic_results")
      }))

    it.effect.each([
      [{ q: "tram", api_key: "x" }, 401],
      [{ q: "tram", api_key: "tvly-sandbox-1" }, 401],
      [{ q: " " }, 400],
      [{ q: "tram", num: "0" }, 400],
      [{ q: "tram", engine: "altavista" }, 400],
      [{ q: "tram", api_key: "serp-sandbox-fault-429" }, 429],
      [{ q: "tram", api_key: "serp-sandbox-fault-serp-out-of-searches_2" }, 429]
    ])("%j is refused with %i", ([fields, expected]) =>
      Effect.gen(function*() {
        const { body, status } = yield* asSerp(Object(fields))
        assert.strictEqual(status, expected)
        assert.isString(body.error)
      }))
  })
})

describe("all protocols together", () => {
  it.each(["captcha", "ddg-202", "serp-hourly", "serp-out-of-searches", "serp-error"])(
    "fault:%s is read",
    (name) => assert.isTrue(Option.isSome(Fault.inText(`tram fault:${name}x2`)))
  )

  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect("are counted by provider, keys kept out", () =>
      Effect.gen(function*() {
        const { forget, hits } = yield* SandboxServer.SandboxServer
        yield* forget
        yield* asForm({ q: "tram" })
        yield* asForm({ q: "tram fault:500" })
        yield* asSerp({ q: "tram", api_key: "serp-sandbox-CANARY" })
        yield* ask("/search", { method: "POST", body: "{}" })
        const all = yield* hits
        assert.deepStrictEqual(all.by_provider, { duckduckgo: 2, serpapi: 1, tavily: 1 })
        assert.strictEqual(all.credits, 0)
        assert.strictEqual(all.by_query["tram"], 2)
        assert.notInclude(JSON.stringify(all), "CANARY")
      }))

    it.effect("say every fault without falling over", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const endless = new Set(["hang", "drip", "stall", "huge", "reset", "cut", "slow"])
        for (const name of Fault.faultNames.filter((name) => !endless.has(name))) {
          const query = `tram fault:${name}`
          const statuses = [
            (yield* asForm({ q: query })).status,
            (yield* ask(`/search.json?api_key=serp-sandbox-1&q=${encodeURIComponent(query)}`))
              .status
          ]
          for (const status of statuses) {
            const named = /^\d{3}/.exec(name)?.[0]
            if (named !== undefined) assert.strictEqual(String(status), named, name)
          }
        }
        assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:/)
      }))

    it.effect("find the same pages in the same order", () =>
      Effect.gen(function*() {
        const query = "Halvern tram fare"
        const { body: page } = yield* asForm({ q: query })
        const { body: serp } = yield* asSerp({ q: query, num: "10" })
        const ofPage = [
          ...page.matchAll(/class="result__a" href="\/\/duckduckgo\.com\/l\/\?uddg=([^&]+)&/g)
        ]
        assert.deepStrictEqual(
          ofPage.map(([, address = ""]) => decodeURIComponent(address)),
          serp.organic_results.map(({ link }: { readonly link: string }) => link)
        )
      }))
  })
})
