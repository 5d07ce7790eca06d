/** The credit ledgers and query caches, in memory, embedded and on a server. */
import { Layer } from "effect"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import * as EmbeddedPostgres from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import * as MemoryCredits from "../support/memory/MemoryCredits.ts"
import * as MemoryQueryCache from "../support/memory/MemoryQueryCache.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { creditsContract, lookThenTake } from "./creditsContract.ts"
import { queryCacheContract } from "./queryCacheContract.ts"

const ceilings = { tavily: 10 }

const embedded = Layer.effectDiscard(Migrations.run).pipe(
  Layer.provideMerge(EmbeddedPostgres.layerMemory)
)

creditsContract("memory", MemoryCredits.layer(ceilings))
creditsContract("embedded", PostgresCredits.layer(ceilings).pipe(Layer.provide(embedded)))
creditsContract("server", PostgresCredits.layer(ceilings).pipe(Layer.provide(TestDatabase.layer)))
lookThenTake()

queryCacheContract("memory", MemoryQueryCache.layer)
queryCacheContract("embedded", PostgresQueryCache.layer.pipe(Layer.provide(embedded)))
queryCacheContract("server", PostgresQueryCache.layer.pipe(Layer.provide(TestDatabase.layer)))
