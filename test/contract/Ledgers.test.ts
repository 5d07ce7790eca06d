/** The credit ledgers and query caches, in memory, embedded and on a server. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import {
  CeilingUses,
  Credits,
  CreditsSpent,
  QueryCache
} from "../../src/application/ports/SearchProvider.ts"
import { TenantLimits } from "../../src/application/sharing/TenantLimits.ts"
import * as AlertText from "../../src/domain/health/AlertText.ts"
import * as SearchHealth from "../../src/domain/health/SearchHealth.ts"
import { Postgres, PostgresError } from "../../src/infrastructure/postgres/Postgres.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import { changed } from "../support/grounding.ts"
import * as MemoryCredits from "../support/memory/MemoryCredits.ts"
import * as MemoryQueryCache from "../support/memory/MemoryQueryCache.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { creditsContract } from "./creditsContract.ts"
import { queryCacheContract } from "./queryCacheContract.ts"

const ceilings = { tavily: 10 }

creditsContract("memory", MemoryCredits.layer(ceilings))
creditsContract(
  "embedded",
  PostgresCredits.layer(ceilings).pipe(Layer.provide(EmbeddedDatabase.layer))
)
creditsContract("server", PostgresCredits.layer(ceilings).pipe(Layer.provide(TestDatabase.layer)))

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

it.layer(
  Layer.mergeAll(
    PostgresCredits.layer({}),
    PostgresCredits.layerCeilingUses({ tavily: 100, serpapi: new Map([[1, 40]]) }, {
      searchesPerMonth: 8,
      costMicrosPerMonth: 1_000_000
    }),
    PostgresCredits.layerPostgresTenantLimits({
      requestsPerMinute: 0,
      searchesPerDay: 0,
      searchesPerMonth: 8,
      costMicrosPerDay: 0,
      costMicrosPerMonth: 1_000_000,
      concurrency: 0,
      usedUp: "degrades"
    })
  ).pipe(Layer.provide(EmbeddedDatabase.layer)),
  { timeout: "60 seconds", excludeTestServices: true }
)("ceilings of the month that much is used of", (it) => {
  it.effect("are those of keys and of tenants", () =>
    Effect.gen(function*() {
      const { reserve } = yield* Credits
      const { addCost, takeSearch } = yield* TenantLimits
      const { near } = yield* CeilingUses
      const seen = Effect.map(near, (uses) =>
        SearchHealth.alertsOf(SearchHealth.figuresOf([]), [], { ceilings: uses }).map((
          alert
        ) => [SearchHealth.alertKeyOf(alert), alert.severity, AlertText.sentence(alert)]))
      yield* reserve("tavily", 1, 74)
      yield* reserve("serper", 1, 9_000)
      yield* Effect.repeat(takeSearch("a"), { times: 4 })
      yield* addCost("b", 749_999)
      assert.deepStrictEqual(yield* seen, [])
      const taken = yield* reserve("tavily", 1, 1)
      yield* reserve("serpapi", 1, 36)
      yield* takeSearch("a")
      yield* addCost("b", 151_000)
      const month = taken?.month
      assert.deepStrictEqual((yield* seen).toSorted(), [
        [
          "CeilingNear cost b",
          "critical",
          `Tenant b used 0.90 US dollars of 1.00 US dollars in ${month}.`
        ],
        [
          "CeilingNear searches a",
          "warning",
          `Tenant a used 6 searches of 8 searches in ${month}.`
        ],
        [
          "CeilingNear serpapi 1",
          "critical",
          `Key 1 of serpapi used 36 credits of 40 credits in ${month}.`
        ],
        [
          "CeilingNear tavily 1",
          "warning",
          `Key 1 of tavily used 75 credits of 100 credits in ${month}.`
        ]
      ])
    }))
})

queryCacheContract("memory", MemoryQueryCache.layer)
queryCacheContract("embedded", PostgresQueryCache.layer.pipe(Layer.provide(EmbeddedDatabase.layer)))
queryCacheContract("server", PostgresQueryCache.layer.pipe(Layer.provide(TestDatabase.layer)))

it.effect("a statement that fails calls no search lost", () =>
  Effect.gen(function*() {
    const { isLed } = yield* QueryCache
    assert.isTrue(yield* isLed({ tenantId: "t", key: "k" }))
  }).pipe(Effect.provide(
    PostgresQueryCache.layer.pipe(
      Layer.provide(changed(Postgres, () => ({
        run: () =>
          Effect.fail(new PostgresError({ fault: "other", may_have_run: false, cause: "away" }))
      }))),
      Layer.provide(EmbeddedDatabase.layer)
    )
  )))
