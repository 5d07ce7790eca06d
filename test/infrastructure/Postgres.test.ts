import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { type RawBuilder, sql } from "kysely"
import { Postgres, rowsIn } from "../../src/infrastructure/postgres/Postgres.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const rowsOf = <Row>(statement: RawBuilder<Row>) =>
  Effect.flatMap(Postgres, (postgres) => rowsIn(postgres)(statement))

const insert = (consumer_id: string) =>
  rowsOf(sql`insert into wg.checkpoints (consumer_id) values (${consumer_id})`)

const consumers = Effect.map(
  rowsOf(sql<{ consumer_id: string }>`select consumer_id from wg.checkpoints order by consumer_id`),
  (rows) => rows.map(({ consumer_id }) => consumer_id)
)

const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Postgres, ({ transaction }) => transaction(effect))

const empty = rowsOf(sql`delete from wg.checkpoints`)

describe("the database handle", () => {
  it.layer(TestDatabase.layer, { excludeTestServices: true })((it) => {
    it.effect("commits what succeeds and rolls back what fails, dies or is interrupted", () =>
      Effect.gen(function*() {
        yield* empty
        yield* transaction(insert("succeeds"))
        yield* Effect.exit(transaction(Effect.andThen(insert("fails"), Effect.fail("no"))))
        yield* Effect.exit(transaction(Effect.andThen(insert("dies"), Effect.die("no"))))
        const inserted = yield* Deferred.make<void>()
        const fiber = yield* Effect.forkScoped(transaction(Effect.gen(function*() {
          yield* insert("interrupted")
          yield* Deferred.succeed(inserted, undefined)
          yield* Effect.never
        })))
        yield* Deferred.await(inserted)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* consumers, ["succeeds"])
      }).pipe(Effect.scoped))

    it.effect("sees its own writes inside a transaction, and no one else does", () =>
      Effect.gen(function*() {
        yield* empty
        const outside = yield* Effect.forkScoped(
          Effect.andThen(Effect.sleep("50 millis"), consumers)
        )
        const inside = yield* transaction(Effect.gen(function*() {
          yield* insert("mine")
          const { prepared } = yield* Postgres
          const rows = yield* prepared({ name: "mine", text: "select 1 from wg.checkpoints" }, [])
          assert.strictEqual(rows.length, 1)
          yield* Fiber.join(outside)
          return yield* consumers
        }))
        assert.deepStrictEqual(inside, ["mine"])
        assert.deepStrictEqual(yield* Fiber.join(outside), [])
      }).pipe(Effect.scoped))

    it.effect("undoes a nested transaction alone when that fails", () =>
      Effect.gen(function*() {
        yield* empty
        yield* transaction(Effect.gen(function*() {
          yield* insert("outer")
          yield* Effect.ignore(transaction(Effect.andThen(insert("inner"), insert("inner"))))
          yield* transaction(Effect.andThen(insert("kept"), transaction(insert("deep"))))
        }))
        assert.deepStrictEqual(yield* consumers, ["deep", "kept", "outer"])
      }))

    it.effect("does not commit what a swallowed failure has aborted", () =>
      Effect.gen(function*() {
        yield* empty
        const exit = yield* Effect.exit(transaction(Effect.andThen(
          insert("swallowed"),
          Effect.ignore(insert("swallowed"))
        )))
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(yield* consumers, [])
      }))

    it.effect("gives back the connection of a commit that the server refuses", () =>
      Effect.gen(function*() {
        const { run } = yield* Postgres
        yield* run((db) =>
          sql`create table at_commit (n int unique deferrable initially deferred)`.execute(db)
        )
        const twice = transaction(
          run((db) => sql`insert into at_commit values (1), (1)`.execute(db))
        )
        // More often than the pool has connections.
        for (let times = 0; times < 40; times++) {
          assert.strictEqual((yield* Effect.flip(twice)).fault, "unique-violation")
        }
        const { rows } = yield* run((db) => sql`select n from at_commit`.execute(db))
        assert.deepStrictEqual(rows, [])
      }))

    it.effect("names what failed in words", () =>
      Effect.gen(function*() {
        yield* empty
        yield* insert("twice")
        assert.strictEqual((yield* Effect.flip(insert("twice"))).fault, "unique-violation")
        const { prepared, run } = yield* Postgres
        const wrong = yield* Effect.flip(prepared({ name: "wrong", text: "selec 1" }, []))
        assert.strictEqual(wrong.fault, "other")
        const slow = sql`select set_config('statement_timeout', '20', true), pg_sleep(5)`
        const late = transaction(Effect.andThen(
          run((db) => sql`set local statement_timeout = 20`.execute(db)),
          run((db) => slow.execute(db))
        ))
        assert.strictEqual((yield* Effect.flip(late)).fault, "timeout")
      }))

    it.effect("survives the loss of its connections, idle or at work", () =>
      Effect.gen(function*() {
        const { prepared, run } = yield* Postgres
        const admin = yield* TestDatabase.connect
        const terminate = Effect.promise(() =>
          admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`)
        )
        const atWork = yield* Effect.forkScoped(
          Effect.flip(run((db) => sql`select pg_sleep(30)`.execute(db)))
        )
        const inTransaction = yield* Effect.forkScoped(
          Effect.flip(transaction(Effect.andThen(
            consumers,
            Effect.andThen(Effect.sleep("300 millis"), consumers)
          )))
        )
        yield* Effect.sleep("150 millis")
        yield* terminate
        assert.strictEqual((yield* Fiber.join(atWork)).fault, "connection")
        assert.strictEqual((yield* Fiber.join(inTransaction)).fault, "connection")
        const ping = prepared({ name: "ping", text: "select 1 as one" }, [])
        const back = yield* Effect.retry(ping, { times: 3 })
        assert.deepStrictEqual(back, [{ one: 1 }])
      }).pipe(Effect.scoped))

    it.effect("prepares a named statement once a connection", () =>
      Effect.gen(function*() {
        const { prepared, transaction } = yield* Postgres
        const twice = { name: "wg_twice", text: "select 2 as two" }
        yield* prepared(twice, [])
        yield* prepared(twice, [])
        const found = yield* prepared<{ name: string }>({
          name: "wg_found",
          text: "select name from pg_prepared_statements where name = 'wg_twice'"
        }, [])
        assert.deepStrictEqual(found, [{ name: "wg_twice" }])
        assert.deepStrictEqual(yield* transaction(prepared(twice, [])), [{ two: 2 }])
      }))

    it.effect("parses by its own rules", () =>
      Effect.gen(function*() {
        const { prepared } = yield* Postgres
        const [row] = yield* prepared({
          name: "types",
          text: `select 9007199254740993::int8 as big, '\\x00ff'::bytea as bytes,
            '2026-11-21 23:49:09.5+01'::timestamptz as "at", '{"a": [1]}'::jsonb as json,
            '2026-11-21 22:49:09'::timestamptz as even, null::int8 as nothing`
        }, [])
        assert.deepStrictEqual(row, {
          big: "9007199254740993",
          bytes: "00ff",
          at: "2026-11-21T22:49:09.500Z",
          json: { a: [1] },
          even: "2026-11-21T22:49:09.000Z",
          nothing: null
        })
      }))
  })
})
