/** The credit ledgers and query caches, in memory, embedded and on a server. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import { Credits, CreditsSpent } from "../../src/application/ports/SearchProvider.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import * as MemoryCredits from "../support/memory/MemoryCredits.ts"
import * as MemoryQueryCache from "../support/memory/MemoryQueryCache.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { creditsContract, lookThenTake } from "./creditsContract.ts"
import { queryCacheContract } from "./queryCacheContract.ts"

const ceilings = { tavily: 10 }

creditsContract("memory", MemoryCredits.layer(ceilings))
creditsContract(
  "embedded",
  PostgresCredits.layer(ceilings).pipe(Layer.provide(EmbeddedDatabase.layer))
)
creditsContract("server", PostgresCredits.layer(ceilings).pipe(Layer.provide(TestDatabase.layer)))
lookThenTake()

it.layer(
  Layer.merge(PostgresCredits.layer({}), PostgresCredits.spentLayer).pipe(
    Layer.provide(EmbeddedDatabase.layer)
  ),
  { timeout: "60 seconds", excludeTestServices: true }
)("what the ledger holds of a key", (it) => {
  it.effect("is what was taken in this month less what was given back", () =>
    Effect.gen(function*() {
      const { correct, reserve } = yield* Credits
      const { spent } = yield* CreditsSpent
      assert.strictEqual((yield* spent("tavily", 1)).credits, 0)
      const taken = yield* reserve("tavily", 1, 5)
      yield* reserve("tavily", 2, 7)
      yield* reserve("serpapi", 1, 9)
      if (taken === undefined) return assert.fail("refused without a ceiling")
      yield* correct(taken, -2)
      assert.deepStrictEqual(yield* spent("tavily", 1), { month: taken.month, credits: 3 })
    }))
})

queryCacheContract("memory", MemoryQueryCache.layer)
queryCacheContract("embedded", PostgresQueryCache.layer.pipe(Layer.provide(EmbeddedDatabase.layer)))
queryCacheContract("server", PostgresQueryCache.layer.pipe(Layer.provide(TestDatabase.layer)))
