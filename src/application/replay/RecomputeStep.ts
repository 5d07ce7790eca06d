/** Computes one recorded event anew from the facts before it, by the very code that made it. */
import { Clock, Context, DateTime, Effect, Result } from "effect"
import { questionOf } from "../../domain/request/GroundingRequest.ts"
import * as StoreKnowledge from "../../domain/retrieval/StoreKnowledge.ts"
import type { Rung } from "../../domain/session/EngineDetail.ts"
import { readingOf } from "../../domain/session/Grounding.ts"
import type { NextStep } from "../../domain/session/NextStep.ts"
import * as Session from "../../domain/session/Session.ts"
import { type SessionCommand, tellFact } from "../../domain/session/Session.ts"
import {
  CacheUsed,
  CallStarted,
  EvidenceRead,
  Finished,
  type SessionEvent,
  StoreAsked
} from "../../domain/session/SessionEvent.ts"
import {
  ClaimJudges,
  EngineFailed,
  type EngineInfo,
  ExtractPages,
  NeedGates,
  PackWriters,
  PageReaders,
  QueryPlanners,
  Rerankers,
  Researchers
} from "../ports/Engines.ts"
import { type Limits, UsageMeter } from "../ports/Limits.ts"
import type { Digest, Sites } from "../ports/Platform.ts"
import * as SearchProvider from "../ports/SearchProvider.ts"
import * as Deadline from "../steps/Deadline.ts"
import * as PerformStep from "../steps/PerformStep.ts"
import { keptOf, readPages } from "../steps/ReadPages.ts"
import type { PerformedStep } from "../steps/Step.ts"

/** No provider among them: replay cannot reach the web. */
export type Needs = EngineNeeds | Digest | Limits | Sites

/** Time enough for every engine: how long it took then is no part of the result. */
const replayMs = 600_000

/**
 * The event that the program records today from the same facts; `undefined` when it would do
 * something else than was recorded.
 */
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
  // A request comes from the caller, and so does the word that its pack was shown. An older
  // release did not record the answer itself before it was shown.
  if (event._tag === "WEB_GROUNDING_REQUESTED") return Effect.succeed(tellFact(event))
  if (event._tag === "WEB_GROUNDING_SHOWN_TO_USER") {
    const isAnswered = step._tag === "Finish" || step._tag === "Conclude"
    return isAnswered ? Effect.succeed(tellFact(event)) : Effect.undefined
  }
  // What another session had answered comes from that session's record.
  if (event._tag === "WEB_GROUNDING_CACHED_PACK_USED") {
    return step._tag === "Decide" ? Effect.succeed(tellFact(event)) : Effect.undefined
  }
  if (step._tag === "Request" || step._tag === "Finish") return Effect.undefined
  if (
    event._tag === "WEB_GROUNDING_EVIDENCE_RANKED" || event._tag === "WEB_GROUNDING_PACK_CREATED"
  ) {
    if (isUnseen(step)) return Effect.succeed(tellFact(event, readingOf(step.grounding)))
  }
  // Which of the two ends the search depends on what other requests had reserved by then.
  if (event._tag === "WEB_GROUNDING_SEARCH_STOPPED" && step._tag === "StopSearch") {
    return Effect.succeed(tellFact(event))
  }
  return recorded(step, event)
}

const recorded = Effect.fnUntraced(function*(step: PerformedStep, event: SessionEvent) {
  const engines = yield* enginesOf(event)
  const command = yield* Effect.flatMap(
    Deadline.deadlineAfter(replayMs),
    (deadline) => PerformStep.perform(step, outsideOf(event, deadline), deadline)
  ).pipe(
    Effect.provide(engines),
    stampOf(event)
  )
  return withCacheOf(event, command)
})

/** Gives the command the recorded cache key, which depends on the deployment of then. */
const withCacheOf = (event: SessionEvent, command: SessionCommand | undefined) =>
  event._tag === "WEB_GROUNDING_FINISHED" && event.cache !== undefined &&
    command?._tag === "TellFact" && command.fact._tag === "WEB_GROUNDING_FINISHED"
    ? tellFact(Finished.make({ ...command.fact, cache: event.cache }))
    : command

/** Facts from outside are taken from the record; what the plan and the snippets say is not. */
const outsideOf = (event: SessionEvent, deadline: Deadline.Deadline) => ({
  // What the store held then, it may hold no more: the figures of it are taken from the record.
  askStore: ({ grounding }: Extract<PerformedStep, { readonly _tag: "AskStore" }>) =>
    Effect.succeed(
      event._tag === "WEB_GROUNDING_STORE_ASKED" ? event : StoreAsked.make({
        request_id: grounding.request.request_id,
        knowledge: StoreKnowledge.measure(questionOf(grounding.request), []),
        entries: []
      })
    ),
  search: (
    { query, queryIndex }: Extract<PerformedStep, { readonly _tag: "Search" }>
  ) => Effect.succeed(searchOf(event, { query, query_index: queryIndex })),
  settle: () => Effect.succeed(event._tag === "WEB_GROUNDING_CALLED" ? event : undefined),
  read: Effect.fnUntraced(function*(step: Extract<PerformedStep, { readonly _tag: "Read" }>) {
    const isOfPages = event._tag === "WEB_GROUNDING_EVIDENCE_READ"
    // What was fetched from the web comes from the record; a snippet is cut again.
    const isFetched = step.grounding.request.listing?.urls !== undefined ||
      isOfPages && event.pages.some(({ reader }) => reader !== "snippet")
    if (isOfPages && isFetched) return event
    const read = keptOf(step.grounding, yield* readPages(step, deadline))
    return isOfPages ? EvidenceRead.make({ ...read, rung: event.rung }) : read
  }),
  documents: event._tag === "WEB_GROUNDING_RESEARCHED" ? event.documents ?? [] : []
})

const searchOf = (
  event: SessionEvent,
  planned: { readonly query: string; readonly query_index: number }
) => {
  switch (event._tag) {
    case "WEB_GROUNDING_CALL_STARTED":
      return CallStarted.make({ ...event, ...planned })
    case "WEB_GROUNDING_CACHE_USED":
      return CacheUsed.make({ ...event, ...planned })
    case "WEB_GROUNDING_SEARCH_STOPPED":
      return event
    default:
      return undefined
  }
}

/** Clock fixed at the recorded time of the event, for the events that carry one. */
const stampOf = (event: SessionEvent) => {
  switch (event._tag) {
    case "WEB_GROUNDING_PACK_CREATED":
      return withTimeAt(event.written_at)
    case "WEB_GROUNDING_RESEARCHED":
      return withTimeAt(event.researched_at)
    case "WEB_GROUNDING_FINISHED":
      return withTimeAt(event.finished_at)
    default:
      return <A, E, R>(effect: Effect.Effect<A, E, R>) => effect
  }
}

/**
 * Whether a step reads again pages whose texts the log was not allowed to keep: nothing of it can
 * be computed again.
 */
export const isUnseen = (step: NextStep): step is Extract<NextStep, { readonly _tag: "Read" }> =>
  step._tag === "Read" && readingOf(step.grounding) > 0

// Engines that answer as one event of the log says they did. Those that failed fail again in the
// same way. The one that answered is computed anew when it is this build's own local engine, and
// answers from the record when it is not. Engines of other steps are local, so that nothing
// outside is asked.

export type EngineNeeds =
  | ClaimJudges
  | NeedGates
  | PackWriters
  | PageReaders
  | QueryPlanners
  | Rerankers
  | Researchers

/**
 * Engines that answer as the event records. `undefined` where no engine has a record: each is the
 * local one then.
 */
export const enginesOf = Effect.fnUntraced(function*(event: SessionEvent | undefined) {
  const { last: gate } = yield* NeedGates
  const { last: planner } = yield* QueryPlanners
  const { last: reader } = yield* PageReaders
  const { last: reranker } = yield* Rerankers
  const { last: writer } = yield* PackWriters
  const { last: judge } = yield* ClaimJudges
  const { last: researcher } = yield* Researchers

  const decided = event?._tag === "WEB_GROUNDING_DECIDED" ? event : undefined
  const planned = event?._tag === "WEB_GROUNDING_QUERY_PLANNED" ? event : undefined
  const ranked = event?._tag === "WEB_GROUNDING_EVIDENCE_RANKED" ? event : undefined
  const written = event?._tag === "WEB_GROUNDING_PACK_CREATED" ? event : undefined
  const judging = written?.judging
  const researched = event?._tag === "WEB_GROUNDING_RESEARCHED" ? event : undefined

  return Context.make(SearchProvider.Breakers, SearchProvider.none).pipe(
    Context.add(NeedGates, {
      preferred: recordedAnswer(decided?.rung, decided?.proposed, gate.info)
        .map(({ answer, info }) => ({ info, decide: () => answer })),
      last: gate
    }),
    Context.add(QueryPlanners, {
      preferred: recordedAnswer(planned?.rung, planned?.plan, planner.info)
        .map(({ answer, info }) => ({ info, plan: () => answer })),
      last: planner
    }),
    Context.add(PageReaders, { preferred: [], last: reader }),
    Context.add(ExtractPages, ExtractPages.defaultValue()),
    Context.add(Rerankers, {
      preferred: recordedAnswer(
        ranked?.rung,
        ranked?.scored.map(({ score }) => score),
        reranker.info
      ).map(({ answer, info }) => ({ info, score: () => answer })),
      last: reranker
    }),
    Context.add(PackWriters, {
      preferred: recordedAnswer(written?.rung, written?.draft, writer.info)
        .map(({ answer, info }) => ({ info, write: () => answer })),
      last: writer
    }),
    Context.add(ClaimJudges, {
      // The local judge gives no judgement; whoever gave those of the record is not asked again.
      preferred: recordedAnswer(judging?.rung, judging?.judgements, undefined)
        .map(({ answer, info }) => ({ info, judge: () => answer })),
      last: judge
    }),
    Context.add(Researchers, {
      preferred: recordedAnswer(researched?.rung, researched?.draft, researcher.info)
        .map(({ answer, info }) => ({ info, research: () => answer })),
      last: researcher
    })
  )
})

/**
 * Engines whose answers in the event replay takes from the record: all but the local ones of this
 * build, which are computed again.
 */
export const takenFrom = Effect.fnUntraced(function*(event: SessionEvent) {
  const told = (rung: Rung | undefined, local: EngineInfo): ReadonlyArray<EngineInfo> =>
    rung === undefined || isOf(rung, local) ? [] : [{ engine: rung.engine, version: rung.version }]
  switch (event._tag) {
    case "WEB_GROUNDING_DECIDED":
      return told(event.rung, (yield* NeedGates).last.info)
    case "WEB_GROUNDING_QUERY_PLANNED":
      return told(event.rung, (yield* QueryPlanners).last.info)
    case "WEB_GROUNDING_EVIDENCE_RANKED":
      return told(event.rung, (yield* Rerankers).last.info)
    case "WEB_GROUNDING_PACK_CREATED":
      return [
        ...told(event.rung, (yield* PackWriters).last.info),
        ...told(event.judging?.rung, (yield* ClaimJudges).last.info)
      ]
    case "WEB_GROUNDING_RESEARCHED":
      return told(event.rung, (yield* Researchers).last.info)
    default:
      return []
  }
})

/** Whether the rung is the local engine of this build: what it said can be computed again. */
export const isOf = ({ engine, version }: Rung, local: EngineInfo | undefined): boolean =>
  engine === local?.engine && version === local.version

interface RecordedEngine<A> {
  readonly info: EngineInfo
  readonly answer: Effect.Effect<A, EngineFailed>
}

/** The engines before the local one, in their order. What models used then is told by the first. */
const recordedAnswer = <A>(
  rung: Rung | undefined,
  answer: A | undefined,
  local: EngineInfo | undefined
): ReadonlyArray<RecordedEngine<A>> => {
  if (rung === undefined || answer === undefined) return []
  const { engine, faults, usage, version } = rung
  const failing = faults.map((fault): RecordedEngine<A> => ({
    info: { engine: fault.engine, version: "" },
    answer: Effect.fail(new EngineFailed(fault))
  }))
  const engines = isOf(rung, local)
    ? failing
    : [...failing, { info: { engine, version }, answer: Effect.succeed(answer) }]
  const charge = usage === undefined
    ? Effect.void
    : Effect.flatMap(UsageMeter, (meter) => meter(usage))
  return engines.map(({ answer, info }, index) => ({
    info,
    answer: index === 0 ? Effect.andThen(charge, answer) : answer
  }))
}

// Runs an effect at one fixed moment, so that what it stamps is what was stamped then.

/**
 * Runs an effect with a clock that stands at `iso` (ISO 8601). The effect must not wait for time to
 * pass: it never does.
 */
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
