import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { EventStore, logStart, type NewEvent } from "../../src/application/ports/EventStore.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { storeContracts } from "./postgresLogContract.ts"

storeContracts("server", TestDatabase.layer)

const layer = PlainEventStore.layer.pipe(Layer.provideMerge(TestDatabase.layer))

const event = (type: string): NewEvent => ({
  eventId: uuidv7(1_000),
  type,
  schemaVersion: 1,
  data: {},
  metadata: { correlation_id: "g", causation_id: "c", actor: "test" }
})

describe("a reader of the log", () => {
  it.layer(layer, { excludeTestServices: true })((it) => {
    it.effect("stops before a position that an open transaction may still fill", () =>
      Effect.gen(function*() {
        const store = yield* EventStore
        const appended = Effect.fnUntraced(function*(type: string) {
          const { head } = yield* store.read({ tenant_id: "default", session_id: type })
          yield* store.append(head, [event(type)])
        })
        const seen = Effect.map(
          Stream.runCollect(store.all(logStart)),
          (events) => events.map(({ type }) => type)
        )
        const slow = yield* TestDatabase.connect
        yield* appended("EARLY")
        assert.deepStrictEqual(yield* seen, ["EARLY"])
        yield* Effect.promise(() =>
          slow.query(
            `begin; insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id,
                type, schema_version, data, metadata, seal)
              values (gen_random_uuid(), 1, 'default', now(), gen_random_uuid(), 'SLOW', 1, '{}',
                '{}', decode(repeat('00', 80), 'hex'))`
          )
        )
        yield* appended("LATE")
        // What came before is read, though the same page holds what came after.
        assert.deepStrictEqual(yield* seen, ["EARLY"])
        yield* Effect.promise(() => slow.query("commit"))
        assert.deepStrictEqual(yield* seen, ["EARLY", "SLOW", "LATE"])
      }).pipe(Effect.scoped))
  })
})
