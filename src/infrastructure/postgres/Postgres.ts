/**
 * Kysely over one pool. SQLSTATE becomes a fault that callers act on. Interrupting a waiting caller
 * does not cancel the statement: `statement_timeout` bounds its run time.
 */
import { Context, Data, Effect, Exit, Predicate, Schema } from "effect"
import {
  CompiledQuery,
  type ControlledTransaction,
  Kysely,
  PostgresDialect,
  type RawBuilder
} from "kysely"
import type pg from "pg"

const PostgresFault = Schema.Literals([
  /** A unique index refused the row. */
  "unique-violation",
  /** Serialization failure or deadlock: the transaction may be run again. */
  "serialization",
  /** No connection, or a broken one. Whether the statement ran is unknown. */
  "connection",
  /** The statement or the wait for a lock timed out. */
  "timeout",
  /** The server is out of disk, memory or connections. */
  "exhausted",
  /** The role lacks the privilege, or a trigger refused. */
  "refused",
  "other"
])
export type PostgresFault = typeof PostgresFault.Type

export class PostgresError extends Schema.TaggedError<PostgresError>()("PostgresError", {
  fault: PostgresFault,
  /** Whether the statement may have reached the server; it may then have run. */
  may_have_run: Schema.Boolean,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `PostgreSQL: ${this.fault}: ${messageOf(this.cause)}`
  }
}

/** Planned once for each connection; behind a pooler, each time. A name has one text. */
export interface Statement {
  readonly name: string
  readonly text: string
}

export type Parameter = string | number | null | Uint8Array

export interface PoolUse {
  readonly open: number
  readonly idle: number
  readonly waiting: number
  readonly max: number
}

export class Postgres extends Context.Service<Postgres, {
  readonly run: <A>(query: (db: Kysely<unknown>) => Promise<A>) => Effect.Effect<A, PostgresError>

  /** Runs a prepared statement. Rows are parsed by the pool's parsers. */
  readonly prepared: <Row extends pg.QueryResultRow>(
    statement: Statement,
    parameters: ReadonlyArray<Parameter>
  ) => Effect.Effect<ReadonlyArray<Row>, PostgresError>

  /**
   * Rolls back when the effect fails, dies or is interrupted. Inside another transaction: a
   * savepoint.
   */
  readonly transaction: <A, E, R>(
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | PostgresError, R>

  readonly poolUse: Effect.Effect<PoolUse>
}>()("web-grounding/infrastructure/postgres/Postgres") {}

export const rowsIn =
  ({ run }: Pick<Postgres["Service"], "run">) =>
  <Row>(statement: RawBuilder<Row>): Effect.Effect<ReadonlyArray<Row>, PostgresError> =>
    Effect.map(run((db) => statement.execute(db)), ({ rows }) => rows)

const Current = Context.Reference<ControlledTransaction<unknown, Array<string>> | undefined>(
  "web-grounding/infrastructure/postgres/Postgres/Current",
  { defaultValue: () => undefined }
)

/** Whether the running fiber is in a transaction: its statements cannot be repeated alone. */
export const isInTransaction: Effect.Effect<boolean> = Effect.map(
  Current,
  (current) => current !== undefined
)

class NoConnection extends Data.TaggedError("NoConnection")<{ readonly reason: unknown }> {}

/**
 * `named`: kept by the server for the connection, where a pooler may have lost it, or hold another
 * client's statement of that name.
 */
export type Statements = "named" | "unnamed"

/** Wraps a pool that the caller ends. */
export const make = (pool: pg.Pool, statements: Statements = "named"): Postgres["Service"] => {
  // A connection ended by the server must not end the process. Its next user gets the failure.
  pool.on("error", () => {})
  pool.on("connect", (client) => client.on("error", () => {}))
  const root = new Kysely<unknown>({
    dialect: new PostgresDialect({
      pool: {
        connect: () =>
          pool.connect().catch((reason) => Promise.reject(new NoConnection({ reason }))),
        end: () => pool.end(),
        options: pool.options
      }
    })
  })

  const run: Postgres["Service"]["run"] = (query) =>
    Effect.flatMap(Current, (current) => attempt(() => query(current ?? root)))

  const prepared: Postgres["Service"]["prepared"] = <Row extends pg.QueryResultRow>(
    { name, text }: Statement,
    parameters: ReadonlyArray<Parameter>
  ) =>
    Effect.flatMap(Current, (current) => {
      if (current !== undefined) {
        const query = CompiledQuery.raw(text, [...parameters])
        return Effect.map(attempt(() => current.executeQuery<Row>(query)), ({ rows }) => rows)
      }
      return Effect.callback<ReadonlyArray<Row>, PostgresError>((resume) => {
        let isGivenUp = false
        pool.connect((reason, client, release) => {
          // Its caller has given up: it must not run later.
          if (isGivenUp) return release()
          if (client === undefined) {
            return resume(Effect.fail(toError(new NoConnection({ reason }))))
          }
          const kept = statements === "named" ? { name } : {}
          client.query<Row>({ ...kept, text, values: [...parameters] }, (error, result) => {
            // A refused statement leaves its connection usable.
            release(error && isRefusal(error) ? undefined : error)
            resume(error ? Effect.fail(toError(error)) : Effect.succeed(result.rows))
          })
        })
        return Effect.sync(() => {
          isGivenUp = true
        })
      })
    })

  const transaction: Postgres["Service"]["transaction"] = (effect) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const outer = yield* Current
        const inner = yield* attempt(() =>
          outer ? outer.savepoint(savepointName).execute() : root.startTransaction().execute()
        )
        const exit = yield* Effect.exit(restore(Effect.provideService(effect, Current, inner)))
        yield* outer ? endSavepoint(inner, exit) : endTransaction(inner, exit)
        return yield* exit
      })
    )

  const poolUse = Effect.sync((): PoolUse => ({
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
    max: pool.options.max
  }))

  return Postgres.of({ run, prepared, transaction, poolUse })
}

/** Nested savepoints may share a name: the innermost is used. */
const savepointName = "nested"

const endTransaction = (
  current: ControlledTransaction<unknown, Array<string>>,
  exit: Exit.Exit<unknown, unknown>
) =>
  Exit.isSuccess(exit)
    // Kysely keeps the connection of a failed commit until it is rolled back.
    ? Effect.tapError(
      attempt(() => current.commit().execute()),
      () => Effect.ignore(attempt(() => current.rollback().execute()))
    )
    // After a failed rollback Kysely discards the connection.
    : Effect.ignore(attempt(() => current.rollback().execute()))

const endSavepoint = (
  current: ControlledTransaction<unknown, Array<string>>,
  exit: Exit.Exit<unknown, unknown>
) =>
  Exit.isSuccess(exit)
    ? attempt(() => current.releaseSavepoint(savepointName).execute())
    // Without it the enclosing transaction stays aborted, and its commit fails.
    : Effect.ignore(attempt(() => current.rollbackToSavepoint(savepointName).execute()))

const attempt = <A>(promise: () => Promise<A>): Effect.Effect<A, PostgresError> =>
  Effect.tryPromise({ try: promise, catch: toError })

const toError = (cause: unknown): PostgresError =>
  cause instanceof NoConnection
    ? new PostgresError({ ...failureOf(cause.reason), may_have_run: false })
    : new PostgresError({ ...failureOf(cause), may_have_run: true })

const failureOf = (cause: unknown) => ({ fault: faultOf(cause), cause })

/** SQLSTATE of a driver's error, or the system's code for a broken socket. Empty: neither. */
export const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : ""

/** A driver's message, only for matching: it may contain values. */
export const messageOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "message") ? String(cause.message) : "unknown"

const faults: ReadonlyArray<readonly [RegExp, PostgresFault]> = [
  [/^23505$/, "unique-violation"],
  [/^40(001|P01)$/, "serialization"],
  [/^(57014|55P03)$/, "timeout"],
  [/^53/, "exhausted"],
  [/^(42501|23001)$/, "refused"],
  [/^(08|57P|25P0[34]|E[A-Z]+$)/, "connection"]
]

/** Whether the server refused a statement and its connection remains usable. */
const isRefusal = (error: unknown): boolean => {
  const code = codeOf(error)
  return sqlState.test(code) && faultOf(error) !== "connection"
}

/** Five digits or letters. */
const sqlState = /^[0-9A-Z]{5}$/

/** The driver's own errors carry no code. */
const lostConnection =
  /^(Connection terminated|Client .* not queryable|timeout (expired|exceeded when trying to c))/

const faultOf = (cause: unknown): PostgresFault => {
  const code = codeOf(cause)
  const known = faults.find(([pattern]) => pattern.test(code))
  if (known !== undefined) return known[1]
  if (code !== "") return "other"
  return lostConnection.test(messageOf(cause)) ? "connection" : "other"
}
