/** Performs whatever `NextStep` names, and answers with the command that records it. */
import { Effect } from "effect"
import type { InternalDocument } from "../../domain/research/CourseOutline.ts"
import { readingOf } from "../../domain/session/Grounding.ts"
import {
  type SessionCommand,
  tellFact,
  type ToldFact
} from "../../domain/session/SessionCommand.ts"
import {
  type EvidenceRead,
  PackReused,
  SearchStopped,
  type StoreAsked
} from "../../domain/session/SessionEvent.ts"
import { concludeGrounding } from "./ConcludeGrounding.ts"
import type * as Deadline from "./Deadline.ts"
import { decideSearch } from "./DecideSearch.ts"
import { planQueries } from "./PlanQueries.ts"
import { rankEvidence } from "./RankEvidence.ts"
import { researchCourse } from "./ResearchCourse.ts"
import type { PerformedStep, StepOf } from "./Step.ts"
import { writePack } from "./WritePack.ts"

/**
 * Source of all that comes into a grounding from outside: a live run asks for it, a replay reads
 * the record. All other steps are computed by the same code in both. `undefined`: nothing to record
 * yet.
 */
export interface Outside<E, R> {
  readonly askStore: (step: StepOf<"AskStore">) => Effect.Effect<typeof StoreAsked.Type, E, R>
  readonly search: (step: StepOf<"Search">) => Effect.Effect<ToldFact | undefined, E, R>
  readonly settle: (step: StepOf<"AwaitCall">) => Effect.Effect<ToldFact | undefined, E, R>
  readonly read: (step: StepOf<"Read">) => Effect.Effect<typeof EvidenceRead.Type, E, R>
  /** The house's own, for an outline. */
  readonly documents: ReadonlyArray<InternalDocument>
}

/**
 * Does one step and answers with the command that records it; `undefined` when there is nothing to
 * record yet, so that the log is looked at again.
 */
export const perform = Effect.fnUntraced(
  function*<E, R>(step: PerformedStep, outside: Outside<E, R>, deadline: Deadline.Deadline) {
    const { request_id } = step.grounding.request
    const reading = readingOf(step.grounding)
    const told = (fact: ToldFact | undefined): SessionCommand | undefined =>
      fact === undefined ? undefined : tellFact(fact)
    switch (step._tag) {
      case "Reuse":
        return tellFact(PackReused.make({ request_id, from_request_id: step.fromRequestId }))
      case "Decide":
        return yield* decideSearch(step, deadline)
      case "AskStore":
        return tellFact(yield* outside.askStore(step))
      case "Plan":
        return tellFact(yield* planQueries(step, deadline))
      case "Search":
        return told(yield* outside.search(step))
      case "AwaitCall":
        return told(yield* outside.settle(step))
      case "StopSearch":
        return tellFact(SearchStopped.make({ request_id, reason: step.reason }))
      case "Read":
        return tellFact(yield* outside.read(step), reading)
      case "Rank":
        return tellFact(yield* rankEvidence(step, deadline), reading)
      case "Write":
        return tellFact(yield* writePack(step, deadline), reading)
      case "Research":
        return tellFact(yield* researchCourse(step, outside.documents, deadline))
      case "Conclude":
        return tellFact(yield* concludeGrounding(request_id, step.grounding))
    }
  }
)
