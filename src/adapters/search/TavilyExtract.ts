/**
 * Tavily's extraction as a `PageExtractor`: one request through its SDK, decoded and cleaned here.
 */
import type { TavilyClient } from "@tavily/core"
import {
  extractedOf,
  pagesPerCredit,
  type RawPage,
  Tavily,
  urlsMax
} from "@web-grounding/dialects/Tavily"
import { chunksOfText } from "@web-grounding/language/Chunking"
import { clean, cut } from "@web-grounding/language/Sentences"
import { isPartial, noPageOf } from "@web-grounding/pages/PageGate"
import { parseTarget } from "@web-grounding/safe-fetch/Network"
import { Effect, Option, Result } from "effect"
import {
  type Engine,
  EngineFailed,
  type ExtractAnswer,
  type ExtractRequest,
  type PageExtractor,
  type PageText,
  type Readable
} from "../../application/ports/Engines.ts"
import { failureOf, SearchFailed } from "../../application/ports/SearchProvider.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import type { Exchange } from "../../infrastructure/HttpExchange.ts"
import { wholeOf } from "./DialectSearch.ts"
import { rawCharsMax, type RawPages } from "./TavilySearch.ts"
import * as TavilyTransport from "./TavilyTransport.ts"

/** Milliseconds of the caller's time reserved for the network. */
const wayMs = 500
/** Largest timeout that Tavily accepts, in seconds. */
const secondsMax = 60

export interface TavilyExtractOptions extends TavilyTransport.TavilyAccount {
  readonly isHostAllowed: (host: string) => boolean
  /** Least length of a closed passage, in UTF-16 code units. */
  readonly chunkCharsMin: number
}

export const make = (options: TavilyExtractOptions): PageExtractor => {
  const { isHostAllowed, keySlot, label } = options
  const client = TavilyTransport.clientOf(options)
  return {
    info: { engine: "tavily_extract", version: "1" },
    provider: label,
    keySlot,
    urlsMax,
    pagesPerCredit: pagesPerCredit.basic,
    mayBeTold: (url) => {
      const target = parseTarget(url)
      return Option.isSome(WebAddress.canonical(url)) && Result.isSuccess(target) &&
        isHostAllowed(target.success.host)
    },
    extract: Result.isFailure(client)
      ? () => Effect.fail(new SearchFailed({ provider: label, ...client.failure }))
      : extractWith(client.success, options)
  }
}

const extractWith = (
  client: TavilyClient,
  { chunkCharsMin: usual, label: provider }: TavilyExtractOptions
) =>
  Effect.fn("TavilyExtract.extract")(
    function*(
      { chunkCharsMin = usual, timeoutMs, urls }: ExtractRequest
    ): Effect.fn.Return<ExtractAnswer, SearchFailed> {
      const exchange = yield* TavilyTransport.exchange(
        (callName) =>
          client.extract(urls.slice(0, urlsMax), {
            extractDepth: "basic",
            format: "text",
            includeImages: false,
            includeUsage: true,
            timeout: Math.min(secondsMax, Math.max(1, Math.trunc((timeoutMs - wayMs) / 1_000))),
            clientName: callName
          }),
        TavilyTransport.rawBodyBytesMax
      ).pipe(
        Effect.mapError((unreachable) =>
          new SearchFailed({ provider, ...SearchStatus.unreachable(unreachable) })
        )
      )
      const answer = answerOf(exchange, new Set(urls), chunkCharsMin)
      return Result.isSuccess(answer)
        ? answer.success
        : yield* failureOf(provider, answer.failure, exchange)
    }
  )

const answerOf = (
  exchange: Exchange,
  asked: ReadonlySet<string>,
  chunkCharsMin: number
): Result.Result<ExtractAnswer, SearchStatus.SearchFault> =>
  wholeOf(exchange, Tavily, (text) =>
    Option.match(extractedOf(text), {
      onNone: () => Result.fail(SearchStatus.badBody),
      onSome: ({ pages, ...charge }) =>
        Result.succeed({
          pages: new Map(pages.flatMap((page) => pageOf(page, asked, chunkCharsMin)).reverse()),
          ...charge
        })
    }))

/** Ignores pages that were not requested; of duplicates, the first counts. */
const pageOf = (
  { raw_content, url }: RawPage,
  asked: ReadonlySet<string>,
  chunkCharsMin: number
): ReadonlyArray<readonly [url: string, page: PageText]> => {
  const href = Option.getOrElse(
    Option.map(WebAddress.canonical(url), ({ href }) => href),
    () => ""
  )
  if (!asked.has(href)) return []
  const { removedCount, text: whole } = clean(cut(raw_content, rawCharsMax))
  const chunks = chunksOfText(whole, [], chunkCharsMin)
  if (chunks.length === 0 || noPageOf({ text: whole }) !== undefined) return []
  return [[href, {
    reader: "tavily",
    detail: "extracted",
    ...(raw_content.length > rawCharsMax || isPartial(whole) ? { truncated: true } : {}),
    text: whole,
    chunks,
    removed_chars_count: removedCount
  }]]
}

// Reads the page text that Tavily sent with its hit: no request and no credit.

const info = { engine: "tavily", version: "1" }

interface TavilyRawReaderOptions {
  readonly pages: RawPages["Service"]
  /** Least length of a closed passage, in UTF-16 code units. */
  readonly chunkCharsMin: number
}

export const makeTavilyRawReader = (options: TavilyRawReaderOptions): Engine<"reader"> => ({
  info,
  ask: Effect.fn("TavilyRawReader.read")(
    function*(
      { chunkCharsMin = options.chunkCharsMin, textCharsMax = rawCharsMax, url }: Readable
    ) {
      const raw = Option.getOrElse(yield* options.pages.textOf(url), () => "")
      const { removedCount, text: whole } = clean(raw)
      const text = cut(whole, textCharsMax)
      const chunks = chunksOfText(text, [], chunkCharsMin)
      if (chunks.length === 0) {
        return yield* new EngineFailed({ ...info, reason: "malformed", detail: "no_text" })
      }
      const fault = noPageOf({ text: whole })
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
