/** Configuration of all connection pools: parsers, timeouts, and closing. */
import { DateTime, Effect, Option } from "effect"
import { setTimeout } from "node:timers/promises"
import pg from "pg"

export interface Ceilings {
  /** Wait for a free or new connection, in milliseconds. */
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  /** A transaction that idles holds back every reader of the log. */
  readonly idleTransactionTimeoutMs: number
}

/**
 * `transaction`: each transaction may run on another server connection, and start-up parameters are
 * refused.
 */
export type Pooler = "none" | "transaction"

export interface PoolOptions {
  readonly ceilings?: Ceilings
  /** Default `none`. */
  readonly pooler?: Pooler
}

export const ceilingsDefault: Ceilings = {
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 30_000,
  idleTransactionTimeoutMs: 10_000
}

/** Milliseconds after which an idle peer is probed. */
const keepAliveDelayMs = 10_000
const closeMsMax = 5_000
const warmEvery = "1 second"

const oid = { bytea: 17, int8: 20, timestamptz: 1184 } as const

/**
 * The driver's parsers are global, and other libraries replace them. `int8` stays a decimal string,
 * `bytea` becomes lower-case hex, `timestamptz` ISO 8601 in UTC.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: "text" | "binary") => {
    if (id === oid.int8) return (value: string) => value
    if (id === oid.bytea) return (value: string) => value.slice(2)
    if (id === oid.timestamptz) return isoParser
    return pg.types.getTypeParser(id, format ?? "text")
  }
}

/** Sessions run in UTC, so that the server's text mostly differs from ISO 8601 in separators. */
const isoParser = (value: string): string =>
  value.length === isoLength && value.endsWith("+00")
    ? `${value.slice(0, 10)}T${value.slice(11, 23)}Z`
    : Option.match(
      // In the form of ISO 8601: another one's years below 100 are read as of this century.
      DateTime.make(value.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00")),
      { onNone: () => value, onSome: DateTime.formatIso }
    )

/**
 * `2026-11-21 22:49:09.123+00`. The server omits trailing zeros of the fraction. Behind a pooler a
 * role's time zone may change while the process runs.
 */
const isoLength = 26

export const acquire = (
  config: pg.PoolConfig,
  { ceilings = ceilingsDefault, pooler = "none" }: PoolOptions = {}
) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      new pg.Pool({
        ...config,
        ...(pooler === "none" ? startupOf(ceilings) : {}),
        types,
        connectionTimeoutMillis: ceilings.connectTimeoutMs,
        // A connection keeps its prepared plans: a new one runs its first appends at half speed.
        idleTimeoutMillis: 0,
        // The driver's `query_timeout` keeps every result alive until a full garbage collection:
        // reading the log took 1.7 times as long (Node 24.21, pg 8.23.1).
        keepAlive: true,
        keepAliveInitialDelayMillis: keepAliveDelayMs
      })
    ),
    (pool) => Effect.ignore(Effect.tryPromise(() => Promise.race([pool.end(), closing()])))
  )

/** Does not wait for a silent server. */
const closing = () => setTimeout(closeMsMax, undefined, { ref: false })

/** Settings of a direct connection; behind a pooler the role's apply. */
const startupOf = (ceilings: Ceilings): pg.PoolConfig => ({
  options: "-c timezone=UTC -c datestyle=ISO",
  statement_timeout: ceilings.statementTimeoutMs,
  idle_in_transaction_session_timeout: ceilings.idleTransactionTimeoutMs
})

/** Keeps `connectionsMin` connections open until the scope closes. Lost ones are replaced. */
export const keepWarm = (pool: pg.Pool, connectionsMin: number) =>
  Effect.suspend(() => pool.totalCount < connectionsMin ? open(pool, connectionsMin) : Effect.void)
    .pipe(Effect.andThen(Effect.sleep(warmEvery)), Effect.forever, Effect.forkScoped)

/** So that callers fail: a silent server would keep them waiting forever. */
export const hangsUp = (pool: pg.Pool): Effect.Effect<void> => {
  const taken = new Set<pg.PoolClient>()
  pool.on("acquire", (client) => taken.add(client))
  pool.on("release", (_, client) => taken.delete(client))
  return Effect.sync(() => {
    for (const client of taken) void client.end().catch(() => {})
  })
}

/** Takes all at the same time, else a free one would be returned twice. */
const open = (pool: pg.Pool, connections: number) =>
  Effect.promise(() =>
    Promise.allSettled(Array.from({ length: connections }, () => pool.connect()))
      .then((taken) => {
        for (const one of taken) {
          if (one.status === "fulfilled") one.value.release()
        }
      })
  )
