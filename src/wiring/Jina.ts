/** Wires Jina's engines. */
import * as PageExtraction from "@web-grounding/pages/PageExtraction"
import { Effect, Option } from "effect"
import * as JinaClient from "../adapters/jina/JinaClient.ts"
import * as JinaEmbedder from "../adapters/jina/JinaEmbedder.ts"
import * as JinaPageReader from "../adapters/jina/JinaPageReader.ts"
import * as JinaReranker from "../adapters/jina/JinaReranker.ts"
import type { SettingValues } from "../infrastructure/Settings.ts"

export const reranker = (options: JinaClient.JinaOptions, settings: SettingValues) =>
  JinaReranker.make({ ...options, model: settings.JINA_RERANKER_MODEL })

export const ownRerankers = (settings: SettingValues) =>
  Option.toArray(settings.RERANKER_BASE_URL).map((baseUrl) =>
    JinaReranker.make({
      baseUrl,
      engine: "reranker",
      wire: settings.RERANKER_WIRE,
      model: Option.getOrUndefined(settings.RERANKER_MODEL),
      apiKey: Option.getOrUndefined(settings.RERANKER_API_KEY)
    })
  )

export const embedder = (options: JinaClient.JinaOptions, settings: SettingValues) =>
  JinaEmbedder.make({
    ...options,
    model: settings.JINA_EMBEDDING_MODEL,
    dimensions: settings.JINA_EMBEDDING_DIMENSIONS
  })

/** Jina's page reader. `isHostAllowed` selects the hosts that may be read. Default: public ones. */
export const reader = (
  options: JinaClient.JinaOptions,
  settings: SettingValues,
  isHostAllowed: (host: string) => boolean = JinaPageReader.isPublicHost
) =>
  Effect.map(PageExtraction.PageExtractions, (pages) =>
    JinaPageReader.make({
      ...options,
      timeoutMs: settings.JINA_READER_TIMEOUT * 1_000,
      chunkCharsMin: settings.INTERNET_RAG_CHUNK_SIZE,
      pages,
      isHostAllowed
    }))
