/**
 * Single flight: of concurrent callers with equal work one does it, and the others wait. Inside a
 * process a semaphore decides, between processes a lease. A caller waits a third of its time at
 * most, then works alone: a slow leader costs others no answer.
 */
import { Clock, Duration, Effect, Fiber, Option, Ref, Semaphore } from "effect"
import { Instance } from "../ports/Platform.ts"
import { type CacheKey, QueryCache } from "../ports/SearchProvider.ts"

const pollEveryMs = 50

/** A leader that does not renew its lease within this time has lost it. */
export const leaseMs = 5_000

/** Interval of the heartbeat that renews a lease. Three fit into one lease. */
const heartbeatMs = 1_500

/** Share of a caller's time left that it may spend on waiting. */
const waitingShareMax = 1 / 3

/** Permit and lease that a leader holds until `end`. */
interface Held {
  /** Owner of the lease: this lead alone, so that no lead can end another's. */
  readonly owner: string
  readonly heartbeat: Fiber.Fiber<unknown>
  /** Semaphore of one permit, taken while this process works on the key. */
  readonly turn: Semaphore.Semaphore
}

export interface Lead {
  readonly key: CacheKey
  /** Absent: the caller works alone, in parallel to the leader. */
  readonly held?: Held
}

export type Turn<A> =
  | { readonly _tag: "Ready"; readonly ready: A }
  /** The caller must do the work, store it where `ready` finds it, and then `end` the lead. */
  | { readonly _tag: "Leads"; readonly lead: Lead }

/** Single flight over this and other processes. Leases are distinguished by their keys alone. */
export const make = Effect.gen(function*() {
  const cache = yield* QueryCache
  const instance = yield* Instance
  const scope = yield* Effect.scope
  const leadsCount = yield* Ref.make(0)
  const turns = yield* Ref.make<ReadonlyMap<string, Semaphore.Semaphore>>(new Map())

  /** The semaphore of the current holder, or `undefined`: the caller holds it now. */
  const claim = (key: CacheKey, mine: Semaphore.Semaphore) =>
    Ref.modify(turns, (all) => {
      const theirs = all.get(nameOf(key))
      return [theirs, theirs === undefined ? new Map(all).set(nameOf(key), mine) : all]
    })

  const giveBack = (key: CacheKey, mine: Semaphore.Semaphore) =>
    Ref.update(turns, (all) => {
      const rest = new Map(all)
      if (all.get(nameOf(key)) === mine) rest.delete(nameOf(key))
      return rest
    }).pipe(Effect.andThen(mine.release(1)))

  const renewals = (key: CacheKey, owner: string, leftMs: number) =>
    Effect.delay(cache.renew(key, owner, leaseMs), Duration.millis(heartbeatMs)).pipe(
      Effect.repeat({ while: (isHeld) => isHeld, times: Math.ceil(leftMs / heartbeatMs) })
    )

  /** Whether `owner` leads. A lease granted too late is given back at once. */
  const askedToLead = Effect.fnUntraced(
    function*(key: CacheKey, owner: string, untilMs: number) {
      const asked = yield* Effect.forkIn(cache.lead(key, owner, leaseMs), scope)
      const giveUp = Effect.forkIn(
        Effect.flatMap(
          Fiber.join(asked),
          (isGranted) => isGranted ? cache.resign(key, owner) : Effect.void
        ),
        scope
      )
      const isFirst = yield* inTime(untilMs, Fiber.join(asked)).pipe(
        Effect.onInterrupt(() => giveUp)
      )
      if (isFirst === undefined) yield* giveUp
      return isFirst ?? false
    }
  )

  /** Contends with other processes for the lease. `undefined`: another one leads. */
  const contend = Effect.fnUntraced(
    function*<A>(lead: Lead, mine: Semaphore.Semaphore, { find, time }: Wanted<A>) {
      const owner = `${instance.id} ${yield* Ref.updateAndGet(leadsCount, (count) => count + 1)}`
      const isFirst = yield* askedToLead(lead.key, owner, time.untilMs)
      if (!isFirst) return undefined
      // The leader before may have finished between the look and the lease.
      const ready = yield* inTime(time.untilMs, find).pipe(
        Effect.onInterrupt(() => cache.resign(lead.key, owner))
      )
      if (ready !== undefined) {
        yield* cache.resign(lead.key, owner)
        return isReady(ready)
      }
      const heartbeat = yield* Effect.forkIn(
        Effect.interruptible(renewals(lead.key, owner, time.leftMs)),
        scope
      )
      return leads({ ...lead, held: { owner, heartbeat, turn: mine } })
    }
  )

  const compete = <A>(
    lead: Lead,
    mine: Semaphore.Semaphore,
    wanted: Wanted<A>
  ): Effect.Effect<Turn<A>> =>
    Effect.gen(function*() {
      const { find, time } = wanted
      const turn = yield* contend(lead, mine, wanted)
      if (turn !== undefined) return turn
      if ((yield* leftMsUntil(time.untilMs)) === 0) return leads(lead)
      yield* inTime(time.untilMs, Effect.sleep(Duration.millis(pollEveryMs)))
      const ready = yield* inTime(time.untilMs, find)
      return ready === undefined ? yield* compete(lead, mine, wanted) : isReady(ready)
    })

  const wait = <A>(lead: Lead, wanted: Wanted<A>): Effect.Effect<Turn<A>> =>
    Effect.gen(function*() {
      const { find, time } = wanted
      const ready = yield* inTime(time.untilMs, find)
      if (ready !== undefined) return isReady(ready)
      if ((yield* leftMsUntil(time.untilMs)) === 0) return leads(lead)
      const mine = yield* taken
      const theirs = yield* claim(lead.key, mine)
      if (theirs !== undefined) {
        yield* inTime(time.untilMs, theirs.withPermit(Effect.void))
        return yield* wait(lead, wanted)
      }
      return yield* compete(lead, mine, wanted).pipe(
        Effect.onExit((exit) =>
          exit._tag === "Success" && isHolding(exit.value)
            ? Effect.void
            : giveBack(lead.key, mine)
        )
      )
    })

  // No span: a lead holds a fiber, and a printed span would print all of it.
  const turn = Effect.fnUntraced(
    function*<A>(key: CacheKey, leftMs: number, find: Effect.Effect<A | undefined>) {
      const untilMs = (yield* Clock.currentTimeMillis) + Math.floor(leftMs * waitingShareMax)
      return yield* wait({ key }, { find, time: { untilMs, leftMs } })
    },
    Effect.uninterruptible
  )

  const end = Effect.fnUntraced(
    function*({ held, key }: Lead) {
      if (held === undefined) return
      yield* Fiber.interrupt(held.heartbeat)
      yield* cache.resign(key, held.owner)
      yield* giveBack(key, held.turn)
    },
    Effect.uninterruptible
  )

  return { turn, end }
})

export const leadOf = (release: (lead: Lead) => Effect.Effect<void>) =>
  Effect.map(Ref.make<Lead | undefined>(undefined), (leading) => ({
    leading,
    /** Releases it without a result: before the next turn, and at the end of the run. */
    close: Effect.uninterruptible(
      Effect.flatMap(
        Ref.getAndSet(leading, undefined),
        (lead) => lead === undefined ? Effect.void : release(lead)
      )
    ),
    /** Notes it before anything can end the run, or it would not be released. */
    noting: <Taken extends { readonly _tag: string; readonly lead?: Lead }>(
      turn: Effect.Effect<Taken>
    ) =>
      Effect.uninterruptible(
        Effect.tap(
          turn,
          ({ lead }) => lead === undefined ? Effect.void : Ref.set(leading, lead)
        )
      )
  }))

interface Wanted<A> {
  readonly find: Effect.Effect<A | undefined>
  readonly time: Time
}

const isReady = <A>(ready: A): Turn<A> => ({ _tag: "Ready", ready })

const leads = (lead: Lead): Turn<never> => ({ _tag: "Leads", lead })

interface Time {
  /** Milliseconds since the epoch, by this process's clock. */
  readonly untilMs: number
  readonly leftMs: number
}

const leftMsUntil = (untilMs: number): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => Math.max(0, untilMs - nowMs))

/** Interruptible, and `undefined` when it did not end in time. */
const inTime = <A>(untilMs: number, effect: Effect.Effect<A>) =>
  Effect.flatMap(leftMsUntil(untilMs), (ms) =>
    effect.pipe(
      Effect.timeoutOption(Duration.millis(ms)),
      Effect.map(Option.getOrUndefined),
      Effect.interruptible
    ))

const taken = Effect.tap(Semaphore.make(1), (semaphore) => semaphore.take(1))

const isHolding = (turn: Turn<unknown>): boolean =>
  turn._tag === "Leads" && turn.lead.held !== undefined

const nameOf = ({ key, tenantId }: CacheKey): string => `${tenantId} ${key}`
