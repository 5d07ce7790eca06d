/** Translates internal failures into public ones. Our log has the details. */
import { Effect } from "effect"
import type { AnyFailure } from "../contract/FailureTable.ts"
import { InternalFailure, SessionErased, StoreUnavailable } from "../contract/PublicFailure.ts"
import { asGiven } from "../domain/request/GivenFields.ts"

export const storeRetryAfterMs = 5_000

/** The log or a store was down before any step of the call. */
export const storeDown = (): StoreUnavailable =>
  new StoreUnavailable({ retry_after_ms: storeRetryAfterMs, may_have_searched: false })

const broken = () => new InternalFailure()

interface Inside {
  readonly _tag: string
  readonly erased_at?: string | undefined
  readonly version?: number | undefined
}

const told = {
  EventStoreUnavailable: storeDown,
  EvidenceStoreUnavailable: storeDown,
  ReadModelsUnavailable: storeDown,
  RowsUnreadable: storeDown,
  StreamConflict: storeDown,
  AnchorsUnavailable: storeDown,
  AnchorNotShipped: storeDown,
  EventErased: ({ erased_at }: Inside, session_id: string) =>
    new SessionErased({ session_id, ...asGiven({ erased_at }) }),
  EventUnreadable: ({ version }: Inside) => new InternalFailure(asGiven({ version })),
  EventNotStorable: broken,
  LogTampered: ({ version }: Inside) =>
    new InternalFailure({ detail: "record_changed", ...asGiven({ version }) }),
  BudgetRefused: broken,
  CommandRefused: broken
} as const

type InsideTag = keyof typeof told
type PublicOf<Tag> = Tag extends InsideTag ? ReturnType<(typeof told)[Tag]> : never

export interface Tellable {
  readonly _tag: AnyFailure["_tag"] | InsideTag
}

type Public<E extends Tellable> =
  | Exclude<E, { readonly _tag: InsideTag }>
  | PublicOf<E["_tag"]>
  | InternalFailure

const isInside = (tag: string): tag is InsideTag => Object.hasOwn(told, tag)

/** Logs each translated failure as `what`; a bug becomes an `InternalFailure`. */
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
      Effect.andThen(Effect.logError("a bug", defect), new InternalFailure())
    )
  )
  // Each failure of the table was replaced by its public one.
  return public_ as Effect.Effect<A, Public<E>, R>
}
