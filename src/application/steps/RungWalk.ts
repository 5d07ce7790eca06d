/** Walks the engines of one step: the first that answers in time, else the local one. */
import { Duration, Effect, Ref } from "effect"
import type { ModelUsage, Rung, RungFault } from "../../domain/session/EngineDetail.ts"
import * as Breakers from "../ports/Breakers.ts"
import { EngineFailed, type EngineInfo, faultOf, resting, type Rungs } from "../ports/Rungs.ts"
import * as Usage from "../ports/UsageMeter.ts"
import * as Fallback from "./Fallback.ts"
import * as LocalWork from "./LocalWork.ts"

interface Engine {
  readonly info: EngineInfo
}

/** An answer with the engine that gave it and those that failed before. */
export interface Answered<A> {
  readonly answer: A
  readonly rung: Rung
}

/** Outcome of asking one preferred engine. */
type Attempt<A> =
  | { readonly _tag: "Answered"; readonly answer: A; readonly info: EngineInfo }
  | { readonly _tag: "Failed"; readonly fault: RungFault }

/**
 * Asks the preferred engines in order until one answers, within the time. Otherwise the local
 * engine answers, whatever the time.
 */
export const walk = <E extends Engine, Last extends E, A>(
  { last, preferred }: Rungs<E, Last>,
  ask: (engine: E) => Effect.Effect<A, EngineFailed>,
  askLast: (engine: Last) => Effect.Effect<A>,
  time: Fallback.Time
): Effect.Effect<Answered<A>, never, Breakers.Breakers> =>
  metered(Effect.gen(function*() {
    const { guard } = yield* Breakers.Breakers
    const attempts = yield* Fallback.walk(
      preferred,
      time,
      (engine, limitMs) => {
        const { info } = engine
        const timed = ask(engine).pipe(Effect.timeoutOrElse({
          duration: Duration.millis(limitMs),
          orElse: () => Effect.fail(new EngineFailed({ engine: info.engine, reason: "timeout" }))
        }))
        const guarded = info.upstream === undefined ? timed : guard(timed, {
          key: info.upstream,
          // Who was given less than the usual time is not to blame for it.
          faultOf: (failed) => faultOf(failed, limitMs === time.timeoutMs),
          resting: resting(info.engine)
        })
        return attemptOf(info, guarded)
      },
      ({ _tag }) => _tag === "Answered"
    )
    const faults = attempts.flatMap((attempt) => attempt._tag === "Failed" ? [attempt.fault] : [])
    const latest = attempts.at(-1)
    return latest?._tag === "Answered"
      ? { answer: latest.answer, rung: rungOf(latest.info, faults) }
      : { answer: yield* LocalWork.inTurn(askLast(last)), rung: rungOf(last.info, faults) }
  }))

const rungOf = ({ engine, version }: EngineInfo, faults: Rung["faults"]): Rung => ({
  engine,
  version,
  faults
})

const attemptOf = <A>(
  info: EngineInfo,
  asked: Effect.Effect<A, EngineFailed>
): Effect.Effect<Attempt<A>> =>
  asked.pipe(
    Effect.map((answer): Attempt<A> => ({ _tag: "Answered", answer, info })),
    Effect.catch(({ detail, reason }) => {
      const fault = { engine: info.engine, reason, ...(detail === undefined ? {} : { detail }) }
      return Effect.logWarning("engine did not answer").pipe(
        Effect.annotateLogs(fault),
        Effect.as<Attempt<A>>({ _tag: "Failed", fault })
      )
    })
  )

/** Runs an engine and records what its models used, whether or not it answered. */
const metered = <A, R>(
  walked: Effect.Effect<Answered<A>, never, R>
): Effect.Effect<Answered<A>, never, R> =>
  Effect.gen(function*() {
    const used = yield* Ref.make<ModelUsage | undefined>(undefined)
    const { answer, rung } = yield* Effect.provideService(
      walked,
      Usage.UsageMeter,
      (more) => Ref.update(used, (before) => Usage.added(before, more))
    )
    const usage = yield* Ref.get(used)
    return { answer, rung: usage === undefined ? rung : { ...rung, usage } }
  })
