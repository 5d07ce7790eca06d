/** One recorded event computed anew from the facts before it, by the very code that made it. */
import { Effect, Result } from "effect"
import { readingOf } from "../../domain/session/Grounding.ts"
import type { NextStep } from "../../domain/session/NextStep.ts"
import * as Session from "../../domain/session/Session.ts"
import {
  RecordCall,
  RecordEvidence,
  RecordPack,
  RecordRanking,
  RecordShown,
  RequestGrounding,
  ReusePack,
  type SessionCommand,
  StartCall,
  StopSearch,
  UseCache
} from "../../domain/session/SessionCommand.ts"
import { type Judging, SessionEvent } from "../../domain/session/SessionEvent.ts"
import { ClaimJudges } from "../ports/ClaimJudge.ts"
import type { Digest } from "../ports/Digest.ts"
import type { Limits } from "../ports/Limits.ts"
import { type NeedGate, NeedGates } from "../ports/NeedGate.ts"
import { type PackWriter, PackWriters } from "../ports/PackWriter.ts"
import { PageReaders } from "../ports/PageReader.ts"
import { type QueryPlanner, QueryPlanners } from "../ports/QueryPlanner.ts"
import { type Reranker, Rerankers } from "../ports/Reranker.ts"
import { type Researcher, Researchers } from "../ports/Researcher.ts"
import type { Sites } from "../ports/Sites.ts"
import { concludeGrounding } from "../steps/ConcludeGrounding.ts"
import * as Deadline from "../steps/Deadline.ts"
import { decideSearch } from "../steps/DecideSearch.ts"
import { planQueries } from "../steps/PlanQueries.ts"
import { rankEvidence } from "../steps/RankEvidence.ts"
import { keptOf, readPages } from "../steps/ReadPages.ts"
import { researchCourse } from "../steps/ResearchCourse.ts"
import { writePack } from "../steps/WritePack.ts"
import * as FixedClock from "./FixedClock.ts"
import * as RecordedRungs from "./RecordedRungs.ts"

/** No provider among them: replay cannot reach the web. */
export type Needs =
  | ClaimJudges
  | Digest
  | Limits
  | NeedGates
  | PackWriters
  | PageReaders
  | QueryPlanners
  | Rerankers
  | Researchers
  | Sites

/** Time enough for every engine: how long it took then is no part of the result. */
const replayMs = 600_000

/** `undefined`: on these facts the program would do something else than was recorded. */
export const recompute = Effect.fnUntraced(
  function*(step: NextStep, session: Session.Session, event: SessionEvent) {
    const command = yield* commandFor(step, event)
    if (command === undefined) return undefined
    const decided = Session.decide(command, session)
    return Result.isSuccess(decided) ? decided.success[0] : undefined
  }
)

type Recomputed = Effect.Effect<SessionCommand | undefined, never, Needs>

const otherwise: Recomputed = Effect.succeed(undefined)

const commandFor = (step: NextStep, event: SessionEvent): Recomputed =>
  SessionEvent.match(event, {
    WEB_GROUNDING_REQUESTED: ({ _tag, ...facts }): Recomputed =>
      Effect.succeed(RequestGrounding.make(facts)),
    WEB_GROUNDING_SHOWN_TO_USER: ({ _tag, ...facts }): Recomputed =>
      // An older release did not record the answer itself before it was shown.
      step._tag === "Finish" || step._tag === "Conclude"
        ? Effect.succeed(RecordShown.make(facts))
        : otherwise,
    WEB_GROUNDING_FINISHED: ({ finished_at, request_id }): Recomputed =>
      step._tag === "Conclude"
        ? FixedClock.at(finished_at)(concludeGrounding(request_id, step.grounding))
        : otherwise,
    WEB_GROUNDING_CALL_STARTED: ({ _tag, ...facts }): Recomputed =>
      step._tag === "Search"
        ? Effect.succeed(
          StartCall.make({ ...facts, query: step.query, query_index: step.queryIndex })
        )
        : otherwise,
    WEB_GROUNDING_CALLED: ({ _tag, ...facts }): Recomputed =>
      step._tag === "AwaitCall" ? Effect.succeed(RecordCall.make(facts)) : otherwise,
    WEB_GROUNDING_CACHE_USED: ({ _tag, ...facts }): Recomputed =>
      step._tag === "Search"
        ? Effect.succeed(
          UseCache.make({ ...facts, query: step.query, query_index: step.queryIndex })
        )
        : otherwise,
    WEB_GROUNDING_PACK_REUSED: ({ request_id }): Recomputed =>
      step._tag === "Reuse"
        ? Effect.succeed(ReusePack.make({ request_id, from_request_id: step.fromRequestId }))
        : otherwise,
    WEB_GROUNDING_SEARCH_STOPPED: ({ _tag, ...facts }): Recomputed =>
      step._tag === "Search" || step._tag === "StopSearch"
        ? Effect.succeed(StopSearch.make(facts))
        : otherwise,
    WEB_GROUNDING_DECIDED: ({ proposed, rung }): Recomputed =>
      step._tag !== "Decide" ? otherwise : Effect.gen(function*() {
        const gates = RecordedRungs.of(rung, yield* NeedGates, {
          failing: (info, failed): NeedGate => ({ info, decide: () => Effect.fail(failed) }),
          answering: (info): NeedGate => ({ info, decide: () => Effect.succeed(proposed) })
        })
        const decided = yield* decideSearch(step, yield* Deadline.after(replayMs)).pipe(
          Effect.provideService(NeedGates, gates)
        )
        return RecordedRungs.asUsed(decided, rung)
      }),
    WEB_GROUNDING_QUERY_PLANNED: ({ plan, rung }): Recomputed =>
      step._tag !== "Plan" ? otherwise : Effect.gen(function*() {
        const planners = RecordedRungs.of(rung, yield* QueryPlanners, {
          failing: (info, failed): QueryPlanner => ({ info, plan: () => Effect.fail(failed) }),
          answering: (info): QueryPlanner => ({ info, plan: () => Effect.succeed(plan) })
        })
        const planned = yield* planQueries(step, yield* Deadline.after(replayMs)).pipe(
          Effect.provideService(QueryPlanners, planners)
        )
        return RecordedRungs.asUsed(planned, rung)
      }),
    WEB_GROUNDING_EVIDENCE_READ: ({ _tag, ...facts }): Recomputed =>
      step._tag !== "Read" ? otherwise : Effect.gen(function*() {
        const { last } = yield* PageReaders
        // What was fetched from the web comes from the record; a snippet is cut again.
        if (facts.pages.some(({ reader }) => reader !== "snippet")) {
          return RecordEvidence.make({ ...facts, reading: readingOf(step.grounding) })
        }
        const read = yield* readPages(step, yield* Deadline.after(replayMs)).pipe(
          Effect.provideService(PageReaders, { preferred: [], last })
        )
        return RecordEvidence.make({ ...keptOf(step.grounding, read), rung: facts.rung })
      }),
    WEB_GROUNDING_EVIDENCE_RANKED: ({ _tag, ...facts }): Recomputed => {
      if (isUnseen(step)) {
        return Effect.succeed(
          RecordRanking.make({ ...facts, reading: readingOf(step.grounding) })
        )
      }
      if (step._tag !== "Rank") return otherwise
      const { rung, scored } = facts
      return Effect.gen(function*() {
        const rerankers = RecordedRungs.of(rung, yield* Rerankers, {
          failing: (info, failed): Reranker => ({ info, score: () => Effect.fail(failed) }),
          answering: (info): Reranker => ({
            info,
            score: () => Effect.succeed(scored.map(({ score }) => score))
          })
        })
        const reranked = yield* rankEvidence(step, yield* Deadline.after(replayMs)).pipe(
          Effect.provideService(Rerankers, rerankers)
        )
        return RecordedRungs.asUsed(reranked, rung)
      })
    },
    WEB_GROUNDING_RESEARCHED: ({ draft, researched_at, rung }): Recomputed =>
      step._tag !== "Research" ? otherwise : Effect.gen(function*() {
        const researchers = RecordedRungs.of(rung, yield* Researchers, {
          failing: (info, failed): Researcher => ({ info, research: () => Effect.fail(failed) }),
          answering: (info): Researcher => ({ info, research: () => Effect.succeed(draft) })
        })
        const researched = yield* researchCourse(step, yield* Deadline.after(replayMs)).pipe(
          Effect.provideService(Researchers, researchers),
          FixedClock.at(researched_at)
        )
        return RecordedRungs.asUsed(researched, rung)
      }),
    WEB_GROUNDING_PACK_CREATED: ({ _tag, ...facts }): Recomputed => {
      if (isUnseen(step)) {
        return Effect.succeed(RecordPack.make({ ...facts, reading: readingOf(step.grounding) }))
      }
      if (step._tag !== "Write") return otherwise
      const { draft, judging, rung, written_at } = facts
      return Effect.gen(function*() {
        const writers = RecordedRungs.of(rung, yield* PackWriters, {
          failing: (info, failed): PackWriter => ({ info, write: () => Effect.fail(failed) }),
          answering: (info): PackWriter => ({ info, write: () => Effect.succeed(draft) })
        })
        const deadline = yield* Deadline.after(replayMs)
        const written = yield* writePack(step, deadline).pipe(
          Effect.provideService(PackWriters, writers),
          Effect.provideService(ClaimJudges, recordedJudges(judging, yield* ClaimJudges)),
          FixedClock.at(written_at)
        )
        return RecordedRungs.asUsed(
          written.judging === undefined || judging === undefined
            ? written
            : { ...written, judging: { ...written.judging, rung: judging.rung } },
          rung
        )
      })
    }
  })

/** Judgements are taken from the record, none of them when none was given. */
const recordedJudges = (
  judging: Judging | undefined,
  { last }: ClaimJudges["Service"]
): ClaimJudges["Service"] => {
  const judge = { info: last.info, judge: () => Effect.succeed(judging?.judgements ?? []) }
  return { preferred: judging === undefined ? [] : [judge], last }
}

/** Nothing can be computed anew from pages whose texts the log was not allowed to keep. */
export const isUnseen = (step: NextStep): step is Extract<NextStep, { readonly _tag: "Read" }> =>
  step._tag === "Read" && readingOf(step.grounding) > 0
