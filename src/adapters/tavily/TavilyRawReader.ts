/** Reads the text that Tavily sent of a page with its hit: no request of its own, and no credit. */
import { chunksOfText } from "@web-grounding/language/Chunking"
import { clean, cut } from "@web-grounding/language/Sentences"
import { Effect, Option } from "effect"
import { EngineFailed, type PageReader } from "../../application/ports/Engines.ts"
import { rawCharsMax, type RawPages } from "./RawPages.ts"

const info = { engine: "tavily", version: "1" }

export interface TavilyRawReaderOptions {
  readonly pages: RawPages["Service"]
  /** Length from which a passage may be closed, in UTF-16 code units. */
  readonly chunkCharsMin: number
}

export const make = (options: TavilyRawReaderOptions): PageReader => ({
  info,
  read: Effect.fn("TavilyRawReader.read")(
    function*({ chunkCharsMin = options.chunkCharsMin, textCharsMax = rawCharsMax, url }) {
      const raw = Option.getOrElse(yield* options.pages.textOf(url), () => "")
      const { removedCount, text: whole } = clean(raw)
      const text = cut(whole, textCharsMax)
      const chunks = chunksOfText(text, [], chunkCharsMin)
      // Another provider found the page, an earlier search did, or Tavily could not read it.
      if (chunks.length === 0) {
        return yield* new EngineFailed({ ...info, reason: "malformed", detail: "no_text" })
      }
      return {
        reader: "tavily" as const,
        ...(raw.length === rawCharsMax || text.length < whole.length
          ? { truncated: true as const }
          : {}),
        text,
        chunks,
        removed_chars_count: removedCount
      }
    }
  )
})
