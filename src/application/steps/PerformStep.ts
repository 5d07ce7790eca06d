/** Performs whatever `NextStep` names, and answers with the command that records it. */
import { DateTime, Effect } from "effect"
import * as Eligibility from "../../domain/need/Eligibility.ts"
import * as NeedRules from "../../domain/need/NeedRules.ts"
import { emptyPack } from "../../domain/pack/GroundingPack.ts"
import * as PlanRules from "../../domain/plan/PlanRules.ts"
import type { InternalDocument } from "../../domain/research/Research.ts"
import * as Ranking from "../../domain/retrieval/Ranking.ts"
import * as StoreKnowledge from "../../domain/retrieval/StoreKnowledge.ts"
import type { Rung } from "../../domain/session/EngineDetail.ts"
import { type Grounding, readingOf } from "../../domain/session/Grounding.ts"
import type { GroundingOutcome } from "../../domain/session/GroundingOutcome.ts"
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
  EvidenceRead,
  Finished,
  PackCreated,
  PackReused,
  QueryPlanned,
  Researched,
  SearchStopped,
  StoreAsked
} from "../../domain/session/SessionEvent.ts"
import {
  crashed,
  type EngineInfo,
  NeedGates,
  onBug,
  PackWriters,
  PageReaders,
  type QueryPlanner,
  QueryPlanners,
  Rerankers,
  Researchers,
  storable
} from "../ports/Engines.ts"
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
      (reranker) => reranker.score(question, chunks),
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
    const { last } = planners
    const plan = <E>(planner: QueryPlanner<E>) =>
      Effect.map(planner.plan(request, need, requestedAt), (answer) => {
        const isLocal = planner.info.engine === last.info.engine
        const proposed = isLocal ? answer : PlanRules.faithfulPlan(answer, request)
        return PlanRules.check(proposed, request, need)
      })
    const { answer, rung } = yield* RungWalk.walk(
      request.overrides?.queries === undefined ? planners : { preferred: [], last },
      plan,
      plan,
      { leftMs: yield* Deadline.shareMs(deadline, "Plan"), timeoutMs: engineTimeoutMs }
    )
    return QueryPlanned.make({ request_id: request.request_id, plan: answer, rung })
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
    const outcome = yield* RungWalk.inTurn(Effect.sync(() => Outcome.derived(grounding)))
    return finished(request_id, outcome, DateTime.formatIso(yield* DateTime.now))
  }
)

const finished = (request_id: string, outcome: GroundingOutcome, finished_at: string) =>
  tellFact(Finished.make({ request_id, outcome, texts_version: textsVersion, finished_at }))

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
 *
 * A bug outside of an engine has the step done once more, by the local engines alone. Where that
 * meets it again the step is recorded as empty, so that no retry of the request meets it.
 */
export const perform = <E, R>(
  step: PerformedStep,
  outside: Outside<E, R>,
  deadline: Deadline.Deadline
) => {
  const place = { step: step._tag }
  const done = performed(step, outside, deadline)
  const weaker = done.pipe(
    Effect.provideService(RungWalk.LocalAlone, true),
    onBug(place, () => emptied(step))
  )
  // A search is never sent twice.
  const isSent = step._tag === "Search" || step._tag === "AwaitCall"
  return (isSent ? done : onBug(place, () => weaker)(done)).pipe(Effect.map(storable))
}

const performed = Effect.fnUntraced(
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
        return yield* concludeGrounding(request_id, step.grounding)
    }
  }
)

/** What a step records that nothing could be made of. */
const emptied = Effect.fnUntraced(function*(step: PerformedStep) {
  const { evidence, policy, request } = step.grounding
  const { request_id } = request
  const reading = readingOf(step.grounding)
  const at = DateTime.formatIso(yield* DateTime.now)
  const rungOf = ({ last: { info } }: { readonly last: { readonly info: EngineInfo } }): Rung => ({
    engine: info.engine,
    version: info.version,
    faults: [{ engine: info.engine, ...crashed }]
  })
  switch (step._tag) {
    case "Decide": {
      const proposed = NeedRules.afterFailure(request, Outcome.undecided)
      return proposeNeed({ request_id, proposed, rung: rungOf(yield* NeedGates) })
    }
    case "AskStore":
      return tellFact(StoreAsked.make({
        request_id,
        knowledge: StoreKnowledge.measure("", []),
        entries: []
      }))
    case "Plan": {
      const plan = PlanRules.lastPlan
      return tellFact(QueryPlanned.make({ request_id, plan, rung: rungOf(yield* QueryPlanners) }))
    }
    case "Read":
      return tellFact(
        EvidenceRead.make({
          request_id,
          pages: [],
          ...(request.listing?.urls === undefined
            ? {}
            : { unread: request.listing.urls.map((url) => ({ url, reason: "crashed" })) }),
          rung: rungOf(yield* PageReaders)
        }),
        reading
      )
    case "Rank": {
      const scored = step.chunks.map(({ index, page: { source_id } }) => ({
        source_id,
        index,
        score: 0
      }))
      const ranked = scored.slice(0, policy.chunks_max)
      const rung = rungOf(yield* Rerankers)
      return tellFact(EvidenceRanked.make({ request_id, scored, ranked, rung }), reading)
    }
    case "Write":
      return tellFact(
        PackCreated.make({
          request_id,
          draft: { claims: [], what_to_ask_user: [] },
          pack: {
            ...emptyPack,
            notes: evidence === undefined ? [] : ["question_not_answered"]
          },
          confidence_max: 0,
          written_at: at,
          rung: rungOf(yield* PackWriters)
        }),
        reading
      )
    case "Research":
      return tellFact(Researched.make({
        request_id,
        draft: { key_topics: [], modules: [], learning_objectives: [], skills: [] },
        findings: {
          key_topics_found: [],
          recommended_modules: [],
          learning_objectives_found: [],
          skillset_recommendations: []
        },
        ...(step.isOutlined ? { documents: [], outline: { modules: [], outcomes: [] } } : {}),
        researched_at: at,
        rung: rungOf(yield* Researchers)
      }))
    case "Conclude":
      return finished(request_id, Outcome.withoutEvidence(step.grounding), at)
    default:
      return undefined
  }
})
