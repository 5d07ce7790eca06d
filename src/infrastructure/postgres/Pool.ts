/** How every pool of ours is set up: parsers, ceilings on time, and how it is closed. */
import { Effect } from "effect"
import pg from "pg"

const statementTimeoutMs = 30_000
const connectionTimeoutMs = 5_000
/** The client's own ceiling, for a server that does not answer at all. */
const queryTimeoutMs = statementTimeoutMs + 5_000
/** A transaction that idles holds back every reader of the log. */
const idleInTransactionTimeoutMs = 10_000

const oid = { bytea: 17, int8: 20, timestamptz: 1184 } as const

/**
 * Parsers of this pool alone: the driver's are global, and other libraries replace them.
 * `int8` stays a decimal string, `bytea` becomes lower-case hex, `timestamptz` ISO 8601 in UTC.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: "text" | "binary") => {
    if (id === oid.int8) return (value: string) => value
    if (id === oid.bytea) return (value: string) => value.slice(2)
    if (id === oid.timestamptz) return isoParser
    return pg.types.getTypeParser(id, format ?? "text")
  }
}

const utcText = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?\+00$/

/** Sessions run in UTC, so that the server's text differs from ISO 8601 in its separators only. */
const isoParser = (value: string): string => {
  const match = utcText.exec(value)
  return match === null ? value : `${match[1]}T${match[2]}.${(match[3] ?? "").padEnd(3, "0")}Z`
}

/** A pool that ends with the scope. Connections are opened on first use. */
export const acquire = (config: pg.PoolConfig) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      new pg.Pool({
        ...config,
        types,
        options: "-c timezone=UTC -c datestyle=ISO",
        connectionTimeoutMillis: connectionTimeoutMs,
        // A connection holds its prepared plans: a new one runs its first appends at half speed.
        idleTimeoutMillis: 0,
        statement_timeout: statementTimeoutMs,
        query_timeout: queryTimeoutMs,
        idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
        keepAlive: true
      })
    ),
    (pool) => Effect.ignore(Effect.tryPromise(() => pool.end()))
  )
