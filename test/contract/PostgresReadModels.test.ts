import { Effect, Layer } from "effect"
import { sql } from "kysely"
import * as PostgresReadModels from "../../src/adapters/postgres/PostgresReadModels.ts"
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
}

contract("server", TestDatabase.layer)
contract(
  "embedded",
  Layer.effectDiscard(Migrations.run).pipe(Layer.provideMerge(EmbeddedPostgres.layerMemory))
)
