/** The protocols of the search providers as the sandbox speaks them, seen by a plain client. */
import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { carried, type SearchDialect } from "../../packages/dialects/src/Dialect.ts"
import { dialects, type Engine, engines } from "../../packages/dialects/src/Dialects.ts"
import * as Fault from "../../packages/sandbox/src/dialect/Fault.ts"
import * as FaultAnswer from "../../packages/sandbox/src/dialect/FaultAnswer.ts"
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

describe("all protocols together", () => {
  it.each(FaultAnswer.faultNames)(
    "fault:%s is read",
    (name) => assert.isTrue(Option.isSome(FaultAnswer.inText(`tram fault:${name}x2`)))
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
          for (const fault of FaultAnswer.faultNames.filter((fault) => !endless.has(fault))) {
            const [path, init] = rawOf(name, `tram fault:${fault}`, Fault.plain(name))
            const { status } = yield* ask(path, init)
            const own = (dialects[name] as SearchDialect).faults[fault]?.status
            const named = own ?? Number(/^\d{3}/.exec(fault)?.[0])
            if (named > 0) assert.strictEqual(status, named, fault)
          }
        })
    )

    it.effect("SearXNG is posted a form, or fields in the URL, too", () =>
      Effect.gen(function*() {
        const [asked] = rawOf("searxng", "tram", "")
        const get = yield* ask(asked)
        assert.deepStrictEqual((yield* ask(asked, { method: "POST" })).body, get.body)
        const [path = "", fields = ""] = asked.split("?")
        const form = { method: "POST", body: new URLSearchParams(fields) }
        assert.deepStrictEqual((yield* ask(path, form)).body, get.body)
      }))

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
