/** Wires the readers called before the provider's snippet is used. */
import * as PageExtraction from "@web-grounding/pages/PageExtraction"
import type { Network } from "@web-grounding/safe-fetch/Network"
import * as SafeFetch from "@web-grounding/safe-fetch/SafeFetch"
import { Effect, Option } from "effect"
import * as LocalPageReader from "../adapters/pages/LocalPageReader.ts"
import * as TavilySearch from "../adapters/search/TavilySearch.ts"
import type { Engine } from "../application/ports/Engines.ts"
import * as Settings from "../infrastructure/Settings.ts"

export interface ReadersOptions {
  /** The only network for fetching pages. */
  readonly network: Network
  /** Remote readers, called before our own fetch. */
  readonly outside: ReadonlyArray<Engine<"reader">>
  /** When to start the workers that read pages: starting takes longer than most pages. */
  readonly workersStart: "at once" | "with the first page"
}

export const preferred = Effect.fnUntraced(
  function*({ network, outside, workersStart }: ReadersOptions) {
    const settings = yield* Settings.Settings
    const pages = yield* TavilySearch.RawPages
    const chunkCharsMin = settings.INTERNET_RAG_CHUNK_SIZE
    const raw = isRawAsked(settings)
      ? [TavilySearch.makeRawReader({ chunkCharsMin, pages })]
      : []
    const local = settings.LOCAL_READER_ENABLED ? [yield* localReader(network, settings)] : []
    const { warm } = yield* PageExtraction.PageExtractions
    if (workersStart === "at once" && outside.length + local.length > 0) yield* warm
    return [...outside, ...local, ...raw]
  }
)

/** Whether Tavily is asked for page text: only if necessary, since other readers do not use it. */
export const isRawAsked = (settings: Settings.SettingValues): boolean =>
  settings.TAVILY_RAW_CONTENT && !settings.LOCAL_READER_ENABLED &&
  Option.isNone(settings.JINA_API_KEY)

const localReader = Effect.fnUntraced(
  function*(network: Network, settings: Settings.SettingValues) {
    const { open } = yield* SafeFetch.make({
      network,
      userAgent: settings.LOCAL_READER_USER_AGENT,
      robots: settings.LOCAL_READER_ROBOTS ? "respected" : "ignored"
    })
    const { extractPage, warm } = yield* PageExtraction.PageExtractions
    return LocalPageReader.make({
      // Starts missing workers during the fetch.
      fetch: (...asked) => Effect.andThen(warm, open(...asked)),
      // A web page's author cannot correct a date, so it is not reported.
      extract: (page) => Effect.map(extractPage(page), ({ unread_date: _, ...said }) => said),
      chunkCharsMin: settings.INTERNET_RAG_CHUNK_SIZE
    })
  }
)
