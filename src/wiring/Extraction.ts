/** Wires the extractors for pages that no reader could read. */
import { isPublicHost } from "../adapters/jina/JinaPageReader.ts"
import * as TavilyExtract from "../adapters/search/TavilyExtract.ts"
import type { PageExtractor } from "../application/ports/Engines.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as Providers from "./Providers.ts"

const tavily = Providers.table.filter(({ name }) => name === "tavily")

/** Tavily with each of its keys; none if switched off or without a key. */
export const configuredExtractors = (
  settings: Settings.SettingValues
): ReadonlyArray<PageExtractor> =>
  switched(
    settings,
    () =>
      tavily.flatMap(({ ledger }) => Settings.numberedKeys(settings, ledger?.keys ?? [])).map((
        key
      ) =>
        TavilyExtract.make({
          ...key,
          baseUrl: settings.TAVILY_BASE_URL,
          label: "tavily",
          projectId: settings.TAVILY_PROJECT,
          chunkCharsMin: settings.INTERNET_RAG_CHUNK_SIZE,
          isHostAllowed: isPublicHost
        })
      )
  )

/** Extractor of the sandbox, for its own sites only. */
export const sandboxExtractors = (
  baseUrl: string,
  settings: Settings.SettingValues
): ReadonlyArray<PageExtractor> =>
  switched(settings, () =>
    tavily.map((provider) =>
      TavilyExtract.make({
        baseUrl,
        apiKey: Providers.sandboxKeyOf(provider),
        keySlot: Providers.playedSlots.get(provider.name) ?? 1,
        label: "mock",
        chunkCharsMin: settings.INTERNET_RAG_CHUNK_SIZE,
        isHostAllowed: (host) => host.endsWith(".example")
      })
    ))

const switched = (
  { TAVILY_EXTRACT }: Settings.SettingValues,
  extractors: () => ReadonlyArray<PageExtractor>
): ReadonlyArray<PageExtractor> => TAVILY_EXTRACT ? extractors() : []
