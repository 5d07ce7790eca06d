/** Tavily's extraction as a `PageExtractor`: its own SDK, one request, decoded and cleaned here. */
import type { TavilyClient } from "@tavily/core"
import { chunksOfText } from "@web-grounding/language/Chunking"
import { clean, cut } from "@web-grounding/language/Sentences"
import { isPartial, noPageOf } from "@web-grounding/pages/PageGate"
import { parseTarget } from "@web-grounding/safe-fetch/Network"
import { Clock, Context, Effect, Layer, Option, Ref, Result, Schema } from "effect"
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
import * as TavilyTransport from "./TavilyTransport.ts"

/** Tavily's own ceiling of one request. */
const urlsMax = 20
/** Pages for one credit at the depth `basic`. */
const pagesPerCredit = 5
/** Milliseconds for the way there and back, out of the time that the caller waits. */
const wayMs = 500
/** Most seconds that Tavily may be told to take. */
const secondsMax = 60

export interface TavilyExtractOptions extends TavilyTransport.TavilyAccount {
  /** Hosts whose addresses may be told to Tavily. */
  readonly isHostAllowed: (host: string) => boolean
  /** Length from which a passage may be closed, in UTF-16 code units. */
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
    pagesPerCredit,
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

/** Results are read one by one: an odd one costs itself, not the answer. */
const Answer = Schema.fromJsonString(Schema.Struct({
  results: Schema.Array(Schema.Unknown),
  failed_results: Schema.Array(Schema.Unknown),
  usage: Schema.optionalKey(Schema.Unknown)
}))
const Page = Schema.Struct({ url: Schema.String, raw_content: Schema.NonEmptyString })

const decodeAnswer = Schema.decodeUnknownOption(Answer)
const decodePage = Schema.decodeUnknownOption(Page)
const decodeUsage = Schema.decodeUnknownOption(Schema.Struct({ credits: Schema.Unknown }))

const answerOf = (
  { body, status }: Exchange,
  asked: ReadonlySet<string>,
  chunkCharsMin: number
): Result.Result<ExtractAnswer, SearchStatus.SearchFault> => {
  const text = body._tag === "Whole" ? body.text : ""
  const refused = TavilyTransport.faultOf(status, text)
  if (Option.isSome(refused)) return Result.fail(refused.value)
  if (body._tag === "TooLarge") return Result.fail(SearchStatus.tooLarge)
  if (body._tag === "Cut") return Result.fail(SearchStatus.cutOff)
  return Option.match(decodeAnswer(text), {
    onNone: () => Result.fail(SearchStatus.badBody),
    onSome: ({ results, usage }) =>
      Result.succeed({
        pages: new Map(results.flatMap((result) => pageOf(result, asked, chunkCharsMin)).reverse()),
        ...creditsOf(usage)
      })
  })
}

/** A page that nobody asked for is not taken; of one that came twice, the first. */
const pageOf = (
  result: unknown,
  asked: ReadonlySet<string>,
  chunkCharsMin: number
): ReadonlyArray<readonly [url: string, page: PageText]> => {
  const page = decodePage(result)
  if (Option.isNone(page)) return []
  const { raw_content, url } = page.value
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

const creditsOf = (usage: unknown): Pick<ExtractAnswer, "credits"> =>
  Option.match(decodeUsage(usage), {
    onNone: () => ({}),
    onSome: ({ credits }) => {
      if (credits === null || credits === undefined) return {}
      return { credits: typeof credits === "number" ? credits : NaN }
    }
  })

// Reads the text that Tavily sent of a page with its hit: no request of its own, and no credit.

const info = { engine: "tavily", version: "1" }

interface TavilyRawReaderOptions {
  readonly pages: RawPages["Service"]
  /** Length from which a passage may be closed, in UTF-16 code units. */
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
      // Another provider found the page, an earlier search did, or Tavily could not read it.
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

// The pages' own text as Tavily sent it with its hits, for the reader that is asked for them soon
// after. In memory alone and for a short time: what of it the log keeps is for others to say.

/** A text is read within the grounding that searched for it. */
const ageMsMax = 120_000
/** The newest stay. */
const pagesMax = 200
/** Longest text kept of one page, in UTF-16 code units. */
export const rawCharsMax = 200_000

interface Kept {
  readonly text: string
  readonly atMs: number
}

export class RawPages extends Context.Service<RawPages, {
  /** Takes what an answer holds; an answer without such texts changes nothing. */
  readonly take: (body: string) => Effect.Effect<void>
  /** Text of a page by its canonical address; none where none was kept. */
  readonly textOf: (url: string) => Effect.Effect<Option.Option<string>>
}>()("web-grounding/adapters/tavily/TavilyExtract/RawPages") {}

const decodeRawAnswer = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ results: Schema.Array(Schema.Unknown) }))
)
const decodeResult = Schema.decodeUnknownOption(
  Schema.Struct({ url: Schema.String, raw_content: Schema.NonEmptyString })
)

export const layer = Layer.effect(
  RawPages,
  Effect.gen(function*() {
    const pages = yield* Ref.make<ReadonlyMap<string, Kept>>(new Map())

    const young = (nowMs: number, kept: Iterable<readonly [string, Kept]>) =>
      Array.from(kept).filter(([, { atMs }]) => nowMs - atMs <= ageMsMax).slice(-pagesMax)

    return RawPages.of({
      take: Effect.fn("RawPages.take")(function*(body: string) {
        const atMs = yield* Clock.currentTimeMillis
        const taken = textsOf(body).map(([url, text]) => [url, { text, atMs }] as const)
        yield* Ref.update(pages, (before) =>
          // A page that was sent again is among the newest.
          new Map(young(
            atMs,
            new Map([
              ...Array.from(before).filter(([url]) => !taken.some(([other]) => other === url)),
              ...taken
            ])
          )))
      }),
      textOf: (url) =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          (nowMs) =>
            Effect.map(Ref.get(pages), (all) =>
              Option.fromUndefinedOr(new Map(young(nowMs, all)).get(url)?.text))
        )
    })
  })
)

const textsOf = (body: string): ReadonlyArray<readonly [url: string, text: string]> =>
  Option.match(decodeRawAnswer(body), {
    onNone: () => [],
    onSome: ({ results }) =>
      results.flatMap((result) =>
        Option.toArray(Option.flatMap(decodeResult(result), ({ raw_content, url }) =>
          Option.map(
            WebAddress.canonical(url),
            ({ href }) => [href, cut(raw_content, rawCharsMax)] as const
          )))
      )
  })
