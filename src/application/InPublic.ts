/** Translates failures into the few that callers may see. Our log says what happened. */
import { Effect, Predicate } from "effect"
import { InternalFailure, StoreUnavailable } from "../contract/PublicFailure.ts"

/** Milliseconds after which a caller may try again when the log was down. */
export const storeRetryAfterMs = 5_000

interface Tagged {
  readonly _tag: string
}

/** Public failure when the log or a store was down before anything of the call was done. */
export const storeDown = (): StoreUnavailable =>
  new StoreUnavailable({ retry_after_ms: storeRetryAfterMs, may_have_searched: false })

/**
 * Turns failures into those that callers know: `toPublic` says which, and each that changes is
 * logged as `what`; a bug becomes an `InternalFailure`.
 */
export const inPublic = <Failed extends Tagged, Public extends Tagged>(
  toPublic: (error: Failed) => Public,
  what: string
) =>
<A, E extends Failed, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Public | InternalFailure, R> =>
  effect.pipe(
    Effect.catch((error) => {
      const told = toPublic(error)
      return Predicate.isTagged(told, error._tag)
        ? Effect.fail(told)
        : Effect.andThen(Effect.logError(what, error), Effect.fail(told))
    }),
    Effect.catchDefect((defect) =>
      Effect.andThen(Effect.logError("a bug", defect), Effect.fail(new InternalFailure()))
    )
  )
