/** The table of steps, by which the loop, replay and what-if perform them. */
import { DateTime, Effect } from "effect"
import type { GroundingOutcome } from "../../domain/session/GroundingOutcome.ts"
import * as Outcome from "../../domain/session/Outcome.ts"
import { textsVersion } from "../../domain/session/OutcomeReason.ts"
import { type SessionCommand, tellFact } from "../../domain/session/Session.ts"
import { Finished, PackReused, SearchStopped } from "../../domain/session/SessionEvent.ts"
import type { EngineName } from "../../domain/session/SessionFacts.ts"
import {
  type Chain,
  crashed,
  EngineFailed,
  Engines,
  mapChains,
  onBug,
  storable
} from "../ports/Engines.ts"
import type { EventStoreUnavailable } from "../ports/EventStore.ts"
import { askStore } from "./AskStore.ts"
import { awaitCall, search } from "./CallSearch.ts"
import { decide } from "./DecideSearch.ts"
import { plan } from "./PlanQueries.ts"
import { rank } from "./RankEvidence.ts"
import { read } from "./ReadPages.ts"
import { research } from "./ResearchCourse.ts"
import * as RungWalk from "./RungWalk.ts"
import type { ComputedStep, LiveNeeds, OutsideStep, PerformedStep, Run, StepOf } from "./Step.ts"
import { write } from "./WritePack.ts"

type Tag = PerformedStep["_tag"]

type Module<Of extends Tag> = ComputedStep<Of> | OutsideStep<Of>

/** A step without engines: its fact follows from the facts before it. */
const derived = <Of extends Tag>(
  compute: ComputedStep<Of>["compute"]
): ComputedStep<Of> => ({
  engines: [],
  compute,
  isAsked: () => false,
  factOf: ({ finished }) => finished,
  answerTo: () => undefined
})

const requestIdOf = ({ grounding }: PerformedStep): string => grounding.request.request_id

const steps: { readonly [Of in Tag]: Module<Of> } = {
  Reuse: derived((step) =>
    Effect.succeed(tellFact(PackReused.make({
      request_id: requestIdOf(step),
      from_request_id: step.fromRequestId
    })))
  ),
  Decide: decide,
  AskStore: askStore,
  Plan: plan,
  Search: search,
  AwaitCall: awaitCall,
  StopSearch: derived((step) =>
    Effect.succeed(
      tellFact(SearchStopped.make({ request_id: requestIdOf(step), reason: step.reason }))
    )
  ),
  Read: read,
  Rank: rank,
  Write: write,
  Research: research,
  Conclude: {
    ...derived<"Conclude">(
      Effect.fn("Steps.conclude")(function*(step) {
        const outcome = yield* RungWalk.inTurn(Effect.sync(() => Outcome.derived(step.grounding)))
        return finished(step, outcome, DateTime.formatIso(yield* DateTime.now))
      })
    ),
    empty: (step, { at }) => finished(step, Outcome.withoutEvidence(step.grounding), at)
  }
}

const finished = (step: PerformedStep, outcome: GroundingOutcome, finished_at: string) =>
  tellFact(Finished.make({
    request_id: requestIdOf(step),
    outcome,
    texts_version: textsVersion,
    finished_at
  }))

export const moduleOf = <Of extends Tag>({ _tag }: StepOf<Of>): Module<Of> =>
  // A table by tag and the tag's own step go together.
  steps[_tag] as unknown as Module<Of>

export const perform = (
  step: PerformedStep,
  run: Run
): Effect.Effect<SessionCommand | undefined, EventStoreUnavailable, LiveNeeds> => {
  const module = moduleOf(step)
  return Effect.suspend(() =>
    "compute" in module ? module.compute(step, run) : module.perform(step, run)
  ).pipe(pastBugs(step))
}

/**
 * After a bug outside of an engine, performs the step with the local engines alone. On the same bug
 * again, records it as empty, so that no retry meets it.
 */
export const pastBugs = (step: PerformedStep) =>
<A extends SessionCommand | undefined, E, R>(
  done: Effect.Effect<A, E, R>
): Effect.Effect<A | SessionCommand, E, R | Engines> => {
  const module = moduleOf(step)
  const { empty } = module
  if (empty === undefined) return done
  const [name = "reader"] = "compute" in module ? module.engines : []
  const emptied = Effect.gen(function*() {
    const { engine, version } = (yield* Engines)[name].last.info
    const faults = [{ engine, ...crashed }]
    const at = DateTime.formatIso(yield* DateTime.now)
    return empty(step, { rung: { engine, version, faults }, at })
  })
  const place = { step: step._tag }
  return done.pipe(
    onBug(place, () =>
      done.pipe(
        Effect.updateService(Engines, (chains) => mapChains(chains, crashedChain)),
        onBug(place, () => emptied)
      )),
    Effect.map(storable)
  )
}

const crashedChain = <Name extends EngineName>({ last, preferred }: Chain<Name>): Chain<Name> => ({
  preferred: preferred.map(({ info }) => ({
    info,
    ask: () => new EngineFailed({ engine: info.engine, ...crashed })
  })),
  last
})

/** Whether the step asks outside of this process: earlier facts are recorded first. */
export const makeAsksOutside = Effect.gen(function*() {
  const chains = yield* Engines
  return (step: PerformedStep): boolean => {
    const module = moduleOf(step)
    if ("compute" in module) {
      return module.engines.some((name) => chains[name].preferred.length > 0)
    }
    return step._tag !== "Read" || chains.reader.preferred.length > 0
  }
})
