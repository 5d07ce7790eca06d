/**
 * Grounds one question: fold, ask `NextStep`, perform, record, again, until it says `Finish`.
 *
 * The log is the program counter. A request that was cut off goes on where its facts end, one
 * that is finished is answered from them, and a repeated one spends nothing.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Grounding } from "../domain/session/Grounding.ts"
import { deadlineMsOf, type GroundingRequest } from "../domain/session/GroundingRequest.ts"
import * as NextStep from "../domain/session/NextStep.ts"
import * as Outcome from "../domain/session/Outcome.ts"
import type { RequestConflict, SessionRejection } from "../domain/session/Session.ts"
import { RequestGrounding, type SessionCommand } from "../domain/session/SessionCommand.ts"
import type { EventErased, EventUnreadable } from "./EventCodec.ts"
import type { ClaimJudges } from "./ports/ClaimJudge.ts"
import type { Digest } from "./ports/Digest.ts"
import type {
  EventNotStorable,
  EventStore,
  EventStoreUnavailable,
  StreamConflict
} from "./ports/EventStore.ts"
import { Ids } from "./ports/Ids.ts"
import type { Instance } from "./ports/Instance.ts"
import { Limits } from "./ports/Limits.ts"
import type { NeedGates } from "./ports/NeedGate.ts"
import type { PackWriters } from "./ports/PackWriter.ts"
import type { PageReaders } from "./ports/PageReader.ts"
import type { QueryPlanners } from "./ports/QueryPlanner.ts"
import type { Rerankers } from "./ports/Reranker.ts"
import type { Researchers } from "./ports/Researcher.ts"
import type { Sites } from "./ports/Sites.ts"
import { RequestInProgress } from "./PublicFailure.ts"
import * as SessionLog from "./SessionLog.ts"
import type { CoalesceSearch } from "./steps/CoalesceSearch.ts"
import * as Deadline from "./steps/Deadline.ts"
import * as PerformStep from "./steps/PerformStep.ts"
import type { SearchWeb } from "./steps/SearchWeb.ts"
import type { PerformedStep } from "./steps/Step.ts"

/** When a caller may ask again for a request that is in other hands. */
const retryAfterMs = 1_000

type Loaded = SessionLog.Loaded

export type GroundingFailed =
  | RequestConflict
  | RequestInProgress
  | EventErased
  | EventStoreUnavailable

type StepFailed =
  | GroundingFailed
  | SessionRejection
  | StreamConflict
  | EventNotStorable
  | EventUnreadable

export interface Caller {
  readonly tenantId: string
  /** Pseudonym for the events' metadata. */
  readonly actor: string
}

/** Told of every fact right after it was recorded. */
export type Report = (fact: SessionLog.Fact) => Effect.Effect<void>

export class GroundQuestion extends Context.Service<GroundQuestion, {
  readonly ground: (
    request: GroundingRequest,
    caller: Caller,
    report: Report
  ) => Effect.Effect<Outcome.GroundingOutcome, GroundingFailed>
}>()("web-grounding/application/GroundQuestion") {}

export type Needs =
  | CoalesceSearch
  | Digest
  | Sites
  | EventStore
  | Ids
  | Instance
  | Limits
  | NeedGates
  | ClaimJudges
  | PackWriters
  | PageReaders
  | QueryPlanners
  | Rerankers
  | Researchers
  | SearchWeb

export const layer = Layer.effect(
  GroundQuestion,
  Effect.gen(function*() {
    const services = yield* Effect.context<Needs>()
    return GroundQuestion.of({
      ground: (request, caller, report) =>
        ground(request, caller, report).pipe(Effect.provide(services))
    })
  })
)

const ground = Effect.fn("GroundQuestion.ground")(
  function*(request: GroundingRequest, caller: Caller, report: Report) {
    const { chunksMax, entriesMax, evidenceCharsMax, pagesMax } = yield* Limits
    const { boundary } = yield* Ids
    const deadline = yield* Deadline.after(deadlineMsOf(request))
    const performer = yield* PerformStep.make({
      requestId: request.request_id,
      tenantId: caller.tenantId,
      deadline
    })
    const ref = { tenant_id: caller.tenantId, session_id: request.session_id }

    const record = Effect.fnUntraced(function*(loaded: Loaded, command: SessionCommand) {
      const handled = yield* SessionLog.handle(loaded, command, caller.actor)
      yield* performer.recorded(handled.facts)
      // Whoever listens may be slow or gone; it must not keep the run from being interrupted.
      yield* Effect.interruptible(Effect.forEach(handled.facts, report, { discard: true }))
      return handled
    })

    const recordAbandoned = (loaded: Loaded, step: PerformedStep) =>
      Effect.flatMap(
        performer.abandon(step),
        (command) => command === undefined ? Effect.void : Effect.ignore(record(loaded, command))
      )

    const lookAgain = Effect.gen(function*() {
      if ((yield* Deadline.leftMs(deadline)) > 0) return yield* SessionLog.load(ref)
      return yield* inProgress(request)
    })

    /** What was done is recorded, even if the caller goes away in between. */
    const take = (loaded: Loaded, step: PerformedStep) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const command = yield* restore(performer.perform(step)).pipe(
            Effect.onInterrupt(() => recordAbandoned(loaded, step))
          )
          const after: Loaded = command === undefined
            ? yield* restore(lookAgain)
            : yield* record(loaded, command)
          return after
        })
      ).pipe(
        // Another request of the session took the last search since the step was read.
        Effect.catchTag("BudgetRefused", () => SessionLog.load(ref))
      )

    const advance = (loaded: Loaded): Effect.Effect<Grounding, StepFailed, Needs> =>
      Effect.flatMap(performer.seen(loaded.state), (session) => {
        const step = NextStep.next(session, request.request_id)
        if (step._tag === "Finish") return Effect.succeed(step.grounding)
        return step._tag === "Request"
          ? Effect.flatMap(record(loaded, opening), advance)
          : Effect.flatMap(take(loaded, step), advance)
      })

    const opening = RequestGrounding.make({
      request_id: request.request_id,
      request,
      requested_at: DateTime.formatIso(yield* DateTime.now),
      policy: {
        pages_max: pagesMax,
        chunks_max: chunksMax,
        evidence_chars_max: evidenceCharsMax,
        ...(entriesMax === 0 ? {} : { entries_max: entriesMax })
      },
      boundary: yield* boundary
    })
    const opened = yield* record(yield* SessionLog.load(ref), opening)
    return Outcome.of(yield* Effect.ensuring(advance(opened), performer.close))
  },
  (grounding, request) =>
    Effect.catchTags(grounding, {
      // Twenty writers in a row were faster: the session is busy, the log is not broken.
      StreamConflict: () => Effect.fail(inProgress(request)),
      // The loop only sends commands that its own reading of the state calls for, and hits are
      // cleaned where they enter. Each of these is a bug, not a caller's failure.
      BudgetRefused: (bug) => Effect.die(bug),
      CommandRefused: (bug) => Effect.die(bug),
      EventNotStorable: (bug) => Effect.die(bug),
      EventUnreadable: (bug) => Effect.die(bug)
    })
)

const inProgress = ({ request_id }: GroundingRequest): RequestInProgress =>
  new RequestInProgress({ request_id, retry_after_ms: retryAfterMs })
