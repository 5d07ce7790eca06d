/** Search adapters pointed at a sandbox, and requests for them. */
import { DateTime, Effect, Option, Redacted, Result } from "effect"
import type { SearchDialect } from "../../packages/dialects/src/Dialect.ts"
import * as DialectSearch from "../../src/adapters/search/DialectSearch.ts"
import * as TavilySearch from "../../src/adapters/search/TavilySearch.ts"
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
  return Effect.succeed(TavilySearch.make({
    apiKey: Option.some(Redacted.make(key)),
    baseUrl,
    keySlot: 1,
    label: "mock",
    ...rest
  }))
}

export const searchAt = (baseUrl: string, fields: Partial<SearchRequest> = {}) =>
  Effect.flatMap(providerAt(baseUrl), (provider) => provider.search(request(fields)))

/** Provider of a dialect, at an address, with a key or without any. */
export const dialectAt = (dialect: SearchDialect, key?: string) => (baseUrl: string) =>
  Effect.succeed(DialectSearch.make(dialect, {
    apiKey: Option.map(Option.fromUndefinedOr(key), (text) => Redacted.make(text)),
    baseUrl,
    keySlot: 1,
    label: "mock"
  }))

/** Hits of a body, as its adapter makes them; none for what is no answer. */
export const readBy = (dialect: SearchDialect, body: string, hitsMax = 5) =>
  Result.getSuccess(
    Result.flatMap(
      dialect.answerOf(body, DateTime.makeUnsafe("2026-11-21T12:00:00Z")),
      (answered) => DialectSearch.answerOf(answered, request({ hitsMax }), "mock")
    )
  )
