/**
 * Serialises one session's appends in this process. Its callers share the newest known state, so a
 * conflict always means another process.
 */
import { Clock, Context, Effect, Layer, Option, RcMap, type Scope, Semaphore } from "effect"
import type { SessionCommand } from "../../domain/session/Session.ts"
import * as SessionLog from "../log/SessionLog.ts"
import type { StreamRef } from "../ports/EventStore.ts"

type Loaded = SessionLog.Loaded

/** Callers that wait for another process share one read of the log in this time. */
const freshMs = 50

interface Shared {
  readonly turn: Semaphore.Semaphore
  latest: Loaded | undefined
  readAtMs: number
}

export interface SharedSession {
  /** The state as of at most 50 ms ago, or newer. */
  readonly load: ReturnType<typeof SessionLog.load>
  readonly handleAll: (
    commands: ReadonlyArray<SessionCommand>,
    actor: string
  ) => ReturnType<typeof SessionLog.handleAll>
}

export class SessionTurns extends Context.Service<SessionTurns, {
  readonly join: (ref: StreamRef) => Effect.Effect<SharedSession, never, Scope.Scope>
}>()("web-grounding/application/sharing/SessionTurns") {}

export const layer = Layer.effect(
  SessionTurns,
  Effect.map(
    RcMap.make({
      lookup: (_: string) =>
        Effect.sync((): Shared => ({
          turn: Semaphore.makeUnsafe(1),
          latest: undefined,
          readAtMs: 0
        }))
    }),
    (sessions) =>
      SessionTurns.of({
        join: (ref) =>
          Effect.map(
            RcMap.get(sessions, JSON.stringify([ref.tenant_id, ref.session_id])),
            (shared) => sharedSession(shared, ref)
          )
      })
  )
)

const sharedSession = (shared: Shared, ref: StreamRef): SharedSession => {
  const keep = <L extends Loaded>(loaded: L): Effect.Effect<L> =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => {
      shared.latest = { head: loaded.head, state: loaded.state }
      shared.readAtMs = nowMs
      return loaded
    })

  const read = Effect.suspend(() =>
    shared.latest === undefined ? SessionLog.load(ref) : SessionLog.catchUp(shared.latest)
  ).pipe(Effect.flatMap(keep))

  const outdated = Effect.sync(() => shared.readAtMs = Number.NEGATIVE_INFINITY)

  const load = Effect.gen(function*() {
    const nowMs = yield* Clock.currentTimeMillis
    const { latest, readAtMs } = shared
    return latest !== undefined && nowMs - readAtMs < freshMs ? latest : yield* read
  })

  const handled = (
    from: Loaded,
    commands: ReadonlyArray<SessionCommand>,
    actor: string
  ): ReturnType<typeof SessionLog.handleAll> =>
    SessionLog.handleAll(from, commands, actor).pipe(
      Effect.flatMap(keep),
      Effect.tap(({ rejected }) => Option.isSome(rejected) ? outdated : Effect.void),
      Effect.tapError(() => outdated)
    )

  return {
    load: shared.turn.withPermits(1)(load),
    handleAll: (commands, actor) =>
      shared.turn.withPermits(1)(Effect.gen(function*() {
        const { latest } = shared
        if (latest === undefined) return yield* handled(yield* read, commands, actor)
        const answer = yield* handled(latest, commands, actor)
        // A rejected command may follow from another process's newer facts.
        return Option.isSome(answer.rejected) && answer.facts.length === 0
          ? yield* handled(yield* read, commands, actor)
          : answer
      }))
  }
}
