/**
 * How a process's statements reach the database: each takes its time, and may be lost before it ran
 * or after. What was sent runs at the database even if its process dies.
 */
import { Clock, Context, Effect } from "effect"
import { PostgresError } from "../../src/infrastructure/postgres/Postgres.ts"
import type { Process, World } from "./World.ts"

/** How one statement fares. */
export interface Fate {
  /** On its way, until its effects are seen by others, and on the way back, in milliseconds. */
  readonly sendMs: number
  readonly commitMs: number
  readonly backMs: number
  readonly lost: "never" | "before" | "after"
}

/** Asked once for each statement, in the moment in which the process would send it. */
export type FateOf = (process: Process, statement: string) => Fate

/** What runs at the database; it answers `commitMs` later at the earliest. */
type Work<A> = (commitMs: number, answer: (value: A) => void) => void

export interface Connection {
  /** A statement whose work may take time, e.g. because it waits for a row. */
  readonly send: <A>(statement: string, work: Work<A>) => Effect.Effect<A, PostgresError>
  /** A statement whose work is a moment of the database's. */
  readonly ask: <A>(statement: string, work: () => A) => Effect.Effect<A, PostgresError>
  /** As `ask`; the work is an effect that waits for nothing, by the database's clock. */
  readonly run: <A, E>(
    statement: string,
    work: Effect.Effect<A, E>
  ) => Effect.Effect<A, E | PostgresError>
}

/** How long until a process learns that its statement was lost. */
const lostMs = 8

export const connect = (world: World, process: Process, fateOf: FateOf): Connection => {
  const send: Connection["send"] = <A>(statement: string, work: Work<A>) =>
    Effect.callback<A, PostgresError>((resume) => {
      const { backMs, commitMs, lost, sendMs } = fateOf(process, statement)
      if (!process.isAlive) return
      const refuse = (ms: number) =>
        world.after(process, ms, () => resume(Effect.fail(lostStatement(lost === "after"))))
      if (lost === "before") refuse(lostMs)
      else {
        world.after(world.outside, sendMs, () =>
          work(commitMs, (value) => {
            if (lost === "after") refuse(lostMs)
            else world.after(process, backMs, () => resume(Effect.succeed(value)))
          }))
      }
    })
  const ask: Connection["ask"] = (statement, work) =>
    send(statement, (commitMs, answer) => {
      // What is read or written in one moment is seen by all in it.
      const value = work()
      world.after(world.outside, commitMs, () => answer(value))
    })
  return {
    send,
    ask,
    run: (statement, work) =>
      Effect.flatMap(
        ask(statement, () => Effect.runSyncExit(Effect.provideContext(work, databaseOf(world)))),
        (exit) => exit
      )
  }
}

/** What runs in the database goes by its clock. */
const databaseOf = (world: World): Context.Context<never> => {
  const nowMs = () => Math.floor(world.nowMs())
  const nanos = () => BigInt(nowMs()) * 1_000_000n
  return Context.make(Clock.Clock, {
    currentTimeMillisUnsafe: nowMs,
    currentTimeMillis: Effect.sync(nowMs),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: () => Effect.die(new Error("work at the database waits"))
  })
}

const lostStatement = (mayHaveRun: boolean): PostgresError =>
  new PostgresError({
    fault: "connection",
    may_have_run: mayHaveRun,
    cause: new Error("the connection was lost")
  })
