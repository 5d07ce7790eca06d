/** Tavily's search as a `SearchProvider`: its own SDK, one request, decoded and cleaned here. */
import type { TavilyClient } from "@tavily/core"
import { clean, cut } from "@web-grounding/language/Sentences"
import { DateTime, Effect, Option, Result, Schema } from "effect"
import {
  failureOf,
  type SearchAnswer,
  SearchFailed,
  type SearchProvider,
  type SearchRequest
} from "../../application/ports/SearchProvider.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import {
  contentCharsMax,
  type ProviderName,
  type SearchHit,
  titleCharsMax
} from "../../domain/search/SearchStatus.ts"
import * as TavilyCountry from "../../domain/search/TavilyCountry.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import { isOfficial } from "../../domain/search/WebAddress.ts"
import type { Exchange } from "../../infrastructure/HttpExchange.ts"
import * as RegistrableDomain from "../../infrastructure/RegistrableDomain.ts"
import type { RawPages } from "./TavilyExtract.ts"
import * as TavilyTransport from "./TavilyTransport.ts"

/** Tavily refuses longer queries with 400 (recorded). In UTF-16 code units. */
const queryCharsMax = 400
/** Tavily's own ceiling. */
const hitsMaxOfTavily = 20

export interface TavilyOptions extends TavilyTransport.TavilyAccount {
  /** Keeper of the pages' own text. Absent: the text is not asked for. */
  readonly rawPages?: RawPages["Service"]
}

/**
 * Makes the provider. Without a key every search fails with `api_key_missing` before a client
 * exists.
 */
export const make = (options: TavilyOptions): Effect.Effect<SearchProvider> =>
  Effect.sync(() => {
    const { keySlot, label } = options
    const client = TavilyTransport.clientOf(options)
    if (Result.isFailure(client)) {
      const unsendable = new SearchFailed({ provider: label, ...client.failure })
      return { name: label, keySlot, search: () => Effect.fail(unsendable) }
    }
    return { name: label, keySlot, search: searchWith(client.success, options) }
  })

const searchWith = (client: TavilyClient, { label: provider, rawPages }: TavilyOptions) =>
  Effect.fn("TavilySearch.search")(
    function*(request: SearchRequest): Effect.fn.Return<SearchAnswer, SearchFailed> {
      const exchange = yield* TavilyTransport.exchange(
        (callName) =>
          client.search(cut(request.query.toWellFormed(), queryCharsMax), {
            ...parametersOf(request),
            includeRawContent: rawPages === undefined ? false : "text",
            clientName: callName
          }),
        rawPages === undefined ? undefined : TavilyTransport.rawBodyBytesMax
      ).pipe(
        Effect.mapError((unreachable) =>
          new SearchFailed({ provider, ...SearchStatus.unreachable(unreachable) })
        )
      )
      const hitsMax = Math.min(request.hitsMax, hitsMaxOfTavily)
      const answer = answerOf(exchange, provider, hitsMax)
      if (Result.isFailure(answer)) return yield* failureOf(provider, answer.failure, exchange)
      if (rawPages !== undefined && exchange.body._tag === "Whole") {
        yield* rawPages.take(exchange.body.text)
      }
      return answer.success
    }
  )

/** `auto_parameters` would choose depth, and so cost, for us. Locale has no field of its own. */
const parametersOf = (request: SearchRequest) => ({
  searchDepth: request.depth,
  topic: request.topic,
  maxResults: Math.min(request.hitsMax, hitsMaxOfTavily),
  includeAnswer: false,
  includeImages: false,
  autoParameters: false,
  includeUsage: true,
  includeDomains: [...request.includeDomains],
  excludeDomains: [...request.excludeDomains],
  ...(request.timeRange === undefined ? {} : { timeRange: request.timeRange }),
  ...countryOf(request)
})

const countryOf = ({ region, topic }: SearchRequest): { readonly country?: string } =>
  topic !== "general" || region === undefined
    ? {}
    : Option.match(TavilyCountry.nameOf(region.country), {
      onNone: () => ({}),
      onSome: (country) => ({ country })
    })

const answerOf = (
  { body, status }: Exchange,
  provider: "tavily" | "mock",
  hitsMax: number
): Result.Result<SearchAnswer, SearchStatus.SearchFault> => {
  const text = body._tag === "Whole" ? body.text : ""
  const refused = TavilyTransport.faultOf(status, text)
  if (Option.isSome(refused)) return Result.fail(refused.value)
  if (body._tag === "TooLarge") return Result.fail(SearchStatus.tooLarge)
  if (body._tag === "Cut") return Result.fail(SearchStatus.cutOff)
  return Result.fromOption(
    readAnswer(text, provider, hitsMax),
    () => SearchStatus.badBody
  )
}

// Tavily's answer as we read it: little of it, decoded by ourselves, cleaned and cut.

const requestIdCharsMax = 100

/** Results are read one by one: an odd one costs itself, not the answer. */
const Answer = Schema.fromJsonString(Schema.Struct({
  results: Schema.Array(Schema.Unknown),
  usage: Schema.optionalKey(Schema.Unknown),
  request_id: Schema.optionalKey(Schema.Unknown)
}))
const ListedResult = Schema.Struct({
  url: Schema.String,
  title: Schema.optionalKey(Schema.NullOr(Schema.String)),
  content: Schema.optionalKey(Schema.NullOr(Schema.String)),
  score: Schema.optionalKey(Schema.Unknown),
  published_date: Schema.optionalKey(Schema.Unknown)
})
type ListedResult = typeof ListedResult.Type

const decodeAnswer = Schema.decodeUnknownOption(Answer)
const decodeResult = Schema.decodeUnknownOption(ListedResult)
const decodeUsage = Schema.decodeUnknownOption(Schema.Struct({
  credits: Schema.Unknown
}))
const isFinite = Schema.is(Schema.Finite)
const isString = Schema.is(Schema.String)

/**
 * Hits and charge of an answer's body. None for what is no answer of Tavily's, nor for one whose
 * results are all unusable: it must not pass for an honest "nothing found".
 */
export const readAnswer = (
  body: string,
  provider: ProviderName,
  hitsMax: number
): Option.Option<SearchAnswer> =>
  Option.flatMap(decodeAnswer(body), ({ request_id, results, usage }) => {
    const readHits = results.map((result, place) => hitOf(result, provider, place + 1))
    const hits = readHits.flatMap(Option.toArray)
    if (hits.length === 0 && results.length > 0) return Option.none()
    return Option.some({
      hits: withoutRepeats(hits).slice(0, hitsMax),
      droppedCount: results.length - hits.length,
      ...creditsOf(usage),
      ...(isString(request_id) ? { upstreamRequestId: lineOf(request_id, requestIdCharsMax) } : {})
    })
  })

/** Credits that the answer reports, however odd: the ledger decides whether they can be true. */
const creditsOf = (usage: unknown): Pick<SearchAnswer, "credits"> =>
  Option.match(decodeUsage(usage), {
    onNone: () => ({}),
    onSome: ({ credits }) => {
      if (credits === null || credits === undefined) return {}
      return { credits: typeof credits === "number" ? credits : NaN }
    }
  })

const withoutRepeats = (hits: ReadonlyArray<SearchHit>): ReadonlyArray<SearchHit> => {
  const seen = new Set<string>()
  return hits.filter(({ url }) => !seen.has(url) && seen.add(url))
}

const hitOf = (result: unknown, provider: ProviderName, rank: number): Option.Option<SearchHit> =>
  Option.flatMap(
    decodeResult(result),
    (read) =>
      Option.flatMap(WebAddress.canonical(read.url), ({ host, href }) => {
        const title = lineOf(read.title ?? "", titleCharsMax)
        const content = cut(clean(read.content ?? "").text.trim(), contentCharsMax)
        if (title === "" && content === "") return Option.none()
        return Option.some({
          url: href,
          title: title === "" ? host : title,
          content,
          ...scoreOf(read),
          ...publishedDateOf(read),
          provider,
          rank,
          site: RegistrableDomain.registrableDomain(host),
          official: isOfficial(host)
        })
      })
  )

const lineOf = (text: string, charsMax: number): string =>
  cut(clean(text).text.replace(/\s+/gu, " ").trim(), charsMax)

const scoreOf = ({ score }: ListedResult): Pick<SearchHit, "score"> =>
  isFinite(score) ? { score: Math.min(1, Math.max(0, score)) } : {}

const publishedDateOf = (
  { published_date }: ListedResult
): Pick<SearchHit, "published_date"> =>
  isString(published_date)
    ? Option.match(isoDate(published_date.trim()), {
      onNone: () => ({}),
      onSome: (date) => ({ published_date: date })
    })
    : {}

const isoPrefix = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/
const rfc1123 =
  /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]\d{4})$/

/**
 * Publication day as `YYYY-MM-DD`: the publisher's own where it wrote an ISO form, the day in UTC
 * otherwise.
 */
export const isoDate = (text: string): Option.Option<string> => {
  const day = isoPrefix.exec(text)?.[0]
  if (day !== undefined) return Option.filter(dayOf(day), (real) => real === day)
  return rfc1123.test(text) ? dayOf(text.replace(/UTC$/, "GMT")) : Option.none()
}

const dayOf = (text: string): Option.Option<string> =>
  Option.map(DateTime.make(text), DateTime.formatIsoDateUtc)
