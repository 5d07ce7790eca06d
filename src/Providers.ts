/** Which search providers are asked, and in which order: a part of the wiring. */
import { Effect, Layer, Option, Redacted } from "effect"
import * as DuckDuckGoSearch from "./adapters/duckduckgo/DuckDuckGoSearch.ts"
import * as SerpApiSearch from "./adapters/serpapi/SerpApiSearch.ts"
import * as TavilySearch from "./adapters/tavily/TavilySearch.ts"
import { type KeySlots, SearchProviders } from "./application/ports/SearchProvider.ts"
import * as Settings from "./infrastructure/Settings.ts"

/** Any key of this form will do for the sandbox, and a real one must not go there. */
const sandboxKey = (name: string) => Option.some(Redacted.make(`${name}-sandbox-1`))

/** The same chain as on the web, every provider played by a sandbox and labelled so. */
export const played = (baseUrl: string) =>
  Layer.effect(
    SearchProviders,
    Effect.gen(function*() {
      const by = { baseUrl, label: "mock" } as const
      return [
        [yield* TavilySearch.make({ ...by, apiKey: sandboxKey("tvly"), keySlot: 1 })],
        [yield* DuckDuckGoSearch.make(by)],
        // One label is one ring of keys: their numbers must differ.
        [yield* SerpApiSearch.make({ ...by, apiKey: sandboxKey("serp"), keySlot: 2 })]
      ] as const
    })
  )

/** Tavily, then DuckDuckGo, then SerpAPI: each when those before it failed or found little. */
export const web = Layer.effect(
  SearchProviders,
  Effect.gen(function*() {
    const settings = yield* Settings.Settings
    const tavily = ({ apiKey, keySlot }: Settings.NumberedKey) =>
      TavilySearch.make({
        apiKey,
        baseUrl: settings.TAVILY_BASE_URL,
        keySlot,
        label: "tavily",
        projectId: settings.TAVILY_PROJECT
      })
    // Without any key the first slot stays, to say so.
    const [first = { apiKey: Option.none(), keySlot: 1 }, ...rest] = Settings.tavilyKeysOf(settings)
    const chain: ReadonlyArray<KeySlots> = [
      [yield* tavily(first), ...(yield* Effect.forEach(rest, tavily))],
      ...(settings.DUCKDUCKGO_ENABLED
        ? [
          [
            yield* DuckDuckGoSearch.make({
              baseUrl: settings.DUCKDUCKGO_BASE_URL,
              label: "duckduckgo"
            })
          ] as const
        ]
        : []),
      ...(Option.isSome(settings.SERPAPI_API_KEY)
        ? [
          [
            yield* SerpApiSearch.make({
              apiKey: settings.SERPAPI_API_KEY,
              baseUrl: settings.SERPAPI_BASE_URL,
              keySlot: 1,
              label: "serpapi"
            })
          ] as const
        ]
        : [])
    ]
    return chain
  })
)
