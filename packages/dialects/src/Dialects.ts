/** Table of the search dialects, shared by adapter, sandbox and tests. */
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

export type Engine = keyof typeof dialects

export const engines: ReadonlyArray<Engine> = Object.keys(dialects).filter(
  (name): name is Engine => name in dialects
)
