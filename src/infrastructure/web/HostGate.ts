/** Lets only so many requests at a time to one host, and to all hosts together. */
import { Effect, RcMap, type Scope, Semaphore } from "effect"

export interface HostGate {
  /** Waits its turn. */
  readonly pass: (
    host: string
  ) => <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export interface GateBounds {
  readonly perHostMax: number
  readonly allHostsMax: number
}

export const make = (bounds: GateBounds): Effect.Effect<HostGate, never, Scope.Scope> =>
  Effect.gen(function*() {
    const all = yield* Semaphore.make(bounds.allHostsMax)
    const hosts = yield* RcMap.make({ lookup: (_: string) => Semaphore.make(bounds.perHostMax) })
    return {
      pass: (host) => (request) =>
        Effect.scoped(Effect.flatMap(
          RcMap.get(hosts, host),
          (one) => one.withPermit(all.withPermit(request))
        ))
    }
  })
