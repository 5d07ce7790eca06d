/** The protocols of the search providers as the sandbox speaks them, seen by a plain client. */
import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { carried, type SearchDialect } from "../../packages/dialects/src/Dialect.ts"
import { dialects, type Engine, engines } from "../../packages/dialects/src/Dialects.ts"
import * as Fault from "../../packages/sandbox/src/dialect/Fault.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import { searchRoutes } from "../../packages/sandbox/src/SandboxServer.ts"

type Raw = readonly [path: string, init: RequestInit]

/** A request by the dialect's own account, with the key in its place. */
const rawOf = (name: Engine, query: string, key: string): Raw => {
  const dialect: SearchDialect = dialects[name]
  const place = dialect.key
  const fields = carried(dialect, dialect.fieldsOf({ query, hitsMax: 10 }, now))
  const parameters = new URLSearchParams()
  for (const [field, value] of Object.entries(fields)) parameters.set(field, String(value))
  if (place !== undefined && "parameter" in place) parameters.set(place.parameter, key)
  const isBearer = place !== undefined && "header" in place && place.header === "authorization"
  return [
    `/${name}${dialect.paths[0]}${dialect.carrier === "parameters" ? `?${parameters}` : ""}`,
    {
      method: dialect.method,
      ...(place !== undefined && "header" in place
        ? { headers: { [place.header]: isBearer ? `Bearer ${key}` : key } }
        : {}),
      ...(dialect.carrier === "parameters"
        ? {}
        : { body: dialect.carrier === "json" ? JSON.stringify(fields) : parameters })
    }
  ]
}
const now = DateTime.makeUnsafe("2026-11-27T12:00:00Z")

const played = engines.map((name) => ({ name, isKeyed: "key" in dialects[name] }))

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
  it.each(Fault.faultNames)(
    "fault:%s is read",
    (name) => assert.isTrue(Option.isSome(Fault.inText(`tram fault:${name}x2`)))
  )

  layer(SandboxServer.layer({ port: 0 }), { excludeTestServices: true })((it) => {
    it.effect.each(played)(
      "$name is asked at its own route, and counted without its key",
      ({ isKeyed, name }) =>
        Effect.gen(function*() {
          const { forget, hits } = yield* SandboxServer.SandboxServer
          yield* forget
          const key = `${Fault.plain(name)}-CANARY`
          const [path, init] = rawOf(name, "tram", key)
          const route = `${init.method ?? "GET"} ${path.replace(/\?.*$/, "")}`
          const routes = searchRoutes.filter(({ engine }) => engine === name)
          assert.include(routes.map(({ method, path }) => `${method} ${path}`), route)
          assert.strictEqual((yield* ask(path, init)).status, 200)
          const good = yield* hits
          assert.deepStrictEqual([good.by_provider, good.by_query], [{ [name]: 1 }, { tram: 1 }])
          assert.notInclude(JSON.stringify(good), "CANARY")
          if (!isKeyed) return
          const bad = yield* ask(...rawOf(name, "tram", "nobody-sandbox-CANARY"))
          assert.strictEqual(bad.status, dialects[name].noKey.status)
          assert.notInclude(JSON.stringify(yield* hits), "CANARY")
        })
    )

    it.effect.each(played)(
      "$name says every fault without falling over",
      ({ name }) =>
        Effect.gen(function*() {
          const endless = new Set(["hang", "drip", "stall", "huge", "reset", "cut", "slow"])
          for (const fault of Fault.faultNames.filter((fault) => !endless.has(fault))) {
            const [path, init] = rawOf(name, `tram fault:${fault}`, Fault.plain(name))
            const { status } = yield* ask(path, init)
            const named = /^\d{3}/.exec(fault)?.[0]
            if (named !== undefined) assert.strictEqual(String(status), named, fault)
          }
        })
    )

    it.effect("find the same pages in the same order", () =>
      Effect.gen(function*() {
        const answers = yield* Effect.forEach(engines, (name) => {
          const [path, init] = rawOf(name, "Halvern tram fare", Fault.plain(name))
          return Effect.map(ask(path, init), ({ body }) => ({ name, body: unescaped(body) }))
        })
        const { body } = yield* ask(...rawOf("tavily", "Halvern tram fare", "tvly-sandbox-1"))
        const urls = JSON.parse(body).results.map(({ url }: { readonly url: string }) => url)
        assert.isAbove(urls.length, 3)
        for (const { body, name } of answers) {
          const places = urls.map((url: string) => body.indexOf(url))
          assert.isAtLeast(places[0], 0, name)
          assert.deepStrictEqual(places, places.toSorted((a: number, b: number) => a - b), name)
        }
      }))
  })
})

/** Addresses as they are, also where a page wraps them into one of its own. */
const unescaped = (body: string): string =>
  body.replace(/%[0-9A-F]{2}/g, (hex) => String.fromCharCode(parseInt(hex.slice(1), 16)))
