/** DuckDuckGo's page for browsers without scripts as a `SearchProvider`: one form, first page. */
import { Effect, Option, Result } from "effect"
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
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import * as DuckDuckGoAnswer from "./DuckDuckGoAnswer.ts"
import * as DuckDuckGoQuery from "./DuckDuckGoQuery.ts"
import * as DuckDuckGoRegion from "./DuckDuckGoRegion.ts"
import * as DuckDuckGoStatus from "./DuckDuckGoStatus.ts"

/** Bytes of a page after decompression, at most. A page of ten results takes about 33 kB. */
const bodyBytesMax = 2 * 1024 * 1024

export interface DuckDuckGoOptions {
  /** Origin of the page, with or without a trailing slash. */
  readonly baseUrl: string
  /** `mock` when `baseUrl` is the sandbox: made-up pages are never shown as DuckDuckGo's. */
  readonly label: "duckduckgo" | "mock"
}

/**
 * No key. There is no agreement to search by program either, and too many searches from one
 * address end in a puzzle: callers keep the rate low. The topic cannot be told to it.
 */
export const make = ({ baseUrl, label }: DuckDuckGoOptions): Effect.Effect<SearchProvider> =>
  Effect.succeed({ name: label, search: searchWith(baseUrl.replace(/\/+$/, ""), label) })

const searchWith = (origin: string, provider: "duckduckgo" | "mock") =>
  Effect.fn("DuckDuckGoSearch.search")(
    function*(request: SearchRequest): Effect.fn.Return<SearchAnswer, SearchFailed> {
      const exchange = yield* HttpExchange.exchange(formOf(origin, request), bodyBytesMax).pipe(
        Effect.mapError((unreachable) =>
          new SearchFailed({ provider, ...SearchStatus.unreachable(unreachable) })
        )
      )
      const answer = answerOf(exchange, provider, request)
      return Result.isSuccess(answer)
        ? answer.success
        : yield* failedBy(answer.failure, exchange, provider)
    }
  )

/** The sign of a browser that stays the same; one that changes with every search stands out. */
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

/** `b` is sent by the first page's button. Later pages need a token; without it they mark a bot. */
const formOf = (origin: string, request: SearchRequest): HttpClientRequest.HttpClientRequest => {
  const region = DuckDuckGoRegion.regionOf(WebAddress.marketOf(request))
  const age = request.timeRange?.slice(0, 1)
  const form = {
    q: DuckDuckGoQuery.queryText(request.query, request),
    b: "",
    kl: region,
    df: age ?? ""
  }
  return HttpClientRequest.post(`${origin}/html/`).pipe(
    HttpClientRequest.bodyUrlParams(form),
    HttpClientRequest.setHeaders({
      "user-agent": browser,
      accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      "accept-language": /^en\b/i.test(request.locale)
        ? request.locale
        : `${request.locale},en;q=0.5`,
      "accept-encoding": "gzip, deflate, br",
      referer: `${origin}/`,
      cookie: age === undefined ? `kl=${region}` : `kl=${region}; df=${age}`,
      "sec-fetch-dest": "document",
      "sec-fetch-mode": "navigate",
      "sec-fetch-site": "same-origin",
      "sec-fetch-user": "?1"
    })
  )
}

/** A bot check may come with any status, so the page is looked at before the status speaks. */
const answerOf = (
  { body, status }: HttpExchange.Exchange,
  provider: "duckduckgo" | "mock",
  request: SearchRequest
): Result.Result<SearchAnswer, SearchStatus.SearchFault> => {
  const refused = DuckDuckGoStatus.faultOf(status)
  if (body._tag !== "Whole") {
    const broken = body._tag === "Cut" ? SearchStatus.cutOff : SearchStatus.tooLarge
    return Result.fail(Option.getOrElse(refused, () => broken))
  }
  const answer = DuckDuckGoAnswer.readHits(body.text, provider, request)
  const isChallenge = Result.isFailure(answer) && answer.failure === DuckDuckGoStatus.captcha
  return Option.isNone(refused) || isChallenge ? answer : Result.fail(refused.value)
}

const failedBy = (
  fault: SearchStatus.SearchFault,
  { retryAfterMs, status }: HttpExchange.Exchange,
  provider: "duckduckgo" | "mock"
): SearchFailed =>
  failureOf(provider, fault, {
    status,
    retryAfterMs: fault.status === "rate_limited"
      ? Option.orElseSome(retryAfterMs, () => DuckDuckGoStatus.retryAfterMsOtherwise)
      : retryAfterMs
  })
