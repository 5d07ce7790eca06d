/**
 * The record of a run, on its way into the log.
 *
 * Facts that only this process has worked out wait for those that follow, and are recorded in one
 * append: before anybody outside is asked, before a search is reserved, with the answer, and when
 * the next step takes longer than `waitingMsMax`. Recorded at once are answers from outside, and
 * facts that rest on texts which the log does not keep. When the process dies, its successor works
 * out again what was not recorded, at no cost.
 */
import { Array as Arr, Clock, Effect, Fiber, Option } from "effect"
import { isTextMissing } from "../../domain/session/Grounding.ts"
import { requestIdOf, type SessionCommand } from "../../domain/session/Session.ts"
import * as SessionFacts from "../../domain/session/SessionFacts.ts"
import { RetryUntil } from "../log/CommandHandler.ts"
import * as SessionLog from "../log/SessionLog.ts"
import type { SharedSession } from "../sharing/SessionTurns.ts"
import { TenantLimits } from "../sharing/TenantLimits.ts"
import type * as Deadline from "../steps/Deadline.ts"
import type * as LiveRun from "../steps/LiveRun.ts"
import type { PerformedStep } from "../steps/Step.ts"
import * as Steps from "../steps/Steps.ts"

/** How long what was worked out waits to be recorded while the next step is under way. */
const waitingMsMax = 100

/** How long the answer of a paid search is tried to be recorded, whatever the deadline. */
const paidRecordMs = 60_000

/** How far a run has come: its session, and the commands that are not recorded yet. */
export interface RunPosition extends SessionLog.Loaded {
  /** Commands that `state` holds and the log does not, in order. */
  readonly waiting: ReadonlyArray<SessionCommand>
}

/** Caller, listener and deadline of a run whose facts are recorded. */
interface Options {
  readonly caller: { readonly tenantId: string; readonly actor: string }
  /** Told of every fact right after it was recorded, with the texts that the run has read. */
  readonly report: (
    fact: SessionLog.Fact,
    texts: ReadonlyMap<string, string>
  ) => Effect.Effect<void>
  readonly deadline: Deadline.Deadline
  readonly shared: SharedSession
  readonly performer: Effect.Success<ReturnType<typeof LiveRun.make>>
}

/**
 * Starts the record of one run. Facts that wait in it are lost with the process and derived again.
 */
export const make = Effect.fnUntraced(
  function*({ caller, deadline, performer, report, shared }: Options) {
    const { addCost } = yield* TenantLimits
    const asksOutside = yield* Steps.makeAsksOutside

    const charge = (facts: ReadonlyArray<SessionLog.Fact>) =>
      addCost(
        caller.tenantId,
        facts.reduce((sum, { event }) => sum + SessionFacts.modelCostMicros(event), 0)
      ).pipe(
        Effect.catch((cause) => Effect.logWarning("what models cost was not counted", cause))
      )

    const append = Effect.fnUntraced(function*(
      commands: Arr.NonEmptyReadonlyArray<SessionCommand>
    ) {
      const { facts, head, rejected, state } = yield* shared.handleAll(commands, caller.actor)
      yield* performer.recorded(facts)
      yield* charge(facts)
      const texts = yield* performer.texts
      // Whoever listens may be slow or gone; it must not keep the run from being interrupted.
      yield* Effect.interruptible(
        Effect.forEach(facts, (fact) => report(fact, texts), { discard: true })
      )
      if (Option.isSome(rejected)) return yield* Effect.fail(rejected.value)
      const place: RunPosition = { head, state, waiting: [] }
      return place
    })

    /** Records everything that waits. */
    const recorded = (place: RunPosition) =>
      Arr.isReadonlyArrayNonEmpty(place.waiting)
        ? Effect.uninterruptible(append(place.waiting))
        : Effect.succeed(place)

    /** Records what a provider may have charged for, even when the deadline has passed. */
    const pastDeadline = <A, E, R>(recording: Effect.Effect<A, E, R>) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
        Effect.provideService(
          recording,
          RetryUntil,
          Math.max(deadline.atMs, nowMs + paidRecordMs)
        ))

    const record = (place: RunPosition, command: SessionCommand) => {
      const recording = append(Arr.append(place.waiting, command))
      return isPaid(command) ? pastDeadline(recording) : recording
    }

    const wait = (place: RunPosition, command: SessionCommand) =>
      Effect.map(SessionLog.suppose(place, command), ({ isNew, ...loaded }): RunPosition => ({
        ...loaded,
        waiting: isNew ? [...place.waiting, command] : place.waiting
      }))

    /** Takes in what came of a step: records it, or lets it wait. */
    const told = (place: RunPosition, step: PerformedStep, command: SessionCommand) =>
      asksOutside(step) || isToldAtOnce(command) || restsOnUnseen(place, command)
        ? record(place, command)
        : wait(place, command)

    /** Performs a step, and answers with its command and the place that it finds the run in. */
    const performed = Effect.fnUntraced(function*(place: RunPosition, step: PerformedStep) {
      if (asksOutside(step)) {
        const before = yield* recorded(place)
        return { before, command: yield* performer.perform(step) }
      }
      if (place.waiting.length === 0) {
        return { before: place, command: yield* performer.perform(step) }
      }
      return yield* Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(
          Effect.forkChild(restore(performer.perform(step))),
          (fiber) =>
            Effect.gen(function*() {
              const soon = yield* Effect.timeoutOption(Fiber.join(fiber), waitingMsMax)
              if (Option.isSome(soon)) return { before: place, command: soon.value }
              const before = yield* recorded(place)
              return { before, command: yield* Fiber.join(fiber) }
            }).pipe(
              restore,
              // It may be taking a lead, which must be noted before the run can give it back.
              Effect.onError(() => Fiber.interrupt(fiber))
            )
        )
      )
    })

    return { record, recorded, wait, told, performed }
  }
)

const isPaid = (command: SessionCommand): boolean =>
  command._tag === "TellFact" && command.fact._tag === "WEB_GROUNDING_CALLED"

/** Says whether a fact waits for nothing: a reserved search, its end, and the answer. */
const isToldAtOnce = (command: SessionCommand): boolean =>
  command._tag === "TellFact" && (
    command.fact._tag === "WEB_GROUNDING_CALL_STARTED" ||
    command.fact._tag === "WEB_GROUNDING_CALLED" ||
    command.fact._tag === "WEB_GROUNDING_FINISHED"
  )

/**
 * Says whether a fact is made of texts that the log may not hold. Another run of the request reads
 * them again, and what rests on this reading is dropped then: the sooner it stands, the fewer
 * readings.
 */
const restsOnUnseen = ({ state }: RunPosition, command: SessionCommand): boolean =>
  state.groundings.get(requestIdOf(command))?.evidence?.pages.some(isTextMissing) === true
