/**
 * Port of the search providers, which turn a query into ranked hits.
 *
 * Adapters do not retry, rotate, cache or count: `SearchWeb` does. Each failure is a status.
 *
 * ```ts
 * import { Effect } from "effect"
 * import { SearchFailed, type SearchProvider } from "./SearchProvider.ts"
 *
 * const silent: SearchProvider = {
 *   name: "mock",
 *   search: () => Effect.fail(new SearchFailed({ provider: "mock", status: "timeout" }))
 * }
 * const query = {
 *   query: "notice period of a tenant",
 *   hitsMax: 5,
 *   depth: "basic",
 *   topic: "general",
 *   locale: "en",
 *   includeDomains: [],
 *   excludeDomains: []
 * } as const
 * const failed = await Effect.runPromise(Effect.flip(silent.search(query)))
 * failed.status // => "timeout"
 * ```
 */
import { Context, type Effect, Option, Schema } from "effect"
import type {
  Region,
  SearchDepth,
  SearchTopic,
  TimeRange
} from "../../domain/request/GroundingRequest.ts"
import {
  ProviderName,
  SearchDetail,
  type SearchFault,
  type SearchHit,
  SearchStatus
} from "../../domain/search/SearchStatus.ts"

/** One search as a provider is asked for it. */
export interface SearchRequest {
  /** Words to search for, at most 400 UTF-16 code units. */
  readonly query: string
  /** 1 to 20. A provider that answers with more is cut to it. */
  readonly hitsMax: number
  readonly depth: SearchDepth
  readonly topic: SearchTopic
  readonly region?: Region
  readonly locale: string
  readonly timeRange?: TimeRange
  readonly includeDomains: ReadonlyArray<string>
  readonly excludeDomains: ReadonlyArray<string>
  /**
   * Milliseconds for one attempt, where fewer than the service's own. Adapters do not look at it.
   */
  readonly attemptTimeoutMs?: number
}

/** Hits of one search. An answer without hits is a success. */
export interface SearchAnswer {
  /**
   * Best first, at most `hitsMax`, canonical http(s) addresses, no address twice. Empty: none
   * found.
   */
  readonly hits: ReadonlyArray<SearchHit>
  /**
   * Credits that the provider reports, whatever the value; `NaN` when it reports no number. Absent
   * when it reports nothing.
   */
  readonly credits?: number
  readonly upstreamRequestId?: string
  /** Hits left out because their address or text was unusable. */
  readonly droppedCount: number
}

/**
 * Why one attempt gave no answer; `status` is never `success` or `no_results`. Decided by HTTP
 * status and body, never by a library's message. Carries no key, no query and no URL.
 */
export class SearchFailed extends Schema.TaggedError<SearchFailed>()("SearchFailed", {
  provider: ProviderName,
  status: SearchStatus,
  detail: Schema.optionalKey(SearchDetail),
  http_status: Schema.optionalKey(Schema.Int),
  /** Wait that the provider asks for, in milliseconds, capped by the adapter at 24 h. */
  retry_after_ms: Schema.optionalKey(Schema.Int)
}) {}

/** Failure of a provider whose HTTP answer came to this fault. */
export const failureOf = (
  provider: ProviderName,
  fault: SearchFault,
  { retryAfterMs, status }: {
    readonly status: number
    readonly retryAfterMs: Option.Option<number>
  }
): SearchFailed =>
  new SearchFailed({
    provider,
    ...fault,
    http_status: status,
    ...Option.match(retryAfterMs, { onNone: () => ({}), onSome: (ms) => ({ retry_after_ms: ms }) })
  })

/** Price of a search that was answered with hits, by depth, in the unit of the key's ledger. */
export type CreditsByDepth = Readonly<Record<SearchDepth, number>>

/** One search provider with one of its keys. */
export interface SearchProvider {
  readonly name: ProviderName
  /** 1-based number of the key in use; absent for providers without keys. */
  readonly keySlot?: number
  /** Counted against the key's month. Absent: nothing is counted. */
  readonly creditsByDepth?: CreditsByDepth
  /**
   * Asks the provider in one request, or in none when no key is configured. Interrupting it closes
   * the socket. Bounded by the caller's timeout, and by a ceiling of its own on the body.
   */
  readonly search: (request: SearchRequest) => Effect.Effect<SearchAnswer, SearchFailed>
}

/** Provider with each of its keys, in slot order; a provider without keys has one entry. */
export type KeySlots = readonly [SearchProvider, ...ReadonlyArray<SearchProvider>]

/** The providers of this deployment, preferred first. Never empty. */
export class SearchProviders extends Context.Service<SearchProviders, ReadonlyArray<KeySlots>>()(
  "web-grounding/application/ports/SearchProviders"
) {}
