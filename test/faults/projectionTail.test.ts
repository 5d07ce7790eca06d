/** A projection sees every committed event once and in order, whatever the writers do. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Random } from "effect"
import pg from "pg"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as VerifiedLog from "../../src/application/log/VerifiedLog.ts"
import { ReadModels } from "../../src/application/ports/ReadModels.ts"
import type { Consumer } from "../../src/application/projections/Projection.ts"
import * as ProjectionRunner from "../../src/application/projections/ProjectionRunner.ts"
import { instance } from "../support/grounding.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { shown } from "../support/projections.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const writersCount = 24
const loadMs = process.env["WG_TEST_FULL"] === undefined ? 8_000 : 60_000
const holdMsMax = 8
const rollbackShare = 0.1

const layer = Layer.mergeAll(PlainEventStore.layer, PostgresReadModels.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const query = (client: pg.Client, text: string) => Effect.promise(() => client.query(text))

/** A few rows in one transaction that stays open for a while; positions, if it commits. */
const write = (client: pg.Client) =>
  Effect.gen(function*() {
    yield* query(client, "begin")
    const rows = yield* Random.nextIntBetween(1, 4)
    const positions: Array<string> = []
    for (let row = 0; row < rows; row++) {
      const inserted = yield* query(
        client,
        `insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id, type,
            schema_version, data, metadata, seal)
          values (gen_random_uuid(), 1, 'default', now(), gen_random_uuid(), 'SLOW', 1, '{}', '{}',
            decode(repeat('00', 80), 'hex'))
          returning position`
      )
      positions.push(inserted.rows[0].position)
      yield* Effect.sleep((yield* Random.next) * holdMsMax / rows)
    }
    if ((yield* Random.next) < rollbackShare) {
      yield* query(client, "rollback")
      return []
    }
    yield* query(client, "commit")
    return positions
  })

/** One row an event, which says how often it came, and as which. */
const everyEvent: Consumer = {
  model: "every_event",
  version: 1,
  plan: (events) =>
    Effect.succeed({
      keys: ["count", ...events.map(({ position }) => String(position))],
      fold: (rows) =>
        Effect.sync(() => {
          const folded = new Map(rows)
          for (const { position } of events) {
            const count = Number(folded.get("count") ?? 0) + 1
            const before = folded.get(String(position))
            folded.set("count", count)
            folded.set(String(position), before === undefined ? [count] : [before, count])
          }
          return folded
        })
    })
}

describe("a projection under load", () => {
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("sees what was committed, in order, each once", () =>
      Effect.gen(function*() {
        const clients = yield* Effect.forEach(
          Array.from({ length: writersCount }),
          () => TestDatabase.connect
        )
        const following = yield* Effect.forkScoped(Effect.scoped(Layer.launch(
          ProjectionRunner.layerFollowing.pipe(
            Layer.provide(ProjectionRunner.layer([everyEvent])),
            Layer.provide(Layer.mergeAll(instance("reader"), VerifiedLog.layerLogSignal))
          )
        )))
        const startedMs = performance.now()
        const committed = new Set<string>()
        yield* Effect.forEach(
          clients,
          (client) =>
            Effect.gen(function*() {
              while (performance.now() - startedMs < loadMs) {
                for (const position of yield* write(client)) committed.add(position)
              }
            }),
          { concurrency: writersCount, discard: true }
        )
        const last = [...committed].map(BigInt).reduce((most, at) => at > most ? at : most, 0n)
        const { checkpoints } = yield* ReadModels
        for (let looks = 0; looks < 200; looks++) {
          if (((yield* checkpoints)[0]?.position ?? 0n) >= last) break
          yield* Effect.sleep("50 millis")
        }
        yield* Fiber.interrupt(following)

        const { rows: { count, ...rows } } = yield* shown("every_event")
        const seen = Object.entries(rows).sort(([one], [other]) =>
          BigInt(one) < BigInt(other) ? -1 : 1
        )
        assert.strictEqual(count, committed.size)
        assert.deepStrictEqual(seen.map(([, row]) => row), seen.map((_, index) => [index + 1]))
        assert.deepStrictEqual(new Set(seen.map(([position]) => position)), committed)
        assert.isAbove(committed.size, 1_000)
      }).pipe(Effect.scoped))
  })
})
