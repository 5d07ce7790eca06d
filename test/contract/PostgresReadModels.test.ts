import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import { LogPosition } from "../../src/application/ports/EventStore.ts"
import { ReadModels } from "../../src/application/ports/ReadModels.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { readModelsContract } from "./readModelsContract.ts"

/** The database's clock is not ours to set: the lease is. */
const contract = (name: string, database: Layer.Layer<Postgres, unknown>) => {
  const layer = PostgresReadModels.layer.pipe(Layer.provideMerge(database))
  readModelsContract(name, layer, (model) =>
    Effect.gen(function*() {
      const { run } = yield* Postgres
      yield* run((db) =>
        sql`update wg.checkpoints set lease_until = now() - interval '1 second'
          where consumer_id like ${`${model}@%`}`.execute(db)
      )
    }))
  it.layer(layer, { timeout: "60 seconds" })(`ReadModels and its operator: ${name}`, (it) => {
    it.effect.each(["halted", "retired"])(
      "takes no page of a model that an operator has %s while its lease runs",
      (state) =>
        Effect.gen(function*() {
          const { acquire, commit, range } = yield* ReadModels
          const { run } = yield* Postgres
          const model = `${name}_${state}`
          const lease = yield* acquire({ model, version: 1 }, "a")
          yield* run((db) =>
            sql`update wg.checkpoints set state = ${state}
              where consumer_id = ${`${model}@1`}`.execute(db)
          )
          const page = { to: LogPosition.make(1n), keys: [] }
          const late = yield* Effect.flip(
            commit(lease, page, () => Effect.succeed(new Map([["a", 1]])))
          )
          assert.strictEqual(late._tag, "LeaseLost")
          const rows = yield* range({ model, from: "", until: "~", limit: 9 })
          assert.deepStrictEqual(rows, { version: 1, position: LogPosition.make(0n), rows: [] })
        })
    )

    const started = (model: string, version = 1) =>
      Effect.flatMap(ReadModels, ({ acquire }) => acquire({ model, version }, "a"))
    const page = (to: bigint) => ({ to: LogPosition.make(to), keys: [] })
    const writing = (rows: Readonly<Record<string, number>>) => () =>
      Effect.succeed(new Map(Object.entries(rows)))

    it.effect("gives rows by their keys, wherever they lie in the table", () =>
      Effect.gen(function*() {
        const { commit, range } = yield* ReadModels
        const { run, transaction } = yield* Postgres
        const model = `${name}_order`
        const lease = yield* commit(yield* started(model), page(1n), writing({ c: 3, b: 2 }))
        yield* commit(lease, page(2n), writing({ a: 1 }))
        const keys = yield* transaction(Effect.gen(function*() {
          for (const way of ["indexscan", "indexonlyscan", "bitmapscan"]) {
            yield* run((db) => sql.raw(`set local enable_${way} = off`).execute(db))
          }
          const snapshot = yield* range({ model, from: "", until: "~", limit: 2 })
          return snapshot?.rows.map(([key]) => key)
        }))
        assert.deepStrictEqual(keys, ["a", "b"])
      }))

    it.effect("leaves no row of a version that was replaced", () =>
      Effect.gen(function*() {
        const { commit, goLive } = yield* ReadModels
        const { run } = yield* Postgres
        const model = `${name}_replaced`
        yield* commit(yield* started(model), page(1n), writing({ a: 1 }))
        yield* goLive(yield* commit(yield* started(model, 2), page(1n), writing({ b: 2 })))
        const { rows } = yield* run((db) =>
          sql`select key, model_version from wg.read_models where model = ${model}`.execute(db)
        )
        assert.deepStrictEqual(rows, [{ key: "b", model_version: 2 }])
      }))

    it.effect("says that a row is refused, which is no outage, and keeps the page before", () =>
      Effect.gen(function*() {
        const { commit, range } = yield* ReadModels
        const model = `${name}_refused`
        const lease = yield* commit(yield* started(model), page(1n), writing({ a: 1 }))
        const refused = yield* Effect.flip(commit(lease, page(2n), writing({ "a\0b": 1 })))
        assert.strictEqual(refused._tag, "RowsRefused")
        assert.deepStrictEqual(yield* range({ model, from: "", until: "~", limit: 9 }), {
          version: 1,
          position: LogPosition.make(1n),
          rows: [["a", 1]]
        })
      }))

    it.effect("sets an event aside again when an operator has sent the model back to it", () =>
      Effect.gen(function*() {
        const { checkpoints, commit } = yield* ReadModels
        const { run } = yield* Postgres
        const model = `${name}_again`
        const parked = (error: string) => ({
          ...page(7n),
          parked: { position: LogPosition.make(7n), attempts: 3, error }
        })
        const lease = yield* started(model)
        yield* commit(lease, parked("first"), writing({}))
        yield* run((db) =>
          sql`update wg.checkpoints set position = 0 where consumer_id = ${`${model}@1`}`
            .execute(db)
        )
        yield* commit(lease, parked("second"), writing({}))
        const own = (yield* checkpoints).find(({ id }) => id.model === model)
        assert.deepInclude(own, { position: LogPosition.make(7n), parked: 1 })
      }))
  })
}

contract("server", TestDatabase.layer)
contract("embedded", EmbeddedDatabase.layer)
