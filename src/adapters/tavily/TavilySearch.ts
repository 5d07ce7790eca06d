/** Tavily's search as a `SearchProvider`: its own SDK, one request, decoded and cleaned here. */
import type { TavilyClient } from "@tavily/core"
import { cut } from "@web-grounding/language/Sentences"
import { Effect, Option, Result } from "effect"
import {
  failureOf,
  type SearchAnswer,
  SearchFailed,
  type SearchProvider,
  type SearchRequest
} from "../../application/ports/SearchProvider.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import * as TavilyCountry from "../../domain/search/TavilyCountry.ts"
import type { Exchange } from "../../infrastructure/HttpExchange.ts"
import type { RawPages } from "./RawPages.ts"
import * as TavilyAccount from "./TavilyAccount.ts"
import * as TavilyAnswer from "./TavilyAnswer.ts"
import * as TavilyStatus from "./TavilyStatus.ts"
import * as TavilyTransport from "./TavilyTransport.ts"

/** Tavily refuses longer queries with 400 (recorded). In UTF-16 code units. */
const queryCharsMax = 400
/** Tavily's own ceiling. */
const hitsMaxOfTavily = 20

export interface TavilyOptions extends TavilyAccount.TavilyAccount {
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
    const client = TavilyAccount.clientOf(options)
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
  const refused = TavilyStatus.faultOf(status, text)
  if (Option.isSome(refused)) return Result.fail(refused.value)
  if (body._tag === "TooLarge") return Result.fail(SearchStatus.tooLarge)
  if (body._tag === "Cut") return Result.fail(SearchStatus.cutOff)
  return Result.fromOption(
    TavilyAnswer.readAnswer(text, provider, hitsMax),
    () => SearchStatus.badBody
  )
}
