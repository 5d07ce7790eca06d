/**
 * Grounds one question: fold, get the `NextStep`, perform, record, until `Finish`. An interrupted
 * request continues where its facts end; a repeated one is answered from them and spends nothing.
 */
import * as Languages from "@web-grounding/language/Languages"
import { Clock, Context, DateTime, Effect, Layer, Option, Ref, Schema, Scope } from "effect"
import { asGiven } from "../domain/request/GivenFields.ts"
import {
  deadlineMsOf,
  type GroundingRequest,
  type RequestConflict,
  RequestInProgress
} from "../domain/request/GroundingRequest.ts"
import type { InternalDocument } from "../domain/research/Research.ts"
import type { GroundingOutcome } from "../domain/session/GroundingOutcome.ts"
import * as NextStep from "../domain/session/NextStep.ts"
import * as Outcome from "../domain/session/Outcome.ts"
import { rulesVersion } from "../domain/session/RulesVersion.ts"
import { tellFact } from "../domain/session/Session.ts"
import { Requested } from "../domain/session/SessionEvent.ts"
import { RetryUntil } from "./log/CommandHandler.ts"
import type { EventErased } from "./log/EventCodec.ts"
import type * as SessionLog from "./log/SessionLog.ts"
import type { LogTampered } from "./ports/EventStore.ts"
import { Limits } from "./ports/Limits.ts"
import { Ids } from "./ports/Platform.ts"
import { PagesLeft, sitesOf } from "./ports/StoredEvidence.ts"
import * as LiveRun from "./run/LiveRun.ts"
import * as RunRecord from "./run/RunRecord.ts"
import type { RunPosition } from "./run/RunRecord.ts"
import * as RecentAnswers from "./sharing/RecentAnswers.ts"
import { SessionTurns } from "./sharing/SessionTurns.ts"
import * as Deadline from "./steps/Deadline.ts"
import type { PerformedStep } from "./steps/Step.ts"
import * as Steps from "./steps/Steps.ts"

const retryAfterMs = 1_000

/** The log could not be reached; earlier steps are recorded. */
export class GroundingUnrecorded
  extends Schema.TaggedError<GroundingUnrecorded>()("GroundingUnrecorded", {
    request_id: Schema.String,
    /** Absent when the log never answered: an earlier run may have searched. */
    has_searched: Schema.optionalKey(Schema.Boolean),
    cause: Schema.Defect()
  })
{}

export type GroundingFailed =
  | RequestConflict
  | RequestInProgress
  | EventErased
  | GroundingUnrecorded
  | LogTampered

export interface Caller {
  readonly tenantId: string
  /** Pseudonym for the events' metadata. */
  readonly actor: string
  /** In milliseconds since the epoch. Default: when the run begins. */
  readonly arrivedAtMs?: number
  /** Passages of internal documents, for an outline: used ones are recorded with it. */
  readonly documents?: ReadonlyArray<InternalDocument>
}

/** Gets every fact after it was recorded, with the texts of this run's pages by SHA-256. */
export type Report = (
  fact: SessionLog.Fact,
  texts: ReadonlyMap<string, string>
) => Effect.Effect<void>

/** Answers within the deadline. A repeated `request_id` continues, or gets the recorded answer. */
export class GroundQuestion extends Context.Service<GroundQuestion, {
  /** Answers or fails, at the latest 250 ms after the deadline. */
  readonly ground: (
    request: GroundingRequest,
    caller: Caller,
    report: Report
  ) => Effect.Effect<GroundingOutcome, GroundingFailed>
}>()("web-grounding/application/GroundQuestion") {}

export type Needs = Effect.Services<ReturnType<typeof ground>>

export const layer = Layer.effect(
  GroundQuestion,
  Effect.gen(function*() {
    const services = yield* Effect.context<Needs>()
    const { isOn, release } = yield* PagesLeft
    const scope = yield* Scope.Scope
    const { answered: remembered } = yield* RecentAnswers.make
    return GroundQuestion.of({
      ground: Effect.fnUntraced(function*(request, caller, report) {
        const arrivedAtMs = caller.arrivedAtMs ?? (yield* Clock.currentTimeMillis)
        const deadline = Deadline.ofArrival(arrivedAtMs, deadlineMsOf(request))
        const run = remembered(
          caller.tenantId,
          request,
          ground({ request, caller, report, deadline })
        ).pipe(Effect.provideService(RetryUntil, deadline.atMs), Effect.provide(services))
        const answered = yield* Deadline.answeredBy(deadline, run, scope)
        if (Option.isNone(answered)) return yield* inProgress(request)
        if (isOn && request.allow_collecting === true) {
          yield* Effect.forkIn(release(caller.tenantId, request.session_id), scope)
        }
        return answered.value
      })
    })
  })
)

interface Run {
  readonly request: GroundingRequest
  readonly caller: Caller
  readonly report: Report
  readonly deadline: Deadline.Deadline
}

const ground = Effect.fn("GroundQuestion.ground")(
  function*(run: Run) {
    const hasSearched = yield* Ref.make(Option.none<boolean>())
    return yield* Effect.scoped(runOf(run, hasSearched)).pipe(
      Effect.catchTag(
        "EventStoreUnavailable",
        (cause) =>
          Effect.flatMap(Ref.get(hasSearched), (has_searched) =>
            new GroundingUnrecorded({
              request_id: run.request.request_id,
              ...asGiven({ has_searched }),
              cause
            }))
      )
    )
  },
  (grounding, { request }) =>
    Effect.catchTags(grounding, {
      // Other processes were faster until the deadline: the session is busy, the log is sound.
      StreamConflict: () => Effect.fail(inProgress(request)),
      // Commands follow from the loop's own reading, and hits are cleaned on entry: each of these
      // is a bug.
      BudgetRefused: (bug) => Effect.die(bug),
      CommandRefused: (bug) => Effect.die(bug),
      EventNotStorable: (bug) => Effect.die(bug),
      EventUnreadable: (bug) => Effect.die(bug)
    })
)

const runOf = Effect.fnUntraced(
  function*(
    { caller, deadline, report, request }: Run,
    hasSearched: Ref.Ref<Option.Option<boolean>>
  ) {
    const { join } = yield* SessionTurns
    const asksOutside = yield* Steps.makeAsksOutside
    const live = yield* LiveRun.make({
      requestId: request.request_id,
      tenantId: caller.tenantId,
      documents: caller.documents ?? [],
      deadline
    })
    const shared = yield* join({ tenant_id: caller.tenantId, session_id: request.session_id })
    const record = yield* RunRecord.make({
      caller,
      deadline,
      shared,
      recorded: Effect.fnUntraced(function*(facts) {
        yield* live.recorded(facts)
        const texts = yield* live.texts
        // A slow or lost listener must not keep the run from being interrupted.
        yield* Effect.interruptible(
          Effect.forEach(facts, (fact) => report(fact, texts), { discard: true })
        )
      })
    })
    const opening = yield* openingOf(request, caller)

    const newest = Effect.map(shared.load, (loaded): RunPosition => ({ ...loaded, waiting: [] }))

    const lookAgain = Effect.gen(function*() {
      if ((yield* Deadline.leftMs(deadline)) > 0) return yield* newest
      return yield* inProgress(request)
    })

    const recordAbandoned = (position: RunPosition, step: PerformedStep) =>
      Effect.flatMap(live.abandon(step), (command) =>
        command === undefined
          ? Effect.void
          : Effect.ignore(record.append({ ...position, waiting: [] }, command)))

    /** Performs a step and records it, even if the caller goes away in between. */
    const take = (position: RunPosition, step: PerformedStep) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          if (step._tag === "AwaitCall") yield* Ref.set(hasSearched, Option.some(true))
          const isOutside = asksOutside(step)
          const { before, done: command } = yield* restore(
            isOutside
              ? Effect.flatMap(
                record.flush(position),
                (before) => record.meanwhile(before, live.perform(step, position.state))
              )
              : record.meanwhile(position, live.perform(step, position.state))
          ).pipe(Effect.onInterrupt(() => recordAbandoned(position, step)))
          if (command === undefined) {
            yield* record.flush(before)
            return yield* restore(lookAgain)
          }
          return yield* isOutside ? record.append(before, command) : record.take(before, command)
        })
      ).pipe(
        // Another request of the session took the last search since the step was read.
        Effect.catchTag("BudgetRefused", () => newest)
      )

    const finished = Effect.fnUntraced(function*(opened: RunPosition) {
      let position = opened
      while (true) {
        const session = yield* live.seen(position.state)
        const step = NextStep.next(session, request.request_id)
        if (step._tag === "Finish") {
          return { head: position.head, outcome: Outcome.outcomeOf(step.grounding) }
        }
        position = step._tag === "Request"
          ? yield* record.wait(position, opening)
          : yield* take(position, step)
      }
    })

    const found = yield* newest
    const known = found.state.groundings.get(request.request_id)
    yield* Ref.set(hasSearched, Option.some(known !== undefined && known.calls.length > 0))
    // Also for a known request: it may not ask another question under the same id.
    const opened = yield* record.wait(found, opening)
    return yield* Effect.ensuring(finished(opened), live.close)
  }
)

const openingOf = Effect.fnUntraced(function*(request: GroundingRequest, { tenantId }: Caller) {
  const { chunksMax, entriesMax, evidenceAddresses, evidenceCharsMax, pagesMax } = yield* Limits
  const sites = yield* sitesOf(tenantId)
  const { isOn } = yield* PagesLeft
  const { boundary } = yield* Ids
  const { overrides } = request
  return tellFact(Requested.make({
    request_id: request.request_id,
    request,
    requested_at: DateTime.formatIso(yield* DateTime.now),
    policy: {
      pages_max: request.listing?.urls?.length ?? overrides?.max_sources ?? pagesMax,
      chunks_max: overrides?.top_k ?? chunksMax,
      evidence_chars_max: evidenceCharsMax,
      ...(entriesMax === 0 ? {} : { entries_max: entriesMax }),
      ...(evidenceAddresses ? { block_addresses: true } : {}),
      ...asGiven({ sites }),
      ...(isOn && request.allow_collecting === true ? { collects_pages: true } : {})
    },
    boundary: yield* boundary,
    rules_version: rulesVersion,
    language_version: Languages.version
  }))
})

const inProgress = ({ request_id }: GroundingRequest): RequestInProgress =>
  new RequestInProgress({ request_id, retry_after_ms: retryAfterMs })
