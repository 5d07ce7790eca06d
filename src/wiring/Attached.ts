/** Runs a command's operations: in this process, or by the service that holds the directory. */
import { Effect, Predicate, type Scope } from "effect"
import type { StartFailure } from "../adapters/cli/Wiring.ts"
import type { AskedCalls } from "../application/operations/Calls.ts"
import type { DirectoryHeld } from "../infrastructure/postgres/DirectoryLock.ts"

/**
 * The service that holds the directory is called. Commands that conflict with it are refused: with
 * a model, or with the sandbox while it searches the web.
 */
export const orAttached = <A, E extends StartFailure, R>(
  own: Effect.Effect<A, E | DirectoryHeld, R>,
  attach: (service: AskedCalls, held: DirectoryHeld) => A,
  isFit: (held: DirectoryHeld) => boolean
): Effect.Effect<A, E | DirectoryHeld, R | Scope.Scope> =>
  Effect.catchIf(
    own,
    isHeld,
    (held): Effect.Effect<A, DirectoryHeld, Scope.Scope> =>
      held.url === undefined || !isFit(held)
        ? Effect.fail(held)
        : Effect.promise(() => import("../adapters/rpc/AttachedCalls.ts")).pipe(
          Effect.flatMap(({ attachTo }) => attachTo(held.url ?? "", held.secret ?? "")),
          Effect.map((service) => attach(service, held))
        )
  )

const isHeld = (failure: unknown): failure is DirectoryHeld =>
  Predicate.isTagged(failure, "DirectoryHeld")
