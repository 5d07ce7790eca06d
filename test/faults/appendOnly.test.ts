/** Rights on a recorded event: none, except to erase its payload in one way. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { sql } from "kysely"
import pg from "pg"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import * as HashChain from "../../src/domain/audit/HashChain.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256, uuidv7 } from "../../src/infrastructure/Digest.ts"
import { Postgres, rowsIn } from "../../src/infrastructure/postgres/Postgres.ts"
import { strange } from "../support/attempts.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const layer = PlainEventStore.layer.pipe(Layer.provideMerge(TestDatabase.layer))

const insufficientPrivilege = "42501"
const restrictViolation = "23001"

/** SQLSTATE of the refusal, or how many rows it touched. */
const outcomeOf = (client: pg.Client, statement: string) =>
  Effect.promise(() =>
    client.query(statement).then(
      ({ rowCount }) => `${rowCount} rows`,
      (cause: pg.DatabaseError) => cause.code ?? cause.message
    )
  )

const event = () => strange("WEB_GROUNDING_TESTED", { secret: "who won" })

const recorded = (session_id: string) =>
  Effect.gen(function*() {
    const store = yield* EventStore
    const { head } = yield* store.read({ tenant_id: "default", session_id })
    return yield* store.append(head, [event(), event(), event()])
  })

/** What neither the owner of the tables nor a superuser may do. */
const changes = [
  "update wg.events set type = 'X'",
  "update wg.events set data = null, seal = substring(seal for 64)",
  "delete from wg.events",
  "truncate wg.events",
  "truncate wg.streams cascade",
  "set wg.erasure = 'on'; update wg.events set data = '{}'",
  "set wg.erasure = 'on'; update wg.events set data = null, seal = seal || '\\x00'",
  "set wg.erasure = 'on'; update wg.events set type = 'X', data = null, " +
  "seal = substring(seal for 64)",
  "set wg.erasure = 'on'; delete from wg.events",
  "set wg.erasure = 'on'; truncate wg.events"
]

const seeds = `
  insert into wg.credits (provider, key_slot, month, used) values ('tavily', 1, '2026-11', 500)
    on conflict (provider, month, key_slot) do update set used = 500`

/** What the service's role could take away or rewrite, and how that is refused. */
const losses = [
  ["select wg.erase(stream_id) from wg.streams", insufficientPrivilege],
  ["update wg.streams set head_hash = decode(repeat('00', 32), 'hex')", restrictViolation],
  ["update wg.streams set version = 1", restrictViolation],
  ["update wg.streams set version = version + 1", restrictViolation],
  [
    "update wg.streams s set version = 2, head_hash = (select substring(seal from 33 for 32) " +
    "from wg.events e where e.stream_id = s.stream_id and e.version = 2)",
    restrictViolation
  ],
  [
    "insert into wg.streams (stream_id, tenant_id, session_id, version, head_hash, created_at) " +
    "values (gen_random_uuid(), 'default', 'made up', 7, '\\x00', now())",
    restrictViolation
  ],
  ["update wg.credits set used = 0", restrictViolation],
  ["delete from wg.credits", insufficientPrivilege],
  ["update wg.credits set month = '2000-01'", insufficientPrivilege],
  ["delete from wg.checkpoints", insufficientPrivilege],
  ["delete from wg.dead_letters", insufficientPrivilege],
  ["delete from wg.live_models", insufficientPrivilege],
  ["delete from wg.query_cache", insufficientPrivilege],
  ["update wg.evidence_entries set text = ''", insufficientPrivilege],
  ["update wg.evidence_vectors set model = ''", insufficientPrivilege],
  ["delete from wg.evidence_models", insufficientPrivilege],
  ["insert into wg.migrations (name, checksum) values ('9999_x', '')", insufficientPrivilege],
  ["delete from wg.anchors", insufficientPrivilege],
  ["update wg.anchors set envelope = '{}'", insufficientPrivilege],
  ["update wg.anchor_keys set public_key = ''", insufficientPrivilege]
] as const

const connectAs = (role: string) =>
  Effect.tap(
    TestDatabase.connect,
    (client) => Effect.promise(() => client.query(`set role ${role}`))
  )

const wordOf = (symbol: string): string => symbol === "=" ? "equal" : "greater"

describe("the log is append-only", () => {
  it.layer(layer, { excludeTestServices: true })((it) => {
    it.effect("denies the service's role every change", () =>
      Effect.gen(function*() {
        yield* recorded("denied")
        const client = yield* connectAs("wg_app")
        for (
          const statement of [
            "update wg.events set type = 'X'",
            "update wg.events set data = null, seal = substring(seal for 64)",
            "delete from wg.events",
            "truncate wg.events",
            "alter table wg.events disable trigger all",
            "drop table wg.events",
            "create or replace function wg.fence() returns trigger language sql as 'select 1'",
            "update wg.streams set erased_at = now()",
            "update wg.streams set session_id = 'other'",
            "delete from wg.streams",
            "truncate wg.streams",
            "select setval('wg.position', 1)",
            "copy wg.events to program 'true'"
          ]
        ) {
          assert.strictEqual(yield* outcomeOf(client, statement), insufficientPrivilege, statement)
        }
      }).pipe(Effect.scoped))

    it.effect("lets the service's role read, append and store its position", () =>
      Effect.gen(function*() {
        const { head } = yield* recorded("allowed")
        const client = yield* connectAs("wg_app")
        const insert = `insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id,
            type, schema_version, data, metadata, seal)
          values ('${head.streamId}', 4, 'default', now(), '${event().eventId}', 'X', 1, '{}', '{}',
            decode(repeat('00', 80), 'hex'))`
        assert.strictEqual(yield* outcomeOf(client, insert), "1 rows")
        const bump = (hash: string) =>
          `update wg.streams set version = 4, head_hash = decode(repeat('${hash}', 32), 'hex')
            where stream_id = '${head.streamId}'`
        assert.strictEqual(yield* outcomeOf(client, bump("11")), restrictViolation)
        assert.strictEqual(yield* outcomeOf(client, bump("00")), "1 rows")
        assert.strictEqual(yield* outcomeOf(client, "select * from wg.watermark()"), "1 rows")
        const place = "insert into wg.checkpoints (consumer_id) values ('c')"
        assert.strictEqual(yield* outcomeOf(client, place), "1 rows")
      }).pipe(Effect.scoped))

    it.effect("gives the service's role nothing of what later migrations add", () =>
      Effect.gen(function*() {
        const owner = yield* TestDatabase.connect
        yield* Effect.promise(() => owner.query("create table wg.later (id bigserial, n int)"))
        const client = yield* connectAs("wg_app")
        for (
          const statement of [
            "select * from wg.later",
            "insert into wg.later (n) values (1)",
            "update wg.later set n = 2",
            "delete from wg.later"
          ]
        ) {
          assert.strictEqual(yield* outcomeOf(client, statement), insufficientPrivilege, statement)
        }
      }).pipe(Effect.scoped))

    it.effect("lets the service's role take nothing away and rewrite no head", () =>
      Effect.gen(function*() {
        yield* recorded("kept")
        const owner = yield* TestDatabase.connect
        yield* Effect.promise(() => owner.query(seeds))
        const client = yield* connectAs("wg_app")
        for (const [statement, refusal] of losses) {
          assert.strictEqual(yield* outcomeOf(client, statement), refusal, statement)
        }
        const corrected = "update wg.credits set used = used - 2"
        assert.strictEqual(yield* outcomeOf(client, corrected), "1 rows")
      }).pipe(Effect.scoped))

    it.effect("moves a head with its events alone, for the owner too", () =>
      Effect.gen(function*() {
        yield* recorded("head")
        const owner = yield* TestDatabase.connect
        for (const [statement, refusal] of losses) {
          if (refusal !== restrictViolation || !statement.includes("streams")) continue
          assert.strictEqual(yield* outcomeOf(owner, statement), restrictViolation, statement)
        }
      }).pipe(Effect.scoped))

    it.effect("moves no head with the events of another one in the same statement", () =>
      Effect.gen(function*() {
        const { head } = yield* recorded("sound")
        const other = yield* recorded("unsound")
        const client = yield* connectAs("wg_app")
        const ids = `'${head.streamId}', '${other.head.streamId}'`
        const moved = (streams: string, version: number, hash = "00", events = [version]) =>
          `with inserted as (
            insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id, type,
                schema_version, data, metadata, seal)
              select '${head.streamId}', version, 'default', now(), gen_random_uuid(), 'X', 1,
                '{}', '{}', decode(repeat('00', 80), 'hex')
                from unnest('{${events.join(", ")}}'::int[]) version
              returning stream_id
          )
          update wg.streams
            set version = ${version}, head_hash = decode(repeat('${hash}', 32), 'hex')
            where stream_id in (${streams}) and (select count(*) from inserted) > 0`
        assert.strictEqual(yield* outcomeOf(client, moved(ids, 4)), restrictViolation)
        const own = `'${head.streamId}'`
        for (
          const [statement, what] of [
            [moved(own, 5), "a gap"],
            [moved(own, 4, "01"), "another hash"],
            [moved(own, 4, "00", [4, 5]), "an event behind the head"]
          ] as const
        ) {
          assert.strictEqual(yield* outcomeOf(client, statement), restrictViolation, what)
        }
        assert.strictEqual(yield* outcomeOf(client, moved(own, 4)), "1 rows")
        assert.strictEqual(yield* outcomeOf(client, moved(own, 6, "00", [5, 6])), "1 rows")
      }).pipe(Effect.scoped))

    it.effect("moves no head by operators and functions that a caller puts first", () =>
      Effect.gen(function*() {
        yield* recorded("shadowed")
        const client = yield* TestDatabase.connect
        const operator = (symbol: string, type: string) =>
          `create function shadow.${wordOf(symbol)}(${type}, ${type}) returns boolean language sql
            immutable as 'select true';
          create operator shadow.${symbol} (leftarg = ${type}, rightarg = ${type},
            function = shadow.${wordOf(symbol)});`
        const shadows = ["bytea", "int4", "int8", "uuid", "text"].flatMap((type) =>
          ["=", ">"].map((symbol) => operator(symbol, type))
        )
        yield* outcomeOf(client, "begin")
        yield* outcomeOf(
          client,
          `create schema shadow; ${shadows.join("")}
          create function shadow.bool_and_step(boolean, boolean) returns boolean language sql
            immutable as 'select true';
          create aggregate shadow.bool_and (boolean)
            (sfunc = shadow.bool_and_step, stype = boolean, initcond = 'true');
          set local search_path = shadow, pg_catalog`
        )
        const forged =
          "select pg_catalog.decode('00', 'hex') = pg_catalog.decode('01', 'hex') as it"
        const { rows } = yield* Effect.promise(() => client.query(forged))
        assert.deepStrictEqual(rows, [{ it: true }], "the shadow lies before the server's own")
        assert.strictEqual(
          yield* outcomeOf(client, "update wg.streams set head_hash = '\\x00'"),
          restrictViolation
        )
        yield* outcomeOf(client, "rollback")
      }).pipe(Effect.scoped))

    it.effect("refuses the owner and the superuser too", () =>
      Effect.gen(function*() {
        yield* recorded("owner")
        const client = yield* TestDatabase.connect
        for (
          const statement of changes
        ) {
          assert.strictEqual(yield* outcomeOf(client, statement), restrictViolation, statement)
        }
      }).pipe(Effect.scoped))

    it.effect("notices what gets past the triggers by the chain", () =>
      Effect.gen(function*() {
        const { head } = yield* recorded("past")
        const client = yield* TestDatabase.connect
        yield* Effect.promise(() =>
          client.query(`begin; set local session_replication_role = replica;
            update wg.events set data = '{"secret": "who lost"}'
              where stream_id = '${head.streamId}' and version = 2; commit`)
        )
        const store = yield* EventStore
        const history = yield* store.read(head.ref)
        assert.deepStrictEqual(
          HashChain.verify({ sha256, canonical }, history.head, history.events),
          Result.fail({ kind: "payload_edited" as const, version: 2 })
        )
      }).pipe(Effect.scoped))

    it.effect("erases payload and salt by its one door, and the chain still verifies", () =>
      Effect.gen(function*() {
        const store = yield* EventStore
        const { head } = yield* recorded("erased")
        const client = yield* connectAs("wg_eraser")
        const erased = yield* Effect.promise(() =>
          client.query("select wg.erase($1) as events", [head.streamId])
        )
        assert.deepStrictEqual(erased.rows, [{ events: 3 }])
        const history = yield* store.read(head.ref)
        assert.deepStrictEqual(history.events.map(({ data, salt }) => [data, salt]), [
          [null, null],
          [null, null],
          [null, null]
        ])
        const verified = HashChain.verify({ sha256, canonical }, history.head, history.events)
        assert.isTrue(Result.isSuccess(verified))
        const error = yield* Effect.flip(store.append(history.head, [event()]))
        assert.strictEqual(error._tag, "StreamConflict")
        const closed = "update wg.events set data = null"
        assert.strictEqual(yield* outcomeOf(client, closed), insufficientPrivilege)
      }).pipe(Effect.scoped))

    it.effect("does not erase what is under legal hold, nor what is not there", () =>
      Effect.gen(function*() {
        const { head } = yield* recorded("held")
        const rowsOf = rowsIn(yield* Postgres)
        yield* rowsOf(sql`update wg.streams set legal_hold = true
          where stream_id = ${head.streamId}`)
        const client = yield* connectAs("wg_eraser")
        for (const id of [head.streamId, uuidv7(1)]) {
          const outcome = yield* outcomeOf(client, `select wg.erase('${id}')`)
          assert.strictEqual(outcome, restrictViolation)
        }
      }).pipe(Effect.scoped))
  })
})
