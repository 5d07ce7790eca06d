/**
 * The end of a process in order: it stops being ready and answers on until that was noticed. It
 * takes no new groundings, gives running ones a moment, and then ends them with a failure that
 * tells their callers how to go on.
 */
import { Context, Deferred, Effect, Layer } from "effect"
import { Interrupted } from "../contract/PublicFailure.ts"

/** Milliseconds after which a refused caller may ask again: another replica can answer at once. */
const retryAfterMs = 0

/** State of a process on its way out, and the steps that move it on. No step is taken back. */
export class Draining extends Context.Service<Draining, {
  /** Whether the process is about to end: it is not ready, and keeps no connection. */
  readonly isDraining: Effect.Effect<boolean>
  /** Marks the process as draining. Groundings still begin: callers may not have noticed. */
  readonly begin: Effect.Effect<void>
  /** Whether no grounding begins any more. */
  readonly isRefusing: Effect.Effect<boolean>
  /** Refuses groundings from now on. */
  readonly refuse: Effect.Effect<void>
  /** Ends the groundings that still run; none begins. */
  readonly cut: Effect.Effect<void>
  /** Runs a grounding, unless groundings are refused or until they are cut. */
  readonly guard: (
    requestId: string
  ) => <A, E, R>(grounding: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Interrupted, R>
}>()("web-grounding/application/Draining") {}

export const layer = Layer.effect(
  Draining,
  Effect.gen(function*() {
    const begun = yield* Deferred.make<void>()
    const refused = yield* Deferred.make<void>()
    const ended = yield* Deferred.make<void>()
    const isRefusing = Deferred.isDone(refused)
    const refuse = Effect.asVoid(Deferred.succeed(refused, undefined))

    const guard: Draining["Service"]["guard"] = (request_id) => (grounding) => {
      const interrupted = Effect.suspend(() =>
        Effect.fail(new Interrupted({ request_id, retry_after_ms: retryAfterMs }))
      )
      return Effect.flatMap(isRefusing, (refusing) =>
        refusing
          ? interrupted
          : Effect.raceFirst(grounding, Effect.andThen(Deferred.await(ended), interrupted)))
    }

    return Draining.of({
      isDraining: Deferred.isDone(begun),
      begin: Effect.asVoid(Deferred.succeed(begun, undefined)),
      isRefusing,
      refuse,
      cut: Effect.andThen(refuse, Effect.asVoid(Deferred.succeed(ended, undefined))),
      guard
    })
  })
)
