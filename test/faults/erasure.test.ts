/**
 * Sessions full of canaries, half of them erased, by a role of its own, in a real PostgreSQL.
 *
 * Promise: no table, index, cache, queue or file holds a word of an erased session; what is asked of
 * it says that it was erased, and when; all other sessions stay as they were, and the whole log
 * verifies. Saboteurs: the same scan before the erasure.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PostgresErasure from "../../src/adapters/postgres/erasure/PostgresErasure.ts"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as PostgresLogRows from "../../src/adapters/postgres/PostgresLogRows.ts"
import * as VerifyLog from "../../src/application/audit/VerifyLog.ts"
import { EraseSessions } from "../../src/application/EraseSessions.ts"
import { ApplyRetention } from "../../src/application/erasure/ApplyRetention.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { RebuildModels } from "../../src/application/projections/RebuildModels.ts"
import * as PayloadCipher from "../../src/infrastructure/encryption/PayloadCipher.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as WrappingKeys from "../../src/infrastructure/postgres/WrappingKeys.ts"
import * as Erasable from "../support/erasableService.ts"
import { caller } from "../support/grounding.ts"
import * as MemoryAnchors from "../support/memory/MemoryAnchors.ts"
import * as PayloadKeys from "../support/payloadKeys.ts"
import { startServer, withDatabase } from "../support/postgresServer.ts"
import { PublicApi, QueryReadModels } from "../support/sent.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { digest } from "../support/verifiedHistory.ts"

/** Of each kind. */
const full = process.env["WG_TEST_FULL"] === "1"
const sessions = full ? 100 : 4

const { inService, sessionOf } = Erasable

const underApp = Layer.unwrap(
  Effect.flatMap(
    TestDatabase.TestDatabase,
    ({ url }) => Effect.map(Erasable.loginOf(url, "wg_app"), (login) => Erasable.database(login))
  )
).pipe(Layer.provideMerge(TestDatabase.layerOf("migrated")))

const verification = VerifyLog.layer.pipe(
  Layer.provide(Layer.merge(PostgresLogRows.layer, MemoryAnchors.none)),
  Layer.provide(PayloadKeys.layer),
  Layer.provide(digest)
)

const erasing = Layer.unwrap(
  Effect.flatMap(
    TestDatabase.TestDatabase,
    ({ url }) => Effect.map(Erasable.loginOf(url, "wg_eraser"), Erasable.erasures)
  )
)

const layer = Layer.merge(erasing, verification).pipe(Layer.provideMerge(underApp))

const everywhere = ["base/OID/*"]

const erase = (session_id: string) =>
  Effect.flatMap(EraseSessions, ({ EraseSession }) => EraseSession({ session_id }, caller))

const soundness = Effect.flatMap(
  VerifyLog.VerifyLog,
  ({ verify }) =>
    Effect.map(verify({}, { mode: "full" }), ({ erased, faults }) => ({ erased, faults }))
)

/** What each interface says of a session; the time of erasure where it is stated. */
const asked = (run: string, session: number) =>
  Effect.gen(function*() {
    const api = yield* PublicApi
    const records = yield* QueryReadModels
    const ids = { session_id: sessionOf(run, session), request_id: "r" }
    const told = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.match(effect, {
        onFailure: (failure): string =>
          "erased_at" in failure ? `${failure._tag} ${String(failure.erased_at)}` : failure._tag,
        onSuccess: () => "answered"
      })
    return {
      pack: yield* told(api.pack(ids, caller)),
      replay: yield* told(api.replay({ session_id: ids.session_id }, caller)),
      timeline: yield* told(records.timeline({ session_id: ids.session_id }, caller)),
      repeated: yield* told(Erasable.ground(run, session)),
      another: yield* told(Erasable.ground(run, session, "other")),
      page: yield* Effect.map(
        api.session({ session_id: ids.session_id }, caller),
        ({ erased_at, events }) => [erased_at, events.filter(({ data }) => data !== null).length]
      )
    }
  }).pipe(inService(run, session))

describe("the erasure of sessions", () => {
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect(
      `leaves no word of ${sessions}, and ${sessions} others as they were`,
      () =>
        Effect.gen(function*() {
          const { url } = yield* TestDatabase.TestDatabase
          yield* Erasable.uncompressed(url)
          yield* Erasable.groundAll("gone", sessions)
          yield* Erasable.groundAll("kept", sessions)
          const before = yield* Erasable.holders(url, "gone", everywhere)
          // The same scan finds what the erasure is to take away.
          for (
            const table of [
              "read_models",
              "query_cache",
              "pack_cache",
              "pages_to_collect",
              "evidence_entries"
            ]
          ) assert.include(before, `wg.${table}`)
          assert.notInclude(before, "wg.events")
          assert.isTrue(before.some((name) => name.startsWith("base/")))

          const reports = yield* Effect.forEach(
            Array.from({ length: sessions }, (_, session) => sessionOf("gone", session)),
            erase
          )
          for (const { reason, removed } of reports) {
            assert.strictEqual(reason, "requested")
            assert.isAbove(removed.payloads, 5)
            assert.strictEqual(removed.data_keys, 1)
            assert.strictEqual(removed.read_model_rows, 3)
            assert.strictEqual(removed.cached_searches, 1)
            assert.strictEqual(removed.cached_packs, 1)
            assert.strictEqual(removed.waiting_pages + Math.sign(removed.evidence_entries), 1)
          }
          yield* Erasable.caughtUp
          yield* Erasable.vacuumed(url)
          assert.deepStrictEqual(yield* Erasable.holders(url, "gone", everywhere), [])
          assert.include(yield* Erasable.holders(url, "kept", everywhere), "wg.pack_cache")

          const { erased, faults } = yield* soundness
          assert.deepStrictEqual(faults, [])
          assert.strictEqual(
            erased,
            reports.reduce((sum, { removed }) => sum + removed.payloads, 0)
          )
          const at = reports[0]?.erased_at
          assert.deepStrictEqual(yield* asked("gone", 0), {
            pack: `SessionErased ${at}`,
            replay: `SessionErased ${at}`,
            timeline: "SessionNotFound",
            repeated: `SessionErased ${at}`,
            another: `SessionErased ${at}`,
            page: [at, 0]
          })
          for (let session = 0; session < sessions; session++) {
            const { pack, page, replay } = yield* asked("kept", session)
            assert.deepStrictEqual([pack, replay], ["answered", "answered"])
            assert.isUndefined(page[0])
          }
          const { rebuild } = yield* Effect.provide(RebuildModels, Layer.empty).pipe(
            inService("kept", 0)
          )
          assert.isAbove((yield* rebuild(caller.tenantId)).length, 5)
          assert.deepStrictEqual(yield* Erasable.holders(url, "gone", everywhere), [])
        }),
      full ? 300_000 : 60_000
    )

    it.effect("is reported, and the same when it is asked for again", () =>
      Effect.gen(function*() {
        yield* Erasable.groundAll("twice", 1)
        const first = yield* erase(sessionOf("twice", 0))
        assert.deepStrictEqual(yield* erase(sessionOf("twice", 0)), first)
        const { ListErasures: list } = yield* EraseSessions
        const { erasures } = yield* list({ limit: 1_000 }, caller)
        assert.deepInclude(erasures, first)
        assert.deepStrictEqual(yield* list({}, { ...caller, tenantId: "other" }), { erasures: [] })
        const unknown = yield* Effect.flip(erase("nobody"))
        assert.strictEqual(unknown._tag, "SessionNotFound")
        const foreign = yield* Effect.flip(
          Effect.flatMap(
            EraseSessions,
            ({ EraseSession }) =>
              EraseSession({ session_id: sessionOf("kept", 0) }, { ...caller, tenantId: "other" })
          )
        )
        assert.strictEqual(foreign._tag, "SessionNotFound")
      }))

    it.effect("is refused while a session is under legal hold, and to the service's login", () =>
      Effect.gen(function*() {
        const { SetLegalHold: hold } = yield* EraseSessions
        const { run } = yield* Postgres
        yield* Erasable.groundAll("held", 1)
        const session_id = sessionOf("held", 0)
        assert.deepStrictEqual(
          yield* hold({ session_id, held: true, matter: "case 7" }, caller),
          { held: true }
        )
        const refused = yield* Effect.flip(erase(session_id))
        assert.deepInclude(refused, { _tag: "SessionHeld", session_id, matter: "case 7" })
        assert.strictEqual((yield* asked("held", 0)).pack, "answered")
        yield* hold({ session_id, held: false }, caller)

        const { url } = yield* TestDatabase.TestDatabase
        const login = new URL(url)
        login.username = `wg_app_${login.pathname.slice(-8)}`
        login.password = "pw"
        const byService = yield* Effect.flip(
          Effect.provide(erase(session_id), Erasable.erasures(login.href))
        )
        assert.strictEqual(byService._tag, "ErasureNotAllowed")
        for (
          const right of [
            "execute on function wg.hold(uuid, boolean) from wg_eraser",
            "select on wg.events from wg_app"
          ]
        ) {
          yield* Effect.promise(() =>
            Erasable.looked(url, (client) => client.query(`revoke ${right}`))
          )
          const lacking = [
            yield* Effect.flip(erase(session_id)),
            yield* Effect.flip(hold({ session_id, held: false }, caller))
          ]
          assert.deepStrictEqual(lacking.map(({ _tag }) => _tag), [
            "ErasureNotAllowed",
            "ErasureNotAllowed"
          ])
          yield* Effect.orDie(Effect.provide(Migrations.run, Erasable.database(url, 1)))
        }
        for (
          const statement of [
            "delete from wg.payload_keys",
            "update wg.payload_keys set wrapped = ''",
            "delete from wg.wrapping_keys",
            "update wg.streams set legal_hold = false",
            "select wg.hold(stream_id, false) from wg.streams",
            "select wg.rewrap(stream_id, '', '') from wg.streams"
          ]
        ) {
          const failed = yield* Effect.flip(run((db) => sql.raw(statement).execute(db)))
          assert.strictEqual(failed.fault, "refused", statement)
        }
        assert.strictEqual((yield* erase(session_id)).session_id, session_id)
      }))

    it.effect("takes rows along that a projection writes after it", () =>
      Effect.gen(function*() {
        const { run } = yield* Postgres
        const { url } = yield* TestDatabase.TestDatabase
        yield* Erasable.ground("late", 0)
        yield* Erasable.caughtUp
        const { rows } = yield* run((db) =>
          sql<{ readonly model: string }>`select * from wg.read_models
            where row::text like '%zqlate%'`.execute(db)
        )
        assert.lengthOf(rows, 3)
        yield* erase(sessionOf("late", 0))
        // As from a page that was read before the erasure.
        yield* run((db) =>
          sql`insert into wg.read_models
            select * from jsonb_populate_recordset(null::wg.read_models, ${JSON.stringify(rows)})`
            .execute(db)
        )
        assert.deepStrictEqual(yield* Erasable.holders(url, "late", []), ["wg.read_models"])
        yield* Erasable.caughtUp
        assert.deepStrictEqual(yield* Erasable.holders(url, "late", []), [])
      }))

    it.effect("follows retention, tenant by tenant, but for what is held", () =>
      Effect.gen(function*() {
        const { run } = yield* ApplyRetention
        const { ListErasures: list, SetLegalHold: hold } = yield* EraseSessions
        const { url } = yield* TestDatabase.TestDatabase
        yield* Erasable.groundAll("past", 2)
        yield* Erasable.groundAll("court", 1)
        const held = sessionOf("court", 0)
        yield* hold({ session_id: held, held: true, matter: "case 8" }, caller)
        const [looked, ...others] = yield* run("look")
        assert.deepStrictEqual(others, [])
        assert.strictEqual(looked?.tenant_id, caller.tenantId)
        assert.isAtLeast(looked?.sessions ?? 0, 2)
        assert.isAtLeast(looked?.pages ?? 0, 1)
        assert.include(yield* Erasable.holders(url, "past", []), "wg.pack_cache")

        const [erased] = yield* run("erase")
        assert.strictEqual(erased?.sessions, looked?.sessions)
        assert.strictEqual(erased?.failed, 0)
        assert.deepStrictEqual(yield* Erasable.holders(url, "past", []), [])
        assert.deepStrictEqual(yield* run("look"), [])
        const { erasures } = yield* list({ limit: 1_000 }, caller)
        const own = erasures.filter(({ session_id }) => session_id.startsWith("past"))
        assert.deepStrictEqual(
          own.map(({ actor, reason }) => [actor, reason]),
          [["retention", "retention"], ["retention", "retention"]]
        )
        assert.strictEqual((yield* asked("court", 0)).pack, "answered")
        yield* hold({ session_id: held, held: false }, caller)
        assert.deepInclude((yield* run("erase"))[0], { sessions: 1, failed: 0 })
      }))

    it.effect("is named as undone where a session is put back, rows, key and all", () =>
      Effect.gen(function*() {
        const client = yield* TestDatabase.connect
        const execute = (text: string) => Effect.promise(() => client.query(text))
        yield* Erasable.groundAll("back", 1)
        const session_id = sessionOf("back", 0)
        const own = `where stream_id = (select stream_id from wg.streams
          where session_id = '${session_id}' and tenant_id = '${caller.tenantId}')`
        const tables = ["events", "payload_keys", "streams"] as const
        for (const table of tables) {
          yield* execute(`create temporary table kept_${table} as select * from wg.${table} ${own}`)
        }
        const { recorded } = yield* erase(session_id)
        assert.deepStrictEqual((yield* soundness).faults, [])
        yield* execute("set session_replication_role = replica")
        for (const table of tables) {
          yield* execute(`delete from wg.${table} ${own}`)
        }
        for (const table of tables) {
          yield* execute(`insert into wg.${table} select * from kept_${table}`)
        }
        const { faults } = yield* soundness
        assert.deepStrictEqual(
          faults.map(({ kind, position, session_id }) => ({ kind, position, session_id })),
          [{ kind: "erasure_undone", position: recorded.position, session_id }]
        )
      }).pipe(Effect.scoped))

    it.effect("wraps keys anew under the eraser's login alone, and former keys may go", () =>
      Effect.gen(function*() {
        const { run } = yield* Postgres
        const { url } = yield* TestDatabase.TestDatabase
        yield* Erasable.groundAll("wrap", 1)
        yield* Effect.provide(WrappingKeys.check, PayloadKeys.layer)
        const next = PayloadCipher.drawnKey()
        const rotated = PayloadKeys.layerOf(next, [PayloadKeys.key])
        yield* Effect.provide(WrappingKeys.check, rotated)
        const refused = yield* Effect.flip(Effect.provide(PostgresErasure.rewrap, rotated))
        assert.strictEqual(refused._tag, "ErasureNotAllowed")
        const login = new URL(url)
        login.username = `wg_eraser_${login.pathname.slice(-8)}`
        login.password = "pw"
        const byEraser = (keys: typeof rotated) =>
          Effect.provide(
            PostgresErasure.rewrap,
            Layer.merge(Layer.fresh(Erasable.database(login.href, 2)), keys)
          )
        const unknown = yield* byEraser(PayloadKeys.layerOf(PayloadCipher.drawnKey()))
        assert.strictEqual(unknown.rewrapped, 0)
        assert.isAbove(unknown.left, 0)
        const { left, rewrapped } = yield* byEraser(rotated)
        assert.deepStrictEqual([left, rewrapped], [0, unknown.left])
        const { rows } = yield* run((db) =>
          sql<{ readonly ids: number }>`select count(distinct split_part(wrapped, '.', 1))::int
            as ids from wg.payload_keys`.execute(db)
        )
        assert.deepStrictEqual(rows, [{ ids: 1 }])
        yield* Effect.provide(WrappingKeys.check, PayloadKeys.layerOf(next))
        const events = yield* Effect.flatMap(
          EventStore,
          ({ read }) => read({ tenant_id: caller.tenantId, session_id: sessionOf("wrap", 0) })
        ).pipe(
          Effect.provide(
            Layer.fresh(PostgresEventStore.layer).pipe(Layer.provide(PayloadKeys.layerOf(next)))
          )
        )
        assert.include(JSON.stringify(events.events[0]?.data), "zqwrap")
      }))
  })
})

const journalSettings = {
  max_connections: "60",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  wal_recycle: "off",
  autovacuum: "off"
}

/** A server of its own, whose journal holds nothing of other tests. */
const journalled = Layer.effect(
  TestDatabase.TestDatabase,
  Effect.gen(function*() {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => startServer(journalSettings)),
      ({ stop }) => Effect.promise(stop)
    )
    const url = withDatabase(server.url, "wg")
    yield* Effect.promise(() =>
      Erasable.looked(server.url, (client) => client.query("create database wg"))
    )
    yield* Effect.orDie(Effect.provide(Migrations.run, Erasable.database(url, 1)))
    return { url }
  })
)

/** A copy of the server's files, while there are no writes. */
const copied = Effect.fnUntraced(function*(url: string) {
  const to = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "wg-erasure-"))),
    (place) => Effect.sync(() => rmSync(place, { recursive: true, force: true }))
  )
  const files = join(to, "files")
  yield* Effect.promise(() =>
    Erasable.looked(url, async (client) => {
      const { rows: [{ data_directory: from }] } = await client.query("show data_directory")
      await client.query("checkpoint")
      execFileSync("cp", ["-a", from, files])
    })
  )
  chmodSync(to, 0o755)
  for (const left of ["postmaster.pid", "postmaster.opts"]) {
    rmSync(join(files, left), { force: true })
  }
  return files
})

const restored = (files: string, source: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() =>
        startServer(journalSettings, { backup: { files, password: new URL(source).password } })
      ),
      ({ stop }) => Effect.promise(stop)
    ),
    ({ url }) => ({ url: withDatabase(url, "wg") })
  )

const whole = ["base/OID/*", "pg_wal/0*"]

describe.runIf(full)("the journal and a backup", () => {
  it.layer(
    Layer.merge(
      Layer.unwrap(Effect.map(TestDatabase.TestDatabase, ({ url }) => Erasable.erasures(url))),
      verification
    ).pipe(
      Layer.provideMerge(Layer.unwrap(
        Effect.map(TestDatabase.TestDatabase, ({ url }) => Erasable.database(url))
      )),
      Layer.provideMerge(Layer.fresh(journalled))
    ),
    { timeout: "120 seconds", excludeTestServices: true }
  )((it) => {
    it.effect(
      "hold no word of 200 erased sessions, once the backup is erased again",
      () =>
        Effect.gen(function*() {
          const { url } = yield* TestDatabase.TestDatabase
          const all = Array.from({ length: 200 }, (_, session) => sessionOf("gone", session))
          yield* Erasable.uncompressed(url)
          yield* Erasable.groundAll("gone", all.length)
          yield* Erasable.groundAll("kept", 4)
          const files = yield* copied(url)
          const before = yield* Erasable.holders(url, "gone", whole)
          assert.isTrue(before.some((name) => name.startsWith("pg_wal/")), before.join())

          yield* Effect.forEach(all, erase)
          yield* Erasable.caughtUp
          const { url: backup } = yield* restored(files, url)
          const brought = yield* Erasable.holders(backup, "gone", ["base/OID/*"])
          assert.include(brought, "wg.read_models")
          const again = yield* Effect.flatMap(EraseSessions, ({ EraseSession }) =>
            Effect.forEach(all, (session_id) =>
              EraseSession({ session_id, reason: "restored" }, caller)))
            .pipe(Effect.provide(Layer.fresh(Erasable.erasures(backup))))
          assert.isTrue(again.every(({ reason }) =>
            reason === "restored"
          ))
          for (const database of [url, backup]) yield* Erasable.vacuumed(database)
          // What is before the last checkpoint but one goes with the segments that held it.
          for (const database of [url, url, url, backup, backup, backup]) {
            yield* Effect.promise(() =>
              Erasable.looked(database, async (client) => {
                await client.query("select pg_switch_wal()")
                await client.query("checkpoint")
              })
            )
          }
          for (const database of [url, backup]) {
            assert.deepStrictEqual(yield* Erasable.holders(database, "gone", whole), [])
          }
          assert.deepStrictEqual((yield* soundness).faults, [])
          assert.strictEqual((yield* asked("kept", 1)).replay, "answered")
        }),
      1_800_000
    )
  })
})
