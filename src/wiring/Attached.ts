/**
 * Performs what a command asks for: in this process, or by the service that holds the directory.
 */
import { Effect, Predicate, type Scope } from "effect"
import type { StartFailure } from "../adapters/cli/Wiring.ts"
import type { AskedCalls } from "../application/operations/Calls.ts"
import type { DirectoryHeld } from "../infrastructure/postgres/DirectoryLock.ts"

/**
 * The running service is asked where it holds the directory that would be opened. What a command
 * says of sandbox and model is for a process of its own: then the directory is refused.
 */
export const orAttached = <A, E extends StartFailure, R>(
  own: Effect.Effect<A, E | DirectoryHeld, R>,
  attach: (service: AskedCalls) => A,
  isOwn: boolean
): Effect.Effect<A, E | DirectoryHeld, R | Scope.Scope> =>
  Effect.catchIf(
    own,
    isHeld,
    (held): Effect.Effect<A, DirectoryHeld, Scope.Scope> =>
      held.url === undefined || isOwn
        ? Effect.fail(held)
        : Effect.promise(() => import("../adapters/rpc/AttachedCalls.ts")).pipe(
          Effect.flatMap(({ attachTo }) => attachTo(held.url ?? "", held.secret ?? "")),
          Effect.map(attach)
        )
  )

const isHeld = (failure: unknown): failure is DirectoryHeld =>
  Predicate.isTagged(failure, "DirectoryHeld")
