/**
 * How many calls run at the same time, by kind, so that slow groundings never keep a read or a
 * health check waiting.
 *
 * A call that finds no place waits for a moment in a bounded queue; then it is refused at once
 * instead of failing late.
 */
import { Context, Effect, Layer, Option, Scope, Semaphore } from "effect"
import { LimitReached, Overloaded, type StoreUnavailable } from "../contract/PublicFailure.ts"
import * as InPublic from "./InPublic.ts"
import { TenantLimits } from "./sharing/TenantLimits.ts"

/**
 * - `grounding`: searches, reads pages, asks models. - `read`: asks the log. - `health`.
 * - `document`: takes in a document, whose bytes are in memory meanwhile.
 */
export const callKinds = ["grounding", "read", "health", "document"] as const
type CallKind = typeof callKinds[number]

/** Places of each kind. */
export type Places = Readonly<Record<CallKind, number>>

/** How long a call waits for a place. */
const waitMsMax = 500
/** Calls that wait, for each place of their kind. */
const waitingShareMax = 2
/** Milliseconds after which a refused caller may ask again. */
const retryAfterMs = 1_000

/** Bounded places for the calls of each kind, with a queue before them. */
export class Admission extends Context.Service<Admission, {
  /** Runs the call in a place of its kind, or fails after at most 500 ms. */
  readonly admit: (
    kind: CallKind
  ) => <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Overloaded, R>
  /** Calls of the kind that are running. */
  readonly running: (kind: CallKind) => Effect.Effect<number>
  /** Calls of the kind that wait for a place. */
  readonly waiting: (kind: CallKind) => Effect.Effect<number>
}>()("web-grounding/application/Admission") {}

/**
 * Provides rooms with these places, one for each kind of call; a full room delays no other kind.
 */
export const layer = (places: Places) =>
  Layer.sync(Admission, () => {
    const rooms = {
      grounding: room(places.grounding),
      read: room(places.read),
      health: room(places.health),
      document: room(places.document)
    }
    return Admission.of({
      admit: (kind) => rooms[kind].admit,
      running: (kind) => rooms[kind].running,
      waiting: (kind) => rooms[kind].waiting
    })
  })

const room = (places: number) => {
  const semaphore = Semaphore.makeUnsafe(places)
  const waitingMax = places * waitingShareMax
  let waiting = 0
  let running = 0

  const overloaded = Effect.fail(new Overloaded({ retry_after_ms: retryAfterMs }))

  const enter = (scope: Scope.Scope) =>
    Effect.suspend(() => {
      if (waiting >= waitingMax) return overloaded
      waiting += 1
      return semaphore.takeScoped(1).pipe(
        Scope.provide(scope),
        Effect.timeoutOption(waitMsMax),
        Effect.ensuring(Effect.sync(() => waiting -= 1)),
        Effect.flatMap((taken) => Option.isSome(taken) ? Effect.void : overloaded)
      )
    })

  return {
    running: Effect.sync(() => running),
    waiting: Effect.sync(() => waiting),
    admit: <A, E, R>(call: Effect.Effect<A, E, R>) =>
      Effect.scopedWith((scope) =>
        Effect.andThen(
          enter(scope),
          Effect.suspend(() => {
            running += 1
            return Effect.ensuring(call, Effect.sync(() => running -= 1))
          })
        )
      )
  }
}

// Runs a tenant's calls that may cost something while its limits last, and refuses the others.

export const make = Effect.gen(function*() {
  const { concurrencyMax, enter } = yield* TenantLimits
  const running = new Map<string, number>()

  const begin = (tenantId: string) =>
    Effect.suspend(() => {
      const count = running.get(tenantId) ?? 0
      if (concurrencyMax > 0 && count >= concurrencyMax) {
        return Effect.fail(
          new LimitReached({ limit: "concurrency", retry_after_ms: retryAfterMs })
        )
      }
      running.set(tenantId, count + 1)
      return Effect.void
    })

  const end = (tenantId: string) =>
    Effect.sync(() => {
      const count = running.get(tenantId) ?? 0
      if (count > 1) running.set(tenantId, count - 1)
      else running.delete(tenantId)
    })

  /** Counts the call as the tenant's while it runs. */
  const within = (tenantId: string) =>
  <A, E, R>(
    call: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | LimitReached | StoreUnavailable, R> =>
    Effect.acquireUseRelease(
      begin(tenantId),
      () =>
        enter(tenantId).pipe(
          Effect.catchTag("EventStoreUnavailable", () => Effect.fail(InPublic.storeDown())),
          Effect.andThen(call)
        ),
      () => end(tenantId)
    )

  return { within }
})
