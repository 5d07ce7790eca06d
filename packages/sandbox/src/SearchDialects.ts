/** Protocols of all search providers, by the provider's name. */
import type { SearchDialect } from "./dialect/Dialect.ts"
import type { Searcher } from "./dialect/SandboxKey.ts"
import { DuckDuckGoDialect } from "./DuckDuckGoDialect.ts"
import { SerpApiDialect } from "./SerpApiDialect.ts"
import { TavilyDialect } from "./TavilyDialect.ts"

export const searchDialects: Readonly<Record<Searcher, SearchDialect>> = {
  tavily: TavilyDialect,
  duckduckgo: DuckDuckGoDialect,
  serpapi: SerpApiDialect
}

/** Each protocol with each of its ways to ask for a search. */
export const searchRoutes = Object.values(searchDialects).flatMap((dialect) =>
  dialect.routes.map((route) => ({ dialect, ...route }))
)
