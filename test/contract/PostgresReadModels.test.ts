import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import * as PostgresReadModels from "../../src/adapters/postgres/PostgresReadModels.ts"
import { LogPosition } from "../../src/application/ports/EventStore.ts"
import { ReadModels } from "../../src/application/ports/ReadModels.ts"
import * as EmbeddedPostgres from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
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
  })
}

contract("server", TestDatabase.layer)
contract(
  "embedded",
  Layer.effectDiscard(Migrations.run).pipe(Layer.provideMerge(EmbeddedPostgres.layerMemory))
)
