/** Every way to change the log in the database that is listed is named by verification. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as PostgresLogRows from "../../src/adapters/postgres/PostgresLogRows.ts"
import { LogRows } from "../../src/application/log/LogRows.ts"
import * as VerifyLog from "../../src/application/log/VerifyLog.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { digest, recorded, toldOf } from "../support/verifiedHistory.ts"
import { ways } from "./tamperedRows.ts"

const layer = VerifyLog.layer.pipe(
  Layer.provideMerge(Layer.merge(PostgresEventStore.layer, PostgresLogRows.layer)),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(digest)
)

/** Whoever owns the database can drop what keeps rows apart, and wake no trigger. */
const prepared = `
  set session_replication_role = replica;
  alter table wg.events drop constraint events_pkey;
  create index on wg.events (stream_id, version);
  drop index wg.events_position;
  create index on wg.events (position);
  select setval('wg.position', 20);
  create table kept_events as select * from wg.events;
  create table kept_streams as select * from wg.streams`

const restored = `
  delete from wg.events; delete from wg.streams; delete from wg.log_digests;
  insert into wg.events select * from kept_events;
  insert into wg.streams select * from kept_streams`

describe("verification of the whole log", () => {
  it.layer(layer, { excludeTestServices: true })((it) => {
    it.effect("names every fault, and an anchor shows what chains do not", () =>
      Effect.gen(function*() {
        const { verify } = yield* VerifyLog.VerifyLog
        const { recordAnchor } = yield* LogRows
        yield* recorded
        const sound = yield* verify({}, { mode: "full" })
        const { anchor, events, faults_count, streams } = sound
        assert.deepStrictEqual({ events, faults_count, streams }, {
          events: 12,
          faults_count: 0,
          streams: 3
        })
        if (anchor === undefined) return assert.fail("a sound log has an anchor")
        const client = yield* TestDatabase.connect
        const execute = (sql: string) => Effect.promise(() => client.query(sql))
        yield* execute(prepared)
        for (const { anchor: covered, faults, name, sql } of ways) {
          yield* execute(restored)
          yield* execute(sql)
          const alone = yield* verify({}, { mode: "full" })
          const told = toldOf(alone)
          const isRepeated = faults.includes("position_repeated - - #8")
          // Which of two rows of one position comes second is the server's choice.
          if (isRepeated) assert.match(told.join(), /^position_repeated [ab] 3 #8$/, name)
          else assert.deepStrictEqual(told, faults, name)
          assert.strictEqual(alone.sound, faults.length === 0, name)
          const anchors = yield* execute("select * from wg.log_digests")
          assert.strictEqual(anchors.rows.length, faults.length === 0 ? 1 : 0, name)

          yield* execute("delete from wg.log_digests")
          yield* recordAnchor(anchor, undefined)
          const shown = [`anchor_mismatch - - #${anchor.position}`]
          for (const mode of ["full", "incremental"] as const) {
            const anchored = toldOf(yield* verify({}, { mode }))
              .filter((fault) => fault.startsWith("anchor"))
            assert.deepStrictEqual(anchored, covered === "shows it" ? shown : [], name)
          }
        }
        assert.isAtLeast(ways.length, 22)
      }).pipe(Effect.scoped))
  })
})
