/** Computes one recorded event anew from the facts before it, by the very code that made it. */
import { Effect, Result } from "effect"
import { questionOf } from "../../domain/request/GroundingRequest.ts"
import * as StoreKnowledge from "../../domain/retrieval/StoreKnowledge.ts"
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
import type { Digest } from "../ports/Digest.ts"
import type { Limits } from "../ports/Limits.ts"
import type { Sites } from "../ports/Sites.ts"
import * as Deadline from "../steps/Deadline.ts"
import * as PerformStep from "../steps/PerformStep.ts"
import { keptOf, readPages } from "../steps/ReadPages.ts"
import type { PerformedStep } from "../steps/Step.ts"
import * as FixedClock from "./FixedClock.ts"
import * as RecordedEngines from "./RecordedEngines.ts"

/** No provider among them: replay cannot reach the web. */
export type Needs = RecordedEngines.Needs | Digest | Limits | Sites

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
  const engines = yield* RecordedEngines.enginesOf(event)
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
      return FixedClock.withTimeAt(event.written_at)
    case "WEB_GROUNDING_RESEARCHED":
      return FixedClock.withTimeAt(event.researched_at)
    case "WEB_GROUNDING_FINISHED":
      return FixedClock.withTimeAt(event.finished_at)
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
