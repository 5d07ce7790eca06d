/**
 * Answers that other sessions of a tenant may be given. A projection of the log: it may be lost,
 * and it forgets what a session said when that session is erased.
 */
import { Context, Effect } from "effect"
import type { CachedPack } from "../../domain/session/GroundingOutcome.ts"
import type { MaxAge } from "../../domain/session/PackSharing.ts"
import type { CacheKey } from "../ports/QueryCache.ts"

/** Cache of answers by need, with a lease for whoever makes a new one. */
export interface PackCacheService {
  /** Whether this deployment gives answers to other sessions. */
  readonly isOn: boolean
  readonly maxAge: MaxAge
  /** Fresh or not; `undefined` when there is none, or when the cache cannot be asked. */
  readonly find: (key: CacheKey) => Effect.Effect<CachedPack | undefined>
  /** The newest wins, whoever is later. Never fails: what is lost is made again. */
  readonly put: (key: CacheKey, pack: CachedPack) => Effect.Effect<void>
}

/**
 * Cache of answers that other sessions may be given. Off where nothing is configured: each session
 * makes its own.
 */
export const PackCache = Context.Reference<PackCacheService>(
  "web-grounding/application/steps/PackCache",
  {
    defaultValue: () => ({
      isOn: false,
      maxAge: { general: 0, timely: 0 },
      find: () => Effect.undefined,
      put: () => Effect.void
    })
  }
)
