/** Whether this process should be given requests now, for load balancers and orchestrators. */
import { Clock, Context, Effect, Layer, Option, Ref, Semaphore } from "effect"
import { Draining } from "./Draining.ts"
import { EventStore } from "./ports/EventStore.ts"
import { Limits } from "./ports/Limits.ts"
import { ProjectionRunner } from "./projections/ProjectionRunner.ts"

/**
 * Reason why this process does not serve. `database_unreachable` also when it does not answer
 * within a second; `read_models_behind` when those that this very process keeps are behind by more
 * than the setting allows.
 */
export type NotServing =
  | "draining"
  | "database_unreachable"
  | "read_only"
  | "schema_behind"
  | "schema_newer"
  | "read_models_behind"

const answerMsMax = 1_000
/** Probes at the same time share an answer: whoever asks often takes no connection from calls. */
const freshMs = 100
/** Milliseconds for which the lag is fresh: it takes longer to find out than to grow. */
const lagFreshMs = 5_000

interface Answered<A> {
  readonly answer: A
  readonly atMs: number
}

/** Answers of the probes for readiness and start-up. */
export class CheckServing extends Context.Service<CheckServing, {
  /** None when it should. Asks the database at most once in 100 ms, for the lag once in 5 s. */
  readonly reason: Effect.Effect<Option.Option<NotServing>>
  /** Whether the start is done: the read models were brought up to date once. Asks no database. */
  readonly isStarted: Effect.Effect<boolean>
}>()("web-grounding/application/CheckServing") {}

export const layer = Layer.effect(
  CheckServing,
  Effect.gen(function*() {
    const { state } = yield* EventStore
    const { isDraining } = yield* Draining
    const { isBegun, ownLagMs } = yield* ProjectionRunner
    const { readModelLagMsMax } = yield* Limits

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

    const isBehind = readModelLagMsMax === 0
      ? Effect.succeed(false)
      : ownLagMs.pipe(
        Effect.map((ms) => ms > readModelLagMsMax),
        Effect.timeout(answerMsMax),
        // A lag that is not known says nothing against the process; the database was just asked.
        Effect.orElseSucceed(() => false)
      )
    const behindLately = yield* lately(isBehind, lagFreshMs)

    const ofProcess = yield* lately(
      Effect.gen(function*() {
        const reason = yield* ofDatabase
        if (Option.isSome(reason)) return reason
        return (yield* behindLately)
          ? Option.some("read_models_behind" as const)
          : Option.none<NotServing>()
      }),
      freshMs
    )

    return CheckServing.of({
      isStarted: isBegun,
      reason: Effect.flatMap(
        isDraining,
        (draining) => draining ? Effect.succeedSome("draining" as const) : ofProcess
      )
    })
  })
)

/** Callers within this time share an answer, and those who come meanwhile wait for it. */
const lately = Effect.fnUntraced(function*<A>(ask: Effect.Effect<A>, forMs: number) {
  const turn = yield* Semaphore.make(1)
  const latest = yield* Ref.make(Option.none<Answered<A>>())
  return turn.withPermits(1)(Effect.gen(function*() {
    const nowMs = yield* Clock.currentTimeMillis
    const known = Option.filter(yield* Ref.get(latest), ({ atMs }) => nowMs - atMs < forMs)
    if (Option.isSome(known)) return known.value.answer
    const answer = yield* ask
    yield* Ref.set(latest, Option.some({ answer, atMs: yield* Clock.currentTimeMillis }))
    return answer
  }))
})
