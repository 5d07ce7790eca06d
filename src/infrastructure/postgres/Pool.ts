/** How every pool of ours is set up: parsers, ceilings on time, and how it is closed. */
import { DateTime, Effect, Option } from "effect"
import { setTimeout } from "node:timers/promises"
import pg from "pg"

/** Ceilings on time, in milliseconds. */
export interface Ceilings {
  /** The wait for a connection, be it a free one of the pool or a new one. */
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  /** A transaction that idles holds back every reader of the log. */
  readonly idleTransactionTimeoutMs: number
}

/**
 * Pooler between the pool and the server. `transaction`: one that may give each
 * transaction another connection of the server's, and refuses start-up parameters.
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

/** Milliseconds after which an idle peer is asked whether it is still there. */
const keepAliveDelayMs = 10_000
/** Time in which a pool has to be closed, in milliseconds. */
const closeMsMax = 5_000
/** Poll interval of the check that enough connections are open. */
const warmEvery = "1 second"

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

/** Sessions run in UTC, so that the server's text differs from ISO 8601 in its separators only. */
const isoParser = (value: string): string =>
  value.length === isoLength && value.endsWith("+00")
    ? `${value.slice(0, 10)}T${value.slice(11, 23)}Z`
    : isoOfUnusual(value)

/** `2026-11-21 22:49:09.123+00`. Trailing zeros of the fraction are left out by the server. */
const isoLength = 26

const unusual = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?([+-]\d\d)(?::(\d\d))?$/

const isoOfUnusual = (value: string): string => {
  const match = unusual.exec(value)
  if (match === null) return value
  const [, day, time, fraction = "", hours, minutes = "00"] = match
  const local = `${day}T${time}.${fraction.padEnd(3, "0")}`
  if (hours === "+00" && minutes === "00") return `${local}Z`
  // Behind a pooler a role's zone may change while the process runs.
  return Option.match(DateTime.make(`${local}${hours}:${minutes}`), {
    onNone: () => value,
    onSome: DateTime.formatIso
  })
}

/** A pool that ends with the scope. Connections are opened on first use. */
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
        // A connection holds its prepared plans: a new one runs its first appends at half speed.
        idleTimeoutMillis: 0,
        // Not the driver's `query_timeout`: its timers keep every answer alive until a full
        // collection, which made reading the log 1.7 times as slow (Node 24.21, pg 8.23.1).
        keepAlive: true,
        keepAliveInitialDelayMillis: keepAliveDelayMs
      })
    ),
    (pool) => Effect.ignore(Effect.tryPromise(() => Promise.race([pool.end(), closing()])))
  )

/** A server that fell silent is not waited for. */
const closing = () => setTimeout(closeMsMax, undefined, { ref: false })

/** Settings of a connection of our own; behind a pooler they are those of the role. */
const startupOf = (ceilings: Ceilings): pg.PoolConfig => ({
  options: "-c timezone=UTC -c datestyle=ISO",
  statement_timeout: ceilings.statementTimeoutMs,
  idle_in_transaction_session_timeout: ceilings.idleTransactionTimeoutMs
})

/** Keeps `connectionsMin` connections open until the scope closes. Lost ones are replaced. */
export const keepWarm = (pool: pg.Pool, connectionsMin: number) =>
  Effect.suspend(() => pool.totalCount < connectionsMin ? open(pool, connectionsMin) : Effect.void)
    .pipe(
      Effect.andThen(Effect.sleep(warmEvery)),
      Effect.forever,
      Effect.forkScoped
    )

/**
 * Makes the effect that closes every connection with a statement under way, so that whoever waits
 * for one fails: a server that fell silent keeps them for ever otherwise.
 */
export const hangsUp = (pool: pg.Pool): Effect.Effect<void> => {
  const taken = new Set<pg.PoolClient>()
  pool.on("acquire", (client) => taken.add(client))
  pool.on("release", (_, client) => taken.delete(client))
  return Effect.sync(() => {
    for (const client of taken) void client.end().catch(() => {})
  })
}

/** Takes them all at the same time, as a free one would be given twice otherwise. */
const open = (pool: pg.Pool, connections: number) =>
  Effect.promise(() =>
    Promise.allSettled(Array.from({ length: connections }, () => pool.connect()))
      .then((taken) => {
        for (const one of taken) {
          if (one.status === "fulfilled") one.value.release()
        }
      })
  )
