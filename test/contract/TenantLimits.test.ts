/** A tenant's limits: counted for all replicas, never passed, empty again when a period ends. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { sql } from "kysely"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import { type TenantCeilings, TenantLimits } from "../../src/application/sharing/TenantLimits.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import * as Database from "../support/testDatabase.ts"

const none: TenantCeilings = {
  requestsPerMinute: 0,
  searchesPerDay: 0,
  searchesPerMonth: 0,
  costMicrosPerDay: 0,
  costMicrosPerMonth: 0,
  concurrency: 0,
  usedUp: "refuses" as const
}

const limitsOf = (ceilings: Partial<TenantCeilings>) =>
  Effect.provide(
    Effect.flatMap(TenantLimits, Effect.succeed),
    Layer.fresh(PostgresCredits.layerPostgresTenantLimits({ ...none, ...ceilings }))
  )

/** A period of all tenants is over, or began after those that are about to count. */
const turned = (period: "minute" | "day" | "month", to = "2000-01") =>
  Effect.flatMap(
    Postgres,
    ({ run }) => run((db) => sql`update wg.tenant_use set ${sql.ref(period)} = ${to}`.execute(db))
  )

const rowsCount = Effect.flatMap(Postgres, ({ run }) =>
  Effect.map(
    run((db) => sql<{ count: number }>`select count(*)::int from wg.tenant_use`.execute(db)),
    ({ rows }) => rows[0]?.count
  ))

const contract = (name: string, layer: Layer.Layer<Postgres, unknown>) =>
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })(
    `TenantLimits: ${name}`,
    (it) => {
      it.effect("keep no count where there is no limit", () =>
        Effect.gen(function*() {
          const { addCost, enter, takeSearch } = yield* limitsOf({})
          yield* enter("free")
          yield* addCost("free", 1)
          assert.isTrue(yield* takeSearch("free"))
          assert.strictEqual(yield* rowsCount, 0)
        }))

      it.effect("grant as many searches as the tighter of day and month, to each tenant", () =>
        Effect.gen(function*() {
          for (
            const ceilings of [
              { searchesPerDay: 3, searchesPerMonth: 5 },
              { searchesPerDay: 5, searchesPerMonth: 3 }
            ]
          ) {
            const { takeSearch } = yield* limitsOf(ceilings)
            for (const tenant of ["a", "b"]) {
              const id = `${tenant}-${ceilings.searchesPerDay}`
              const granted = yield* Effect.replicateEffect(takeSearch(id), 4)
              assert.deepStrictEqual(granted, [true, true, true, false], id)
            }
          }
        }))

      it.effect("begin anew with the day, but for what the month holds", () =>
        Effect.gen(function*() {
          const { enter, takeSearch } = yield* limitsOf({ searchesPerDay: 1, searchesPerMonth: 2 })
          assert.isTrue(yield* takeSearch("turning"))
          const first = yield* Effect.flip(enter("turning"))
          assert.deepInclude(first, { _tag: "LimitReached", limit: "searches_per_day" })
          yield* turned("day")
          assert.isTrue(yield* takeSearch("turning"))
          yield* turned("day")
          assert.isFalse(yield* takeSearch("turning"))
          const second = yield* Effect.flip(enter("turning"))
          assert.deepInclude(second, { _tag: "LimitReached", limit: "searches_per_month" })
          yield* turned("month")
          yield* enter("turning")
          assert.isTrue(yield* takeSearch("turning"))
        }))

      it.effect("are not moved back by a call that began before the period's end and counts after it", () =>
        Effect.gen(function*() {
          const { takeSearch } = yield* limitsOf({ searchesPerDay: 2 })
          assert.isTrue(yield* takeSearch("late"))
          yield* turned("day", "2999-01-01")
          assert.isTrue(yield* takeSearch("late"))
          assert.isFalse(yield* takeSearch("late"))
        }))

      it.effect("refuse a request above the rate until the minute is over", () =>
        Effect.gen(function*() {
          const { enter } = yield* limitsOf({ requestsPerMinute: 2 })
          yield* enter("rate")
          yield* enter("rate")
          const failure = yield* Effect.flip(enter("rate"))
          if (failure._tag !== "LimitReached") return assert.fail(failure._tag)
          assert.strictEqual(failure.limit, "requests_per_minute")
          assert.isAbove(failure.retry_after_ms, 0)
          assert.isAtMost(failure.retry_after_ms, 60_000)
          yield* enter("other")
          yield* turned("minute")
          yield* enter("rate")
        }))

      it.effect("count what was spent, and refuse when it is used up", () =>
        Effect.gen(function*() {
          const ceilings = { costMicrosPerDay: 100, costMicrosPerMonth: 150 }
          const { addCost, enter, hasCostLeft } = yield* limitsOf(ceilings)
          const degrading = yield* limitsOf({ ...ceilings, searchesPerDay: 1, usedUp: "degrades" })
          yield* enter("cost")
          yield* addCost("cost", 99)
          yield* enter("cost")
          // Known afterwards: what was spent is counted whatever it comes to.
          assert.isTrue(yield* hasCostLeft("cost"))
          yield* addCost("cost", 70)
          assert.isFalse(yield* hasCostLeft("cost"))
          // Where it degrades, calls come in, searches are taken and models are not asked.
          assert.isTrue(yield* degrading.takeSearch("cost"))
          yield* degrading.enter("cost")
          assert.isFalse(yield* degrading.takeSearch("cost"))
          assert.isFalse(yield* degrading.hasCostLeft("cost"))
          const failure = yield* Effect.flip(enter("cost"))
          // Of two limits, the one that lasts longer.
          assert.deepInclude(failure, { _tag: "LimitReached", limit: "cost_per_month" })
          if (failure._tag === "LimitReached") {
            assert.isAtMost(failure.retry_after_ms, 86_400_000)
          }
          yield* turned("month")
          assert.deepInclude(yield* Effect.flip(enter("cost")), { limit: "cost_per_day" })
          yield* turned("day")
          yield* enter("cost")
        }))
    }
  )

contract("embedded", EmbeddedDatabase.layer)
contract("server", Database.layer)

/** A process of its own as far as the server knows: connections of its own. */
const replica = (ceilings: Partial<TenantCeilings>) =>
  Effect.flatMap(Database.TestDatabase, ({ url }) =>
    Effect.map(
      Layer.build(
        PostgresServer.layer({ url: Redacted.make(url), poolMax: 8, durability: "unchecked" })
      ),
      (built) => Effect.provide(limitsOf(ceilings), built)
    )).pipe(Effect.flatten)

it.layer(Database.layer, { timeout: "120 seconds", excludeTestServices: true })(
  "limits of a tenant under 64 callers of 3 replicas",
  (it) => {
    const limit = 100
    const tries = 64 * 3

    it.effect("grant a hundred searches and never one more", () =>
      Effect.gen(function*() {
        const replicas = yield* Effect.replicateEffect(replica({ searchesPerDay: limit }), 3)
        const granted = yield* Effect.forEach(
          Array.from({ length: tries }, (_, index) => replicas[index % 3]),
          (one) => one === undefined ? Effect.succeed(false) : one.takeSearch("crowd"),
          { concurrency: 64 }
        )
        assert.strictEqual(granted.filter((one) => one).length, limit)
      }).pipe(Effect.scoped))

    it.effect("let a hundred requests of a minute in, whatever minute that is", () =>
      Effect.gen(function*() {
        const replicas = yield* Effect.replicateEffect(replica({ requestsPerMinute: limit }), 3)
        const { run } = yield* Postgres
        const minute = run((db) =>
          sql<{ minute: string }>`select to_char(now(), 'YYYY-MM-DD HH24:MI') as minute`.execute(db)
        )
        const entered = Effect.forEach(
          Array.from({ length: tries }, (_, index) => replicas[index % 3]),
          (one) => one === undefined ? Effect.succeed(false) : Effect.isSuccess(one.enter("crowd")),
          { concurrency: 64 }
        )
        // Once more where the minute turned meanwhile: in the next one it does not.
        for (let round = 0; round < 3; round++) {
          yield* turned("minute")
          const before = yield* minute
          const count = (yield* entered).filter((one) => one).length
          if ((yield* minute).rows[0]?.minute !== before.rows[0]?.minute) continue
          return assert.strictEqual(count, limit)
        }
        assert.fail("the minute turned three times")
      }).pipe(Effect.scoped))
  }
)
