/** Walks the engines of one step: the first that answers in time, else the local one. */
import { Duration, Effect, Ref } from "effect"
import type { ModelUsage, Rung } from "../../domain/session/Rung.ts"
import { EngineFailed, type EngineInfo, type Rungs } from "../ports/Rungs.ts"
import * as Usage from "../ports/UsageMeter.ts"
import * as LocalWork from "./LocalWork.ts"

/** A preferred engine with less time than this is not asked at all. */
const engineTimeMsMin = 200

interface Engine {
  readonly info: EngineInfo
}

export interface Answered<A> {
  readonly answer: A
  readonly rung: Rung
}

/** `leftMs` is what the step may take in all; each engine is given at most `timeoutMs` of it. */
export const walk = <E extends Engine, Last extends E, A>(
  { last, preferred }: Rungs<E, Last>,
  ask: (engine: E) => Effect.Effect<A, EngineFailed>,
  askLast: (engine: Last) => Effect.Effect<A>,
  time: { readonly leftMs: number; readonly timeoutMs: number }
): Effect.Effect<Answered<A>> => {
  const asked = time.leftMs < engineTimeMsMin ? [] : preferred
  const descend = (index: number, faults: Rung["faults"]): Effect.Effect<Answered<A>> => {
    const engine = asked[index]
    if (engine === undefined) {
      return Effect.map(
        LocalWork.inTurn(askLast(last)),
        (answer) => ({ answer, rung: { ...last.info, faults } })
      )
    }
    return ask(engine).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(Math.min(time.timeoutMs, time.leftMs / asked.length)),
        orElse: () =>
          Effect.fail(new EngineFailed({ engine: engine.info.engine, reason: "timeout" }))
      }),
      Effect.map((answer) => ({ answer, rung: { ...engine.info, faults } })),
      Effect.catch(({ detail, reason }) => {
        const fault = {
          engine: engine.info.engine,
          reason,
          ...(detail === undefined ? {} : { detail })
        }
        return Effect.logWarning("engine did not answer").pipe(
          Effect.annotateLogs(fault),
          Effect.andThen(descend(index + 1, [...faults, fault]))
        )
      })
    )
  }
  return metered(descend(0, []))
}

/** What a model used is told with the rung, also of a model that failed. */
const metered = <A>(walked: Effect.Effect<Answered<A>>): Effect.Effect<Answered<A>> =>
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
