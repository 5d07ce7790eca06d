/** Google's results through SerpAPI as a `SearchProvider`: one GET, decoded and cleaned here. */
import { DateTime, Effect, Option, Redacted, Result } from "effect"
import { HttpClientRequest } from "effect/http"
import {
  failureOf,
  type SearchAnswer,
  SearchFailed,
  type SearchProvider,
  type SearchRequest
} from "../../application/ports/SearchProvider.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import { withSites } from "../../domain/search/WebAddress.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import { isSendable } from "../../infrastructure/JsonPost.ts"
import * as SerpApiAnswer from "./SerpApiAnswer.ts"
import * as SerpApiLanguage from "./SerpApiLanguage.ts"
import * as SerpApiStatus from "./SerpApiStatus.ts"

/**
 * Bytes of an answer after decompression, at most. Ten results with all that stands around them
 * take about 75 kB.
 */
const bodyBytesMax = 4 * 1024 * 1024
/** Google reads no more than 2,048. In UTF-16 code units. */
const queryCharsMax = 2_000

export interface SerpApiOptions {
  readonly apiKey: Option.Option<Redacted.Redacted<string>>
  /** Origin of the API, with or without a trailing slash. */
  readonly baseUrl: string
  /** 1-based. */
  readonly keySlot: number
  /** `mock` when `baseUrl` is the sandbox: made-up pages are never shown as Google's. */
  readonly label: "serpapi" | "mock"
}

/**
 * Makes the provider. Without a key every search fails with `api_key_missing`, and nothing is sent.
 */
export const make = (options: SerpApiOptions): Effect.Effect<SearchProvider> =>
  Effect.sync(() => {
    const { baseUrl, keySlot, label } = options
    const key = Option.filter(
      Option.map(options.apiKey, (apiKey) => Redacted.make(Redacted.value(apiKey).trim())),
      (apiKey) => Redacted.value(apiKey) !== ""
    )
    if (Option.isNone(key)) {
      const missing = new SearchFailed({ provider: label, status: "api_key_missing" })
      return { name: label, keySlot, search: () => Effect.fail(missing) }
    }
    if (!isSendable(key.value)) {
      const unsendable = new SearchFailed({ provider: label, status: "invalid_key" })
      return { name: label, keySlot, search: () => Effect.fail(unsendable) }
    }
    const origin = baseUrl.replace(/\/+$/, "")
    return { name: label, keySlot, search: searchWith(origin, key.value, label) }
  })

/** The key joins the address inside `HttpExchange`, which neither traces nor tells what it sent. */
const searchWith = (
  origin: string,
  apiKey: Redacted.Redacted<string>,
  provider: "serpapi" | "mock"
) =>
  Effect.fn("SerpApiSearch.search")(
    function*(request: SearchRequest): Effect.fn.Return<SearchAnswer, SearchFailed> {
      const exchange = yield* HttpExchange.exchange(
        HttpClientRequest.get(`${origin}/search.json`).pipe(
          HttpClientRequest.setUrlParams(parametersOf(request)),
          HttpClientRequest.setUrlParam("api_key", Redacted.value(apiKey)),
          HttpClientRequest.setHeaders({
            accept: "application/json",
            "accept-encoding": "gzip, deflate, br",
            "user-agent": "web-grounding"
          })
        ),
        bodyBytesMax
      ).pipe(Effect.mapError((unreachable) =>
        new SearchFailed({ provider, ...SearchStatus.unreachable(unreachable) })
      ))
      const answer = answerOf(exchange, { provider, request, now: yield* DateTime.now })
      return Result.isSuccess(answer)
        ? answer.success
        : yield* failureOf(provider, answer.failure, exchange)
    }
  )

/** Topic and depth have no field of their own; a search of news alone has no organic results. */
const parametersOf = (request: SearchRequest): Readonly<Record<string, string>> => {
  const market = WebAddress.marketOf(request)
  return {
    engine: "google",
    q: withSites(request.query.toWellFormed(), request, queryCharsMax),
    num: String(request.hitsMax),
    ...Option.match(market.country, {
      onNone: () => ({}),
      onSome: (country) => ({ gl: country === "GB" ? "uk" : country.toLowerCase() })
    }),
    ...Option.match(SerpApiLanguage.languageCode(market), {
      onNone: () => ({}),
      onSome: (hl) => ({ hl })
    }),
    ...(request.timeRange === undefined ? {} : { tbs: `qdr:${request.timeRange.slice(0, 1)}` })
  }
}

const answerOf = (
  { body, status }: HttpExchange.Exchange,
  asked: SerpApiAnswer.Asked
): Result.Result<SearchAnswer, SearchStatus.SearchFault> => {
  const text = body._tag === "Whole" ? body.text : ""
  const refused = SerpApiStatus.faultOf(status, SerpApiAnswer.errorOf(text))
  if (Option.isSome(refused)) return Result.fail(refused.value)
  if (body._tag === "TooLarge") return Result.fail(SearchStatus.tooLarge)
  if (body._tag === "Cut") return Result.fail(SearchStatus.cutOff)
  return SerpApiAnswer.readHits(text, asked)
}
