/**
 * Gathers calls of one turn of the event loop into groups, each sent to the database together.
 *
 * A call waits for the end of the running turn of the event loop, and longer only while as many
 * groups as may be are under way; at most until its own time is over, where it has one. What waits
 * goes together as soon as a group may begin. A call that nobody waits for any more is not sent. A
 * call inside a transaction is a part of it, and goes alone.
 */
import { Array as Arr, Clock, Deferred, Effect, Exit } from "effect"
import { isInTransaction } from "../../../infrastructure/postgres/Postgres.ts"

export interface Gathering<Call, A, E> {
  /** Calls of one group. */
  readonly callsMax: number
  /** Groups under way at the same time. */
  readonly groupsMax: number
  /**
   * A further group begins only when all that are under way take longer than this, in milliseconds:
   * calls wait for each other rather than go in many small groups. Default: 0.
   */
  readonly lateAfterMs?: number
  /** Limit of the time in which a call waits for a group. Default: none. */
  readonly expiry?: {
    /** End of a call's own time, in milliseconds since the epoch. */
    readonly untilMs: (call: Call) => number
    /** Failure of a call that was never sent. */
    readonly failure: E
  }
  /** Answers with one exit for each call, in their order. */
  readonly run: (
    calls: Arr.NonEmptyReadonlyArray<Call>
  ) => Effect.Effect<ReadonlyArray<Exit.Exit<A, E>>>
}

/** Callers of one answer. */
const sharingMax = 256

/** Interval at which calls that wait are looked at for those whose time is over. */
const expireEvery = "100 millis"

interface Waiting<Call, A, E> {
  readonly call: Call
  readonly done: Deferred.Deferred<A, E>
}

/**
 * Makes the function that calls go through. A group runs detached: it answers its calls even when
 * some of their callers were interrupted, and after the scope in which `make` ran has closed.
 */
export const make = <Call, A, E>(
  { callsMax, expiry, groupsMax, lateAfterMs = 0, run }: Gathering<Call, A, E>
) =>
  Effect.sync(() => {
    type Group = Arr.NonEmptyReadonlyArray<Waiting<Call, A, E>>
    let waiting: ReadonlyArray<Waiting<Call, A, E>> = []
    /** Times at which the groups under way began, in milliseconds since the epoch. */
    const begunMs = new Map<Group, number>()
    let isDue = false
    let isExpiring = false
    let isTimerSet = false

    const ended = (group: Group, exit: Exit.Exit<ReadonlyArray<Exit.Exit<A, E>>>) =>
      Effect.forEach(group, ({ done }, index) => Deferred.done(done, exitOf(exit, index)), {
        discard: true
      })

    /** Fails calls whose time is over while others keep every group: as long as any call waits. */
    const expire = Effect.suspend(() => {
      if (expiry === undefined || isExpiring || waiting.length === 0) return Effect.void
      isExpiring = true
      const { failure, untilMs } = expiry
      const once = Effect.gen(function*() {
        yield* Effect.sleep(expireEvery)
        const nowMs = yield* Clock.currentTimeMillis
        const late = waiting.filter(({ call }) => untilMs(call) <= nowMs)
        waiting = waiting.filter((one) => !late.includes(one))
        yield* Effect.forEach(late, ({ done }) => Deferred.fail(done, failure), { discard: true })
      })
      return Effect.asVoid(Effect.forkDetach(
        Effect.repeat(once, { while: () => waiting.length > 0 }).pipe(
          Effect.ensuring(Effect.sync(() => isExpiring = false))
        )
      ))
    })

    const mayBegin = (nowMs: number): boolean =>
      begunMs.size < groupsMax &&
      [...begunMs.values()].every((ms) => nowMs - ms >= lateAfterMs)

    /** Takes as many groups as may begin and as there are calls for. */
    const taken = (nowMs: number): ReadonlyArray<Group> => {
      const groups: Array<Group> = []
      while (mayBegin(nowMs)) {
        const [group, rest] = Arr.splitAt(waiting, callsMax)
        if (!Arr.isReadonlyArrayNonEmpty(group)) break
        waiting = rest
        begunMs.set(group, nowMs)
        groups.push(group)
      }
      return groups
    }

    /** Runs a group, and begins again when it has ended. */
    const start = (group: Group) =>
      Effect.exit(run(Arr.map(group, ({ call }) => call))).pipe(
        Effect.flatMap((exit) => ended(group, exit)),
        Effect.ensuring(Effect.sync(() => begunMs.delete(group))),
        Effect.andThen(begin),
        Effect.forkDetach
      )

    const begin: Effect.Effect<void> = Effect.gen(function*() {
      if (waiting.length === 0) return
      yield* Effect.forEach(taken(yield* Clock.currentTimeMillis), start, { discard: true })
      yield* Effect.andThen(beginLate, expire)
    })

    /** Begins again when groups under way that keep calls waiting are late. */
    const beginLate = Effect.suspend(() => {
      if (lateAfterMs === 0 || isTimerSet || waiting.length === 0) return Effect.void
      isTimerSet = true
      const unset = Effect.sync(() => isTimerSet = false)
      return Effect.asVoid(Effect.forkDetach(
        Effect.sleep(lateAfterMs).pipe(Effect.ensuring(unset), Effect.andThen(begin))
      ))
    })

    /** Begins once for all calls of a turn. */
    const beginSoon = Effect.suspend(() => {
      if (isDue) return Effect.void
      isDue = true
      return Effect.asVoid(Effect.forkDetach(
        turnOver.pipe(
          Effect.ensuring(Effect.sync(() => isDue = false)),
          Effect.andThen(begin)
        )
      ))
    })

    const alone = (call: Call): Effect.Effect<A, E> =>
      Effect.flatMap(Effect.exit(run([call])), (exit) => exitOf(exit, 0))

    const together = (call: Call): Effect.Effect<A, E> =>
      Effect.suspend(() => {
        const done = Deferred.makeUnsafe<A, E>()
        const own: Waiting<Call, A, E> = { call, done }
        waiting = [...waiting, own]
        return Effect.andThen(beginSoon, Deferred.await(done)).pipe(
          Effect.onInterrupt(() =>
            Effect.sync(() => waiting = waiting.filter((one) => one !== own))
          )
        )
      })

    return (call: Call) =>
      Effect.flatMap(isInTransaction, (isInside) => isInside ? alone(call) : together(call))
  })

/** Calls of one moment that ask for the same are answered by one run, which began after them. */
export const shared = <Key, A, E>(
  groupsMax: number,
  run: (key: Key) => Effect.Effect<A, E>
) =>
  make<Key, A, E>({
    callsMax: sharingMax,
    groupsMax,
    run: (keys) =>
      Effect.map(
        Effect.forEach(
          new Set(keys),
          (key) => Effect.map(Effect.exit(run(key)), (exit) => [key, exit] as const),
          { concurrency: groupsMax }
        ),
        (answers) => {
          const exits = new Map(answers)
          return keys.map((key) => exits.get(key) ?? unanswered)
        }
      )
  })

const unanswered = Exit.die(new Error("a call without an answer"))

/** Whatever ended the group ends its calls. */
const exitOf = <A, E>(
  exit: Exit.Exit<ReadonlyArray<Exit.Exit<A, E>>>,
  index: number
): Exit.Exit<A, E> =>
  Exit.match(exit, {
    onFailure: (cause) => Exit.failCause(cause),
    onSuccess: (exits) => exits[index] ?? unanswered
  })

const turnOver = Effect.callback<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})
