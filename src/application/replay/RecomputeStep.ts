/** Recomputes one recorded event from the facts before it, by the code that made it. */
import { Clock, Context, DateTime, Effect, Result } from "effect"
import type { NextStep } from "../../domain/session/NextStep.ts"
import * as Session from "../../domain/session/Session.ts"
import { type SessionCommand, tellFact } from "../../domain/session/Session.ts"
import { Finished, type SessionEvent } from "../../domain/session/SessionEvent.ts"
import * as SessionFacts from "../../domain/session/SessionFacts.ts"
import type { EngineName, RecordedEngines } from "../../domain/session/SessionFacts.ts"
import {
  type Answers,
  type Chain,
  type Chains,
  type Engine,
  EngineFailed,
  type EngineInfo,
  Engines,
  isOf,
  lastOf,
  mapChains
} from "../ports/Engines.ts"
import { type Limits, UsageMeter } from "../ports/Limits.ts"
import type { Digest, Sites } from "../ports/Platform.ts"
import * as SearchProvider from "../ports/SearchProvider.ts"
import * as Deadline from "../steps/Deadline.ts"
import type { PerformedStep, StepNeeds } from "../steps/Step.ts"
import * as Steps from "../steps/Steps.ts"

/** No provider among them: replay cannot reach the web. */
export type Needs = Engines | Digest | Limits | Sites

/** Time enough for every engine: its duration is no part of the result. */
const replayMs = 600_000

/** The event that the program records today; `undefined` when that is none of this type. */
export const recompute = Effect.fnUntraced(
  function*(step: NextStep, session: Session.Session, event: SessionEvent) {
    const command = yield* commandFor(step, event)
    if (command === undefined) return undefined
    const decided = Session.decide(command, session)
    const recomputed = Result.isSuccess(decided) ? decided.success[0] : undefined
    return recomputed?._tag === event._tag ? recomputed : undefined
  }
)

const commandFor = (
  step: NextStep,
  event: SessionEvent
): Effect.Effect<SessionCommand | undefined, never, Needs> => {
  if (SessionFacts.isTaken(event._tag, step)) {
    const reading = SessionFacts.rereadingOf(step)
    return Effect.succeed(tellFact(event, reading === 0 ? undefined : reading))
  }
  return step._tag === "Request" || step._tag === "Finish"
    ? Effect.undefined
    : recorded(step, event)
}

const recorded = Effect.fnUntraced(function*(step: PerformedStep, event: SessionEvent) {
  const given = {
    deadline: yield* Deadline.deadlineAfter(replayMs),
    documents: event._tag === "WEB_GROUNDING_RESEARCHED" ? event.documents ?? [] : []
  }
  const module = Steps.moduleOf(step)
  const at = SessionFacts.timeOf(event)
  const command = yield* Effect.suspend(() =>
    "compute" in module ? module.compute(step, given) : module.replay(step, event, given)
  ).pipe(
    Steps.pastBugs(step),
    answeredAs(SessionFacts.enginesOf(event)),
    at === undefined ? (computed) => computed : withTimeAt(at)
  )
  return withCacheOf(event, command)
})

/** Sets the recorded cache key, which depends on the deployment at that time. */
const withCacheOf = (event: SessionEvent, command: SessionCommand | undefined) =>
  event._tag === "WEB_GROUNDING_FINISHED" && event.cache !== undefined &&
    command?.fact._tag === "WEB_GROUNDING_FINISHED"
    ? tellFact(Finished.make({ ...command.fact, cache: event.cache }))
    : command

// Engines that answer as recorded. The one that answered is recomputed when it is this build's
// local engine. Engines of other steps are local: no remote service is called.

export const answeredAs =
  (recorded: RecordedEngines) =>
  <A, E>(step: Effect.Effect<A, E, StepNeeds>): Effect.Effect<A, E, Needs> =>
    Effect.flatMap(Engines, (chains) =>
      Effect.provide(
        step,
        Context.make(SearchProvider.Breakers, SearchProvider.none).pipe(
          Context.add(Engines, recordedChains(chains, recorded))
        )
      ))

const recordedChains = (chains: Chains, recorded: RecordedEngines): Chains =>
  mapChains(chains, (chain, name) => chainOf(chain, name, recorded[name]))

const chainOf = <Name extends EngineName>(
  chain: Chain<Name>,
  name: Name,
  recorded: RecordedEngines[Name]
): Chain<Name> => {
  // Pages come from the record as a whole.
  if (recorded === undefined || name === "reader") return lastOf(chain)
  const { engine, faults, usage, version } = recorded.rung
  // Whether a judge was due shows in the record alone, where there was no time to ask it.
  const isComputed = name !== "judge" && isOf(recorded.rung, chain.last.info)
  const failing = faults.map((fault) =>
    engineOf<Name>({ engine: fault.engine, version: "" }, new EngineFailed(fault))
  )
  const answer: Answers[Name] = recorded.answer
  const [first, ...rest] = isComputed
    ? failing
    : [...failing, engineOf<Name>({ engine, version }, Effect.succeed(answer))]
  const charge = usage === undefined
    ? Effect.void
    : Effect.flatMap(UsageMeter, (meter) => meter(usage))
  return {
    preferred: first === undefined ? [] : [
      { ...first, ask: (question) => Effect.andThen(charge, first.ask(question)) },
      ...rest
    ],
    last: chain.last
  }
}

const engineOf = <Name extends EngineName>(
  info: EngineInfo,
  answer: Effect.Effect<Answers[Name], EngineFailed>
): Engine<Name> => ({ info, ask: () => answer })

/** Engines whose answers come from the record: all but this build's local ones, and the readers. */
export const takenFrom = Effect.fnUntraced(function*(event: SessionEvent) {
  const chains = yield* Engines
  return SessionFacts.rungsOf(event)
    .filter(([name, rung]) => name !== "reader" && !isOf(rung, chains[name].last.info))
    .map(([, { engine, version }]): EngineInfo => ({ engine, version }))
})

/** Fixes the clock at `iso` (ISO 8601). The effect must not wait for time to pass. */
export const withTimeAt = (iso: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Clock.clockWith((clock) => {
    const millis = DateTime.makeUnsafe(iso).epochMilliseconds
    const nanos = BigInt(millis) * 1_000_000n
    const fixed: Clock.Clock = {
      currentTimeMillisUnsafe: () => millis,
      currentTimeMillis: Effect.succeed(millis),
      currentTimeNanosUnsafe: () => nanos,
      currentTimeNanos: Effect.succeed(nanos),
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    }
    return Effect.provideService(effect, Clock.Clock, fixed)
  })
