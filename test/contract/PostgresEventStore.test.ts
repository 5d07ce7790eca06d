import { Layer } from "effect"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { eventStoreContract } from "./eventStoreContract.ts"

eventStoreContract("server", PostgresEventStore.layer.pipe(Layer.provide(TestDatabase.layer)))
