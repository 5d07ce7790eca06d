/** Performs whatever `NextStep` names, and answers with the command that records it. */
import { DateTime, Effect } from "effect"
import * as Eligibility from "../../domain/need/Eligibility.ts"
import * as NeedRules from "../../domain/need/NeedRules.ts"
import * as PlanRules from "../../domain/plan/PlanRules.ts"
import type { InternalDocument } from "../../domain/research/Research.ts"
import * as Ranking from "../../domain/retrieval/Ranking.ts"
import { type Grounding, readingOf } from "../../domain/session/Grounding.ts"
import * as Outcome from "../../domain/session/Outcome.ts"
import { textsVersion } from "../../domain/session/OutcomeReason.ts"
import {
  proposeNeed,
  type SessionCommand,
  tellFact,
  type ToldFact
} from "../../domain/session/Session.ts"
import {
  EvidenceRanked,
  type EvidenceRead,
  Finished,
  PackReused,
  QueryPlanned,
  SearchStopped,
  type StoreAsked
} from "../../domain/session/SessionEvent.ts"
import { NeedGates, type QueryPlanner, QueryPlanners, Rerankers } from "../ports/Engines.ts"
import { Limits } from "../ports/Limits.ts"
import * as Deadline from "./Deadline.ts"
import { researchCourse } from "./ResearchCourse.ts"
import * as RungWalk from "./RungWalk.ts"
import type { PerformedStep, StepOf } from "./Step.ts"
import { writePack } from "./WritePack.ts"

// Scores every passage and keeps the best that differ.

/** Walks the rerankers and makes the event with every passage's score and the selected ones. */
export const rankEvidence = Effect.fn("RankEvidence.rankEvidence")(
  function*({ chunks, grounding }: StepOf<"Rank">, deadline: Deadline.Deadline) {
    const { policy, request } = grounding
    const rerankers = yield* Rerankers
    const { rankTimeoutMs } = yield* Limits
    const question = Eligibility.questionOf(request)
    const { answer, rung } = yield* RungWalk.walk(
      rerankers,
      (reranker) => reranker.score(question, chunks),
      (reranker) => RungWalk.orNothing(reranker, () => reranker.score(question, chunks), []),
      { leftMs: yield* Deadline.shareMs(deadline, "Rank"), timeoutMs: rankTimeoutMs }
    )
    // A ranker that leaves passages out must not lose them: they come last.
    const scores = chunks.map((_, index) => answer[index] ?? 0)
    return EvidenceRanked.make({
      request_id: request.request_id,
      scored: chunks.map(({ index, page }, place) => ({
        source_id: page.source_id,
        index,
        score: scores[place] ?? 0
      })),
      ranked: Ranking.top(chunks, scores, policy.chunks_max),
      rung
    })
  }
)

// Asks the planners for queries; whatever they answer is checked for privacy and bounds.

/** Walks the planners and makes the event with the plan, as the checks of the domain leave it. */
const planQueries = Effect.fn("PlanQueries.planQueries")(
  function*({ grounding, need }: StepOf<"Plan">, deadline: Deadline.Deadline) {
    const { request, requestedAt } = grounding
    const planners = yield* QueryPlanners
    const { engineTimeoutMs } = yield* Limits
    const plan = <E>(planner: QueryPlanner<E>) => planner.plan(request, need, requestedAt)
    const { answer, rung } = yield* RungWalk.walk(
      request.overrides?.queries === undefined ? planners : { preferred: [], last: planners.last },
      plan,
      plan,
      { leftMs: yield* Deadline.shareMs(deadline, "Plan"), timeoutMs: engineTimeoutMs }
    )
    const isLocal = rung.engine === planners.last.info.engine
    const proposed = isLocal ? answer : PlanRules.faithfulPlan(answer, request)
    return QueryPlanned.make({
      request_id: request.request_id,
      plan: PlanRules.check(proposed, request, need),
      rung
    })
  }
)

// Asks the gates whether the request needs the web. Phase and budget are applied by the session.

/** Walks the gates and makes the command with the need that one of them proposes. */
const decideSearch = Effect.fn("DecideSearch.decideSearch")(
  function*({ grounding: { request } }: StepOf<"Decide">, deadline: Deadline.Deadline) {
    const gates = yield* NeedGates
    const { engineTimeoutMs } = yield* Limits
    const { answer, rung } = yield* RungWalk.walk(
      // With its queries fixed there is nothing for a model to decide.
      request.overrides?.queries === undefined ? gates : { preferred: [], last: gates.last },
      (gate) => gate.decide(request),
      (gate) => gate.decide(request),
      { leftMs: yield* Deadline.shareMs(deadline, "Decide"), timeoutMs: engineTimeoutMs }
    )
    const hasFailed = rung.faults.length > 0 && rung.engine === gates.last.info.engine
    return proposeNeed({
      request_id: request.request_id,
      proposed: hasFailed ? NeedRules.afterFailure(request, answer) : answer,
      rung
    })
  }
)

// Derives the answer from the facts, to be recorded and given from then on.

/** Makes the event with the outcome of a grounding, from its facts alone. */
const concludeGrounding = Effect.fn("ConcludeGrounding.concludeGrounding")(
  function*(request_id: string, grounding: Grounding) {
    return Finished.make({
      request_id,
      outcome: yield* RungWalk.inTurn(Effect.sync(() => Outcome.derived(grounding))),
      texts_version: textsVersion,
      finished_at: DateTime.formatIso(yield* DateTime.now)
    })
  }
)

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
