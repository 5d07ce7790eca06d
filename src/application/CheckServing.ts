/** Whether this process should be given requests now, for load balancers and orchestrators. */
import { Context, Effect, Layer, Option } from "effect"
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

export class CheckServing extends Context.Service<CheckServing, {
  /** None when it should. Asks the database each time. */
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

    return CheckServing.of({
      reason: Effect.flatMap(
        isDraining,
        (draining) => draining ? Effect.succeedSome("draining" as const) : ofDatabase
      )
    })
  })
)
