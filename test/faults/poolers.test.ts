/**
 * Poolers in transaction mode between the service and its server.
 *
 * Promise: the service works behind a declared one, and refuses an undeclared one with the setting
 * to change. pgbouncer, where it is installed, shows that the stand-in behaves alike. Saboteurs:
 * named statements; a lock of the session.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import * as Pool from "../../src/infrastructure/postgres/Pool.ts"
import * as Postgres from "../../src/infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import * as Pooler from "../support/pooler.ts"
import { withDatabase } from "../support/postgresServer.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const clients = 8
const callsOfClient = 20

/** Start-up parameters of ours that pgbouncer 1.18 does not know. */
const ours = ["statement_timeout", "idle_in_transaction_session_timeout", "options"]

const opening = (url: string, options: Partial<PostgresServer.ServerOptions> = {}) =>
  Effect.scoped(Layer.build(Layer.fresh(
    PostgresServer.layer({ url: Redacted.make(url), durability: "unchecked", ...options })
  )))

const refusal = (url: string, options: Partial<PostgresServer.ServerOptions> = {}) =>
  Effect.flip(opening(url, options)).pipe(
    Effect.map((error) => {
      assert.strictEqual(error._tag, "ServerRefused")
      assert.notInclude(`${error.message} ${JSON.stringify(error)}`, new URL(url).password)
      return error._tag === "ServerRefused" ? error : assert.fail("a statement failed")
    })
  )

const administer = (statements: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const client = yield* TestDatabase.connect
    for (const text of statements) yield* Effect.promise(() => client.query(text))
  }).pipe(Effect.scoped)

/** Advisory locks in the database. */
const locksHeld = (url: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(
      `select count(*)::int as held from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`
    )
    await client.end()
    return rows[0].held
  })

/** Faults of many callers who say the same over one pooler. */
const faults = (url: string, statements: Postgres.Statements) =>
  Effect.gen(function*() {
    const pool = yield* Pool.acquire({ connectionString: url, max: clients }, {
      pooler: "transaction"
    })
    const { prepared } = Postgres.make(pool, statements)
    const statement = { name: "wg_same", text: "select $1::int as same, pg_sleep(0.002)" }
    const results = yield* Effect.forEach(
      Array.from({ length: clients * callsOfClient }, (_, index) => index),
      (index) =>
        prepared<{ same: number }>(statement, [index]).pipe(
          Effect.map(([row]) => row?.same === index ? "" : "another's answer"),
          Effect.catch(({ cause }) => Effect.succeed(Postgres.codeOf(cause)))
        ),
      { concurrency: clients }
    )
    return results.filter((result) => result !== "")
  }).pipe(Effect.scoped)

for (const kind of ["stand-in", "pgbouncer"] as const) {
  describe.skipIf(!Pooler.isInstalled(kind))(`a pooler: ${Pooler.titleOf(kind)}`, () => {
    const told =
      `refuses the start and says what to set, if parameters are refused or dropped: ${kind}`
    it.live(told, () =>
      Effect.gen(function*() {
        const { url } = yield* TestDatabase.TestDatabase
        const strict = yield* refusal((yield* Pooler.poolerBefore(kind, url)).url)
        assert.deepInclude(strict.reason, { _tag: "ParameterRefused" })
        assert.match(
          strict.message,
          /refuses the start-up parameter \w+: set DATABASE_POOLER=transaction,/
        )
        const lax = yield* Pooler.poolerBefore(kind, url, ours)
        const hidden = yield* refusal(lax.url)
        assert.deepInclude(hidden.reason, { _tag: "PoolerFound" })
        assert.match(hidden.message, /: set DATABASE_POOLER=transaction,/)
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerOf("empty"))))

    it.live(`asks for the role's settings, in statements that mend them: ${kind}`, () =>
      Effect.gen(function*() {
        const { url } = yield* TestDatabase.TestDatabase
        const database = new URL(url).pathname.slice(1)
        yield* administer([`alter database ${database} set timezone = 'Asia/Kolkata'`])
        const before = yield* Pooler.poolerBefore(kind, url)
        const { message, reason } = yield* refusal(before.url, { pooler: "transaction" })
        assert.match(
          message,
          /TimeZone is Asia\/Kolkata, statement_timeout is 0, idle_in_transaction_session_timeout is 0: run ALTER ROLE /
        )
        const statements = reason._tag === "RoleSettings" ? reason.statements : []
        assert.lengthOf(statements, 3)
        yield* administer(statements)
        const after = yield* Pooler.poolerBefore(kind, url)
        yield* opening(after.url, { pooler: "transaction" })
        // A shorter time than the role's is not to be had there.
        const shorter = yield* refusal(after.url, {
          pooler: "transaction",
          ceilings: { ...Pool.ceilingsDefault, statementTimeoutMs: 1_000 }
        })
        assert.match(shorter.message, /statement_timeout is 30000: run .*'1000'/)
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerOf("empty"))))

    it.live(`passes on that a login or a database is not there: ${kind}`, () =>
      Effect.gen(function*() {
        const { url } = yield* TestDatabase.TestDatabase
        const other = new URL(url)
        other.password = "hunter2"
        const rows = [[other.href, "LoginRefused"], [
          withDatabase(url, "absent"),
          "DatabaseMissing"
        ]]
        for (const [wrong = "", tag] of rows) {
          const pooler = yield* Pooler.poolerBefore(kind, wrong)
          const { reason } = yield* refusal(pooler.url, { pooler: "transaction" })
          assert.strictEqual(reason._tag, tag)
        }
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerOf("empty"))))

    it.live(`gives each caller its own answer, unless statements are named: ${kind}`, () =>
      Effect.gen(function*() {
        const { url } = yield* TestDatabase.TestDatabase
        const pooler = yield* Pooler.poolerBefore(kind, url)
        assert.deepStrictEqual(yield* faults(pooler.url, "unnamed"), [])
        const named = yield* faults(pooler.url, "named")
        assert.isNotEmpty(named)
        assert.isEmpty(named.filter((code) => !["42P05", "26000"].includes(code)))
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerOf("empty"))))

    it.live(`lets processes that start together migrate, and keeps no lock of theirs: ${kind}`, () =>
      Effect.gen(function*() {
        const { url } = yield* TestDatabase.TestDatabase
        yield* Pooler.prepareRole(url)
        const pooler = yield* Pooler.poolerBefore(kind, url)
        const migrated = Migrations.run.pipe(
          Effect.provide(Layer.fresh(PostgresServer.layer({
            url: Redacted.make(pooler.url),
            pooler: "transaction",
            durability: "unchecked"
          })))
        )
        const runs = yield* Effect.all(Array.from({ length: 3 }, () => migrated), {
          concurrency: 3
        })
        assert.lengthOf(runs.filter(({ applied }) => applied.length > 0), 1)
        assert.strictEqual(yield* locksHeld(url), 0)
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerOf("empty"))))

    it.live(`leaves a lock of a session to the next client: ${kind}`, () =>
      Effect.gen(function*() {
        const { url } = yield* TestDatabase.TestDatabase
        const pooler = yield* Pooler.poolerBefore(kind, url)
        yield* Effect.promise(async () => {
          const client = new pg.Client({ connectionString: pooler.url })
          await client.connect()
          await client.query("select pg_advisory_lock(7)")
          await client.end()
        })
        assert.strictEqual(yield* locksHeld(url), 1)
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerOf("empty"))))
  })
}

describe("a connection whose settings are the role's", () => {
  it.live("gives times in UTC, whatever zone the role has meanwhile", () =>
    Effect.gen(function*() {
      const { url } = yield* TestDatabase.TestDatabase
      const database = new URL(url).pathname.slice(1)
      for (const zone of ["UTC", "Asia/Kolkata", "America/New_York", "Europe/Berlin"]) {
        yield* administer([`alter database ${database} set timezone = '${zone}'`])
        const pool = yield* Pool.acquire({ connectionString: url }, { pooler: "transaction" })
        const rows = yield* Postgres.make(pool, "unnamed").prepared<{ at: string }>({
          name: "wg_times",
          text: `select at::timestamptz from (values ('2026-11-21T22:49:09.123Z'),
            ('2026-07-01T00:00:00.1Z'), ('2026-12-31T23:59:59Z')) as times (at)`
        }, [])
        assert.deepStrictEqual(
          rows.map(({ at }) => at),
          ["2026-11-21T22:49:09.123Z", "2026-07-01T00:00:00.100Z", "2026-12-31T23:59:59.000Z"],
          zone
        )
      }
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerOf("empty"))))
})

describe("a server without a pooler", () => {
  it.live("is refused when its address takes our settings away", () =>
    Effect.gen(function*() {
      const { url } = yield* TestDatabase.TestDatabase
      const changed = new URL(url)
      changed.searchParams.set("options", "-c timezone=Asia/Kolkata")
      const { message } = yield* refusal(changed.href)
      assert.match(
        message,
        /not as they were asked for, TimeZone is Asia\/Kolkata: leave `options`/
      )
      changed.searchParams.set("options", "-c work_mem=5MB -c timezone=UTC")
      yield* opening(changed.href)
    }).pipe(Effect.provide(TestDatabase.layerOf("empty"))))
})
