/**
 * Limits concurrent calls by kind, so that slow groundings never delay a read or a health check. A
 * call above the limit waits briefly in a bounded queue, then it is refused.
 */
import { Context, Effect, Layer, Option, Record, Scope, Semaphore } from "effect"
import { LimitReached, Overloaded, type StoreUnavailable } from "../contract/PublicFailure.ts"
import * as InPublic from "./InPublic.ts"
import { TenantLimits } from "./sharing/TenantLimits.ts"

/** `document`: holds a document's bytes in memory. */
export const callKinds = ["grounding", "read", "health", "document"] as const
type CallKind = typeof callKinds[number]

export type Places = { readonly [Kind in CallKind]: number }

const waitMsMax = 500
/** Waiting calls for each concurrent call of their kind. */
const waitingShareMax = 2
const retryAfterMs = 1_000

export class Admission extends Context.Service<Admission, {
  /** Runs the call under the limit of its kind, or fails after at most 500 ms. */
  readonly admit: (
    kind: CallKind
  ) => <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Overloaded, R>
  readonly running: (kind: CallKind) => Effect.Effect<number>
  readonly waiting: (kind: CallKind) => Effect.Effect<number>
}>()("web-grounding/application/Admission") {}

export const layer = (places: Places) =>
  Layer.sync(Admission, () => {
    const rooms = Record.map(places, room)
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

  const overloaded = new Overloaded({ retry_after_ms: retryAfterMs })

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

// Runs a tenant's calls that may cost something within its limits, and refuses the others.

export const make = Effect.gen(function*() {
  const { concurrencyMax, enter } = yield* TenantLimits
  const running = new Map<string, number>()

  const begin = (tenantId: string) =>
    Effect.suspend(() => {
      const count = running.get(tenantId) ?? 0
      if (concurrencyMax > 0 && count >= concurrencyMax) {
        return new LimitReached({ limit: "concurrency", retry_after_ms: retryAfterMs })
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
