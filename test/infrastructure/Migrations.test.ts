import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { sql } from "kysely"
import * as EmbeddedPostgres from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import { Postgres, rowsIn } from "../../src/infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { startServer, withDatabase } from "../support/postgresServer.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const serverAt = (url: string) =>
  PostgresServer.layer({ url: Redacted.make(url), poolMax: 8, durability: "unchecked" })

const emptyServer = Layer.unwrap(
  Effect.map(TestDatabase.TestDatabase, ({ url }) => serverAt(url))
).pipe(Layer.provide(TestDatabase.layerOf("empty")))

const execute = (statement: string) =>
  Effect.flatMap(Postgres, ({ run }) => run((db) => sql.raw(statement).execute(db)))

describe("migrations", () => {
  it.live.each<{ readonly name: string; readonly database: Layer.Layer<Postgres, unknown> }>([
    { database: emptyServer, name: "server" },
    { database: EmbeddedPostgres.layerMemory, name: "embedded" }
  ])(
    "bring an empty database to this release's shape, once, and again change nothing: $name",
    ({ database }) =>
      Effect.gen(function*() {
        const { applied } = yield* Migrations.run
        assert.strictEqual(applied[0], "0001_log")
        assert.deepStrictEqual(yield* Migrations.run, { applied: [], problem: undefined })
      }).pipe(Effect.provide(database))
  )

  it.live("are applied by one of several that start at once", () =>
    Effect.gen(function*() {
      const runs = yield* Effect.all(Array.from({ length: 6 }, () => Migrations.run), {
        concurrency: 6
      })
      assert.strictEqual(runs.filter(({ applied }) => applied.length > 0).length, 1)
    }).pipe(Effect.provide(emptyServer)))

  it.live.each<readonly [tag: string, name: string, change: string]>([
    [
      "SchemaNewer",
      "9999_from_the_future",
      "insert into wg.migrations values ('9999_from_the_future', 'x')"
    ],
    [
      "MigrationUnusable",
      "0001_log",
      "update wg.migrations set checksum = 'other' where name = '0001_log'"
    ]
  ])(
    "refuse as %s a database whose migration %s they do not know as it is",
    ([tag, name, change]) =>
      Effect.gen(function*() {
        yield* Migrations.run
        yield* execute(change)
        const error = yield* Effect.flip(Migrations.run)
        assert.strictEqual(error._tag, tag)
        assert.include(error.message, name)
      }).pipe(Effect.provide(emptyServer))
  )

  it.live("leave nothing behind when one fails, and succeed when the cause is gone", () =>
    Effect.gen(function*() {
      yield* execute("create schema wg; create table wg.anchors (in_the_way int)")
      const error = yield* Effect.flip(Migrations.run)
      assert.strictEqual(error._tag, "PostgresError")
      const { run } = yield* Postgres
      const { rows } = yield* run((db) =>
        sql<{ name: string }>`select relname as name from pg_class
          where relnamespace = 'wg'::regnamespace`.execute(db)
      )
      assert.deepStrictEqual(rows.map(({ name }) => name), ["anchors"])
      yield* execute("drop table wg.anchors")
      assert.isNotEmpty((yield* Migrations.run).applied)
    }).pipe(Effect.provide(emptyServer)))

  it.live("do without the service's role where it may not be created", () =>
    Effect.gen(function*() {
      yield* execute("create role wg_migrator login")
      yield* execute(
        "grant create on database " +
          "\"" + (yield* currentDatabase) + "\" to wg_migrator"
      )
      const { run, transaction } = yield* Postgres
      yield* transaction(Effect.andThen(
        run((db) => sql`set local role wg_migrator`.execute(db)),
        Migrations.run
      ))
      yield* execute("drop owned by wg_migrator")
      yield* execute("drop role wg_migrator")
    }).pipe(Effect.provide(emptyServer)))

  it.live(
    "give roles of an administrator their rights under a plain owner, and say the rest",
    () =>
      Effect.gen(function*() {
        const { url } = yield* Effect.acquireRelease(
          Effect.promise(() => startServer({ listen_addresses: "127.0.0.1", fsync: "off" })),
          ({ stop }) => Effect.promise(stop)
        )
        const by = (database: string, login = new URL(url).username) => {
          const address = new URL(withDatabase(url, database))
          address.username = login
          return serverAt(address.href)
        }
        const admin = (statement: string) => Effect.provide(execute(statement), by("postgres"))
        const migrated = (database: string) => Effect.provide(Migrations.run, by(database, "plain"))
        yield* admin(`create role plain login password '${new URL(url).password}'`)
        for (const database of ["rolesafter", "rolesbefore"]) {
          yield* admin(`create database ${database} owner plain`)
        }
        yield* migrated("rolesafter")
        yield* admin("create role wg_app; create role wg_eraser")
        yield* admin("create database model")
        for (const database of ["rolesafter", "rolesbefore"]) {
          const { problem } = yield* migrated(database)
          assert.match(problem ?? "", /administrator must run grant wg_app to wg_eraser;$/)
        }
        yield* admin("grant wg_app to wg_eraser")
        yield* Effect.provide(Migrations.run, by("model"))
        const rights = yield* Effect.provide(rightsOfRoles, by("model"))
        assert.isAbove(rights.length, 60)
        for (const database of ["rolesafter", "rolesbefore"]) {
          assert.deepStrictEqual(yield* migrated(database), { applied: [], problem: undefined })
          assert.deepStrictEqual(yield* Effect.provide(rightsOfRoles, by(database)), rights)
        }
      }).pipe(Effect.scoped),
    60_000
  )
})

/** Everyone may call `wg.watermark`. */
const rightsOfRoles = Effect.flatMap(Postgres, (postgres) =>
  rowsIn(postgres)(sql`
    select name, grantee::regrole::text, privilege_type from (
      select relname as name, relacl as acl, relnamespace as schema from pg_class
      union all select relname || attname, attacl, relnamespace
        from pg_attribute join pg_class on pg_class.oid = attrelid
      union all select proname, proacl, pronamespace from pg_proc where proname <> 'watermark'
      union all select nspname, nspacl, oid from pg_namespace) as one, aclexplode(acl)
    where schema = 'wg'::regnamespace and grantee::regrole::text in ('wg_app', 'wg_eraser')
    order by 1, 2, 3`))

const currentDatabase = Effect.flatMap(Postgres, ({ run }) =>
  Effect.map(
    run((db) => sql<{ name: string }>`select current_database() as name`.execute(db)),
    ({ rows }) => rows[0]?.name ?? ""
  ))
