/** A PostgreSQL server as the database: checked before anything is served from it. */
import { Effect, Layer, Redacted, Result, Schema } from "effect"
import type pg from "pg"
import * as DatabaseUrl from "../settings/DatabaseUrl.ts"
import * as Pool from "./Pool.ts"
import * as Postgres from "./Postgres.ts"

export interface ServerOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted
  /** Connections held at most. Default 10. */
  readonly poolMax?: number
  /** Connections kept open, at most `poolMax`. Default 0. */
  readonly poolMin?: number
  readonly ceilings?: Pool.Ceilings
  /**
   * `required`, the default, refuses a server that may forget a commit. `unchecked` is for
   * servers whose data may be lost, such as those of tests.
   */
  readonly durability?: "required" | "unchecked"
}

const poolMaxDefault = 10

const RefusalReason = Schema.Union([
  Schema.TaggedStruct("MalformedUrl", { problem: Schema.String }),
  Schema.TaggedStruct("Unreachable", { server: Schema.String, problem: Schema.String }),
  Schema.TaggedStruct("LoginRefused", { server: Schema.String, user: Schema.String }),
  Schema.TaggedStruct("DatabaseMissing", { server: Schema.String, database: Schema.String }),
  Schema.TaggedStruct("NotDurable", { setting: Schema.String, value: Schema.String })
]).pipe(Schema.toTaggedUnion("_tag"))
export type RefusalReason = typeof RefusalReason.Type

/** Why a server cannot be used, as a sentence for the operator. Holds no password. */
export class ServerRefused extends Schema.TaggedError<ServerRefused>()("ServerRefused", {
  reason: RefusalReason
}) {
  override get message(): string {
    return sentenceOf(this.reason)
  }
}

export const layer = (
  { ceilings, durability = "required", poolMax = poolMaxDefault, poolMin = 0, url }: ServerOptions
) =>
  Layer.effect(
    Postgres.Postgres,
    Effect.gen(function*() {
      const address = yield* addressOf(url)
      const pool = yield* Pool.acquire(
        { connectionString: Redacted.value(url), max: poolMax },
        ceilings
      )
      const postgres = Postgres.make(pool)
      yield* reach(postgres, address)
      if (durability === "required") yield* requireDurable(postgres)
      if (poolMin > 0) yield* Pool.keepWarm(pool, Math.min(poolMin, poolMax))
      return postgres
    })
  )

/** Refuses a server, or a database of it, that may acknowledge a commit and lose it. */
const requireDurable = Effect.fnUntraced(function*(postgres: Postgres.Postgres["Service"]) {
  const settings = yield* postgres.prepared<{ name: string; setting: string }>(durability, [])
  const wrong = settings.find(({ name, setting }) => !durable[name]?.includes(setting))
  if (wrong === undefined) return
  return yield* new ServerRefused({
    reason: { _tag: "NotDurable", setting: wrong.name, value: wrong.setting }
  })
})

const durable: Readonly<Record<string, ReadonlyArray<string>>> = {
  fsync: ["on"],
  full_page_writes: ["on"],
  synchronous_commit: ["on", "remote_write", "remote_apply"]
}

const durability: Postgres.Statement = {
  name: "wg_durability",
  text: "select name, setting from pg_settings " +
    "where name in ('fsync', 'synchronous_commit', 'full_page_writes')"
}

const addressOf = (
  url: Redacted.Redacted
): Effect.Effect<DatabaseUrl.DatabaseAddress, ServerRefused> =>
  Result.match(DatabaseUrl.parse(Redacted.value(url)), {
    onFailure: (problem) => Effect.fail(refused({ _tag: "MalformedUrl", problem })),
    onSuccess: Effect.succeed
  })

const ping: Postgres.Statement = { name: "wg_ping", text: "select 1" }

const reach = (
  postgres: Postgres.Postgres["Service"],
  { database, server, user }: DatabaseUrl.DatabaseAddress
) =>
  postgres.prepared<pg.QueryResultRow>(ping, []).pipe(
    Effect.mapError(({ cause }) => {
      const code = Postgres.codeOf(cause)
      if (code.startsWith("28")) return refused({ _tag: "LoginRefused", server, user })
      if (code === "3D000") return refused({ _tag: "DatabaseMissing", server, database })
      return refused({ _tag: "Unreachable", server, problem: code === "" ? "no answer" : code })
    })
  )

const refused = (reason: RefusalReason) => new ServerRefused({ reason })

const sentenceOf = (reason: RefusalReason): string =>
  RefusalReason.match(reason, {
    MalformedUrl: ({ problem }) => `The database URL cannot be used: ${problem}.`,
    Unreachable: ({ problem, server }) =>
      `The database server at ${server} cannot be reached: ${problem}.`,
    LoginRefused: ({ server, user }) =>
      `The database server at ${server} refuses the login of ${user}.`,
    DatabaseMissing: ({ database, server }) =>
      `The database server at ${server} has no database ${database}.`,
    NotDurable: ({ setting, value }) =>
      `The database may forget what it confirmed: ${setting} is ${value}.`
  })
