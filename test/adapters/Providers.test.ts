import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { engines } from "../../packages/dialects/src/Dialects.ts"
import * as FaultAnswer from "../../packages/sandbox/src/dialect/FaultAnswer.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import {
  ceilingOf,
  type CreditCeilings,
  Credits,
  type KeySlots,
  SearchProviders
} from "../../src/application/ports/SearchProvider.ts"
import { KnownProvider, type ProviderName } from "../../src/domain/search/SearchStatus.ts"
import * as Settings from "../../src/infrastructure/Settings.ts"
import * as Providers from "../../src/wiring/Providers.ts"
import { sandbox } from "../support/grounding.ts"
import * as MemoryCredits from "../support/memory/MemoryCredits.ts"
import { request } from "../support/sandboxSearch.ts"

/** Each provider with the numbers of its keys, in the order of asking. */
const chain = (env: Record<string, string>) =>
  Effect.map(
    chainOf(env),
    (providers) =>
      providers.map((slots) =>
        [slots[0].name, ...slots.flatMap(({ keySlot }) => keySlot ?? [])].join(" ")
      )
  )

const settingsOf = (env: Record<string, string>) =>
  Effect.service(Settings.Settings).pipe(
    Effect.provide(Settings.layer.pipe(
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
    ))
  )

/** The chain as the sandbox plays it, where every engine that can be played is to be. */
const everyEngine = {
  SEARCH_PROVIDERS: engines.join(","),
  SEARXNG_BASE_URL: "http://127.0.0.1:9"
}
const playedAt = (baseUrl: string, env: Record<string, string> = {}) =>
  Effect.map(playedChains(baseUrl, env), ({ everyone }) => everyone)

const playedChains = (baseUrl: string, env: Record<string, string>) =>
  under(env, Providers.sandboxProviders(baseUrl))

type Ledger = NonNullable<(typeof Providers.table)[number]["ledger"]>

/** Rows that have keys, each with a ceiling of its own. */
const keyed = Providers.table.flatMap(({ ledger, name }) =>
  ledger === undefined ? [] : [{ name, ledger }]
).map((row, index) => ({ ...row, searches: index + 2 }))

const keysOf = ({ keys }: Ledger) => Object.fromEntries(keys.map((key) => [key, key]))

/** Every key of every provider, and every ceiling. */
const everyKey: Readonly<Record<string, string>> = Object.assign(
  {},
  ...keyed.map(({ ledger, searches }) => ({
    ...keysOf(ledger),
    [ledger.ceiling]: String(searches)
  }))
)

/** Keys of the chain that no price or no ceiling is known of. */
const uncounted = (chain: ReadonlyArray<KeySlots>, ceilings: CreditCeilings) =>
  chain.flat().filter(({ creditsByDepth, keySlot, name }) =>
    keySlot !== undefined &&
    (creditsByDepth === undefined || ceilingOf(ceilings, name, keySlot) === undefined)
  )

const chainOf = (env: Record<string, string>) =>
  Effect.map(chainsOf(env), ({ everyone }) => everyone)

const chainsOf = (env: Record<string, string>) => under(env, Providers.web)

const under = <E>(
  env: Record<string, string>,
  providers: Layer.Layer<SearchProviders, E, Settings.Settings>
) =>
  Effect.provide(
    SearchProviders,
    providers.pipe(
      Layer.provide(Settings.layer),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
    )
  )

interface Way {
  readonly row: (typeof Providers.table)[number]
  readonly key: string
  readonly slots: ReadonlyArray<number | undefined>
}

/** Each provider with each of its keys alone, or without one where it has none. */
const ways = Providers.table.flatMap((row): ReadonlyArray<Way> =>
  row.ledger?.keys.map((key, index) => ({ row, key, slots: [index + 1] })) ??
    [{ row, key: "no key", slots: [undefined] }]
)

describe("the table of providers", () => {
  it("has keys of the sandbox with which a fault can be asked for", () => {
    for (const { ledger } of Providers.table) {
      if (ledger === undefined) continue
      const faulty = ledger.sandboxKey.replace(/1$/, "fault-429_2")
      assert.strictEqual(Option.getOrUndefined(FaultAnswer.inKey(faulty))?.name, "429")
    }
    assert.isTrue(Option.isNone(FaultAnswer.inKey("real-sandbox-fault-429")))
  })

  it.effect("counts every key, on the web and in the sandbox, up to its own setting", () =>
    Effect.gen(function*() {
      const ceilings = Providers.ceilings(yield* settingsOf(everyKey))
      const web = yield* chainOf(everyKey)
      const played = yield* playedAt("http://127.0.0.1:9", everyEngine)
      assert.deepStrictEqual(uncounted([...web, ...played], ceilings), [])
      assert.deepStrictEqual(ceilings, {
        ...Object.fromEntries(keyed.map(({ name, searches }) => [name, searches])),
        mock: new Map(keyed.map(({ searches }, index) => [index + 1, searches]))
      })
      const unpriced = web.map(([{ creditsByDepth: _, ...first }]): KeySlots => [first])
      assert.lengthOf(uncounted(unpriced, ceilings), keyed.length)
      const { tavily, ...others } = ceilings
      assert.isDefined(tavily)
      assert.deepStrictEqual([...new Set(uncounted(web, others).map(({ name }) => name))], [
        "tavily"
      ])
    }))

  it.effect("warns where nothing that is asked has a key, and says what is asked", () =>
    Effect.gen(function*() {
      const warning = (env: Record<string, string>) =>
        Effect.map(
          settingsOf(env),
          (settings) => Option.getOrUndefined(Providers.warningOf(settings))
        )
      assert.match((yield* warning({})) ?? "", /only duckduckgo is asked, at best effort/)
      assert.match((yield* warning({ DUCKDUCKGO_ENABLED: "false" })) ?? "", /^No search provider/)
      assert.match((yield* warning({ TAVILY_API_KEY: " " })) ?? "", /TAVILY_API_KEY/)
      for (const key of keyed.flatMap(({ ledger }) => ledger.keys)) {
        assert.isUndefined(yield* warning({ [key]: "k" }))
      }
    }))

  it.effect("lets each key search as often as its setting says", () =>
    Effect.gen(function*() {
      const { reserve } = yield* Credits
      const granted = Effect.fnUntraced(function*(name: ProviderName, keySlot: number) {
        const months = yield* Effect.forEach(
          Array.from({ length: keyed.length + 3 }),
          () => reserve(name, keySlot, 1)
        )
        return months.filter((month) => month !== undefined).length
      })
      for (const [index, { ledger, name, searches }] of keyed.entries()) {
        assert.strictEqual(yield* granted("mock", index + 1), searches)
        assert.strictEqual(yield* granted(name, ledger.keys.length), searches)
      }
    }).pipe(Effect.provide(
      Layer.unwrap(
        Effect.map(settingsOf(everyKey), (settings) =>
          MemoryCredits.layer(Providers.ceilings(settings)))
      )
    )))

  it("names the providers that may be recorded, each once", () => {
    assert.sameMembers(
      [...Providers.table.map(({ name }) => name), "mock"],
      [...KnownProvider.literals]
    )
  })

  it("is in the documents with prices and settings", () => {
    const text = readFileSync("docs/providers.md", "utf8")
    const rows = Providers.table.map(({ ledger, name }) => {
      if (ledger === undefined) return `| \`${name}\` | none | none | 0 | 0 |`
      const { ceiling, creditsByDepth: { advanced, basic }, keys } = ledger
      return `| \`${name}\` | ${
        keys.map((key) => `\`${key}\``).join(", ")
      } | \`${ceiling}\` | ${basic} | ${advanced} |`
    })
    assert.deepStrictEqual(rows.filter((row) => !text.includes(row)), [])
    const honoured = Providers.table.filter(({ name }) => !text.includes(`\n| \`${name}\` | `))
    assert.deepStrictEqual(honoured, [])
  })
})

describe("each provider", () => {
  it.layer(sandbox, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect.each(ways)(
      "$row.name is asked with $key alone",
      ({ key, row, slots }) =>
        Effect.gen(function*() {
          const { baseUrl } = yield* SandboxServer.SandboxServer
          const apiKey = Providers.sandboxKeyOf(row)
          const chain = yield* chainOf({
            ...(Option.isSome(apiKey) ? { [key]: Redacted.value(apiKey.value) } : {}),
            ...(row.name === "custom" ? { CUSTOM_API_KEY: "tvly-sandbox-1" } : {}),
            [`${row.name.toUpperCase()}_BASE_URL`]: `${baseUrl}/${
              row.name === "custom" ? "tavily" : row.name
            }`
          })
          const asked = chain.find(([{ name }]) => name === row.name) ??
            assert.fail("it is not in the chain")
          assert.deepStrictEqual(asked.map(({ keySlot }) => keySlot), slots)
          assert.isNotEmpty((yield* asked[0].search(request())).hits)
        })
    )

    it.effect.each(engines.map((name, index) => ({ name, index })))(
      "$name answers alone where the sandbox plays it",
      ({ index, name }) =>
        Effect.gen(function*() {
          const server = yield* SandboxServer.SandboxServer
          yield* server.forget
          const played = yield* playedAt(server.baseUrl, everyEngine)
          const [provider] = played[index] ?? assert.fail("it is not played")
          assert.isNotEmpty((yield* provider.search(request())).hits)
          const { recent, total } = yield* server.hits
          assert.deepStrictEqual([total, recent[0]?.provider], [1, name])
        })
    )
  })
})

describe("the chain of providers", () => {
  it.effect("is Tavily, to say that it has no key, and DuckDuckGo, where nothing is set", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* chain({}), ["tavily 1", "duckduckgo"])
    }))

  it.effect("is in the table's order, and what needs a key only with one", () =>
    Effect.gen(function*() {
      const asked = ["tavily", "duckduckgo", "serpapi"]
      const names: ReadonlyArray<string> = Providers.table.map(({ name }) => name)
      assert.deepStrictEqual(names.filter((name) => asked.includes(name)), asked)
      const slots = (keys: ReadonlyArray<string> = []) => keys.map((_, index) => ` ${index + 1}`)
      assert.deepStrictEqual(
        yield* chain(everyKey),
        Providers.table.filter(({ name }) => name !== "searxng" && name !== "custom")
          .map(({ ledger, name }) => [name, ...slots(ledger?.keys)].join(""))
      )
      assert.deepStrictEqual(
        yield* chain({ TAVILY_API_KEY: "a", TAVILY_API_KEY_4: "b" }),
        ["tavily 1 4", "duckduckgo"]
      )
      for (const { ledger, name } of keyed) {
        assert.deepStrictEqual(
          yield* chain({ ...keysOf(ledger), DUCKDUCKGO_ENABLED: "false" }),
          [...(name === "tavily" ? [] : ["tavily 1"]), [name, ...slots(ledger.keys)].join("")]
        )
      }
    }))

  it.effect("follows an order that is set, and says of a name that it has no key", () =>
    Effect.gen(function*() {
      const order = { SEARCH_PROVIDERS: " serpapi, duckduckgo ,brave" }
      assert.deepStrictEqual(yield* chain({ ...order, BRAVE_API_KEY: "b", TAVILY_API_KEY: "t" }), [
        "serpapi 1",
        "duckduckgo",
        "brave 1"
      ])
      const [[first] = []] = yield* chainOf({ SEARCH_PROVIDERS: "exa" })
      const failure = yield* Effect.flip((first ?? assert.fail("no provider")).search(request()))
      assert.deepStrictEqual([failure.provider, failure.status], ["exa", "api_key_missing"])
      const played = yield* playedAt("http://127.0.0.1:9", order)
      assert.deepStrictEqual(played.map(([{ keySlot }]) => keySlot), [2, undefined, 3])
    }))

  it.effect("is a tenant's own where it has an order, and holds each provider once", () =>
    Effect.gen(function*() {
      const env = { SEARCH_PROVIDERS_TENANTS: "shop=exa tavily, lab=tavily duckduckgo" }
      const { everyone, byTenant } = yield* chainsOf({ ...env, TAVILY_API_KEY: "t" })
      const names = (slots: ReadonlyArray<KeySlots> = []) => slots.map(([{ name }]) => name)
      assert.deepStrictEqual(names(everyone), ["tavily", "duckduckgo"])
      assert.deepStrictEqual(names(byTenant.get("shop")), ["exa", "tavily"])
      assert.deepStrictEqual(byTenant.get("lab"), everyone)
      assert.strictEqual(byTenant.get("shop")?.[1], everyone[0])
      const played = yield* playedChains("http://127.0.0.1:9", env)
      const shop = played.byTenant.get("shop") ?? []
      assert.deepStrictEqual(shop.map(([{ keySlot }]) => keySlot), [5, 1])
      assert.strictEqual(shop[1], played.everyone[0])
      const failure = yield* settingsOf({ ...env, DUCKDUCKGO_ENABLED: "false" }).pipe(Effect.flip)
      assert.match(failure.message, /duckduckgo among/)
    }))

  it.effect.each([
    ["tavily,brav", /Expected one or more of tavily, .*custom, each once/],
    ["tavily,tavily", /each once/],
    [",", /Expected one or more/],
    ["searxng", /searxng among SEARCH_PROVIDERS/],
    ["tavily,custom", /custom among SEARCH_PROVIDERS/],
    ["duckduckgo", /duckduckgo among SEARCH_PROVIDERS/]
  ])("an order of %s is refused", ([names, problem]) =>
    Effect.gen(function*() {
      const env = { SEARCH_PROVIDERS: String(names), DUCKDUCKGO_ENABLED: "false" }
      const failure = yield* Effect.flip(settingsOf(env))
      assert.match(failure.message, problem as RegExp)
    }))

  it.effect("plays a server of one's own as its dialect, once", () =>
    Effect.gen(function*() {
      const own = { CUSTOM_BASE_URL: "http://127.0.0.1:9", CUSTOM_DIALECT: "brave" }
      for (const SEARCH_PROVIDERS of ["custom", "custom,brave"]) {
        const played = yield* playedAt("http://127.0.0.1:9", { ...own, SEARCH_PROVIDERS })
        assert.deepStrictEqual(played.map(([{ keySlot }]) => keySlot), [3])
      }
    }))

  it.effect("is labelled mock all through where the sandbox plays it", () =>
    Effect.gen(function*() {
      const played = yield* playedAt("http://127.0.0.1:9")
      assert.lengthOf(played, 3)
      assert.deepStrictEqual([...new Set(played.flat().map(({ name }) => name))], ["mock"])
    }))
})
