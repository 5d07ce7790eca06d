/** Google's results through SerpAPI as a `SearchProvider`: one GET, decoded and cleaned here. */
import { DateTime, Effect, Option, Redacted, Result, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import {
  failureOf,
  type SearchAnswer,
  SearchFailed,
  type SearchProvider,
  type SearchRequest
} from "../../application/ports/SearchProvider.ts"
import * as FoundPage from "../../domain/search/FoundPage.ts"
import { isWanted, type SearchMarket, withSites } from "../../domain/search/FoundPage.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import {
  badBody,
  ofStatus,
  type ProviderName,
  type SearchFault,
  type SearchHit
} from "../../domain/search/SearchStatus.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import { isSendable } from "../../infrastructure/JsonPost.ts"
import * as RegistrableDomain from "../../infrastructure/RegistrableDomain.ts"

/**
 * Bytes of an answer after decompression, at most. Ten results with all that stands around them
 * take about 75 kB.
 */
const bodyBytesMax = 4 * 1024 * 1024
/** Google reads no more than 2,048. In UTF-16 code units. */
const queryCharsMax = 2_000

interface SerpApiOptions {
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
  const market = FoundPage.marketOf(request)
  return {
    engine: "google",
    q: withSites(request.query.toWellFormed(), request, queryCharsMax),
    num: String(request.hitsMax),
    ...Option.match(market.country, {
      onNone: () => ({}),
      onSome: (country) => ({ gl: country === "GB" ? "uk" : country.toLowerCase() })
    }),
    ...Option.match(languageCode(market), {
      onNone: () => ({}),
      onSome: (hl) => ({ hl })
    }),
    ...(request.timeRange === undefined ? {} : { tbs: `qdr:${request.timeRange.slice(0, 1)}` })
  }
}

const answerOf = (
  { body, status }: HttpExchange.Exchange,
  asked: SerpApiQuery
): Result.Result<SearchAnswer, SearchStatus.SearchFault> => {
  const text = body._tag === "Whole" ? body.text : ""
  const refused = faultOf(status, errorOf(text))
  if (Option.isSome(refused)) return Result.fail(refused.value)
  if (body._tag === "TooLarge") return Result.fail(SearchStatus.tooLarge)
  if (body._tag === "Cut") return Result.fail(SearchStatus.cutOff)
  return readHits(text, asked)
}

// SerpAPI's answer as we read it: the organic results, decoded by ourselves, cleaned and cut.

const requestIdCharsMax = 100

/** Results are read one by one: an odd one costs itself, not the answer. */
const SerpApiAnswer = Schema.fromJsonString(Schema.Struct({
  organic_results: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  error: Schema.optionalKey(Schema.Unknown),
  search_metadata: Schema.optionalKey(Schema.Unknown),
  search_information: Schema.optionalKey(Schema.Unknown)
}))
type SerpApiAnswer = typeof SerpApiAnswer.Type
const Found = Schema.Struct({
  link: Schema.String,
  title: Schema.optionalKey(Schema.NullOr(Schema.String)),
  snippet: Schema.optionalKey(Schema.NullOr(Schema.String)),
  date: Schema.optionalKey(Schema.Unknown)
})

const decodeAnswer = Schema.decodeUnknownOption(SerpApiAnswer)
const decodeFound = Schema.decodeUnknownOption(Found)
const decodeError = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.String }))
)
const decodeId = Schema.decodeUnknownOption(Schema.Struct({ id: Schema.NonEmptyString }))
const decodeStatus = Schema.decodeUnknownOption(Schema.Struct({ status: Schema.String }))
const decodeState = Schema.decodeUnknownOption(
  Schema.Struct({ organic_results_state: Schema.String })
)
const isString = Schema.is(Schema.String)

/** The words of an error; empty where there are none. */
const errorOf = (body: string): string =>
  Option.match(decodeError(body), { onNone: () => "", onSome: ({ error }) => error })

interface SerpApiQuery {
  readonly provider: ProviderName
  readonly request: SearchRequest
  /** Days are told as "3 days ago", so an answer is read at a time. */
  readonly now: DateTime.Utc
}

/**
 * Hits of an answer's body. Without any it is "no results" only where the answer says so itself,
 * else a fault.
 */
const readHits = (
  body: string,
  asked: SerpApiQuery
): Result.Result<SearchAnswer, SearchStatus.SearchFault> => {
  const decoded = decodeAnswer(body)
  if (Option.isNone(decoded)) return Result.fail(SearchStatus.badBody)
  const answer = decoded.value
  const { organic_results: results = [] } = answer
  if (results.length > 0) return ofResults(results, answer, asked)
  if (isHonestlyEmpty(answer)) {
    return Result.succeed({ hits: [], droppedCount: 0, ...requestIdOf(answer) })
  }
  const error = isString(answer.error) ? answer.error : ""
  return Result.fail(faultOfAnswer(searchStatusOf(answer), error))
}

const ofResults = (
  results: ReadonlyArray<unknown>,
  answer: SerpApiAnswer,
  asked: SerpApiQuery
): Result.Result<SearchAnswer, SearchStatus.SearchFault> => {
  const usable = results.flatMap((result, place) => Option.toArray(hitOf(result, place + 1, asked)))
  if (usable.length === 0) return Result.fail(SearchStatus.badBody)
  const wanted = usable.filter(({ url }) => isWanted(new URL(url).hostname, asked.request))
  return Result.succeed({
    hits: FoundPage.withoutRepeats(wanted).slice(0, asked.request.hitsMax),
    droppedCount: results.length - usable.length,
    ...requestIdOf(answer)
  })
}

const hitOf = (result: unknown, rank: number, asked: SerpApiQuery): Option.Option<SearchHit> =>
  Option.flatMap(decodeFound(result), ({ date, link, snippet, title }) =>
    FoundPage.hitOf({
      address: link,
      title: title ?? "",
      content: snippet ?? "",
      publishedDate: isString(date) ? dayOf(date, asked.now) : Option.none(),
      rank
    }, { provider: asked.provider, siteOf: RegistrableDomain.registrableDomain }))

const searchStatusOf = ({ search_metadata }: SerpApiAnswer): string =>
  Option.match(decodeStatus(search_metadata), { onNone: () => "", onSome: ({ status }) => status })

const isHonestlyEmpty = ({ error, search_information, ...answer }: SerpApiAnswer): boolean => {
  const searchStatus = searchStatusOf(answer)
  if (isString(error)) return searchStatus !== "Error" && saysNothing(error)
  return searchStatus === "Success" && Option.exists(
    decodeState(search_information),
    ({ organic_results_state }) => /^Fully empty$/i.test(organic_results_state)
  )
}

const requestIdOf = ({ search_metadata }: SerpApiAnswer): { readonly upstreamRequestId?: string } =>
  Option.match(decodeId(search_metadata), {
    onNone: () => ({}),
    onSome: ({ id }) => ({ upstreamRequestId: FoundPage.lineOf(id, requestIdCharsMax) })
  })

// The day behind a result's `date`, which is written for readers, in the language asked for.

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")

/** Each gives year, month and day. `3/4/2025` is left out: nobody knows which is the month. */
const absolute: ReadonlyArray<RegExp> = [
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?=$|[T ])/,
  /^(?<name>[A-Z][a-z]{2})[a-z]{0,6}\.? (?<day>\d{1,2}), (?<year>\d{4})$/,
  /^(?<day>\d{1,2}) (?<name>[A-Z][a-z]{2})[a-z]{0,6}\.? (?<year>\d{4})$/,
  /^(?<year>\d{4})\. ?(?<month>\d{1,2})\. ?(?<day>\d{1,2})\.?$/,
  /^(?<year>\d{4})(?:年|년) ?(?<month>\d{1,2})(?:月|월) ?(?<day>\d{1,2})(?:日|일)$/,
  /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})$/,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/
]

/** Forms of relative dates, up to weeks: a month ago is no day. */
const relative: ReadonlyArray<readonly [RegExp, "minutes" | "hours" | "days" | "weeks"]> = [
  [/^(\d{1,3}) (?:min|mins|minutes?) ago$|^(\d{1,3}) ?(?:분 전|分前)$/, "minutes"],
  [/^(\d{1,3}) hours? ago$|^(\d{1,3}) ?(?:시간 전|時間前)$/, "hours"],
  [/^(\d{1,3}) days? ago$|^(\d{1,3}) ?(?:일 전|日前)$/, "days"],
  [/^(\d{1,2}) weeks? ago$|^(\d{1,2}) ?(?:주 전|週間前)$/, "weeks"]
]

/** `YYYY-MM-DD`; none for what is no day or does not say which. */
export const dayOf = (text: string, now: DateTime.Utc): Option.Option<string> => {
  const written = text.trim()
  const groups = absolute.map((form) => form.exec(written)?.groups).find((found) =>
    found !== undefined
  )
  return groups === undefined ? dayBefore(written, now) : dayFrom(groups)
}

const dayFrom = ({ day = "", month = "", name, year = "" }: Readonly<Record<string, string>>) => {
  const number = name === undefined ? month : String(months.indexOf(name.toLowerCase()) + 1)
  const iso = `${year}-${number.padStart(2, "0")}-${day.padStart(2, "0")}`
  return Option.filter(
    Option.map(DateTime.make(`${iso}T00:00:00Z`), DateTime.formatIsoDateUtc),
    (real) => real === iso
  )
}

const dayBefore = (written: string, now: DateTime.Utc): Option.Option<string> => {
  const found = relative.flatMap(([form, unit]) => {
    const [, latin, other] = form.exec(written) ?? []
    const count = latin ?? other
    return count === undefined ? [] : [DateTime.subtract(now, { [unit]: Number(count) })]
  })
  return Option.map(Option.fromUndefinedOr(found[0]), DateTime.formatIsoDateUtc)
}

// The interface languages that Google knows; SerpAPI refuses a search in any other.

/** A part of SerpAPI's list: those that are written as in ISO 639-1. */
const languages: ReadonlySet<string> = new Set(
  (`af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu hi hr hu hy id is it
ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my ne nl no pa pl ro ru si sk sl sq sr sv sw ta te th
tr uk ur uz vi zu`).split(/\s+/)
)

const otherNames: Readonly<Record<string, string>> = { fil: "tl", he: "iw", nb: "no", nn: "no" }

const languageCode = ({ country, language }: SearchMarket): Option.Option<string> => {
  const place = Option.getOrElse(country, () => "")
  if (language === "zh") return Option.some(/^(?:TW|HK|MO)$/.test(place) ? "zh-tw" : "zh-cn")
  if (language === "pt") return Option.some(place === "BR" ? "pt-br" : "pt-pt")
  const name = otherNames[language] ?? language
  return name === "iw" || name === "tl" || languages.has(name) ? Option.some(name) : Option.none()
}

// Maps an answer of SerpAPI's to a status, by HTTP status and body alone.

/** The engine behind it did not answer; the search was taken and came to nothing. */
const engineFailed: SearchFault = { status: "network_error", detail: "engine_failed" }
/** Still being searched: an answer that we do not wait for. */
const unfinished: SearchFault = { status: "unknown_error", detail: "unfinished" }
const refused: SearchFault = { status: "unknown_error", detail: "refused" }

const faultByStatus: Readonly<Record<number, SearchFault>> = {
  400: { status: "bad_request" },
  401: { status: "invalid_key" },
  403: { status: "unknown_error", detail: "forbidden" },
  413: { status: "bad_request" },
  414: { status: "bad_request" },
  422: { status: "bad_request" }
}

/** The fault of a status and its words; none from 200 to 299, where the body decides. */
const faultOf = (httpStatus: number, error: string): Option.Option<SearchFault> =>
  httpStatus === 429
    ? Option.some(limitOf(error))
    : ofStatus(httpStatus, faultByStatus)

/** 429 is too many in an hour, or none left in the plan; only the words tell which. */
const limitOf = (error: string): SearchFault =>
  /run out of searches|searches (?:left|remaining)|monthly|\bplan\b.*\b(?:limit|exhausted)/i
      .test(error) && !/hour/i.test(error)
    ? { status: "quota_exhausted" }
    : { status: "rate_limited" }

/** An error's words in an answer with 200: nothing found is an answer, all else is not. */
const saysNothing = (error: string): boolean => /hasn['’]t returned any results/i.test(error)

/** The fault of an answer with 200 that holds no results and does not say that there are none. */
const faultOfAnswer = (searchStatus: string, error: string): SearchFault => {
  if (/^(?:Processing|Queued)$/i.test(searchStatus)) return unfinished
  if (/run out of searches/i.test(error)) return { status: "quota_exhausted" }
  if (/invalid api key/i.test(error)) return { status: "invalid_key" }
  if (/^Error$/i.test(searchStatus)) return engineFailed
  return error === "" ? badBody : refused
}
