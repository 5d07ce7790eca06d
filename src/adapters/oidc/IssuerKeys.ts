/**
 * An issuer's keys as this process knows them. Read when the first token comes, again in the
 * background when they are old, and again at once for a token of a key that is not among them; a
 * pause between two readings keeps made-up key ids from becoming requests to the issuer.
 */
import { Clock, Effect, Fiber, Ref, Semaphore } from "effect"
import { createLocalJWKSet, type JWTVerifyGetKey } from "jose"
import { type IssuerAddress, IssuerUnread, keysOf } from "./IssuerDocuments.ts"

/** Milliseconds between two readings at least, once there are keys. */
const pauseMs = 30_000
/** Milliseconds between two readings at least, before there are any keys. */
export const retryMs = 5_000
/** Older keys are read again: what the issuer withdrew is refused from then on. */
const freshMs = 10 * 60_000

interface Known {
  /** `undefined`: none were ever read. */
  readonly keys: JWTVerifyGetKey | undefined
  /** Time of the last attempt, by the clock, in milliseconds; -Infinity: never. */
  readonly triedAtMs: number
  /** Whether the last reading brought keys. */
  readonly wasRead: boolean
}

export type CurrentKeys = Pick<Known, "keys" | "wasRead">

export interface IssuerKeys {
  /** Waits for a reading only where there are no keys. */
  readonly current: Effect.Effect<CurrentKeys>
  /** Reads the keys again for a key that is not among them, unless that was tried just before. */
  readonly renewed: Effect.Effect<CurrentKeys>
}

export const make = Effect.fnUntraced(function*(address: IssuerAddress) {
  const scope = yield* Effect.scope
  const alone = Semaphore.makeUnsafe(1)
  const known = yield* Ref.make<Known>({
    keys: undefined,
    triedAtMs: Number.NEGATIVE_INFINITY,
    wasRead: false
  })

  const sinceTried = Effect.gen(function*() {
    const { triedAtMs } = yield* Ref.get(known)
    const sinceMs = (yield* Clock.currentTimeMillis) - triedAtMs
    // A clock that was set back does not keep old keys.
    return sinceMs < 0 ? Number.POSITIVE_INFINITY : sinceMs
  })

  const read = Effect.gen(function*() {
    const { keys } = yield* Ref.get(known)
    if ((yield* sinceTried) < (keys === undefined ? retryMs : pauseMs)) return
    const triedAtMs = yield* Clock.currentTimeMillis
    const found = yield* keysOf(address).pipe(
      Effect.flatMap((set) =>
        Effect.try({
          try: (): JWTVerifyGetKey | undefined => createLocalJWKSet(set),
          catch: () => new IssuerUnread({ problem: "the keys are not a set of keys" })
        })
      ),
      Effect.catch(({ problem }) =>
        Effect.as(
          Effect.logWarning(`the keys of ${address.issuer} cannot be read: ${problem}`),
          undefined
        )
      )
    )
    yield* Ref.set(known, { keys: found ?? keys, triedAtMs, wasRead: found !== undefined })
  }).pipe(alone.withPermits(1))

  /** Goes on when the caller that asked is gone: nobody can spoil a reading by hanging up. */
  const reading = Effect.forkIn(read, scope)
  const awaited = Effect.flatMap(reading, Fiber.await)

  const issuerKeys: IssuerKeys = {
    current: Effect.gen(function*() {
      const { keys, wasRead } = yield* Ref.get(known)
      if (keys === undefined) yield* awaited
      else if ((yield* sinceTried) >= (wasRead ? freshMs : pauseMs)) yield* reading
      return yield* Ref.get(known)
    }),
    renewed: Effect.andThen(awaited, Ref.get(known))
  }
  return issuerKeys
})
