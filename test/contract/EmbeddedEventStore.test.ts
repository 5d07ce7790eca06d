import { Layer } from "effect"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as EmbeddedPostgres from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import * as PayloadKeys from "../support/payloadKeys.ts"
import { eventStoreContract } from "./eventStoreContract.ts"
import { postgresLogContract } from "./postgresLogContract.ts"

const migrated = Layer.effectDiscard(Migrations.run).pipe(
  Layer.provideMerge(EmbeddedPostgres.layerMemory)
)
const layer = PostgresEventStore.layer.pipe(Layer.provideMerge(migrated))

eventStoreContract("embedded", layer)
postgresLogContract("embedded", layer)

const encrypted = PostgresEventStore.layer.pipe(
  Layer.provideMerge(migrated),
  Layer.provide(PayloadKeys.layer)
)

eventStoreContract("embedded, encrypted", encrypted)
postgresLogContract("embedded, encrypted", encrypted)
