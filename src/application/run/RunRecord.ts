/**
 * Buffers a run's facts on their way into the log. Derived facts are recorded in one append with
 * those that follow: before an outside call, with the answer, or after `waitingMsMax`. Outside
 * answers, and facts that rest on unkept texts, are recorded at once. If the process dies, its
 * successor derives what was not recorded.
 */
import { Array as Arr, Clock, Effect, Fiber, Option } from "effect"
import { isTextMissing } from "../../domain/session/Grounding.ts"
import type { SessionCommand } from "../../domain/session/Session.ts"
import { SessionEvent } from "../../domain/session/SessionEvent.ts"
import * as SessionFacts from "../../domain/session/SessionFacts.ts"
import { RetryUntil } from "../log/CommandHandler.ts"
import * as SessionLog from "../log/SessionLog.ts"
import type { SharedSession } from "../sharing/SessionTurns.ts"
import { TenantLimits } from "../sharing/TenantLimits.ts"
import type * as Deadline from "../steps/Deadline.ts"

/** Longest wait of derived facts while the next step is in progress. */
const waitingMsMax = 100

/** Time for recording a paid search's answer, beyond any deadline. */
const paidRecordMs = 60_000

export interface RunPosition extends SessionLog.Loaded {
  readonly waiting: ReadonlyArray<SessionCommand>
}

interface Options {
  readonly caller: { readonly tenantId: string; readonly actor: string }
  readonly deadline: Deadline.Deadline
  readonly shared: SharedSession
  readonly recorded: (facts: ReadonlyArray<SessionLog.Fact>) => Effect.Effect<void>
}

export const make = Effect.fnUntraced(
  function*({ caller, deadline, recorded, shared }: Options) {
    const { addCost } = yield* TenantLimits

    const charge = (facts: ReadonlyArray<SessionLog.Fact>) =>
      addCost(
        caller.tenantId,
        facts.reduce((sum, { event }) => sum + SessionFacts.modelCostMicros(event), 0)
      ).pipe(
        Effect.catch((cause) => Effect.logWarning("what models cost was not counted", cause))
      )

    const appendAll = Effect.fnUntraced(function*(
      commands: Arr.NonEmptyReadonlyArray<SessionCommand>
    ) {
      const { facts, head, rejected, state } = yield* shared.handleAll(commands, caller.actor)
      yield* charge(facts)
      yield* recorded(facts)
      if (Option.isSome(rejected)) return yield* Effect.fail(rejected.value)
      const position: RunPosition = { head, state, waiting: [] }
      return position
    }, Effect.uninterruptible)

    const flush = (position: RunPosition) =>
      Arr.isReadonlyArrayNonEmpty(position.waiting)
        ? appendAll(position.waiting)
        : Effect.succeed(position)

    const pastDeadline = <A, E, R>(recording: Effect.Effect<A, E, R>) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
        Effect.provideService(
          recording,
          RetryUntil,
          Math.max(deadline.atMs, nowMs + paidRecordMs)
        ))

    const append = (position: RunPosition, command: SessionCommand) => {
      const recording = appendAll(Arr.append(position.waiting, command))
      return command.fact._tag === "WEB_GROUNDING_CALLED" ? pastDeadline(recording) : recording
    }

    const wait = (position: RunPosition, command: SessionCommand) =>
      Effect.map(SessionLog.suppose(position, command), ({ isNew, ...loaded }): RunPosition => ({
        ...loaded,
        waiting: isNew ? [...position.waiting, command] : position.waiting
      }))

    const take = (position: RunPosition, command: SessionCommand) =>
      isForOthers(command.fact) || restsOnUnseen(position, command)
        ? append(position, command)
        : wait(position, command)

    const meanwhile = Effect.fnUntraced(
      function*<A, E, R>(position: RunPosition, performing: Effect.Effect<A, E, R>) {
        if (position.waiting.length === 0) {
          return { before: position, done: yield* performing }
        }
        return yield* Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(
            Effect.forkChild(restore(performing)),
            (fiber) =>
              Effect.gen(function*() {
                const soon = yield* Effect.timeoutOption(Fiber.join(fiber), waitingMsMax)
                if (Option.isSome(soon)) return { before: position, done: soon.value }
                return { before: yield* flush(position), done: yield* Fiber.join(fiber) }
              }).pipe(
                restore,
                // It may be taking a lease, which the run must know to give back.
                Effect.onError(() => Fiber.interrupt(fiber))
              )
          )
        )
      }
    )

    return { append, flush, meanwhile, take, wait }
  }
)

/** Facts that are recorded at once: a reserved search, its end, and the answer. */
const isForOthers = SessionEvent.isAnyOf([
  "WEB_GROUNDING_CALL_STARTED",
  "WEB_GROUNDING_CALLED",
  "WEB_GROUNDING_FINISHED"
])

/** Another run would read the texts again and drop what rests on this reading: record it early. */
const restsOnUnseen = ({ state }: RunPosition, command: SessionCommand): boolean =>
  state.groundings.get(command.fact.request_id)?.evidence?.pages.some(isTextMissing) === true
