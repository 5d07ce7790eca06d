/** Table of the search dialects: adapter, sandbox and tests go over it. */
import { Brave, BraveContext } from "./Brave.ts"
import type { SearchDialect } from "./Dialect.ts"
import { DuckDuckGo } from "./DuckDuckGo.ts"
import { Exa } from "./Exa.ts"
import { SearXng } from "./SearXng.ts"
import { SerpApi } from "./SerpApi.ts"
import { Serper } from "./Serper.ts"
import { Tavily } from "./Tavily.ts"

export const dialects = {
  tavily: Tavily,
  duckduckgo: DuckDuckGo,
  serpapi: SerpApi,
  searxng: SearXng,
  brave: Brave,
  brave_context: BraveContext,
  exa: Exa,
  serper: Serper
} as const satisfies Readonly<Record<string, SearchDialect>>

/** Name of a search engine that a dialect is known of. */
export type Engine = keyof typeof dialects

export const engines: ReadonlyArray<Engine> = Object.keys(dialects).filter(
  (name): name is Engine => name in dialects
)
