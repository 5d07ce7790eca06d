/**
 * Computes a recorded session's outcome under a supposition, without outside calls: the same loop,
 * a step for each recorded fact. A step that needs an unrecorded fact ends its request, and the
 * result names that fact.
 */
import * as Languages from "@web-grounding/language/Languages"
import { Effect, Equal, References, Result, Schema, Struct } from "effect"
import { SessionNotFound } from "../../contract/PublicFailure.ts"
import type { WhatIf, WhatIfRequest } from "../../contract/Replayed.ts"
import * as OutcomeChange from "../../domain/audit/OutcomeChange.ts"
import {
  NeededFact,
  policyOf,
  requestOf,
  type Supposition
} from "../../domain/audit/Supposition.ts"
import { type Grounding, readingOf } from "../../domain/session/Grounding.ts"
import * as NextStep from "../../domain/session/NextStep.ts"
import * as Outcome from "../../domain/session/Outcome.ts"
import { rulesVersion } from "../../domain/session/RulesVersion.ts"
import * as Session from "../../domain/session/Session.ts"
import { type SessionCommand, tellFact } from "../../domain/session/Session.ts"
import { Requested } from "../../domain/session/SessionEvent.ts"
import * as SessionFacts from "../../domain/session/SessionFacts.ts"
import type { RecordedEngines } from "../../domain/session/SessionFacts.ts"
import * as SessionLog from "../log/SessionLog.ts"
import { Engines, isOf } from "../ports/Engines.ts"
import type { StreamRef } from "../ports/EventStore.ts"
import * as RecomputeStep from "../replay/RecomputeStep.ts"
import * as Deadline from "../steps/Deadline.ts"
import { type ComputedStep, type FactNeeded, needed, type PerformedStep } from "../steps/Step.ts"
import * as Steps from "../steps/Steps.ts"
import { checkJudging } from "../steps/WritePack.ts"

/** Steps of one request, under any supposition: three searches take most of them. */
const stepsMax = 64

/** Time enough for every engine: its duration is no part of the result. */
const stepMs = 600_000

interface Run {
  readonly session: Session.Session
  readonly needs: ReadonlyMap<string, NeededFact>
}

export const suppose = Effect.fn("WhatIfSession.suppose")(
  function*(ref: StreamRef, supposition: Supposition) {
    const { facts, head } = yield* SessionLog.facts(ref)
    if (facts.length === 0) return yield* new SessionNotFound({ session_id: ref.session_id })
    const events = facts.map(({ event }) => event)
    const derived = events.filter(({ _tag }) => _tag !== "WEB_GROUNDING_SHOWN_TO_USER")
    const last = new Map(derived.map((event) => [event.request_id, event]))
    const recorded = Session.evolveAll(Session.initial, events)
    const run = yield* Effect.reduce(
      derived,
      (): Run => ({ session: Session.initial, needs: new Map() }),
      (run, event) => {
        const { request_id } = event
        if (event._tag === "WEB_GROUNDING_REQUESTED") {
          return Effect.succeed(told(run, tellFact(supposedRequest(event, supposition))))
        }
        const known = recorded.groundings.get(request_id)
        if (known === undefined) return Effect.succeed(run)
        // As many steps as were recorded, and at the end all that are left.
        const isLast = last.get(request_id) === event && NextStep.answered(recorded, request_id)
        return advanced(run, known, supposition, isLast ? stepsMax : 1)
      }
    )
    const groundings = [...recorded.groundings.entries()]
    const rules = groundings.map(([, grounding]) => grounding.rulesVersion)
    return {
      session_id: ref.session_id,
      stream_id: head.streamId,
      rules: { from: Math.min(rulesVersion, ...rules), to: rulesVersion },
      requests: groundings.map(([request_id]) =>
        comparedOf(request_id, NextStep.answered(recorded, request_id), run)
      )
    } satisfies WhatIf
  },
  // Failures of recorded engines are repeated, and need no log.
  Effect.provideService(References.MinimumLogLevel, "None")
)

const supposedRequest = (event: typeof Requested.Type, supposition: Supposition) => {
  const request = requestOf(supposition, event.request)
  return Requested.make({
    ...event,
    request,
    policy: policyOf(supposition, request, event.policy),
    rules_version: rulesVersion,
    language_version: Languages.version
  })
}

const told = (run: Run, command: SessionCommand): Run => {
  const decided = Session.decide(command, run.session)
  return Result.isSuccess(decided)
    ? { ...run, session: Session.evolveAll(run.session, decided.success) }
    : run
}

const advanced = Effect.fnUntraced(
  function*(run: Run, recorded: Grounding, supposition: Supposition, steps: number) {
    const { request_id } = recorded.request
    let reached = run
    for (let taken = 0; taken < steps && !reached.needs.has(request_id); taken++) {
      const step = NextStep.next(reached.session, request_id)
      if (step._tag === "Request" || step._tag === "Finish") return reached
      const [undetermined] = reached.needs.keys()
      // Budget, phase and reuse depend on the session's other requests.
      const restsOnSession = step._tag === "Decide" || step._tag === "Search"
      const done = yield* Effect.result(
        undetermined !== undefined && restsOnSession
          ? needed(step._tag, "other_request", undetermined)
          : perform(step, recorded, supposition)
      )
      reached = Result.match(done, {
        onFailure: (need) => ({ ...reached, needs: new Map(reached.needs).set(request_id, need) }),
        onSuccess: (command) => told(reached, command)
      })
    }
    return reached
  }
)

/**
 * From the record where the input is the same, by this build's local engines where they answered;
 * else it fails with the needed fact. No provider, reader or model can be reached.
 */
const perform = Effect.fnUntraced(
  function*(step: PerformedStep, recorded: Grounding, supposition: Supposition) {
    if (step._tag === "Decide" && recorded.cachedPack !== undefined) {
      return yield* needed("Decide", "other_session", recorded.cachedPack.source_stream_id)
    }
    if (SessionFacts.rereadingOf(step) > 0) return yield* unseen(step, recorded, supposition)
    const given = {
      deadline: yield* Deadline.deadlineAfter(stepMs),
      documents: recorded.researched?.documents ?? []
    }
    const module = Steps.moduleOf(step)
    if ("suppose" in module) {
      return yield* module.suppose(step, recorded, supposition, given).pipe(
        RecomputeStep.answeredAs({})
      )
    }
    const fact = module.factOf(recorded)
    const engines = yield* answersFor(module, step, recorded, supposition)
    const command = yield* Effect.suspend(() => module.compute(step, given)).pipe(
      Steps.pastBugs(step),
      RecomputeStep.answeredAs(engines),
      RecomputeStep.withTimeAt(
        (fact && SessionFacts.timeOf(fact)) ?? recorded.finished?.finished_at ??
          recorded.requestedAt
      )
    )
    if (supposition.engines?.judge === undefined) yield* checkJudging(command, recorded, step)
    return command
  }
)

const none: RecordedEngines = {}

/** Recorded answers of the step's engines, else the local one's. Fails where a remote is needed. */
const answersFor = Effect.fnUntraced(function*(
  { answerTo, engines: [name], factOf, isAsked }: ComputedStep<PerformedStep["_tag"]>,
  step: PerformedStep,
  recorded: Grounding,
  { engines: choices = {} }: Supposition
) {
  if (name === undefined || name === "reader" || !isNeedable(step._tag) || !isAsked(step)) {
    return none
  }
  if (choices[name] === "local") return none
  const fact = factOf(recorded)
  const rung = fact && SessionFacts.enginesOf(fact)[name]?.rung
  const { last } = (yield* Engines)[name]
  // The local engine answers any question; engines before it would fail again.
  const answer = answerTo(step, recorded) ?? (rung && isOf(rung, last.info) ? fact : undefined)
  if (answer === undefined) return yield* needed(step._tag, "engine_answer", rung?.engine)
  const engines = SessionFacts.enginesOf(answer)
  return choices.judge === "local" ? Struct.omit(engines, ["judge"]) : engines
})

const isNeedable = Schema.is(NeededFact.fields.step)

/** Texts that the log may not keep cannot be ranked anew: with equal inputs the record counts. */
const unseen = (
  { grounding }: PerformedStep,
  recorded: Grounding,
  { engines = {} }: Supposition
): Effect.Effect<SessionCommand, FactNeeded> => {
  const isAsRecorded = engines.ranker === undefined && engines.writer === undefined &&
    engines.judge === undefined && Equal.equals(basisOf(grounding), basisOf(recorded))
  const fact = grounding.ranking === undefined ? recorded.ranking : recorded.written
  return isAsRecorded && fact !== undefined
    ? Effect.succeed(tellFact(fact, readingOf(grounding)))
    : needed(grounding.ranking === undefined ? "Rank" : "Write", "page_texts")
}

const basisOf = ({ decision, evidence, policy, request }: Grounding) => ({
  need: decision?.need,
  pages: evidence?.pages,
  policy,
  request
})

const comparedOf = (
  request_id: string,
  recorded: Grounding | undefined,
  { needs, session }: Run
): WhatIfRequest => {
  const supposed = session.groundings.get(request_id)
  const need = needs.get(request_id)
  if (recorded === undefined || supposed === undefined) {
    return { request_id, verdict: "unfinished", needs: [] }
  }
  const whole = OutcomeChange.changeBetween(
    Outcome.outcomeOf(recorded),
    Outcome.outcomeOf(supposed)
  )
  // A step that was not taken reports no change.
  const isPlanned = supposed.planned !== undefined || supposed.decision?.need.need_search === false
  const change = need === undefined ? whole : Struct.pick(whole, [
    ...(supposed.decision === undefined ? [] : ["decision"] as const),
    ...(isPlanned ? ["planned"] as const : [])
  ])
  const isSame = Object.keys(change).length === 0
  return {
    request_id,
    verdict: need === undefined ? isSame ? "same" : "changed" : "undetermined",
    ...(isSame ? {} : { change }),
    needs: need === undefined ? [] : [Struct.pick(need, ["step", "fact", "what"])]
  }
}
