/**
 * Computes a recorded session's outcome under a supposition, without outside calls. The same loop
 * runs its requests anew, in the order of their recorded facts: each fact is one step. A step that
 * needs an unrecorded fact ends its request, and the result names that fact.
 */
import * as Languages from "@web-grounding/language/Languages"
import { Context, Effect, Layer, References, Result } from "effect"
import { SessionNotFound } from "../../contract/PublicFailure.ts"
import type { WhatIf, WhatIfRequest } from "../../contract/Replayed.ts"
import * as OutcomeChange from "../../domain/audit/OutcomeChange.ts"
import {
  type NeededFact,
  policyOf,
  requestOf,
  type Supposition
} from "../../domain/audit/Supposition.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { Grounding } from "../../domain/session/Grounding.ts"
import * as NextStep from "../../domain/session/NextStep.ts"
import * as Outcome from "../../domain/session/Outcome.ts"
import { rulesVersion } from "../../domain/session/RulesVersion.ts"
import * as Session from "../../domain/session/Session.ts"
import { tellFact } from "../../domain/session/Session.ts"
import { Requested, type SessionEvent } from "../../domain/session/SessionEvent.ts"
import type { EventErased, EventUnreadable } from "../log/EventCodec.ts"
import * as SessionLog from "../log/SessionLog.ts"
import {
  EventStore,
  type EventStoreUnavailable,
  type LogTampered,
  type StreamRef
} from "../ports/EventStore.ts"
import type * as RecomputeStep from "../replay/RecomputeStep.ts"
import type { StepOf } from "../steps/Step.ts"
import * as SupposedStep from "./SupposedStep.ts"

/** Steps of one request, under any supposition: three searches take most of them. */
const stepsMax = 64

type WhatIfFailed =
  | SessionNotFound
  | EventErased
  | EventUnreadable
  | EventStoreUnavailable
  | LogTampered

type Needs = RecomputeStep.Needs | EventStore

export class WhatIfSession extends Context.Service<WhatIfSession, {
  /** Reads the session, and nothing else. */
  readonly suppose: (
    ref: StreamRef,
    supposition: Supposition
  ) => Effect.Effect<WhatIf, WhatIfFailed>
}>()("web-grounding/application/whatif/WhatIfSession") {}

export const layer = Layer.effect(
  WhatIfSession,
  Effect.gen(function*() {
    const services = yield* Effect.context<Needs>()
    return WhatIfSession.of({
      suppose: (ref, supposition) => suppose(ref, supposition).pipe(Effect.provide(services))
    })
  })
)

const suppose = Effect.fn("WhatIfSession.suppose")(
  function*(ref: StreamRef, supposition: Supposition) {
    const { facts, head } = yield* SessionLog.facts(ref)
    if (facts.length === 0) return yield* new SessionNotFound({ session_id: ref.session_id })
    const events = facts.map(({ event }) => event)
    const recorded = Session.evolveAll(Session.initial, events)
    const run = yield* Effect.reduce(
      pacesOf(events, recorded),
      () => ({ session: Session.initial, needs: new Map() }),
      (run: Run, pace) => taken(run, pace, recorded, supposition)
    )
    const rules = Array.from(recorded.groundings.values(), (grounding) => grounding.rulesVersion)
    return {
      session_id: ref.session_id,
      stream_id: head.streamId,
      rules: { from: Math.min(rulesVersion, ...rules), to: rulesVersion },
      requests: Array.from(recorded.groundings.keys(), (request_id) =>
        comparedOf(request_id, {
          recorded: answerOf(recorded, request_id),
          supposed: run.session.groundings.get(request_id),
          needs: run.needs.get(request_id)
        }))
    } satisfies WhatIf
  },
  // Failures of recorded engines are repeated, and need no log.
  Effect.provideService(References.MinimumLogLevel, "None")
)

interface Run {
  readonly session: Session.Session
  readonly needs: ReadonlyMap<string, NeededFact>
}

/** A recorded fact, and whether it ends its request. */
interface Pace {
  readonly event: SessionEvent
  readonly isLast: boolean
}

/** As many steps of a request as were recorded, and at the end all that are left. */
const pacesOf = (
  events: ReadonlyArray<SessionEvent>,
  recorded: Session.Session
): ReadonlyArray<Pace> => {
  const derived = events.filter(({ _tag }) => _tag !== "WEB_GROUNDING_SHOWN_TO_USER")
  const last = new Map(derived.map(({ request_id }, index) => [request_id, index]))
  return derived.map((event, index) => ({
    event,
    isLast: last.get(event.request_id) === index &&
      answerOf(recorded, event.request_id) !== undefined
  }))
}

/** An older release recorded all but the answer itself. */
const answerOf = (session: Session.Session, requestId: string): Grounding | undefined => {
  const step = NextStep.next(session, requestId)
  return step._tag === "Finish" || step._tag === "Conclude" ? step.grounding : undefined
}

const taken = (
  run: Run,
  { event, isLast }: Pace,
  recorded: Session.Session,
  supposition: Supposition
): Effect.Effect<Run, never, RecomputeStep.Needs> => {
  if (event._tag === "WEB_GROUNDING_REQUESTED") {
    return Effect.succeed({ ...run, session: opened(run.session, event, supposition) })
  }
  const known = recorded.groundings.get(event.request_id)
  return known === undefined
    ? Effect.succeed(run)
    : advanced(run, known, supposition, isLast ? stepsMax : 1)
}

const opened = (
  session: Session.Session,
  event: typeof Requested.Type,
  supposition: Supposition
): Session.Session => {
  const request = requestOf(supposition, event.request)
  return recordedIn(
    session,
    Session.decide(
      tellFact(Requested.make({
        ...event,
        request,
        policy: policyOf(supposition, request, event.policy),
        rules_version: rulesVersion,
        language_version: Languages.version
      })),
      session
    )
  )
}

const recordedIn = (
  session: Session.Session,
  decided: ReturnType<typeof Session.decide>
): Session.Session =>
  Result.isSuccess(decided) ? Session.evolveAll(session, decided.success) : session

const advanced = (
  run: Run,
  recorded: Grounding,
  supposition: Supposition,
  steps: number
): Effect.Effect<Run, never, RecomputeStep.Needs> => {
  const { request_id } = recorded.request
  const step = NextStep.next(run.session, request_id)
  if (steps === 0 || run.needs.has(request_id)) return Effect.succeed(run)
  if (step._tag === "Request" || step._tag === "Finish") return Effect.succeed(run)
  const [undetermined] = run.needs.keys()
  if (undetermined !== undefined && restsOnSession(step)) {
    const what = undetermined
    return Effect.succeed(
      endedBy(run, request_id, { step: step._tag, fact: "other_request", what })
    )
  }
  return SupposedStep.perform(step, recorded, supposition).pipe(
    Effect.map((command): Run =>
      command === undefined ? run : {
        ...run,
        session: recordedIn(run.session, Session.decide(command, run.session))
      }
    ),
    Effect.catchTag("FactNeeded", (needed) => Effect.succeed(endedBy(run, request_id, needed))),
    Effect.flatMap((after) => advanced(after, recorded, supposition, steps - 1))
  )
}

/** Budget, phase and reuse depend on the session's other requests. */
const restsOnSession = (
  step: NextStep.NextStep
): step is StepOf<"Decide" | "Search"> => step._tag === "Decide" || step._tag === "Search"

const endedBy = (run: Run, requestId: string, { fact, step, what }: NeededFact): Run => ({
  ...run,
  needs: new Map(run.needs).set(requestId, { fact, step, what })
})

/** Whether queries would have been planned, or that is unknown. */
const isPlanOpen = ({ decision, planned }: Grounding): boolean =>
  planned === undefined && decision?.need.need_search !== false

interface Compared {
  /** `undefined`: it was never answered. */
  readonly recorded: Grounding | undefined
  readonly supposed: Grounding | undefined
  readonly needs: NeededFact | undefined
}

const comparedOf = (
  request_id: string,
  { needs, recorded, supposed }: Compared
): WhatIfRequest => {
  if (recorded === undefined || supposed === undefined) {
    return { request_id, verdict: "unfinished", needs: [] }
  }
  const before = Outcome.outcomeOf(recorded)
  const after = Outcome.outcomeOf(supposed)
  // A step that was not taken reports no change.
  const taken = {
    need: supposed.decision === undefined ? before.need : after.need,
    plan: isPlanOpen(supposed) ? before.plan : after.plan
  }
  const change = needs === undefined
    ? OutcomeChange.changeBetween(before, after)
    : OutcomeChange.ofPlan(before, taken)
  const verdict = needs !== undefined ? "undetermined" : change === undefined ? "same" : "changed"
  return { request_id, verdict, ...asGiven({ change }), needs: needs === undefined ? [] : [needs] }
}
