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
 *   search: () => new SearchFailed({ provider: "mock", status: "timeout" })
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
import { Context, Effect, Option, Schema } from "effect"
import type { CeilingUse } from "../../domain/health/SearchHealth.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { SearchDepth } from "../../domain/request/GroundingRequest.ts"
import type { QueryCacheEntry, SearchRequest } from "../../domain/search/QueryCacheEntry.ts"
import {
  type Honoured,
  ProviderName,
  SearchDetail,
  type SearchFault,
  type SearchHit,
  SearchStatus
} from "../../domain/search/SearchStatus.ts"
import type { EventStoreUnavailable } from "./EventStore.ts"

export type { SearchRequest }

/** Hits of one search. An answer without hits is a success. */
export interface SearchAnswer {
  /** Best first, at most `hitsMax`, canonical addresses, none twice. Empty: none found. */
  readonly hits: ReadonlyArray<SearchHit>
  /** Credits that the provider reports; `NaN` for what is no number, absent without a report. */
  readonly credits?: number
  readonly upstreamRequestId?: string
  readonly droppedCount: number
  readonly honoured?: Honoured
}

/**
 * Why an attempt gave no answer. Decided by HTTP status and body, never by a library's message.
 * Carries no key, query or URL.
 */
export class SearchFailed extends Schema.TaggedError<SearchFailed>()("SearchFailed", {
  provider: ProviderName,
  status: SearchStatus,
  detail: Schema.optionalKey(SearchDetail),
  http_status: Schema.optionalKey(Schema.Int),
  /** Wait that the provider asks for, in milliseconds, capped by the adapter at 24 h. */
  retry_after_ms: Schema.optionalKey(Schema.Int)
}) {}

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
    ...asGiven({ retry_after_ms: retryAfterMs })
  })

/** Price of a search that was answered with hits, by depth, in the unit of the key's ledger. */
export type CreditsByDepth = Readonly<Record<SearchDepth, number>>

export interface SearchProvider {
  readonly name: ProviderName
  /** 1-based number of the key in use; absent for providers without keys. */
  readonly keySlot?: number
  /** Counted against the key's month. Absent: nothing is counted. */
  readonly creditsByDepth?: CreditsByDepth
  /**
   * Sends one request, or none without a key. Interrupting it closes the socket. Bounded by the
   * caller's timeout, and the adapter's ceiling on the body.
   */
  readonly search: (request: SearchRequest) => Effect.Effect<SearchAnswer, SearchFailed>
}

/** Provider with each of its keys, in slot order; a provider without keys has one entry. */
export type KeySlots = readonly [SearchProvider, ...ReadonlyArray<SearchProvider>]

/** The providers of this deployment, preferred first, and of tenants with an order of their own. */
export class SearchProviders extends Context.Service<SearchProviders, {
  /** Never empty. */
  readonly everyone: ReadonlyArray<KeySlots>
  /** None of them is empty. */
  readonly byTenant: ReadonlyMap<string, ReadonlyArray<KeySlots>>
}>()("web-grounding/application/ports/SearchProvider/SearchProviders") {
  /** No tenant has an order of its own. */
  static readonly forEveryone = (everyone: ReadonlyArray<KeySlots>) =>
    SearchProviders.of({ everyone, byTenant: new Map() })
}

/** A tenant's providers, preferred first: its own, else the deployment's. */
export const providersBy = Effect.map(
  SearchProviders,
  ({ byTenant, everyone }) => (tenantId: string) => byTenant.get(tenantId) ?? everyone
)

/** Credits a month for each key of a provider, for all slots or by slot. Absent: no ceiling. */
export type CreditCeilings = Readonly<
  Partial<Record<ProviderName, number | ReadonlyMap<number, number>>>
>

/** Monthly ceiling of a key, in credits; `undefined` when there is none. */
export const ceilingOf = (
  ceilings: CreditCeilings,
  provider: ProviderName,
  keySlot: number
): number | undefined => {
  const ceiling = ceilings[provider]
  return typeof ceiling === "object" ? ceiling.get(keySlot) : ceiling
}

export interface KeyMonth {
  readonly provider: ProviderName
  readonly keySlot: number
  /** `YYYY-MM` in UTC, by the clock of the ledger. */
  readonly month: string
}

/** Ledger of credits in the providers' own units: reserved before the call, corrected after it. */
export class Credits extends Context.Service<Credits, {
  /** Atomic across processes. `undefined`: refused, since the ceiling would be passed. */
  readonly reserve: (
    provider: ProviderName,
    keySlot: number,
    credits: number
  ) => Effect.Effect<KeyMonth | undefined, EventStoreUnavailable>
  /** Corrects a reservation by the actual charge; negative gives back. */
  readonly correct: (month: KeyMonth, credits: number) => Effect.Effect<void, EventStoreUnavailable>
}>()("web-grounding/application/ports/SearchProvider/Credits") {}

interface SpentInMonth extends Pick<KeyMonth, "month"> {
  /** Reserved and charged; 0 for a key that was not used in the month. */
  readonly credits: number
}

export class CreditsSpent extends Context.Service<CreditsSpent, {
  readonly spent: (
    provider: ProviderName,
    keySlot: number
  ) => Effect.Effect<SpentInMonth, EventStoreUnavailable>
}>()("web-grounding/application/ports/SearchProvider/CreditsSpent") {}

/** Ceilings of the running month that are nearly used up, for alerts. */
export class CeilingUses extends Context.Service<CeilingUses, {
  /** Keys and tenants from `nearShare` on; of many the fullest. */
  readonly near: Effect.Effect<ReadonlyArray<CeilingUse>, EventStoreUnavailable>
}>()("web-grounding/application/ports/SearchProvider/CeilingUses") {}

export interface CreditReport {
  /** Credits since the provider's month began. Not negative. */
  readonly used: number
  /** Credits that the key may use in the month; absent where the provider names no limit. */
  readonly limit?: number
}

export interface CreditReporter {
  readonly provider: ProviderName
  readonly keySlot: number
  /** One request, which costs no credit. Interrupting it closes the socket. */
  readonly report: Effect.Effect<CreditReport, SearchFailed>
}

/** One for each key whose provider counts credits for us; may be empty. */
export class CreditReporters
  extends Context.Service<CreditReporters, ReadonlyArray<CreditReporter>>()(
    "web-grounding/application/ports/CreditReporters"
  )
{}

// Circuit breakers for all outside calls. A provider's keys cool down separately, see `KeyPool`.

export type Fault =
  /** Nothing: another request may succeed. */
  | "none"
  /** The server does not work; a few of these in a row open the circuit. */
  | "broken"
  /** The server asked for no request for so many milliseconds. */
  | { readonly restMs: number }

export interface GuardOptions<E> {
  /** Calls with one key share one circuit. */
  readonly key: string
  readonly faultOf: (failure: E) => Fault
  readonly resting: E
}

/** Longest cool-down, in milliseconds, even if a server asks for more: its limits may change. */
export const restMsMax = 15 * 60_000

export class Breakers extends Context.Service<Breakers, {
  /** Runs the call, or fails at once with `resting`. */
  readonly guard: <A, E>(
    ask: Effect.Effect<A, E>,
    options: GuardOptions<E>
  ) => Effect.Effect<A, E>
}>()("web-grounding/application/ports/SearchProvider/Breakers") {}

/** Circuit breakers that never open: for a replay, and for a single probe. */
export const none: Breakers["Service"] = { guard: (ask) => ask }

export interface CacheKey {
  readonly tenantId: string
  /** SHA-256 of the search's identity, lower-case hex. */
  readonly key: string
}

/** Cache of search answers with a lease per search. Its loss makes searches dearer, never wrong. */
export class QueryCache extends Context.Service<QueryCache, {
  readonly find: (key: CacheKey) => Effect.Effect<QueryCacheEntry | undefined>
  /** The newest entry wins, in any order of writes. Never fails. */
  readonly put: (key: CacheKey, entry: QueryCacheEntry) => Effect.Effect<void>
  /**
   * Whether `owner` alone, across all processes, may search for the key. The lease ends after
   * `leaseMs`. True when the cache cannot be reached: a search made twice is better than none.
   */
  readonly lead: (key: CacheKey, owner: string, leaseMs: number) => Effect.Effect<boolean>
  /** True also when the cache cannot be reached: a failed statement proves no process dead. */
  readonly isLed: (key: CacheKey) => Effect.Effect<boolean>
  /**
   * Extends `owner`'s lease to `leaseMs` from now. False when it is another's or has ended. True
   * when the cache cannot be reached.
   */
  readonly renew: (key: CacheKey, owner: string, leaseMs: number) => Effect.Effect<boolean>
  readonly resign: (key: CacheKey, owner: string) => Effect.Effect<void>
}>()("web-grounding/application/ports/SearchProvider/QueryCache") {}
