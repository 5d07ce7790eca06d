/** Which readers are asked before the provider's snippet: a part of the wiring. */
import { Effect, Layer } from "effect"
import * as LocalPageReader from "./adapters/pages/LocalPageReader.ts"
import * as PageExtraction from "./adapters/pages/PageExtraction.ts"
import * as SnippetPageReader from "./adapters/rules/SnippetPageReader.ts"
import { PageReaders } from "./application/ports/PageReader.ts"
import * as Settings from "./infrastructure/Settings.ts"
import type { Network } from "./infrastructure/web/Network.ts"
import * as SafeFetch from "./infrastructure/web/SafeFetch.ts"

/** Pages are fetched over `network` alone. */
export const layer = (network: Network) =>
  Layer.effect(
    PageReaders,
    Effect.gen(function*() {
      const settings = yield* Settings.Settings
      const local = settings.LOCAL_READER_ENABLED ? [yield* localReader(network, settings)] : []
      return { preferred: local, last: SnippetPageReader.make }
    })
  ).pipe(Layer.provide(PageExtraction.layer))

const localReader = Effect.fnUntraced(
  function*(network: Network, settings: Settings.SettingValues) {
    const { fetch } = yield* SafeFetch.make({
      network,
      userAgent: settings.LOCAL_READER_USER_AGENT,
      robots: settings.LOCAL_READER_ROBOTS ? "respected" : "ignored"
    })
    const { extractPage } = yield* PageExtraction.PageExtractions
    return LocalPageReader.make({ fetch, extract: extractPage })
  }
)
