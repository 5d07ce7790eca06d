/**
 * Contracts of log and read models behind a pooler in transaction mode; with `WG_TEST_FULL=1` also
 * of the other tables.
 */
import { describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import * as PostgresEvidenceStore from "../../src/adapters/postgres/PostgresEvidenceStore.ts"
import * as PostgresPagesToCollect from "../../src/adapters/postgres/PostgresPagesToCollect.ts"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import * as Pooler from "../support/pooler.ts"
import { creditsContract } from "./creditsContract.ts"
import { eventStoreContract } from "./eventStoreContract.ts"
import { evidenceStoreContract } from "./evidenceStoreContract.ts"
import { pagesToCollectContract } from "./pagesToCollectContract.ts"
import { postgresLogContract } from "./postgresLogContract.ts"
import { queryCacheContract } from "./queryCacheContract.ts"
import { readModelsContract } from "./readModelsContract.ts"

const full = process.env["WG_TEST_FULL"] === "1"

for (const kind of ["stand-in", "pgbouncer"] as const) {
  describe.skipIf(!Pooler.isInstalled(kind))(`behind a pooler: ${Pooler.titleOf(kind)}`, () => {
    const database = Pooler.layer(kind)
    const store = PlainEventStore.layer.pipe(Layer.provideMerge(database))
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
    if (!full) return
    creditsContract(kind, PostgresCredits.layer({ tavily: 10 }).pipe(Layer.provide(database)))
    queryCacheContract(kind, PostgresQueryCache.layer.pipe(Layer.provide(database)))
    evidenceStoreContract(kind, PostgresEvidenceStore.layer.pipe(Layer.provide(database)), false)
    pagesToCollectContract(kind, PostgresPagesToCollect.layer(true).pipe(Layer.provide(database)))
  })
}
