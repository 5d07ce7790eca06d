/** SerpAPI's answer as we read it: the organic results, decoded by ourselves, cleaned and cut. */
import { type DateTime, Option, Result, Schema } from "effect"
import type { SearchAnswer, SearchRequest } from "../../application/ports/SearchProvider.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import type { ProviderName, SearchHit } from "../../domain/search/SearchStatus.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import { isWanted } from "../../domain/search/WebAddress.ts"
import * as RegistrableDomain from "../../infrastructure/RegistrableDomain.ts"
import * as SerpApiDate from "./SerpApiDate.ts"
import * as SerpApiStatus from "./SerpApiStatus.ts"

const requestIdCharsMax = 100

/** Results are read one by one: an odd one costs itself, not the answer. */
const Answer = Schema.fromJsonString(Schema.Struct({
  organic_results: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  error: Schema.optionalKey(Schema.Unknown),
  search_metadata: Schema.optionalKey(Schema.Unknown),
  search_information: Schema.optionalKey(Schema.Unknown)
}))
type Answer = typeof Answer.Type
const Found = Schema.Struct({
  link: Schema.String,
  title: Schema.optionalKey(Schema.NullOr(Schema.String)),
  snippet: Schema.optionalKey(Schema.NullOr(Schema.String)),
  date: Schema.optionalKey(Schema.Unknown)
})

const decodeAnswer = Schema.decodeUnknownOption(Answer)
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
export const errorOf = (body: string): string =>
  Option.match(decodeError(body), { onNone: () => "", onSome: ({ error }) => error })

export interface Asked {
  readonly provider: ProviderName
  readonly request: SearchRequest
  /** Days are told as "3 days ago", so an answer is read at a time. */
  readonly now: DateTime.Utc
}

/**
 * Hits of an answer's body. Without any it is "no results" only where the answer says so itself,
 * else a fault.
 */
export const readHits = (
  body: string,
  asked: Asked
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
  return Result.fail(SerpApiStatus.faultOfAnswer(searchStatusOf(answer), error))
}

const ofResults = (
  results: ReadonlyArray<unknown>,
  answer: Answer,
  asked: Asked
): Result.Result<SearchAnswer, SearchStatus.SearchFault> => {
  const usable = results.flatMap((result, place) => Option.toArray(hitOf(result, place + 1, asked)))
  if (usable.length === 0) return Result.fail(SearchStatus.badBody)
  const wanted = usable.filter(({ url }) => isWanted(new URL(url).hostname, asked.request))
  return Result.succeed({
    hits: WebAddress.withoutRepeats(wanted).slice(0, asked.request.hitsMax),
    droppedCount: results.length - usable.length,
    ...requestIdOf(answer)
  })
}

const hitOf = (result: unknown, rank: number, asked: Asked): Option.Option<SearchHit> =>
  Option.flatMap(decodeFound(result), ({ date, link, snippet, title }) =>
    WebAddress.hitOf({
      address: link,
      title: title ?? "",
      content: snippet ?? "",
      publishedDate: isString(date) ? SerpApiDate.dayOf(date, asked.now) : Option.none(),
      rank
    }, { provider: asked.provider, siteOf: RegistrableDomain.registrableDomain }))

const searchStatusOf = ({ search_metadata }: Answer): string =>
  Option.match(decodeStatus(search_metadata), { onNone: () => "", onSome: ({ status }) => status })

const isHonestlyEmpty = ({ error, search_information, ...answer }: Answer): boolean => {
  const searchStatus = searchStatusOf(answer)
  if (isString(error)) return searchStatus !== "Error" && SerpApiStatus.saysNothing(error)
  return searchStatus === "Success" && Option.exists(
    decodeState(search_information),
    ({ organic_results_state }) => /^Fully empty$/i.test(organic_results_state)
  )
}

const requestIdOf = ({ search_metadata }: Answer): { readonly upstreamRequestId?: string } =>
  Option.match(decodeId(search_metadata), {
    onNone: () => ({}),
    onSome: ({ id }) => ({ upstreamRequestId: WebAddress.lineOf(id, requestIdCharsMax) })
  })
