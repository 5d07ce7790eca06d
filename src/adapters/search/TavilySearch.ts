/** Tavily's search as a `SearchProvider`, through its own SDK, and a reader of its raw texts. */
import { rawPagesOf, Tavily } from "@web-grounding/dialects/Tavily"
import { chunksOfText } from "@web-grounding/language/Chunking"
import { clean, cut } from "@web-grounding/language/Sentences"
import { isPartial, noPageOf } from "@web-grounding/pages/PageGate"
import { Cache, Context, Effect, Layer, Option, Record, Result, String } from "effect"
import { type Engine, EngineFailed, type Readable } from "../../application/ports/Engines.ts"
import type { SearchProvider } from "../../application/ports/SearchProvider.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import * as DialectSearch from "./DialectSearch.ts"
import * as TavilyTransport from "./TavilyTransport.ts"

export interface TavilyOptions extends TavilyTransport.TavilyAccount {
  /** Store of the pages' raw text. Absent: the text is not requested. */
  readonly rawPages?: RawPages["Service"]
}

/** Without a key every search fails with `api_key_missing` before a client exists. */
export const make = (options: TavilyOptions): SearchProvider => {
  const { rawPages } = options
  const pageText = rawPages !== undefined
  const send = Result.map(
    TavilyTransport.clientOf(options),
    (client): DialectSearch.Send => (asked) => {
      const { query, ...fields } = Tavily.fieldsOf({ ...asked, pageText })
      return TavilyTransport.exchange(
        (clientName) =>
          client.search(cut(query, Tavily.queryCharsMax), {
            // The SDK names `include_usage` `includeUsage`.
            ...Record.mapKeys(fields, String.snakeToCamel),
            clientName
          }),
        pageText ? TavilyTransport.rawBodyBytesMax : undefined
      ).pipe(
        Effect.tap(({ status, text }) =>
          rawPages !== undefined && status === 200 ? rawPages.take(text) : Effect.void
        )
      )
    }
  )
  return DialectSearch.keyed(Tavily, options, send)
}

// Raw page texts that Tavily sent with its hits, for a short time in memory.

const ageMsMax = 120_000
/** The newest are kept. */
const pagesMax = 200
/** Longest text kept of one page, in UTF-16 code units. */
export const rawCharsMax = 200_000

export class RawPages extends Context.Service<RawPages, {
  readonly take: (body: string) => Effect.Effect<void>
  /** Text of a page by its canonical URL, if kept. */
  readonly textOf: (url: string) => Effect.Effect<Option.Option<string>>
}>()("web-grounding/adapters/search/TavilySearch/RawPages") {}

export const layer = Layer.effect(
  RawPages,
  Effect.gen(function*() {
    const pages = yield* Cache.make({
      capacity: pagesMax,
      timeToLive: ageMsMax,
      lookup: (_url: string) => Effect.succeed("")
    })
    return RawPages.of({
      take: Effect.fn("RawPages.take")(function*(body: string) {
        for (const [url, text] of textsOf(body)) {
          // A page sent again counts as new.
          yield* Cache.invalidate(pages, url)
          yield* Cache.set(pages, url, text)
        }
      }),
      textOf: (url) => Cache.getOption(pages, url)
    })
  })
)

const textsOf = (body: string): ReadonlyArray<readonly [url: string, text: string]> =>
  rawPagesOf(body).flatMap(({ raw_content, url }) =>
    Option.toArray(Option.map(
      WebAddress.canonical(url),
      ({ href }) => [href, cut(raw_content, rawCharsMax)] as const
    ))
  )

// Reads the page text that Tavily sent with its hit: no request and no credit.

const info = { engine: "tavily", version: "1" }

interface RawReaderOptions {
  readonly pages: RawPages["Service"]
  /** Least length of a closed passage, in UTF-16 code units. */
  readonly chunkCharsMin: number
}

export const makeRawReader = (options: RawReaderOptions): Engine<"reader"> => ({
  info,
  ask: Effect.fn("TavilyRawReader.read")(
    function*(
      { chunkCharsMin = options.chunkCharsMin, textCharsMax = rawCharsMax, url }: Readable
    ) {
      const raw = Option.getOrElse(yield* options.pages.textOf(url), () => "")
      const { removedCount, text: whole } = clean(raw)
      const text = cut(whole, textCharsMax)
      const chunks = chunksOfText(text, [], chunkCharsMin)
      const fault = chunks.length === 0 ? "no_text" : noPageOf({ text: whole })
      if (fault !== undefined) {
        return yield* new EngineFailed({ ...info, reason: "malformed", detail: fault })
      }
      return {
        reader: "tavily" as const,
        ...(raw.length === rawCharsMax || text.length < whole.length || isPartial(whole)
          ? { truncated: true as const }
          : {}),
        text,
        chunks,
        removed_chars_count: removedCount
      }
    }
  )
})
