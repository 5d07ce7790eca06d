/** Which readers are asked before the provider's snippet: a part of the wiring. */
import { Effect, Layer, Option, Redacted } from "effect"
import * as JinaPageReader from "./adapters/jina/JinaPageReader.ts"
import * as LocalPageReader from "./adapters/pages/LocalPageReader.ts"
import * as PageExtraction from "./adapters/pages/PageExtraction.ts"
import * as SnippetPageReader from "./adapters/rules/SnippetPageReader.ts"
import * as EngineRest from "./application/EngineRest.ts"
import { type PageReader, PageReaders } from "./application/ports/PageReader.ts"
import * as Settings from "./infrastructure/Settings.ts"
import type { Network } from "./infrastructure/web/Network.ts"
import * as SafeFetch from "./infrastructure/web/SafeFetch.ts"

export interface ReadersOptions {
  /** Pages are fetched over it alone. */
  readonly network: Network
  /** Those outside that are asked before our own fetch. */
  readonly outside: ReadonlyArray<PageReader>
  /** When the workers that read pages are started: a start takes longer than most pages. */
  readonly workersStart: "at once" | "with the first page"
}

export const layer = ({ network, outside, workersStart }: ReadersOptions) =>
  Layer.effect(
    PageReaders,
    Effect.gen(function*() {
      const settings = yield* Settings.Settings
      const local = settings.LOCAL_READER_ENABLED ? [yield* localReader(network, settings)] : []
      const { warm } = yield* PageExtraction.PageExtractions
      if (workersStart === "at once" && settings.LOCAL_READER_ENABLED) yield* warm
      return { preferred: [...outside, ...local], last: SnippetPageReader.make }
    })
  ).pipe(Layer.provide(PageExtraction.layer))

/** Jina's reader where a key is set. */
export const jina = (settings: Settings.SettingValues): ReadonlyArray<PageReader> =>
  Option.toArray(
    Option.map(Settings.given(settings.JINA_API_KEY), (apiKey) =>
      EngineRest.reader(JinaPageReader.make({
        apiKey,
        baseUrl: settings.JINA_READER_BASE_URL,
        timeoutMs: settings.JINA_READER_TIMEOUT * 1_000,
        chunkCharsMin: settings.INTERNET_RAG_CHUNK_SIZE,
        isHostAllowed: JinaPageReader.isPublicHost
      })))
  )

/** As `jina`, played by a sandbox for names that nobody can have. The key itself stays here. */
export const jinaPlayed = (
  baseUrl: string,
  settings: Settings.SettingValues
): ReadonlyArray<PageReader> =>
  Option.isNone(Settings.given(settings.JINA_API_KEY)) ? [] : [
    EngineRest.reader(JinaPageReader.make({
      apiKey: Redacted.make("jina-sandbox-1"),
      baseUrl,
      timeoutMs: settings.JINA_READER_TIMEOUT * 1_000,
      chunkCharsMin: settings.INTERNET_RAG_CHUNK_SIZE,
      isHostAllowed: (host) => host.endsWith(".example")
    }))
  ]

const localReader = Effect.fnUntraced(
  function*(network: Network, settings: Settings.SettingValues) {
    const { open } = yield* SafeFetch.make({
      network,
      userAgent: settings.LOCAL_READER_USER_AGENT,
      robots: settings.LOCAL_READER_ROBOTS ? "respected" : "ignored"
    })
    const { extractPage, warm } = yield* PageExtraction.PageExtractions
    return LocalPageReader.make({
      // Workers that are not there yet start while the page is on its way.
      fetch: (address) => Effect.andThen(warm, open(address)),
      // A web page's author is not at hand to mend a date.
      extract: (page) => Effect.map(extractPage(page), ({ unread_date: _, ...said }) => said),
      chunkCharsMin: settings.INTERNET_RAG_CHUNK_SIZE
    })
  }
)
