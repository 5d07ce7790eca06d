/**
 * Group commit: under load, appends to different streams share one statement and one commit. What
 * waits goes together as soon as no statement is under way, or all that are take long: so a lock on
 * one stream keeps its own group waiting. One append takes a statement of its own, and a group two,
 * side by side, when some of it start their streams and some go on.
 *
 * Each append stands or falls by the head of its own stream, as if it was alone. When the statement
 * of a group fails, it is rolled back for all, and each append is tried alone.
 */
import { Array as Arr, Clock, Effect, Exit } from "effect"
import type { StreamRef } from "../../application/ports/EventStore.ts"
import {
  isInTransaction,
  Postgres,
  PostgresError,
  type Statement
} from "../../infrastructure/postgres/Postgres.ts"
import * as Retry from "../../infrastructure/postgres/Retry.ts"
import * as AppendStatement from "./AppendStatement.ts"
import type { GroupKind } from "./AppendStatement.ts"

/** Maximum number of appends of one group. */
const callsMax = 64

/** Maximum number of statements at the same time. */
const groupsMax = 8

/** Time after which a statement keeps nobody waiting any more: that of a slow disk's commit. */
const lateAfterMs = 10

/** Number of appends that go beside a statement under way rather than wait for its end. */
const besideFrom = 32

interface Append extends AppendStatement.GroupedAppend {
  /** Time until when it is tried again, in milliseconds since the epoch. */
  readonly untilMs: number
}

export interface PositionRow {
  /** Decimal digits. */
  readonly position: string
}

interface GroupRow extends PositionRow {
  readonly stream_id: string
}

type Rows = ReadonlyArray<PositionRow>

type Answers = ReadonlyArray<readonly [Append, Exit.Exit<Rows, PostgresError>]>

/** Answers with a row an event, in order; with none where the stream is no longer at that head. */
export const make = Effect.gen(function*() {
  const postgres = yield* Postgres

  /** Appends by a statement of its own. Sent twice it lands once: the caller finds it there. */
  const alone = ({ head, sealed, untilMs, ...options }: Append) =>
    postgres.prepared<PositionRow>(...AppendStatement.appendStatement(head, sealed, options)).pipe(
      Retry.retryUntil(untilMs, "idempotent"),
      Effect.exit
    )

  /** Appends to different streams. Those that a failed statement leaves out are to go alone. */
  const together = (kind: GroupKind, appends: ReadonlyArray<Append>): Effect.Effect<Answers> => {
    const [first, ...others] = appends
    if (first === undefined) return Effect.succeed([])
    if (others.length === 0) return Effect.map(alone(first), (exit) => [[first, exit]])
    const [statement, parameters] = AppendStatement.groupStatement(kind, appends)
    return Effect.match(postgres.prepared<GroupRow>(statement, parameters), {
      onFailure: () => [],
      onSuccess: (rows) => {
        const byStream = Map.groupBy(rows, ({ stream_id }) => stream_id)
        const rowsOf = ({ head: { streamId } }: Append): Rows => byStream.get(streamId) ?? []
        return appends.map((append) => [append, Exit.succeed(rowsOf(append))])
      }
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

const unanswered = Exit.die(new Error("an append without an answer"))

const firstOfEachStream = (appends: ReadonlyArray<Append>): ReadonlyArray<Append> => {
  const streams = new Map<string, Append>()
  for (const append of appends) {
    const { session_id, tenant_id } = append.head.ref
    const stream = `${tenant_id}\0${session_id}`
    if (!streams.has(stream)) streams.set(stream, append)
  }
  return [...streams.values()]
}

// Gathers calls of one turn of the event loop into groups, each sent to the database together. A
// call waits for the end of the running turn of the event loop, and longer only while as many
// groups as may be are under way; at most until its own time is over, where it has one. What
// waits goes together as soon as a group may begin. A call that nobody waits for any more is not
// sent. A call inside a transaction is a part of it, and goes alone.

interface Gathering<Call, A, E> {
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

    /** Fails calls that waited too long for a free group. Runs as long as any call waits. */
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
          return keys.map((key) => exits.get(key) ?? unansweredGroup)
        }
      )
  })

const unansweredGroup = Exit.die(new Error("a call without an answer"))

/** Whatever ended the group ends its calls. */
const exitOf = <A, E>(
  exit: Exit.Exit<ReadonlyArray<Exit.Exit<A, E>>>,
  index: number
): Exit.Exit<A, E> =>
  Exit.match(exit, {
    onFailure: (cause) => Exit.failCause(cause),
    onSuccess: (exits) => exits[index] ?? unansweredGroup
  })

// Reads heads of streams: those that are asked for at the same moment by one statement, as a
// repeated request costs little more than its look at the head.

/** Maximum number of statements at the same time. */
const headGroupsMax = 4

export interface PendingAppend {
  readonly ref: StreamRef
  /** Time until when it is tried again, in milliseconds since the epoch. */
  readonly untilMs: number
}

/** A stream's row, in the columns of `LogStatements.readStream`. */
export interface HeadRow {
  readonly stream_id: string
  /** The version, in decimal digits. */
  readonly position: string
  readonly seal: string
  /** Time of the erasure of the stream. `null`: it is there. */
  readonly recorded_at: string | null
}

interface PlacedRow extends HeadRow {
  /** Place among those asked for, from 1. In decimal digits. */
  readonly place: string
}

/** Answers with a stream's row; with none where it was never written to. */
export const makeStreamHeads = Effect.gen(function*() {
  const postgres = yield* Postgres

  const read = (refs: ReadonlyArray<StreamRef>) =>
    Effect.map(
      postgres.prepared<PlacedRow>(readHeads, [
        JSON.stringify(refs.map(({ session_id, tenant_id }) => [tenant_id, session_id]))
      ]),
      (rows) => new Map(rows.map((row) => [Number(row.place) - 1, row]))
    )

  const alone = ({ ref, untilMs }: PendingAppend) =>
    Effect.map(read([ref]), (rows): HeadRow | undefined => rows.get(0)).pipe(
      Retry.retryUntil(untilMs, "idempotent"),
      Effect.exit
    )

  return yield* makeGathered<PendingAppend, HeadRow | undefined, PostgresError>({
    callsMax,
    groupsMax: headGroupsMax,
    expiry: { untilMs: ({ untilMs }) => untilMs, failure: neverSentHeads },
    run: Effect.fnUntraced(function*(asked) {
      if (asked.length === 1) return [yield* alone(asked[0])]
      const rows = yield* Effect.exit(read(asked.map(({ ref }) => ref)))
      return Exit.isSuccess(rows)
        ? asked.map((_, place) => Exit.succeed(rows.value.get(place)))
        : yield* Effect.forEach(asked, alone, { concurrency: callsMax })
    })
  })
})

const neverSentHeads = new PostgresError({
  fault: "connection",
  may_have_run: false,
  cause: "as many reads of heads as may be are under way, and none of them ends"
})

/** Statement that looks each stream up by its key, whatever the statistics say of the table. */
const readHeads: Statement = {
  name: "wg_read_heads",
  text: `
    select asked.place, own.*
      from jsonb_array_elements($1::jsonb) with ordinality as asked (ref, place)
      cross join lateral (
        select stream_id, version::bigint as position, head_hash as seal, erased_at as recorded_at
          from wg.streams where tenant_id = asked.ref ->> 0 and session_id = asked.ref ->> 1
          limit 1
      ) as own`
}
