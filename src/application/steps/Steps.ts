/** The table of steps: the loop, replay and what-if perform a step as its row says. */
import { DateTime, Effect } from "effect"
import * as Outcome from "../../domain/session/Outcome.ts"
import { textsVersion } from "../../domain/session/OutcomeReason.ts"
import { type SessionCommand, tellFact } from "../../domain/session/Session.ts"
import { Finished, PackReused, SearchStopped } from "../../domain/session/SessionEvent.ts"
import { Engines, ExtractPages } from "../ports/Engines.ts"
import type { EventStoreUnavailable } from "../ports/EventStore.ts"
import { askStore } from "./AskStore.ts"
import { awaitCall, search } from "./CallSearch.ts"
import { decide } from "./DecideSearch.ts"
import { plan } from "./PlanQueries.ts"
import { rank } from "./RankEvidence.ts"
import { read } from "./ReadPages.ts"
import { research } from "./ResearchCourse.ts"
import * as RungWalk from "./RungWalk.ts"
import type { ComputedStep, OutsideStep, PerformedStep, Run, StepNeeds, StepOf } from "./Step.ts"
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
  /** The answer, from the facts alone, to be recorded and given from then on. */
  Conclude: derived(
    Effect.fn("Steps.conclude")(function*(step) {
      return tellFact(Finished.make({
        request_id: requestIdOf(step),
        outcome: yield* RungWalk.inTurn(Effect.sync(() => Outcome.derived(step.grounding))),
        texts_version: textsVersion,
        finished_at: DateTime.formatIso(yield* DateTime.now)
      }))
    })
  )
}

/** The row of a step. */
export const moduleOf = <Of extends Tag>({ _tag }: StepOf<Of>): Module<Of> =>
  // A table by tag and the tag's own step go together.
  steps[_tag] as unknown as Module<Of>

/** Does one step live and answers with the command that records it. */
export const perform = (
  step: PerformedStep,
  run: Run
): Effect.Effect<SessionCommand | undefined, EventStoreUnavailable, StepNeeds> => {
  const module = moduleOf(step)
  return "compute" in module ? module.compute(step, run) : module.perform(step, run)
}

/**
 * Whether somebody outside of this process is asked, who may take long or cost something: all that
 * was found before is recorded first. Depends on the engines that are set.
 */
export const makeAsksOutside = Effect.gen(function*() {
  const chains = yield* Engines
  const { info: extractor } = yield* ExtractPages
  return (step: PerformedStep): boolean => {
    const module = moduleOf(step)
    if ("compute" in module) {
      return module.engines.some((name) => chains[name].preferred.length > 0)
    }
    return step._tag !== "Read" || chains.reader.preferred.length > 0 || extractor !== undefined
  }
})
