/**
 * Gathers calls of one turn of the event loop into groups, each sent to the database together.
 *
 * A call waits for the end of the running turn of the event loop, and longer only while as many
 * groups as may be are under way; at most until its own time is over, where it has one. What waits
 * goes together as soon as a group may begin. A call that nobody waits for any more is not sent. A
 * call inside a transaction is a part of it, and goes alone.
 */
import { Array as Arr, Clock, Effect, Exit } from "effect"
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
  /**
   * Number of calls that may begin a second group beside one that is not late yet, so that one is
   * made up here while the other is at work in the database. Default: none.
   */
  readonly besideFrom?: number
  /**
   * Whether a call that follows one which was alone and has ended begins at once, as that of a
   * writer who does one thing after the other, or waits for others of its turn. Default: `waits`.
   */
  readonly follower?: "at once" | "waits"
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
  readonly answer: (exit: Exit.Exit<A, E>) => void
}

/**
 * Makes the function that calls go through. A group runs detached: it answers its calls even when
 * some of their callers were interrupted, and after the scope in which `make` ran has closed.
 */
export const make = <Call, A, E>(
  gathering: Gathering<Call, A, E>
) =>
  Effect.gen(function*() {
    const { besideFrom = Infinity, callsMax, expiry, follower = "waits", groupsMax, run } =
      gathering
    const { lateAfterMs = 0 } = gathering
    type Group = Arr.NonEmptyReadonlyArray<Waiting<Call, A, E>>
    const clock = yield* Clock.Clock
    const fork = Effect.runForkWith(yield* Effect.context())
    let waiting: ReadonlyArray<Waiting<Call, A, E>> = []
    /** Times at which the groups under way began, in milliseconds since the epoch. */
    const begunMs = new Map<Group, number>()
    /** Size of the group that began last. */
    let sizeOfLast = 0
    let isDue = false
    let isExpiring = false
    let isTimerSet = false

    /** Number of calls that the next group takes. None: it may not begin. */
    const sizeOfNext = (nowMs: number): number => {
      if (begunMs.size >= groupsMax) return 0
      const inTime = [...begunMs.values()].filter((ms) => nowMs - ms < lateAfterMs).length
      // A group that will leave another one enough takes half.
      if (inTime === 0) {
        return waiting.length < 2 * besideFrom ? callsMax : Math.ceil(waiting.length / 2)
      }
      return inTime === 1 && waiting.length >= besideFrom ? callsMax : 0
    }

    /** Takes as many groups as may begin and as there are calls for. */
    const begin = (): void => {
      const nowMs = clock.currentTimeMillisUnsafe()
      while (waiting.length > 0) {
        const [group, rest] = Arr.splitAt(waiting, Math.min(sizeOfNext(nowMs), callsMax))
        if (!Arr.isReadonlyArrayNonEmpty(group)) break
        waiting = rest
        begunMs.set(group, nowMs)
        sizeOfLast = group.length
        start(group)
      }
      beginLate()
      expire()
    }

    /** Runs a group. Who is answered and calls again in that turn goes along with who waits. */
    const start = (group: Group): void => {
      fork(run(Arr.map(group, ({ call }) => call))).addObserver((exit) => {
        begunMs.delete(group)
        if (waiting.length > 0) beginSoon()
        group.forEach(({ answer }, index) => answer(exitOf(exit, index)))
      })
    }

    /** Begins once for all calls of a turn. */
    const beginSoon = (): void => {
      if (isDue) return
      isDue = true
      setImmediate(() => {
        isDue = false
        begin()
      })
    }

    /** Begins again when groups under way that keep calls waiting are late. */
    const beginLate = (): void => {
      if (lateAfterMs === 0 || isTimerSet || waiting.length === 0) return
      isTimerSet = true
      fork(Effect.sleep(lateAfterMs)).addObserver(() => {
        isTimerSet = false
        begin()
      })
    }

    /** Fails calls whose time is over while others keep every group: as long as any call waits. */
    const expire = (): void => {
      if (expiry === undefined || isExpiring || waiting.length === 0) return
      isExpiring = true
      fork(Effect.sleep(expireEvery)).addObserver(() => {
        isExpiring = false
        const nowMs = clock.currentTimeMillisUnsafe()
        const late = new Set(waiting.filter(({ call }) => expiry.untilMs(call) <= nowMs))
        waiting = waiting.filter((one) => !late.has(one))
        for (const { answer } of late) answer(Exit.fail(expiry.failure))
        expire()
      })
    }

    const alone = (call: Call): Effect.Effect<A, E> =>
      Effect.flatMap(Effect.exit(run([call])), (exit) => exitOf(exit, 0))

    const together = (call: Call): Effect.Effect<A, E> =>
      Effect.callback((resume) => {
        const own: Waiting<Call, A, E> = { call, answer: resume }
        waiting = [...waiting, own]
        if (follower === "at once" && sizeOfLast === 1 && begunMs.size === 0 && !isDue) begin()
        else beginSoon()
        return Effect.sync(() => waiting = waiting.filter((one) => one !== own))
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
