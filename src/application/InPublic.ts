/** Translates failures into the few that callers may see. Our log says what happened. */
import { Effect } from "effect"
import type { AnyFailure } from "../contract/FailureTable.ts"
import { InternalFailure, SessionErased, StoreUnavailable } from "../contract/PublicFailure.ts"

/** Milliseconds after which a caller may try again when the log was down. */
export const storeRetryAfterMs = 5_000

/** Public failure when the log or a store was down before anything of the call was done. */
export const storeDown = (): StoreUnavailable =>
  new StoreUnavailable({ retry_after_ms: storeRetryAfterMs, may_have_searched: false })

const broken = () => new InternalFailure()

interface Inside {
  readonly _tag: string
  readonly erased_at?: string | undefined
}

/** Table of the failures that callers do not see, with what each is told as. */
const told = {
  EventStoreUnavailable: storeDown,
  EvidenceStoreUnavailable: storeDown,
  ReadModelsUnavailable: storeDown,
  RowsUnreadable: storeDown,
  StreamConflict: storeDown,
  AnchorsUnavailable: storeDown,
  AnchorNotShipped: storeDown,
  EventErased: ({ erased_at }: Inside, session_id: string) =>
    new SessionErased({ session_id, ...(erased_at === undefined ? {} : { erased_at }) }),
  EventUnreadable: broken,
  EventNotStorable: broken,
  LogTampered: broken,
  BudgetRefused: broken,
  CommandRefused: broken,
  NotCollected: broken
} as const

type InsideTag = keyof typeof told
type PublicOf<Tag> = Tag extends InsideTag ? ReturnType<(typeof told)[Tag]> : never

/** Failures that may be told: those that callers see, and those of the table. */
interface Tellable {
  readonly _tag: AnyFailure["_tag"] | InsideTag
}

/** Failures that callers see in the place of these. */
type Public<E extends Tellable> =
  | Exclude<E, { readonly _tag: InsideTag }>
  | PublicOf<E["_tag"]>
  | InternalFailure

const isInside = (tag: string): tag is InsideTag => Object.hasOwn(told, tag)

/**
 * Turns failures into those that callers know; each that changes is logged as `what`, and a bug
 * becomes an `InternalFailure`. `session_id` is the session that was asked for, if any.
 */
export const inPublic = (what: string, session_id = "") =>
<A, E extends Tellable, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Public<E>, R> => {
  const public_: Effect.Effect<A, Tellable, R> = effect.pipe(
    Effect.catch((error): Effect.Effect<never, Tellable> => {
      const { _tag } = error
      return isInside(_tag)
        ? Effect.andThen(Effect.logError(what, error), Effect.fail(told[_tag](error, session_id)))
        : Effect.fail(error)
    }),
    Effect.catchDefect((defect) =>
      Effect.andThen(Effect.logError("a bug", defect), Effect.fail(new InternalFailure()))
    )
  )
  // Each failure of the table was replaced by what it is told as.
  return public_ as Effect.Effect<A, Public<E>, R>
}
