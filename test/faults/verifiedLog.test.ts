/** Every way to change the log in the database that is listed is named by verification. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PostgresLogRows from "../../src/adapters/postgres/PostgresLogRows.ts"
import { MakeAnchors } from "../../src/application/audit/MakeAnchors.ts"
import * as VerifyLog from "../../src/application/audit/VerifyLog.ts"
import { anchoringRows, newKey } from "../support/anchoredLog.ts"
import * as MemoryAnchors from "../support/memory/MemoryAnchors.ts"
import { plaintext } from "../support/payloadKeys.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { recorded, toldOf } from "../support/verifiedHistory.ts"
import { ways } from "./tamperedRows.ts"

const held = MemoryAnchors.held()

const layer = anchoringRows(held, newKey()).pipe(
  Layer.provideMerge(Layer.merge(PlainEventStore.layer, PostgresLogRows.layer)),
  Layer.provide(plaintext),
  Layer.provideMerge(TestDatabase.layer)
)

/** The database's owner can drop unique constraints without firing a trigger. */
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
  delete from wg.events; delete from wg.streams;
  insert into wg.events select * from kept_events;
  insert into wg.streams select * from kept_streams`

describe("verification of the whole log", () => {
  it.layer(layer, { excludeTestServices: true })((it) => {
    it.effect("names every fault, and an anchor shows what chains do not", () =>
      Effect.gen(function*() {
        const { verify } = yield* VerifyLog.VerifyLog
        const { make } = yield* MakeAnchors
        yield* recorded
        const sound = yield* verify({}, { mode: "full" })
        const { events, faults_count, streams } = sound
        assert.deepStrictEqual({ events, faults_count, streams }, {
          events: 12,
          faults_count: 0,
          streams: 3
        })
        yield* make
        const made = held.anchors
        const client = yield* TestDatabase.connect
        const execute = (sql: string) => Effect.promise(() => client.query(sql))
        yield* execute(prepared)
        for (const { anchor: covered, faults, name, sql } of ways) {
          yield* execute(restored)
          yield* execute(sql)
          held.anchors = []
          held.file = []
          const alone = yield* verify({}, { mode: "full" })
          const told = toldOf(alone)
          const isRepeated = faults.includes("position_repeated - - #8")
          // Which of two rows of one position comes second is the server's choice.
          if (isRepeated) assert.match(told.join(), /^position_repeated [ab] 3 #8$/, name)
          else assert.deepStrictEqual(told, faults, name)
          assert.strictEqual(alone.sound, faults.length === 0, name)
          assert.strictEqual(alone.anchor === undefined, faults.length > 0, name)

          held.anchors = made
          held.file = made.map(({ envelope }) => envelope)
          for (const mode of ["full", "incremental"] as const) {
            const { faults } = yield* verify({}, { mode })
            const shown = faults.filter(({ tree_size }) => tree_size === 12)
            assert.strictEqual(shown.length, covered === "shows it" ? 1 : 0, name)
          }
        }
        assert.isAtLeast(ways.length, 22)
      }).pipe(Effect.scoped))
  })
})
