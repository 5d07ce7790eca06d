/**
 * Kysely handle over one pool, and the only place where a driver's promises become effects.
 * SQLSTATE becomes a word that callers act on. Interrupting a waiting caller does not cancel the
 * statement: `statement_timeout` bounds how long it may still run.
 */
import { Context, Data, Effect, Exit, Predicate, Schema } from "effect"
import { CompiledQuery, type ControlledTransaction, Kysely, PostgresDialect } from "kysely"
import type pg from "pg"
import type { Tables } from "./Tables.ts"

/** Meaning of a failed statement for the caller. */
const PostgresFault = Schema.Literals([
  /** A unique index refused the row. */
  "unique-violation",
  /** Serialization failure or deadlock: the transaction may be run again. */
  "serialization",
  /** The connection was not to be had, or broke. Whether the statement ran is unknown. */
  "connection",
  /** The statement or the wait for a lock took too long and was given up. */
  "timeout",
  /** The server is out of disk, memory or connections. */
  "exhausted",
  /** The role lacks the right, or a trigger refused. */
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

/**
 * A statement that is parsed and planned once a connection; behind a pooler, each time. One name,
 * one text, for ever.
 */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** Parameter of a statement: as text or, where it is bytes, in the server's binary form. */
export type Parameter = string | number | null | Uint8Array

/** Connections of the pool, as they are at this moment. */
export interface PoolUse {
  readonly open: number
  /** Connections that nobody uses, among the open ones. */
  readonly idle: number
  /** Statements that wait for a connection. */
  readonly waiting: number
  /** Connections that may be open. */
  readonly max: number
}

export class Postgres extends Context.Service<Postgres, {
  /** Runs one statement or builder chain, inside the caller's transaction if there is one. */
  readonly run: <A>(query: (db: Kysely<Tables>) => Promise<A>) => Effect.Effect<A, PostgresError>

  /** Runs a prepared statement. Rows come parsed as the pool says. */
  readonly prepared: <Row extends pg.QueryResultRow>(
    statement: Statement,
    parameters: ReadonlyArray<Parameter>
  ) => Effect.Effect<ReadonlyArray<Row>, PostgresError>

  /**
   * Commits when the effect succeeds, rolls back when it fails, dies or is interrupted. Inside
   * another transaction it is a savepoint of it.
   */
  readonly transaction: <A, E, R>(
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | PostgresError, R>

  readonly poolUse: Effect.Effect<PoolUse>
}>()("web-grounding/infrastructure/postgres/Postgres") {}

/** The transaction that the running fiber is in. */
const Current = Context.Reference<ControlledTransaction<Tables, Array<string>> | undefined>(
  "web-grounding/infrastructure/postgres/Postgres/Current",
  { defaultValue: () => undefined }
)

/** Whether the running fiber is in a transaction: a statement of it cannot be repeated alone. */
export const isInTransaction: Effect.Effect<boolean> = Effect.map(
  Current,
  (current) => current !== undefined
)

/** No connection was to be had, so nothing was sent. */
class NoConnection extends Data.TaggedError("NoConnection")<{ readonly reason: unknown }> {}

/**
 * `named`: the server keeps each statement under its name, for the connection. Behind a pooler
 * another caller's connection may know the name already, or not know it any more.
 */
export type Statements = "named" | "unnamed"

/** Wraps a pool that the caller ends. */
export const make = (pool: pg.Pool, statements: Statements = "named"): Postgres["Service"] => {
  // An idle or checked-out connection that the server ends must not end the process. The failure
  // reaches whoever uses the connection next.
  pool.on("error", () => {})
  pool.on("connect", (client) => client.on("error", () => {}))
  const root = new Kysely<Tables>({
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
      if (current !== undefined) return inTransaction<Row>(current, text, parameters)
      return Effect.callback<ReadonlyArray<Row>, PostgresError>((resume) => {
        let isGivenUp = false
        pool.connect((reason, client, release) => {
          // Nobody waits for it any more: it must not run later.
          if (isGivenUp) return release()
          if (client === undefined) {
            return resume(Effect.fail(toError(new NoConnection({ reason }))))
          }
          const kept = statements === "named" ? { name } : {}
          client.query<Row>({ ...kept, text, values: [...parameters] }, (error, result) => {
            // What the server refuses leaves its connection as it was.
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
        const exit = yield* Effect.exit(
          restore(Effect.provideService(effect, Current, inner))
        )
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

/** A nested savepoint may bear the name of the one around it: the innermost is meant. */
const savepointName = "nested"

const inTransaction = <Row>(
  current: ControlledTransaction<Tables, Array<string>>,
  text: string,
  parameters: ReadonlyArray<Parameter>
) =>
  attempt(() => current.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).pipe(
    Effect.map(({ rows }): ReadonlyArray<Row> => rows)
  )

const endTransaction = (
  current: ControlledTransaction<Tables, Array<string>>,
  exit: Exit.Exit<unknown, unknown>
) =>
  Exit.isSuccess(exit)
    // Kysely keeps the connection of a commit that failed until it is told to roll back.
    ? Effect.tapError(
      attempt(() => current.commit().execute()),
      () => Effect.ignore(attempt(() => current.rollback().execute()))
    )
    // A rollback that fails leaves nothing behind: Kysely discards the connection.
    : Effect.ignore(attempt(() => current.rollback().execute()))

const endSavepoint = (
  current: ControlledTransaction<Tables, Array<string>>,
  exit: Exit.Exit<unknown, unknown>
) =>
  Exit.isSuccess(exit)
    ? attempt(() => current.releaseSavepoint(savepointName).execute())
    // Without it the enclosing transaction stays aborted, and its commit says so.
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

/** A driver's message, for its form alone: it may show values. */
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

/** Says whether the server refused a statement, and the connection it came on goes on. */
const isRefusal = (error: unknown): boolean => {
  const code = codeOf(error)
  return sqlState.test(code) && faultOf(error) !== "connection"
}

/** Five digits or letters, the first of a class that has one. */
const sqlState = /^[0-9A-Z]{5}$/

/** The driver's own complaints carry no code. */
const lostConnection =
  /^(Connection terminated|Client .* not queryable|timeout (expired|exceeded when trying to c))/

const faultOf = (cause: unknown): PostgresFault => {
  const code = codeOf(cause)
  const known = faults.find(([pattern]) => pattern.test(code))
  if (known !== undefined) return known[1]
  if (code !== "") return "other"
  return lostConnection.test(messageOf(cause)) ? "connection" : "other"
}
