/**
 * Keeps the read models: lease, page, fold, commit, again. Rows and checkpoint are written in one
 * transaction, so each event takes effect exactly once. An outage of the store is waited out.
 */
import {
  Clock,
  Context,
  DateTime,
  Duration,
  Effect,
  Fiber,
  Layer,
  Option,
  Ref,
  Semaphore,
  Stream
} from "effect"
import type { LagView } from "../../contract/HealthView.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { LogSignal } from "../log/VerifiedLog.ts"
import { EventStore, type EventStoreUnavailable, logStart } from "../ports/EventStore.ts"
import { Instance } from "../ports/Platform.ts"
import {
  type Checkpoint,
  checkpointOf,
  type Lease,
  leaseMs,
  type LeaseRefused,
  ReadModels,
  type ReadModelsUnavailable
} from "../ports/ReadModels.ts"
import * as Projection from "./Projection.ts"
import type { Consumer } from "./Projection.ts"

const pageEventsMax = 1_000

/** Poll interval of a quiet log. It doubles up to the ceiling; a signal ends the wait. */
const idleMsMin = 1_000
const idleMsMax = 2_000

/** Wait after a signal, so that the appends of a grounding are read at once. */
const gatherEvery = "150 millis"

/** Wait after a failure; it doubles up to the ceiling. */
const retryMsMin = 250
const retryMsMax = 30_000

const haltedMs = 30_000

/** Wait for another owner of a lease to catch up: polls, and their interval. */
const pollsMax = 30
const pollEvery = "100 millis"

const renewAfterMs = leaseMs / 3

/** Longest `catchUp` in a process that follows the log. */
const followedMsMax = 50

const lagEventsMax = 1_000

/** A probe leaves the connections to the calls. */
const lagsConcurrently = 1

/** Releasing a lease is optional; it ends by itself. */
const releaseWithin = "1 second"

type StoreDown = EventStoreUnavailable | ReadModelsUnavailable

export class ProjectionRunner extends Context.Service<ProjectionRunner, {
  /**
   * Waits until all events settled now are in every running read model, at most 3 s for another
   * owner. In a process that follows the log at most 50 ms: `lags` reports what is missing.
   */
  readonly catchUp: Effect.Effect<void, StoreDown>
  /**
   * Waits until a read model holds everything recorded before. False after 3 s, if it is halted or
   * being rebuilt, and if it passed an event unhandled.
   */
  readonly holdsAll: (model: string) => Effect.Effect<boolean, StoreDown>
  readonly follow: Effect.Effect<void>
  /** Whether each read model was once brought up to date, here or by its owner. */
  readonly isBegun: Effect.Effect<boolean>
  /** Age in milliseconds of the oldest event that this process's read models lack; 0: none. */
  readonly ownLagMs: Effect.Effect<number, StoreDown>
  /** Of every version that was ever started, retired ones excepted. */
  readonly lags: Effect.Effect<ReadonlyArray<LagView>, StoreDown>
}>()("web-grounding/application/projections/ProjectionRunner") {}

export const layer = (consumers: ReadonlyArray<Consumer>) =>
  Layer.effect(
    ProjectionRunner,
    Effect.gen(function*() {
      const store = yield* EventStore
      const readModels = yield* ReadModels
      const instance = yield* Instance
      const signal = yield* LogSignal
      const handlePage = yield* Projection.make
      const scope = yield* Effect.scope
      const isFollowing = yield* Ref.make(false)
      const catchingUp = yield* Ref.make<Fiber.Fiber<void, StoreDown> | undefined>(undefined)
      const readers = yield* Effect.forEach(consumers, (consumer) =>
        Effect.gen(function*() {
          const turn = yield* Semaphore.make(1)
          const leased = yield* Ref.make<Option.Option<Held>>(Option.none())
          const begun = yield* Ref.make(false)
          return { consumer, turn, leased, begun }
        }))

      yield* Effect.addFinalizer(() =>
        Effect.forEach(readers, ({ leased }) =>
          Ref.get(leased).pipe(
            Effect.flatMap(Option.match({
              onNone: () => Effect.void,
              onSome: ({ lease }) => readModels.release(lease)
            })),
            Effect.timeoutOption(releaseWithin),
            Effect.ignore
          ))
      )

      /** Renews the lease if it is old: a quiet log costs one statement a poll. */
      const leaseOf = Effect.fnUntraced(function*({ consumer, leased }: Reader) {
        const nowMs = yield* Clock.currentTimeMillis
        const held = yield* Ref.get(leased)
        if (Option.isSome(held) && nowMs - held.value.atMs < renewAfterMs) return held.value.lease
        const lease = yield* readModels.acquire(idOf(consumer), instance.id)
        yield* Ref.set(leased, Option.some({ lease, atMs: nowMs }))
        return lease
      })

      const readOn = Effect.fn("ProjectionRunner.round")(function*(reader: Reader) {
        const { begun, consumer, leased, turn } = reader
        return yield* turn.withPermit(Effect.gen(function*() {
          const before = yield* leaseOf(reader)
          const after = yield* store.all(before.position).pipe(
            Stream.rechunk(pageEventsMax),
            Stream.chunks,
            Stream.runFoldEffect((): Lease => before, (lease, events) =>
              handlePage(consumer, lease, events))
          )
          const lease = after.state === "rebuilding" ? yield* readModels.goLive(after) : after
          yield* Ref.update(leased, Option.map((held) => ({ ...held, lease })))
          return { moved: lease.position > before.position || lease.state !== before.state }
        })).pipe(
          // After any failure the next poll acquires the lease anew.
          Effect.tapCause(() =>
            Ref.update(leased, Option.map(({ lease }) => ({ lease, atMs: 0 })))
          ),
          Effect.tap(() => Ref.set(begun, true)),
          // Another process keeps it, or it is halted.
          Effect.tapErrorTag(["LeaseRefused", "ConsumerHalted"], () => Ref.set(begun, true))
        )
      })

      const isBehind = (reader: Reader) =>
        checkpointOf(readModels, reader.consumer).pipe(
          Effect.flatMap((checkpoint) =>
            Stream.runHead(store.all(checkpoint?.position ?? logStart))
          ),
          Effect.map(Option.isSome)
        )

      const look = (reader: Reader) =>
        readOn(reader).pipe(
          Effect.as(true),
          Effect.catchTags({
            LeaseRefused: ({ reason }) =>
              reason === "held"
                ? Effect.map(isBehind(reader), (behind) => !behind)
                : Effect.succeed(true),
            LeaseLost: () => Effect.succeed(false),
            ConsumerHalted: () => Effect.succeed(true)
          })
        )

      const holdsAll = Effect.fn("ProjectionRunner.holdsAll")(function*(model: string) {
        const own = readers.find(({ consumer }) => consumer.model === model)
        if (own === undefined) return false
        const startMs = yield* store.now
        for (let polls = 0; polls < pollsMax; polls++) {
          yield* look(own)
          const { parked, position, state } = (yield* checkpointOf(readModels, own.consumer)) ?? {
            parked: 0,
            position: logStart,
            state: "rebuilding"
          }
          if (parked > 0 || state === "halted") return false
          const { oldestAt } = yield* store.backlog(position, 1)
          const isPast = oldestAt === undefined ||
            DateTime.makeUnsafe(oldestAt).epochMilliseconds > startMs
          if (isPast && state !== "rebuilding") return true
          yield* Effect.sleep(pollEvery)
        }
        return false
      })

      const catchUpOne = Effect.fnUntraced(function*(reader: Reader) {
        for (let polls = 0; polls < pollsMax; polls++) {
          if (yield* look(reader)) return
          yield* Effect.sleep(pollEvery)
        }
      })

      const step = (reader: Reader, { failures, quiet }: Pace) =>
        readOn(reader).pipe(
          Effect.map(({ moved }): Pace => ({
            ...atEase,
            quiet: moved ? 0 : quiet + 1,
            waitMs: moved ? idleMsMin : Math.min(idleMsMin * 2 ** quiet, idleMsMax)
          })),
          Effect.catchTags({
            LeaseRefused: ({ reason }) => Effect.succeed(pacesRefused[reason]),
            LeaseLost: () => Effect.succeed(pacesRefused.held),
            ConsumerHalted: () => Effect.succeed(pacesRefused.halted)
          }),
          Effect.catchCause((cause) =>
            Effect.as(
              Effect.logWarning(`the read model ${reader.consumer.model} waits`, cause),
              {
                ...atEase,
                failures: failures + 1,
                isDeaf: true,
                waitMs: Math.min(retryMsMin * 2 ** failures, retryMsMax)
              }
            )
          )
        )

      const followOne = Effect.fnUntraced(function*(reader: Reader) {
        const appended = yield* signal.subscribe
        const pace = yield* Ref.make<Pace>(atEase)
        const once = Effect.gen(function*() {
          const next = yield* step(reader, yield* Ref.get(pace))
          yield* Ref.set(pace, next)
          const nowMs = yield* Clock.currentTimeMillis
          const pause = Effect.sleep(Duration.millis(pauseMsOf(next, nowMs)))
          const gathered = Effect.andThen(appended, Effect.sleep(gatherEvery))
          yield* next.isDeaf ? pause : Effect.raceFirst(pause, gathered)
          return next.isOver
        })
        yield* Effect.repeat(once, { until: (isOver) => isOver })
      }, Effect.scoped)

      const lagOf = Effect.fnUntraced(function*(checkpoint: Checkpoint) {
        const { id, lastError, parked, position, state } = checkpoint
        const { count, oldestAt } = yield* store.backlog(position, lagEventsMax)
        const nowMs = yield* Clock.currentTimeMillis
        return {
          ...id,
          state,
          position: String(position),
          events: count,
          ms: oldestAt === undefined
            ? 0
            : Math.max(0, nowMs - DateTime.makeUnsafe(oldestAt).epochMilliseconds),
          parked,
          ...asGiven({ error: lastError })
        } satisfies LagView
      })

      const open = Effect.map(
        readModels.checkpoints,
        (all) => all.filter(({ state }) => state !== "retired")
      )

      const ownLagMs = Effect.gen(function*() {
        const own = (yield* open).filter(({ owner, state }) =>
          owner === instance.id && state === "running"
        )
        const lags = yield* Effect.forEach(own, lagOf, { concurrency: lagsConcurrently })
        return Math.max(0, ...lags.map(({ ms }) => ms))
      })

      const caughtUp = Effect.forEach(readers, catchUpOne, {
        concurrency: readers.length,
        discard: true
      })

      /** Single flight: callers share the catch-up in progress, which outlives them. */
      const sharedCatchUp = Effect.gen(function*() {
        const current = yield* Ref.get(catchingUp)
        if (current !== undefined && current.pollUnsafe() === undefined) return current
        const begun = yield* Effect.forkIn(caughtUp, scope)
        yield* Ref.set(catchingUp, begun)
        return begun
      })

      const boundedCatchUp = sharedCatchUp.pipe(
        Effect.flatMap((fiber) => Effect.timeoutOption(Fiber.join(fiber), followedMsMax)),
        Effect.asVoid
      )

      return ProjectionRunner.of({
        catchUp: Effect.flatMap(
          Ref.get(isFollowing),
          (following) => following ? boundedCatchUp : caughtUp
        ),
        holdsAll,
        follow: Effect.andThen(
          Ref.set(isFollowing, true),
          Effect.forEach(readers, followOne, { concurrency: readers.length, discard: true })
        ),
        isBegun: Effect.map(
          Effect.forEach(readers, ({ begun }) => Ref.get(begun)),
          (all) => all.every((isBegun) => isBegun)
        ),
        ownLagMs,
        lags: Effect.flatMap(
          open,
          (all) => Effect.forEach(all, lagOf, { concurrency: all.length })
        )
      })
    })
  )

/** Keeps the read models up to date until the scope closes; an open transaction is rolled back. */
export const layerFollowing = Layer.effectDiscard(
  Effect.flatMap(ProjectionRunner, ({ follow }) => Effect.forkScoped(follow))
)

interface Held {
  readonly lease: Lease
  /** Time of the request for it, in milliseconds since the epoch by this process's clock. */
  readonly atMs: number
}

interface Reader {
  readonly consumer: Consumer
  readonly turn: Semaphore.Semaphore
  readonly leased: Ref.Ref<Option.Option<Held>>
  readonly begun: Ref.Ref<boolean>
}

interface Pace {
  readonly waitMs: number
  readonly quiet: number
  readonly failures: number
  readonly isDeaf: boolean
  readonly isOver: boolean
}

const atEase: Pace = {
  waitMs: 0,
  quiet: 0,
  failures: 0,
  isDeaf: false,
  isOver: false
}

/**
 * Milliseconds to the next poll. Idle loops poll at full multiples of their wait, all at once:
 * events are read once for all.
 */
const pauseMsOf = ({ failures, waitMs }: Pace, nowMs: number): number =>
  failures > 0 || waitMs === 0 ? waitMs : waitMs - nowMs % waitMs

const pacesRefused: Readonly<Record<LeaseRefused["reason"], Pace>> = {
  held: { ...atEase, isDeaf: true, waitMs: idleMsMax },
  halted: { ...atEase, isDeaf: true, waitMs: haltedMs },
  retired: { ...atEase, isDeaf: true, isOver: true }
}

const idOf = ({ model, version }: Consumer) => ({ model, version })
