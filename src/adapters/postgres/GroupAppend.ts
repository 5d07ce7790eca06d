/**
 * Group commit: under load, appends to different streams share one statement and one commit. What
 * waits goes together as soon as no statement is under way, or all that are take long: so a lock on
 * one stream keeps its own group waiting. One append takes a statement of its own, and a group two,
 * side by side, when some of it start their streams and some go on.
 *
 * Each append stands or falls by the head of its own stream, as if it was alone. When the statement
 * of a group fails, it is rolled back for all, and each append is tried alone.
 */
import { Effect, Exit } from "effect"
import { Postgres, PostgresError } from "../../infrastructure/postgres/Postgres.ts"
import * as Retry from "../../infrastructure/postgres/Retry.ts"
import * as AppendStatement from "./AppendStatement.ts"
import * as Gathered from "./grouped/Gathered.ts"
import type { GroupKind } from "./GroupStatements.ts"

/** Maximum number of appends of one group. */
const callsMax = 64

/** Maximum number of statements at the same time. */
const groupsMax = 8

/** Time after which a statement keeps nobody waiting any more: that of a slow disk's commit. */
const lateAfterMs = 10

/** Number of appends that go beside a statement under way rather than wait for its end. */
const besideFrom = 32

export interface Append extends AppendStatement.GroupedAppend {
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

  return yield* Gathered.make<Append, Rows, PostgresError>({
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
