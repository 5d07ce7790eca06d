/** A PostgreSQL server as the database, checked before the service starts. */
import { Data, Effect, Layer, Match, Redacted, Result } from "effect"
import * as DatabaseUrl from "../settings/DatabaseUrl.ts"
import * as Pool from "./Pool.ts"
import * as Postgres from "./Postgres.ts"
import * as ServerSession from "./ServerSession.ts"

export interface ServerOptions {
  readonly url: Redacted.Redacted
  /** Most connections. Default 10. */
  readonly poolMax?: number
  /** Connections kept open, at most `poolMax`. Default 0. */
  readonly poolMin?: number
  readonly ceilings?: Pool.Ceilings
  /** Pooler at `url`. Default `none`: a direct connection. */
  readonly pooler?: Pool.Pooler
  /**
   * `required` (default) refuses a server that may lose a commit. `unchecked`: disposable data, as
   * in tests.
   */
  readonly durability?: "required" | "unchecked"
}

const poolMaxDefault = 10

/** Why a server cannot be used, as a sentence for the operator. Without password. */
export class ServerRefused extends Data.TaggedError("ServerRefused")<{
  readonly reason: RefusalReason
}> {
  override get message(): string {
    return Match.valueTags(this.reason, sentences)
  }
}

/**
 * Connects on first use. `examined` refuses a server that does not fit the options; a standby fits.
 */
export const open = Effect.fnUntraced(function*(options: ServerOptions) {
  const { poolMax = poolMaxDefault, poolMin = 0, pooler = "none", url } = options
  const ceilings = options.ceilings ?? Pool.ceilingsDefault
  const address = yield* addressOf(url)
  const pool = yield* Pool.acquire(
    { connectionString: Redacted.value(url), max: poolMax },
    { ceilings, pooler }
  )
  const examined = ServerSession.askServer(pool).pipe(
    Effect.mapError((cause) => unreached(cause, address)),
    Effect.flatMap((session) => {
      const misfits = ServerSession.misfits(session, ceilings, pooler)
      const reason = refusalOf(session, pooler, { server: address.server, misfits })
      return reason === undefined ? Effect.succeed(session) : Effect.fail(refused(reason))
    })
  )
  const postgres = Postgres.make(pool, pooler === "none" ? "named" : "unnamed")
  const hangUp = Pool.hangsUp(pool)
  const warmed = poolMin > 0 ? Pool.keepWarm(pool, Math.min(poolMin, poolMax)) : Effect.void
  return { address, examined, hangUp, postgres, warmed }
})

export const layer = (options: ServerOptions) =>
  Layer.effect(
    Postgres.Postgres,
    Effect.gen(function*() {
      const { address, examined, postgres, warmed } = yield* open(options)
      const { isStandby } = yield* examined
      if (isStandby) return yield* refused({ _tag: "Standby", server: address.server })
      if (options.durability !== "unchecked") yield* requireDurable(postgres)
      yield* warmed
      return postgres
    })
  )

/** Behind a pooler the settings of the role apply, otherwise those of the connection. */
const refusalOf = (
  session: ServerSession.ServerSession,
  pooler: Pool.Pooler,
  found: Of<"server"> & Misfits
): RefusalReason | undefined => {
  if (pooler === "none" && session.isPooled) return { _tag: "PoolerFound", server: found.server }
  if (found.misfits.length === 0) return undefined
  if (pooler === "none") return { _tag: "SettingsLost", ...found }
  const statements = found.misfits.map((misfit) => ServerSession.statementFor(session, misfit))
  return { _tag: "RoleSettings", ...found, statements }
}

/** Refuses a server or database that may acknowledge a commit and lose it. */
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

/** Code with which pgbouncer 1.18 reports every failure, also the server's. */
const poolerRefusal = "08P01"
const loginRefused = /authentication failed|no such user/
const databaseMissing = /no such database|database .* does not exist/

/** A start-up parameter that a pooler does not know. */
const parameterRefused = /unsupported startup parameter[^:]*: (?<name>\w+)/

const unreached = (
  cause: unknown,
  { database, server, user }: DatabaseUrl.DatabaseAddress
): ServerRefused => {
  const code = Postgres.codeOf(cause)
  const message = Postgres.messageOf(cause)
  const isOf = (own: RegExp, pooled: RegExp) =>
    own.test(code) || (code === poolerRefusal && pooled.test(message))
  if (isOf(/^28/, loginRefused)) return refused({ _tag: "LoginRefused", server, user })
  if (isOf(/^3D000$/, databaseMissing)) {
    return refused({ _tag: "DatabaseMissing", server, database })
  }
  const parameter = parameterRefused.exec(message)?.groups?.["name"]
  return refused(
    parameter === undefined
      ? { _tag: "Unreachable", server, problem: code === "" ? "no answer" : code }
      : { _tag: "ParameterRefused", server, problem: parameter }
  )
}

const refused = (reason: RefusalReason) => new ServerRefused({ reason })

type Misfits = { readonly misfits: ReadonlyArray<ServerSession.Misfit> }
type Of<Name extends string> = Readonly<Record<Name, string>>

const sentences = {
  MalformedUrl: ({ problem }: Of<"problem">) => `The database URL cannot be used: ${problem}.`,
  Unreachable: ({ problem, server }: Of<"problem" | "server">) =>
    `The database server at ${server} cannot be reached: ${problem}.`,
  LoginRefused: ({ server, user }: Of<"server" | "user">) =>
    `The database server at ${server} refuses the login of ${user}.`,
  DatabaseMissing: ({ database, server }: Of<"database" | "server">) =>
    `The database server at ${server} has no database ${database}.`,
  NotDurable: ({ setting, value }: Of<"setting" | "value">) =>
    `The database may forget what it confirmed: ${setting} is ${value}.`,
  PoolerFound: ({ server }: Of<"server">) =>
    `A pooler answers at ${server}, which may run each transaction on another connection: ` +
    "set DATABASE_POOLER=transaction, or name the server itself in the URL.",
  ParameterRefused: ({ problem, server }: Of<"problem" | "server">) =>
    `A pooler answers at ${server} and refuses the start-up parameter ${problem}: ` +
    "set DATABASE_POOLER=transaction, and leave parameters out of the URL.",
  SettingsLost: ({ misfits, server }: Of<"server"> & Misfits) =>
    `Connections to ${server} are not as they were asked for, ${listed(misfits)}: leave ` +
    "`options` out of the URL, and behind a pooler set DATABASE_POOLER=transaction.",
  RoleSettings: (
    { misfits, server, statements }: Of<"server"> & Misfits & {
      readonly statements: ReadonlyArray<string>
    }
  ) =>
    `Behind the pooler at ${server} the role's own settings hold, and ${listed(misfits)}: run ` +
    `${statements.join("; ")}; then RECONNECT the pooler.`,
  Standby: ({ server }: Of<"server">) =>
    `The database server at ${server} is a standby, which takes no writes and does not show ` +
    "what of the log is settled: name the primary; a standby may be in DATABASE_READ_URL.",
  OtherServer: ({ server }: Of<"server">) =>
    `The database server at ${server} is no standby of the one in DATABASE_URL: correct ` +
    "DATABASE_READ_URL."
}

export type RefusalReason = {
  [Tag in keyof typeof sentences]:
    & { readonly _tag: Tag }
    & Parameters<(typeof sentences)[Tag]>[0]
}[keyof typeof sentences]

const listed = (misfits: ReadonlyArray<ServerSession.Misfit>): string =>
  misfits.map(({ setting, value }) => `${setting} is ${value}`).join(", ")
