/** Walks the engines of one step: the first that answers in time, else the local one. */
import { Array as Arr, Clock, Context, Duration, Effect, Ref, Result, Semaphore } from "effect"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { ModelUsage, Rung, RungFault } from "../../domain/session/EngineDetail.ts"
import type { EngineName } from "../../domain/session/SessionFacts.ts"
import {
  type Answers,
  type Chain,
  crashed,
  type Engine,
  EngineFailed,
  type EngineInfo,
  faultOf,
  onBug,
  resting,
  storable
} from "../ports/Engines.ts"
import * as Limits from "../ports/Limits.ts"
import * as SearchProvider from "../ports/SearchProvider.ts"

interface WalkAnswer<A> {
  readonly answer: A
  readonly rung: Rung
}

interface WalkOptions<Name extends EngineName, A> {
  readonly time: Time
  /** Parses an answer; a bug here counts as the engine's. */
  readonly read: (answer: Answers[Name], by: EngineInfo) => A
  /** Whether that is an answer of a preferred engine; else the next one is asked. */
  readonly isAnswer?: (read: A) => boolean
}

/** Models that timed out in this run of a request and are not asked again. Absent: not tracked. */
export class ModelsTimedOut extends Context.Reference<Set<string> | undefined>(
  "web-grounding/application/steps/ModelsTimedOut",
  { defaultValue: () => undefined }
) {}

/** A time-out counts against an engine only if it had its usual time, or at least this. */
const blamedMsMin = 8_000

/** Asks the preferred engines in order until one answers in time, else the local engine. */
export const walk = <Name extends EngineName, A>(
  { last, preferred }: Chain<Name>,
  question: Parameters<Engine<Name>["ask"]>[0],
  { isAnswer = () => true, read, time }: WalkOptions<Name, A>
): Effect.Effect<WalkAnswer<A>, never, SearchProvider.Breakers> =>
  metered(Effect.gen(function*() {
    const { guard } = yield* SearchProvider.Breakers
    const timedOut = yield* ModelsTimedOut
    const asked = <E>(engine: Engine<Name, E>) =>
      Effect.suspend(() => engine.ask(question)).pipe(
        Effect.map((answer) => read(storable(answer), engine.info))
      )
    const attempts = yield* walkCandidates(
      preferred,
      time,
      (engine, limitMs) => {
        const { info } = engine
        const model = info.model === undefined ? undefined : info.upstream
        const outOfTime = { engine: info.engine, reason: "timeout" } as const
        if (model !== undefined && timedOut?.has(model) === true) {
          return attemptOf(info, new EngineFailed({ ...outOfTime, detail: "resting" }))
        }
        const timed = asked(engine).pipe(
          Effect.filterOrFail(isAnswer, () => refused(info)),
          Effect.timeoutOrElse({
            duration: Duration.millis(limitMs),
            orElse: () => {
              if (model !== undefined) timedOut?.add(model)
              return new EngineFailed(outOfTime)
            }
          }),
          onBug(
            { engine: info.engine },
            () => new EngineFailed({ engine: info.engine, ...crashed })
          )
        )
        const guarded = info.upstream === undefined ? timed : guard(timed, {
          key: info.upstream,
          faultOf: (failed) => faultOf(failed, limitMs >= Math.min(time.timeoutMs, blamedMsMin)),
          resting: resting(info.engine)
        })
        return attemptOf(info, guarded)
      },
      Result.isSuccess
    )
    const faults = Arr.getFailures(attempts)
    const [answered] = Arr.getSuccesses(attempts)
    return answered === undefined
      ? { answer: yield* inTurn(asked(last)), rung: rungOf(last.info, faults) }
      : { answer: answered.answer, rung: rungOf(answered.info, faults) }
  }))

/** A model whose quotes support none of its claims has not answered. */
const refused = ({ engine }: EngineInfo): EngineFailed =>
  new EngineFailed({ engine, reason: "refused", detail: "nothing_borne_out" })

const rungOf = ({ engine, version }: EngineInfo, faults: Rung["faults"]): Rung => ({
  engine,
  version,
  faults
})

const attemptOf = <A>(info: EngineInfo, asked: Effect.Effect<A, EngineFailed>) =>
  asked.pipe(
    Effect.map((answer) => ({ answer, info })),
    Effect.mapError(({ detail, reason }): RungFault => ({
      engine: info.engine,
      reason,
      ...asGiven({ detail })
    })),
    Effect.tapError((fault) =>
      Effect.annotateLogs(Effect.logWarning("engine did not answer"), { ...fault })
    ),
    Effect.result
  )

const metered = <A, R>(
  walked: Effect.Effect<WalkAnswer<A>, never, R>
): Effect.Effect<WalkAnswer<A>, never, R> =>
  Effect.gen(function*() {
    const used = yield* Ref.make<ModelUsage | undefined>(undefined)
    const { answer, rung } = yield* Effect.provideService(
      walked,
      Limits.UsageMeter,
      (more) => Ref.update(used, (before) => Limits.added(before, storable(more)))
    )
    const usage = yield* Ref.get(used)
    return { answer, rung: usage === undefined ? rung : { ...rung, usage } }
  })

// Fallback: candidates are asked in order until one answers well enough or time is up. Retries are
// not decided here.

export const attemptMsMin = 200

interface Time {
  /** Milliseconds for all candidates together. */
  readonly leftMs: number
  readonly timeoutMs: number
}

/**
 * Asks candidates in order until an attempt is enough, and gives every attempt made; empty when
 * there was no time for any. A candidate gets `timeoutMs`, but at most half of the time that is
 * left, the last one all of it, so that one that hangs leaves time for those behind it.
 *
 * ```ts
 * import { Effect } from "effect"
 * import { walkCandidates } from "./RungWalk.ts"
 *
 * const ask = (name: string) => Effect.succeed({ name, isUp: name !== "first" })
 * const time = { leftMs: 10_000, timeoutMs: 2_000 }
 * const walked = walkCandidates(["first", "second", "third"], time, ask, ({ isUp }) => isUp)
 * const made = await Effect.runPromise(walked)
 * made.map(({ name }) => name) // => ["first", "second"]
 * ```
 */
export const walkCandidates = <Candidate, Attempt, E, R>(
  candidates: ReadonlyArray<Candidate>,
  { leftMs, timeoutMs }: Time,
  ask: (candidate: Candidate, limitMs: number) => Effect.Effect<Attempt, E, R>,
  isEnough: (attempt: Attempt) => boolean
): Effect.Effect<ReadonlyArray<Attempt>, E, R> =>
  Effect.gen(function*() {
    const startMs = yield* Clock.currentTimeMillis
    const made: Array<Attempt> = []
    for (const [index, candidate] of candidates.entries()) {
      const restMs = leftMs - Math.max(0, (yield* Clock.currentTimeMillis) - startMs)
      if (restMs < attemptMsMin) break
      const isLast = index === candidates.length - 1
      const attempt = yield* ask(candidate, Math.min(timeoutMs, isLast ? restMs : restMs / 2))
      made.push(attempt)
      if (isEnough(attempt)) break
    }
    return made
  })

// CPU-bound work runs one piece at a time, with a pause for sockets and timers after each 3 ms:
// groundings must not delay a health check.

const stretchNanosMax = 3_000_000n

interface Shared {
  readonly turn: Semaphore.Semaphore
  /** Nanoseconds of work since the event loop last looked at its sockets between two pieces. */
  workedNanos: bigint
}

/** Makes a lock and a work counter apart from the process's own, as for a simulated replica. */
export const make = (): Shared => ({ turn: Semaphore.makeUnsafe(1), workedNanos: 0n })

/** The work of this process. Default: one for all that runs in it. */
export class LocalWork
  extends Context.Reference<Shared>("web-grounding/application/steps/LocalWork", {
    defaultValue: make
  })
{}

const pauseIfDue = (shared: Shared) =>
  Effect.suspend(() => {
    if (shared.workedNanos < stretchNanosMax) return Effect.void
    shared.workedNanos = 0n
    return Effect.yieldNow
  })

/** Runs CPU-bound work under the lock. `work` must not wait for anything outside of the process. */
export const inTurn = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(LocalWork, (shared) =>
    shared.turn.withPermits(1)(Effect.gen(function*() {
      yield* pauseIfDue(shared)
      const startNanos = yield* Clock.monotonicTimeNanos
      const done = yield* work
      shared.workedNanos += (yield* Clock.monotonicTimeNanos) - startNanos
      return done
    })))
