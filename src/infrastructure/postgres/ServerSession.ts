/** Examines a pool's peer: server or pooler, primary or standby, and settings of its statements. */
import { Effect, Predicate } from "effect"
import type pg from "pg"
import type { Ceilings, Pooler } from "./Pool.ts"

export interface ServerSession {
  /** Whether statements reach another process than the one connected to. */
  readonly isPooled: boolean
  /** Whether the server is a read-only replica. */
  readonly isStandby: boolean
  readonly user: string
  readonly database: string
  /** Values by name, as in `pg_settings`: times in milliseconds. */
  readonly settings: Readonly<Record<string, string>>
}

/** Settings our statements rely on, wherever they are set. */
const names = ["TimeZone", "DateStyle", "statement_timeout", "idle_in_transaction_session_timeout"]

const question = `
  select pg_backend_pid() as pid, pg_is_in_recovery() as "isStandby", session_user::text as user,
      current_database()::text as database,
      (select json_object_agg(name, setting) from pg_settings
        where name in (${names.map((name) => `'${name}'`).join(", ")})) as settings`

interface Row extends Omit<ServerSession, "isPooled" | "settings"> {
  readonly pid: number
  readonly settings: ServerSession["settings"] | null
}

const noRow: Row = { pid: 0, isStandby: false, user: "", database: "", settings: {} }

/** Reads the session over one connection of the pool; fails with the driver's error. */
export const askServer = (pool: pg.Pool): Effect.Effect<ServerSession, unknown> =>
  Effect.tryPromise({
    try: () =>
      pool.connect().then((client) =>
        client.query<Row>(question).then(({ rows: [row = noRow] }) => {
          client.release()
          return { ...row, settings: row.settings ?? {}, isPooled: row.pid !== startedAs(client) }
        }, (reason) => {
          client.release(true)
          return Promise.reject(reason)
        })
      ),
    catch: (reason) => reason
  })

/** Process id stated when the connection began: a pooler makes one up. */
const startedAs = (client: pg.PoolClient): unknown =>
  Predicate.hasProperty(client, "processID") ? client.processID : undefined

export interface Misfit {
  readonly setting: string
  readonly value: string
  /** A value that would fit. */
  readonly needed: string
}

interface Need {
  readonly setting: string
  readonly fits: (value: string) => boolean
  readonly needed: string
}

const utc = /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal)$/

/** Unsuitable settings, in the order of their report. */
export const misfits = (
  { settings }: ServerSession,
  ceilings: Ceilings,
  pooler: Pooler
): ReadonlyArray<Misfit> => {
  const bounded = (setting: string, msMax: number): Need => ({
    setting,
    // A URL may set a longer time for its own connections; a role's applies to all.
    fits: (ms) => Number(ms) > 0 && (pooler === "none" || Number(ms) <= msMax),
    needed: String(msMax)
  })
  const needs: ReadonlyArray<Need> = [
    { setting: "TimeZone", fits: (value) => utc.test(value), needed: "UTC" },
    { setting: "DateStyle", fits: (value) => value.startsWith("ISO"), needed: "ISO" },
    bounded("statement_timeout", ceilings.statementTimeoutMs),
    bounded("idle_in_transaction_session_timeout", ceilings.idleTransactionTimeoutMs)
  ]
  return needs.flatMap(({ fits, needed, setting }) => {
    const value = settings[setting] ?? ""
    return fits(value) ? [] : [{ setting, value, needed }]
  })
}

const quoted = (name: string): string => `"${name.replaceAll("\"", "\"\"")}"`

/** Statement that sets the setting for the session's role in its database. */
export const statementFor = (
  { database, user }: ServerSession,
  { needed, setting }: Misfit
): string =>
  `ALTER ROLE ${quoted(user)} IN DATABASE ${quoted(database)} SET ${setting} = '${needed}'`
