import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { SearchProviders } from "../../src/application/ports/SearchProvider.ts"
import * as Settings from "../../src/infrastructure/Settings.ts"
import * as Providers from "../../src/Providers.ts"

/** Each provider with the numbers of its keys, in the order of asking. */
const chain = (env: Record<string, string>) =>
  Effect.map(
    SearchProviders,
    (providers) =>
      providers.map((slots) =>
        [slots[0].name, ...slots.flatMap(({ keySlot }) => keySlot ?? [])].join(" ")
      )
  ).pipe(Effect.provide(
    Providers.web.pipe(
      Layer.provide(Settings.layer),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
    )
  ))

describe("the chain of providers", () => {
  it.effect("is Tavily, to say that it has no key, and DuckDuckGo, where nothing is set", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* chain({}), ["tavily 1", "duckduckgo"])
    }))

  it.effect("has Tavily's keys in turn first, SerpAPI last and only with its key", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* chain({ TAVILY_API_KEY: "a", TAVILY_API_KEY_4: "b", SERPAPI_API_KEY: "c" }),
        ["tavily 1 4", "duckduckgo", "serpapi 1"]
      )
      assert.deepStrictEqual(
        yield* chain({ SERPAPI_API_KEY: "c", DUCKDUCKGO_ENABLED: "false" }),
        ["tavily 1", "serpapi 1"]
      )
    }))

  it.effect("is labelled mock all through where the sandbox plays it", () =>
    Effect.gen(function*() {
      const played = yield* Effect.provide(SearchProviders, Providers.played("http://127.0.0.1:9"))
      assert.deepStrictEqual(played.map(([{ name }]) => name), ["mock", "mock", "mock"])
    }))
})
