/** The service's state in memory, embedded and on a server. */
import { Layer } from "effect"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import * as MemoryServiceState from "../support/memory/MemoryServiceState.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { serviceStateContract } from "./serviceStateContract.ts"

const { layer } = PostgresServiceState

serviceStateContract("memory", MemoryServiceState.layer)
serviceStateContract("embedded", layer.pipe(Layer.provide(EmbeddedDatabase.layer)))
serviceStateContract("server", layer.pipe(Layer.provide(TestDatabase.layer)))
