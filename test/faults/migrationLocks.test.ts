/**
 * Effect of migrations on concurrent work, each applied to a database with data.
 *
 * Promise: a migration rewrites no table that callers fill, blocks writers of a table only where it
 * is listed here with a reason, and lets appends pass while a long transaction keeps it waiting.
 * Saboteurs: statements that rewrite and that block, seen by the same check.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, Schedule } from "effect"
import { Kysely, PostgresDialect } from "kysely"
import { readdirSync, readFileSync } from "node:fs"
import pg from "pg"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const folder = new URL("../../migrations/", import.meta.url)
const names = readdirSync(folder).filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length)).sort()

/**
 * Tables whose writers wait until all pending migrations have committed. Each takes the time of a
 * row in the catalogue (a column without a value, a trigger, a constraint that references another
 * table), but for indexes, which read their table once: on read models, caches and the evidence store.
 */
const blocking: Readonly<Record<string, ReadonlyArray<string>>> = {
  "0007_evidence_origin": ["evidence_entries"],
  "0008_service_rights": ["credits", "streams"],
  "0009_pages_to_collect": ["streams"],
  "0010_pack_cache": ["streams"],
  "0012_sorted_rows": ["read_models"],
  "0013_anchors": ["anchors"],
  "0016_erasure": ["evidence_entries", "payload_keys", "query_cache", "streams"],
  "0019_unlogged_flights": ["flights"],
  "0021_heads_by_statement": ["streams"]
}

/** Sessions of a few events each, valid by no rules: only rows matter. */
const filled = (sessions: number) => `
  with made as (
    insert into wg.streams (stream_id, tenant_id, session_id, version, head_hash, created_at)
      select gen_random_uuid(), 'default', gen_random_uuid()::text, 5,
          decode(repeat('00', 32), 'hex'), now()
        from generate_series(1, ${sessions})
      returning stream_id
  )
  insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id, type,
      schema_version, data, metadata, seal)
    select stream_id, version, 'default', now(), gen_random_uuid(), 'X', 1, '{}', '{}',
        decode(repeat('00', 80), 'hex')
      from made, generate_series(1, 5) version order by stream_id, version`

/** Tables of before and their files; and locks of this transaction that keep writers out. */
const looked = async (client: pg.Client) => {
  const { rows: tables } = await client.query(
    `select relname as name, pg_relation_filenode(oid)::text as file from pg_class
      where relnamespace = 'wg'::regnamespace and relkind = 'r'`
  )
  const { rows: locks } = await client.query(
    `select distinct relname as name from pg_locks join pg_class on pg_class.oid = relation
      where pid = pg_backend_pid() and relnamespace = 'wg'::regnamespace and relkind = 'r'
        and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock',
          'AccessExclusiveLock')
      order by name`
  )
  return {
    files: new Map<string, string>(tables.map(({ file, name }) => [name, file])),
    blocked: locks.map(({ name }): string => name)
  }
}

/** As a run makes it before all migrations. */
const ledger = `create schema wg; create table wg.migrations (
  name text primary key, checksum text not null, applied_at timestamptz not null default now())`

interface Met {
  readonly rewritten: ReadonlyArray<string>
  readonly blocked: ReadonlyArray<string>
}

/** What a change does to the tables that stood there before it. */
const met = async (client: pg.Client, change: () => Promise<unknown>): Promise<Met> => {
  await client.query("begin")
  const before = await looked(client)
  await change()
  const after = await looked(client)
  await client.query("commit")
  return {
    rewritten: [...before.files].filter(([name, file]) =>
      after.files.has(name) && after.files.get(name) !== file
    ).map(([name]) => name),
    blocked: after.blocked.filter((name) => before.files.has(name))
  }
}

/** Kysely over one connection, in whatever transaction that is. */
const over = (client: pg.Client) =>
  new Kysely<unknown>({
    dialect: new PostgresDialect({
      pool: {
        connect: () => Promise.resolve({ query: client.query.bind(client), release: () => {} }),
        end: () => Promise.resolve()
      } as never
    })
  })

const empty = TestDatabase.layerOf("empty")

describe("migrations", () => {
  it.layer(empty, { excludeTestServices: true })((it) => {
    it.effect("rewrite no table, and keep writers out of one only where it is listed", () =>
      Effect.gen(function*() {
        const client = yield* TestDatabase.connect
        yield* Effect.promise(async () => {
          await client.query(ledger)
          const db = over(client)
          const seen: Record<string, Met> = {}
          for (const [index, name] of names.entries()) {
            const { up } = await import(new URL(`${name}.ts`, folder).href)
            const found = await met(client, () => up(db))
            if (index > 0) seen[name] = found
            if (index === 0) await client.query(filled(200))
          }
          const blocked = Object.entries(seen).filter(([, { blocked }]) => blocked.length > 0)
          assert.deepStrictEqual(
            Object.fromEntries(blocked.map(([name, { blocked }]) => [name, blocked])),
            blocking
          )
          const rewritten = Object.entries(seen).flatMap(([name, { rewritten }]) =>
            rewritten.map((table) => `${name} ${table}`)
          )
          // No release had written an anchor, and flights are a few rows of seconds.
          assert.deepStrictEqual(rewritten, [
            "0013_anchors anchors",
            "0019_unlogged_flights flights"
          ])
          const rewriting = await met(
            client,
            () => client.query("alter table wg.events alter column version type bigint")
          )
          assert.deepStrictEqual(rewriting, { rewritten: ["events"], blocked: ["events"] })
          const blocks = await met(
            client,
            () => client.query("create index on wg.events (recorded_at)")
          )
          assert.deepStrictEqual(blocks, { rewritten: [], blocked: ["events"] })
        })
      }).pipe(Effect.scoped))
  })

  it.live("let appends pass while a long transaction keeps them waiting, and then succeed", () =>
    Effect.gen(function*() {
      const { url } = yield* TestDatabase.TestDatabase
      const [client, long, writer] = [
        yield* TestDatabase.connect,
        yield* TestDatabase.connect,
        yield* TestDatabase.connect
      ]
      const query = (by: pg.Client, text: string) => Effect.promise(() => by.query(text))
      yield* Effect.promise(() => migratedUpTo(client, "0015"))
      yield* query(long, "begin")
      yield* query(long, "lock table wg.streams in row exclusive mode")
      const migrating = yield* Effect.forkChild(Effect.provide(
        Migrations.run,
        PostgresServer.layer({ url: Redacted.make(url), poolMax: 2, durability: "unchecked" })
      ))
      const isWaiting = Effect.map(
        query(client, "select from pg_locks where not granted and locktype = 'relation'"),
        ({ rowCount }) => rowCount !== 0
      )
      yield* isWaiting.pipe(
        Effect.repeat({ until: (waits) => waits, schedule: Schedule.spaced("20 millis") }),
        Effect.timeout("60 seconds")
      )
      // Behind the migration: it has to give up first.
      yield* Effect.timeout(query(writer, filled(1)), "60 seconds")
      assert.isUndefined(migrating.pollUnsafe())
      yield* query(long, "commit")
      assert.include((yield* Fiber.join(migrating)).applied, "0016_erasure")
    }).pipe(Effect.scoped, Effect.provide(empty)))

  it.live("take a log of 0022 whose tenant had moved away, and check heads as before", () =>
    Effect.gen(function*() {
      const { url } = yield* TestDatabase.TestDatabase
      const client = yield* TestDatabase.connect
      yield* Effect.promise(() => migratedUpTo(client, "0023"))
      yield* Effect.promise(() =>
        client.query(`insert into wg.closed_tenants values ('default');
          insert into wg.tenant_moves (tenant_id, state, cell) values ('default', 'left', 'b')`)
      )
      yield* Effect.promise(() => refused(client, filled(1), "WG001"))
      yield* Migrations.run.pipe(Effect.provide(
        PostgresServer.layer({ url: Redacted.make(url), poolMax: 2, durability: "unchecked" })
      ))
      yield* Effect.promise(async () => {
        await client.query(filled(2))
        const { rows } = await client.query(
          "select count(*)::int as streams, to_regclass('wg.closed_tenants') as closed from wg.streams"
        )
        assert.deepStrictEqual(rows, [{ streams: 202, closed: null }])
        for (const head of ["version = 6", "version = 4", "head_hash = '\\x01'"]) {
          await refused(client, `update wg.streams set ${head}`, "23001")
        }
        await client.query("update wg.streams set legal_hold = true")
      })
    }).pipe(Effect.scoped, Effect.provide(empty)))
})

const refused = async (client: pg.Client, text: string, code: string) => {
  const failure: unknown = await client.query(text).then(() => "passed", (failed) => failed)
  assert.propertyVal(failure, "code", code)
}

/** As an earlier release left it, with data. */
const migratedUpTo = async (client: pg.Client, first: string) => {
  await client.query(ledger)
  for (const name of names.filter((name) => name < first)) {
    const { up } = await import(new URL(`${name}.ts`, folder).href)
    await up(over(client))
    const checksum = sha256(readFileSync(new URL(`${name}.ts`, folder), "utf8"))
    await client.query("insert into wg.migrations values ($1, $2)", [name, checksum])
  }
  await client.query(filled(200))
}
