/**
 * Answers of earlier searches, and who is at work on one. A projection of the log: it may be lost.
 */
import { Context, type Effect } from "effect"
import type { QueryCacheEntry } from "../../domain/search/QueryCacheEntry.ts"

/** Name of a cached search. Tenants never share one. */
export interface CacheKey {
  readonly tenantId: string
  /** SHA-256 of the search's identity, lower-case hex. */
  readonly key: string
}

/**
 * Cache of search answers with a lease for whoever searches. Its outage makes searches dearer,
 * never wrong.
 */
export class QueryCache extends Context.Service<QueryCache, {
  /** Fresh or not; `undefined` when there is none, or when the cache cannot be asked. */
  readonly find: (key: CacheKey) => Effect.Effect<QueryCacheEntry | undefined>
  /** The newest entry wins, whoever is later. Never fails: what is lost is searched again. */
  readonly put: (key: CacheKey, entry: QueryCacheEntry) => Effect.Effect<void>
  /**
   * Whether `owner` alone, of all callers in all processes, may now search for the key. The lease
   * ends by itself after `leaseMs`, so that a dead leader's work is taken over. True when the cache
   * cannot be asked: a search made twice is better than none.
   */
  readonly lead: (key: CacheKey, owner: string, leaseMs: number) => Effect.Effect<boolean>
  /**
   * Lets the lease of `owner` end `leaseMs` from now. False when it is another's or nobody's by
   * now; it is not taken back then. True when the cache cannot be asked.
   */
  readonly renew: (key: CacheKey, owner: string, leaseMs: number) => Effect.Effect<boolean>
  /** Lets the next one lead. Has no effect for an owner that does not lead any more. */
  readonly resign: (key: CacheKey, owner: string) => Effect.Effect<void>
}>()("web-grounding/application/ports/QueryCache") {}
