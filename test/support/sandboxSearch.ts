/** A Tavily adapter pointed at a sandbox, and requests for it. */
import { Effect, Option, Redacted } from "effect"
import * as TavilySearch from "../../src/adapters/tavily/TavilySearch.ts"
import type { SearchRequest } from "../../src/application/ports/SearchProvider.ts"

export const request = (fields: Partial<SearchRequest> = {}): SearchRequest => ({
  query: "Halvern tram fare",
  hitsMax: 5,
  depth: "basic",
  topic: "general",
  locale: "en",
  includeDomains: [],
  excludeDomains: [],
  ...fields
})

export const providerAt = (
  baseUrl: string,
  options: Partial<TavilySearch.TavilyOptions> & { readonly key?: string } = {}
) => {
  const { key = "tvly-sandbox-1", ...rest } = options
  return TavilySearch.make({
    apiKey: Option.some(Redacted.make(key)),
    baseUrl,
    keySlot: 1,
    label: "mock",
    ...rest
  })
}

export const searchAt = (baseUrl: string, fields: Partial<SearchRequest> = {}) =>
  Effect.flatMap(providerAt(baseUrl), (provider) => provider.search(request(fields)))
