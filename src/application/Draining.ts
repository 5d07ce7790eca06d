/**
 * The end of a process in order: it stops being ready, takes no new groundings, gives running ones
 * a moment, and then ends them with a failure that tells their callers how to go on.
 */
import { Context, Deferred, Effect, Layer } from "effect"
import { Interrupted } from "../contract/PublicFailure.ts"

/** Another replica may be asked at once. */
const retryAfterMs = 0

export class Draining extends Context.Service<Draining, {
  /** Whether the process is about to end. */
  readonly isDraining: Effect.Effect<boolean>
  /** From now on no grounding begins. */
  readonly begin: Effect.Effect<void>
  /** Ends the groundings that still run. */
  readonly cut: Effect.Effect<void>
  /** Runs a grounding, unless or until the process drains. */
  readonly guard: (
    requestId: string
  ) => <A, E, R>(grounding: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Interrupted, R>
}>()("web-grounding/application/Draining") {}

export const layer = Layer.effect(
  Draining,
  Effect.gen(function*() {
    const begun = yield* Deferred.make<void>()
    const ended = yield* Deferred.make<void>()
    const isDraining = Deferred.isDone(begun)

    const guard: Draining["Service"]["guard"] = (request_id) => (grounding) => {
      const interrupted = Effect.fail(new Interrupted({ request_id, retry_after_ms: retryAfterMs }))
      return Effect.flatMap(isDraining, (draining) =>
        draining
          ? interrupted
          : Effect.raceFirst(grounding, Effect.andThen(Deferred.await(ended), interrupted)))
    }

    return Draining.of({
      isDraining,
      begin: Effect.asVoid(Deferred.succeed(begun, undefined)),
      cut: Effect.asVoid(Deferred.succeed(ended, undefined)),
      guard
    })
  })
)
