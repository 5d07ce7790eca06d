/** The evidence store in memory, embedded with vectors, and on a server without them. */
import { Layer } from "effect"
import * as MemoryEvidenceStore from "../../src/adapters/memory/MemoryEvidenceStore.ts"
import * as PostgresEvidenceStore from "../../src/adapters/postgres/PostgresEvidenceStore.ts"
import * as EmbeddedPostgres from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { evidenceStoreContract } from "./evidenceStoreContract.ts"

const embedded = Layer.effectDiscard(Migrations.run).pipe(
  Layer.provideMerge(EmbeddedPostgres.layerMemory)
)

evidenceStoreContract("memory", MemoryEvidenceStore.layer, true)
evidenceStoreContract(
  "embedded",
  PostgresEvidenceStore.layer.pipe(Layer.provide(embedded)),
  true
)
evidenceStoreContract(
  "server",
  PostgresEvidenceStore.layer.pipe(Layer.provide(TestDatabase.layer)),
  false
)
