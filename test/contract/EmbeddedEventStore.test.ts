import { Layer } from "effect"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as EmbeddedPostgres from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import { eventStoreContract } from "./eventStoreContract.ts"

const migrated = Layer.effectDiscard(Migrations.run).pipe(
  Layer.provideMerge(EmbeddedPostgres.layerMemory)
)

eventStoreContract("embedded", PostgresEventStore.layer.pipe(Layer.provide(migrated)))
