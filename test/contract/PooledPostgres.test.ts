/** What the log, the read models and the ledgers owe, behind a pooler in transaction mode. */
import { describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as Pooler from "../support/pooler.ts"
import { eventStoreContract } from "./eventStoreContract.ts"
import { postgresLogContract } from "./postgresLogContract.ts"
import { readModelsContract } from "./readModelsContract.ts"

for (const kind of ["stand-in", "pgbouncer"] as const) {
  describe.skipIf(!Pooler.isInstalled(kind))(`behind a pooler: ${Pooler.titleOf(kind)}`, () => {
    const database = Pooler.layer(kind)
    const store = PostgresEventStore.layer.pipe(Layer.provideMerge(database))
    eventStoreContract(kind, store)
    postgresLogContract(kind, store)
    readModelsContract(
      kind,
      PostgresReadModels.layer.pipe(Layer.provideMerge(database)),
      (model) =>
        Effect.gen(function*() {
          const { run } = yield* Postgres
          yield* run((db) =>
            sql`update wg.checkpoints set lease_until = now() - interval '1 second'
              where consumer_id like ${`${model}@%`}`.execute(db)
          )
        })
    )
  })
}
