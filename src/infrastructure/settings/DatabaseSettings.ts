/** Settings of the database: address, connections, timeouts. */
import * as Setting from "./Setting.ts"

export const table = {
  DATABASE_URL: Setting.databaseUrl("PostgreSQL server. Absent: the embedded store"),
  DATABASE_READ_URL: Setting.databaseUrl(
    "Standby of that server, which lists, timelines, packs and charts are read from. Absent: the server itself"
  ),
  DATABASE_READ_LAG_MS_MAX: Setting.whole(
    { default: 5_000, minimum: 1_000, maximum: 600_000 },
    "A standby that lags by more is not read from"
  ),
  DATABASE_POOLER: Setting.choice(
    { of: ["none", "transaction"], default: "none" },
    "What the addresses of databases lead to: the server itself, or a pooler such as pgbouncer in transaction mode"
  ),
  DATABASE_POOL_MAX: Setting.whole(
    { default: 10, minimum: 1, maximum: 200 },
    "Connections this process may open to PostgreSQL"
  ),
  DATABASE_POOL_MIN: Setting.whole(
    { default: 2, minimum: 0, maximum: 200 },
    "Connections that are kept open, at most `DATABASE_POOL_MAX`"
  ),
  DATABASE_CONNECT_TIMEOUT_MS: Setting.milliseconds(
    { default: 5_000, maximum: 60_000 },
    "The wait for a connection; it is tried again while the caller's deadline allows"
  ),
  DATABASE_STATEMENT_TIMEOUT_MS: Setting.milliseconds(
    { default: 30_000, maximum: 600_000 },
    "The time of one statement"
  ),
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: Setting.milliseconds(
    { default: 10_000, maximum: 600_000 },
    "When the server ends a transaction that idles"
  )
}
