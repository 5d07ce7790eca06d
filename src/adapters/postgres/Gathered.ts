/**
 * Gathers calls of one turn of the event loop into groups, each sent to the database together.
 *
 * A call waits for the end of the running turn of the event loop, and longer only while as many
 * groups as may be are under way; at most until its own time is over, where it has one. One that
 * nobody waits for any more is not sent. A call inside a transaction is a part of it, and goes
 * alone.
 */
import { Array as Arr, Clock, Deferred, Effect, Exit } from "effect"
import { isInTransaction } from "../../infrastructure/postgres/Postgres.ts"

export interface Gathering<Call, A, E> {
  /**
   * Whether calls go together whenever they can, or are spread over as many groups as there is room
   * for: then each goes alone as long as they are few, and groups form under load only.
   */
  readonly gathers: "always" | "when crowded"
  /** Calls of one group. */
  readonly callsMax: number
  /** Groups under way at the same time. */
  readonly groupsMax: number
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
  { callsMax, expiry, gathers, groupsMax, run }: Gathering<Call, A, E>
) =>
  Effect.sync(() => {
    type Group = Arr.NonEmptyReadonlyArray<Waiting<Call, A, E>>
    let waiting: ReadonlyArray<Waiting<Call, A, E>> = []
    let groupsCount = 0
    let isDue = false
    let isExpiring = false

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

    /** Starts as many groups as may be under way and as there are calls for. */
    const begin: Effect.Effect<void> = Effect.suspend(() => {
      if (waiting.length === 0 || groupsCount === groupsMax) return expire
      const share = Math.ceil(waiting.length / (groupsMax - groupsCount))
      const size = gathers === "always" ? callsMax : Math.min(callsMax, share)
      const groups: Array<Group> = []
      while (groupsCount < groupsMax) {
        const [group, rest] = Arr.splitAt(waiting, size)
        if (!Arr.isReadonlyArrayNonEmpty(group)) break
        waiting = rest
        groupsCount += 1
        groups.push(group)
      }
      return Effect.forEach(groups, (group) =>
        run(Arr.map(group, ({ call }) => call)).pipe(
          Effect.exit,
          Effect.flatMap((exit) => ended(group, exit)),
          Effect.ensuring(Effect.sync(() => groupsCount -= 1)),
          Effect.andThen(begin),
          Effect.forkDetach
        ), { discard: true }).pipe(Effect.andThen(expire))
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
    gathers: "always",
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
