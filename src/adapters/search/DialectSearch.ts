/** A search engine, by its dialect, as a `SearchProvider`. */
import {
  carried,
  type EngineAnswer,
  type EngineSearch,
  honouredOf,
  inRanges,
  type SearchDialect
} from "@web-grounding/dialects/Dialect"
import { DateTime, Effect, Option, Redacted, Result, Struct } from "effect"
import { HttpClientRequest } from "effect/http"
import {
  failureOf,
  type SearchAnswer,
  SearchFailed,
  type SearchProvider,
  type SearchRequest
} from "../../application/ports/SearchProvider.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import * as FoundPage from "../../domain/search/FoundPage.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import type { ProviderName, SearchFault } from "../../domain/search/SearchStatus.ts"
import * as SitePolicy from "../../domain/search/SitePolicy.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import { isSendable } from "../../infrastructure/JsonPost.ts"
import * as RegistrableDomain from "../../infrastructure/RegistrableDomain.ts"
import type { Unreachable } from "../../infrastructure/Unreachable.ts"

export interface Account {
  readonly apiKey: Option.Option<Redacted.Redacted<string>>
  /** Origin of the engine, with or without a trailing slash. */
  readonly baseUrl: string
  /** 1-based. */
  readonly keySlot: number
  /** `mock` when `baseUrl` is the sandbox: made-up pages are never labelled as an engine's. */
  readonly label: ProviderName
}

export const keyOf = (
  { apiKey }: Pick<Account, "apiKey">
): Result.Result<Redacted.Redacted<string>, SearchFault> => {
  const key = Option.match(apiKey, { onNone: () => "", onSome: Redacted.value }).trim()
  if (key === "") return Result.fail({ status: "api_key_missing" })
  return isSendable(Redacted.make(key))
    ? Result.succeed(Redacted.make(key))
    : Result.fail({ status: "invalid_key" })
}

export type Send = (asked: EngineSearch) => Effect.Effect<HttpExchange.Exchange, Unreachable>

export const make = (dialect: SearchDialect, account: Account): SearchProvider => {
  const send = (key: Option.Option<Redacted.Redacted<string>>) => sentWith(dialect, account, key)
  return dialect.key === undefined
    ? { name: account.label, search: searchBy(dialect, account.label, send(Option.none())) }
    : keyed(dialect, account, Result.map(keyOf(account), (key) => send(Option.some(key))))
}

/** Provider of a dialect with a key; without a usable one, every search fails with that fault. */
export const keyed = (
  dialect: SearchDialect,
  { keySlot, label }: Pick<Account, "keySlot" | "label">,
  send: Result.Result<Send, SearchFault>
): SearchProvider => ({
  name: label,
  keySlot,
  search: Result.isSuccess(send)
    ? searchBy(dialect, label, send.success)
    : () => new SearchFailed({ provider: label, ...send.failure })
})

/** `HttpExchange` neither traces nor logs the URL, which may contain the key. */
const sentWith = (
  dialect: SearchDialect,
  { baseUrl }: Account,
  key: Option.Option<Redacted.Redacted<string>>
): Send => {
  const origin = baseUrl.replace(/\/+$/, "")
  const address = `${origin}${dialect.paths[0]}`
  const secret = Option.match(key, { onNone: () => "", onSome: Redacted.value })
  const carrying = (fields: Readonly<Record<string, unknown>>) => {
    switch (dialect.carrier) {
      case "json":
        return HttpClientRequest.bodyJsonUnsafe(fields)
      case "form":
        return HttpClientRequest.bodyUrlParams(carried(dialect, fields))
      case "parameters":
        return HttpClientRequest.setUrlParams(carried(dialect, fields))
    }
  }
  const unlocked = (request: HttpClientRequest.HttpClientRequest) => {
    const place = dialect.key
    if (place === undefined) return request
    if ("parameter" in place) {
      return HttpClientRequest.setUrlParam(request, place.parameter, secret)
    }
    return place.header === "authorization"
      ? HttpClientRequest.bearerToken(request, secret)
      : HttpClientRequest.setHeader(request, place.header, secret)
  }
  return Effect.fnUntraced(function*(asked) {
    const fields = dialect.fieldsOf(asked, yield* DateTime.now)
    return yield* HttpExchange.exchange(
      HttpClientRequest.make(dialect.method)(address).pipe(
        carrying(fields),
        HttpClientRequest.setHeaders({
          accept: "application/json",
          "accept-encoding": "gzip, deflate, br",
          "user-agent": "web-grounding",
          ...dialect.headersOf?.(asked, origin)
        }),
        unlocked
      ),
      dialect.bodyBytesMax
    )
  })
}

const requestIdCharsMax = 100

const searchBy = (dialect: SearchDialect, provider: ProviderName, send: Send) => {
  const searched = Effect.fnUntraced(
    function*(
      asked: EngineSearch,
      wished: FoundPage.Wanted
    ): Effect.fn.Return<SearchAnswer, SearchFailed> {
      const exchange = yield* Effect.mapError(
        send({ ...asked, ...SitePolicy.asked(wished.sites, wished) }),
        (unreachable) => new SearchFailed({ provider, ...SearchStatus.unreachable(unreachable) })
      )
      const now = yield* DateTime.now
      const answer = Result.flatMap(
        wholeOf(exchange, dialect, (text) => dialect.answerOf(text, now)),
        (answered) => answerOf(answered, wished, provider)
      )
      if (Result.isSuccess(answer)) return answer.success
      const { retryAfterMs, status } = exchange
      return yield* failureOf(provider, answer.failure, {
        status,
        retryAfterMs: answer.failure.status === "rate_limited"
          ? Option.orElse(retryAfterMs, () => Option.fromUndefinedOr(dialect.limitMs))
          : retryAfterMs
      })
    }
  )
  return Effect.fn("DialectSearch.search")(
    function*(
      { region, ...request }: SearchRequest
    ): Effect.fn.Return<SearchAnswer, SearchFailed> {
      const now = yield* DateTime.now
      const wished = {
        ...request,
        hitsMax: Math.min(request.hitsMax, dialect.hitsMax),
        ...asGiven({ country: region?.country })
      }
      const asked = dialect.days === undefined ? wished : inRanges(wished, now)
      const first = yield* Effect.result(searched(asked, wished))
      const instead = isFruitless(first) ? dialect.instead?.(asked) ?? Option.none() : Option.none()
      const answer = Option.isSome(instead)
        ? yield* searched(instead.value, wished)
        : yield* Effect.fromResult(first)
      const sent = Option.getOrElse(instead, () => asked)
      const honoured = honouredOf(dialect, { asked: wished, sent, now })
      return Struct.keys(honoured).length === 0 ? answer : { ...answer, honoured }
    }
  )
}

/** Nothing was found, or engines failed before anything was. */
const isFruitless = (answer: Result.Result<SearchAnswer, SearchFailed>): boolean =>
  Result.isSuccess(answer)
    ? answer.success.hits.length === 0
    : answer.failure.detail === "engine_failed"

export const answerOf = (
  { credits, requestId, results }: EngineAnswer,
  asked: FoundPage.Wanted,
  provider: ProviderName
): Result.Result<SearchAnswer, SearchFault> =>
  Option.match(
    FoundPage.hitsOf(results, asked, { provider, siteOf: RegistrableDomain.registrableDomain }),
    {
      onNone: () => Result.fail(SearchStatus.badBody),
      onSome: (hits) =>
        Result.succeed({
          ...hits,
          ...asGiven({ credits }),
          ...(requestId === undefined
            ? {}
            : { upstreamRequestId: FoundPage.lineOf(requestId, requestIdCharsMax) })
        })
    }
  )

/** Content of a whole answer, or the fault of its status, size or end. */
export const wholeOf = <A>(
  { broken, status, text }: HttpExchange.Exchange,
  { faultOf }: Pick<SearchDialect, "faultOf">,
  read: (text: string) => Result.Result<A, SearchFault>
): Result.Result<A, SearchFault> => {
  const refused = faultOf(status, text)
  if (Option.isSome(refused)) return Result.fail(refused.value)
  if (broken === undefined) return read(text)
  return Result.fail(broken === "cut_off" ? SearchStatus.cutOff : SearchStatus.tooLarge)
}
