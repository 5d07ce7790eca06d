/**
 * Group commit: under load, appends to different streams share one statement and one commit. They
 * are sent together once no statement is in progress, or all in progress are slow: a lock on one
 * stream delays only its own group. Each append succeeds or conflicts by its own head. A failed
 * group is rolled back, and each append is tried alone.
 */
import { Array as Arr, Clock, Effect, Exit } from "effect"
import { isInTransaction, Postgres, PostgresError } from "../../infrastructure/postgres/Postgres.ts"
import * as Retry from "../../infrastructure/postgres/Retry.ts"
import * as AppendStatement from "./AppendStatement.ts"
import type { AppendKind } from "./AppendStatement.ts"

const callsMax = 64

const groupsMax = 8

/** Time after which a statement no longer delays others: a slow disk's commit. */
const lateAfterMs = 10

/** Number of waiting appends that start a second statement instead of waiting for the first. */
const besideFrom = 32

interface Append extends AppendStatement.Append {
  /** Retried until this time, in milliseconds since the epoch. */
  readonly untilMs: number
}

export interface PositionRow {
  /** Decimal digits. */
  readonly position: string
}

type Rows = ReadonlyArray<PositionRow>

type Answers = ReadonlyArray<readonly [Append, Exit.Exit<Rows, PostgresError>]>

/** Returns a row for each event, in order; none if the head has moved. */
export const make = Effect.gen(function*() {
  const postgres = yield* Postgres

  const sent = (kind: AppendKind, appends: ReadonlyArray<Append>) =>
    Effect.map(
      postgres.prepared<PositionRow & { stream_id: string }>(
        ...AppendStatement.appendStatement(kind, appends)
      ),
      (rows) => {
        const byStream = Map.groupBy(rows, ({ stream_id }) => stream_id)
        return appends.map(({ head: { streamId } }): Rows => byStream.get(streamId) ?? [])
      }
    )

  /** A separate statement. A repetition has no effect: the caller finds its events. */
  const alone = (append: Append) =>
    sent(append.head.version === 0 ? "start" : "continue", [append]).pipe(
      Effect.map(([rows = []]) => rows),
      Retry.retryUntil(append.untilMs, "idempotent"),
      Effect.exit
    )

  /** Appends absent from the result, after a failed statement, are tried alone. */
  const together = (kind: AppendKind, appends: ReadonlyArray<Append>): Effect.Effect<Answers> => {
    const [first, ...others] = appends
    if (first === undefined) return Effect.succeed([])
    if (others.length === 0) return Effect.map(alone(first), (exit) => [[first, exit]])
    return Effect.match(sent(kind, appends), {
      onFailure: () => [],
      onSuccess: (answers) =>
        Arr.zipWith(appends, answers, (append, rows) => [append, Exit.succeed(rows)])
    })
  }

  return yield* makeGathered<Append, Rows, PostgresError>({
    callsMax,
    groupsMax,
    lateAfterMs,
    besideFrom,
    follower: "at once",
    expiry: { untilMs: ({ untilMs }) => untilMs, failure: neverSent },
    run: Effect.fnUntraced(function*(appends) {
      if (appends.length === 1) return [yield* alone(appends[0])]
      const ofOwn = firstOfEachStream(appends)
      const answers = new Map((yield* Effect.all([
        together("start", ofOwn.filter(({ head }) => head.version === 0)),
        together("continue", ofOwn.filter(({ head }) => head.version > 0))
      ], { concurrency: 2 })).flat())
      const left = appends.filter((append) => !answers.has(append))
      const exits = yield* Effect.forEach(left, alone, { concurrency: callsMax })
      left.forEach((append, index) => answers.set(append, exits[index] ?? unanswered))
      return appends.map((append) => answers.get(append) ?? unanswered)
    })
  })
})

const neverSent = new PostgresError({
  fault: "connection",
  may_have_run: false,
  cause: "as many appends as may be are under way, and none of them ends"
})

const unanswered = Exit.die(new Error("a call without an answer"))

const firstOfEachStream = (appends: ReadonlyArray<Append>): ReadonlyArray<Append> => {
  const streams = new Map<string, Append>()
  for (const append of appends) {
    const { session_id, tenant_id } = append.head.ref
    const stream = `${tenant_id}\0${session_id}`
    if (!streams.has(stream)) streams.set(stream, append)
  }
  return [...streams.values()]
}

// Gathers calls of one iteration of the event loop into groups. Calls wait for the end of the
// iteration, and while the most groups are in progress, at most until their expiry. A call without
// a waiting caller is not sent. A call inside a transaction is sent alone.

interface Gathering<Call, A, E> {
  readonly callsMax: number
  readonly groupsMax: number
  /** Milliseconds after which groups in progress no longer delay another. Default: 0. */
  readonly lateAfterMs?: number
  /** Waiting calls that start a second group while one is in progress. Default: none. */
  readonly besideFrom?: number
  /** Whether a sequential writer's next call waits for others. Default: `waits`. */
  readonly follower?: "at once" | "waits"
  /** Limit of the wait for a group. Default: none. */
  readonly expiry?: {
    /** Expiry of a call, in milliseconds since the epoch. */
    readonly untilMs: (call: Call) => number
    readonly failure: E
  }
  /** Returns one exit for each call, in order. */
  readonly run: (
    calls: Arr.NonEmptyReadonlyArray<Call>
  ) => Effect.Effect<ReadonlyArray<Exit.Exit<A, E>>>
}

/** Most callers that share one result. */
const sharingMax = 256

const expireEvery = "100 millis"

interface Waiting<Call, A, E> {
  readonly call: Call
  readonly answer: (exit: Exit.Exit<A, E>) => void
}

/** Groups run detached: they complete for interrupted callers and after the scope closed. */
export const makeGathered = <Call, A, E>(
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
    /** Start of each group in progress, in milliseconds since the epoch. */
    const begunMs = new Map<Group, number>()
    let sizeOfLast = 0
    let isDue = false
    let isExpiring = false
    let isTimerSet = false

    /** Number of calls in the next group. None: it may not start. */
    const sizeOfNext = (nowMs: number): number => {
      if (begunMs.size >= groupsMax) return 0
      const inTime = [...begunMs.values()].filter((ms) => nowMs - ms < lateAfterMs).length
      // Takes half if enough calls are left for another group.
      if (inTime === 0) {
        return waiting.length < 2 * besideFrom ? callsMax : Math.ceil(waiting.length / 2)
      }
      return inTime === 1 && waiting.length >= besideFrom ? callsMax : 0
    }

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

    /** Runs a group. Callers that call again after its result join the calls that wait. */
    const start = (group: Group): void => {
      fork(run(Arr.map(group, ({ call }) => call))).addObserver((exit) => {
        begunMs.delete(group)
        if (waiting.length > 0) beginSoon()
        group.forEach(({ answer }, index) => answer(exitOf(exit, index)))
      })
    }

    /** Starts once for all calls of an iteration. */
    const beginSoon = (): void => {
      if (isDue) return
      isDue = true
      setImmediate(() => {
        isDue = false
        begin()
      })
    }

    /** Starts again once the groups in progress are late. */
    const beginLate = (): void => {
      if (lateAfterMs === 0 || isTimerSet || waiting.length === 0) return
      isTimerSet = true
      fork(Effect.sleep(lateAfterMs)).addObserver(() => {
        isTimerSet = false
        begin()
      })
    }

    /** Fails calls that waited too long for a group. Runs while any call waits. */
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

/** Single flight: simultaneous calls for one key share a run that starts after them. */
export const shared = <Key, A, E>(
  groupsMax: number,
  run: (key: Key) => Effect.Effect<A, E>
) =>
  makeGathered<Key, A, E>({
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

/** The exit of a group applies to all its calls. */
const exitOf = <A, E>(
  exit: Exit.Exit<ReadonlyArray<Exit.Exit<A, E>>>,
  index: number
): Exit.Exit<A, E> =>
  Exit.match(exit, {
    onFailure: (cause) => Exit.failCause(cause),
    onSuccess: (exits) => exits[index] ?? unanswered
  })
