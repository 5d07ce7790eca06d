/** Whether this process should be given requests now, for load balancers and orchestrators. */
import { Clock, Context, Effect, Layer, Option, Semaphore } from "effect"
import { Draining } from "./Draining.ts"
import { EventStore } from "./ports/EventStore.ts"

/** Why not. `database_unreachable` also when it does not answer within a second. */
export type NotServing =
  | "draining"
  | "database_unreachable"
  | "read_only"
  | "schema_behind"
  | "schema_newer"

const answerMsMax = 1_000
/** Probes at the same time share an answer: whoever asks often takes no connection from calls. */
const freshMs = 100

interface Answered {
  readonly reason: Option.Option<NotServing>
  readonly atMs: number
}

export class CheckServing extends Context.Service<CheckServing, {
  /** None when it should. Asks the database at most once in 100 ms. */
  readonly reason: Effect.Effect<Option.Option<NotServing>>
}>()("web-grounding/application/CheckServing") {}

export const layer = Layer.effect(
  CheckServing,
  Effect.gen(function*() {
    const { state } = yield* EventStore
    const { isDraining } = yield* Draining

    const ofDatabase = state.pipe(
      Effect.map((log): Option.Option<NotServing> =>
        log === "writable" ? Option.none() : Option.some(log)
      ),
      Effect.timeoutOrElse({
        duration: answerMsMax,
        orElse: () => Effect.succeedSome("database_unreachable" as const)
      }),
      Effect.catch(() => Effect.succeedSome("database_unreachable" as const))
    )

    const turn = Semaphore.makeUnsafe(1)
    let latest: Answered | undefined
    const shared = turn.withPermits(1)(Effect.gen(function*() {
      const nowMs = yield* Clock.currentTimeMillis
      if (latest !== undefined && nowMs - latest.atMs < freshMs) return latest.reason
      const reason = yield* ofDatabase
      latest = { reason, atMs: yield* Clock.currentTimeMillis }
      return reason
    }))

    return CheckServing.of({
      reason: Effect.flatMap(
        isDraining,
        (draining) => draining ? Effect.succeedSome("draining" as const) : shared
      )
    })
  })
)
