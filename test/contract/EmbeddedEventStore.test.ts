import { Layer } from "effect"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import * as PayloadKeys from "../support/payloadKeys.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { eventStoreContract } from "./eventStoreContract.ts"
import { postgresLogContract } from "./postgresLogContract.ts"

const layer = PlainEventStore.layer.pipe(Layer.provideMerge(EmbeddedDatabase.layer))

eventStoreContract("embedded", layer)
postgresLogContract("embedded", layer)

const encrypted = PostgresEventStore.layer.pipe(
  Layer.provideMerge(EmbeddedDatabase.layer),
  Layer.provide(PayloadKeys.layer)
)

eventStoreContract("embedded, encrypted", encrypted)
postgresLogContract("embedded, encrypted", encrypted)
