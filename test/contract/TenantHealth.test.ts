/**
 * What of the searches' health each may see: the operator all of the deployment, a tenant its own. On
 * both stores, over tenants whose names begin alike.
 */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import { codec } from "../../src/application/log/SessionLog.ts"
import { ReadModels } from "../../src/application/ports/ReadModels.ts"
import { SearchHealthModel } from "../../src/application/projections/SessionsModel.ts"
import type { SearchAttempt } from "../../src/domain/search/SearchStatus.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { append, attempt, calledWith, learnt } from "../support/attempts.ts"
import { credits, inMemory, instance, limits, providers } from "../support/grounding.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { PublicApi } from "../support/sent.ts"
import { cachedPackUsed, packCreated } from "../support/sessionFacts.ts"
import * as Database from "../support/testDatabase.ts"

const metadata = { correlation_id: "r", causation_id: "c", actor: "test" }

/** Names that begin alike, sort around separators, or are written with escapes. */
const tenants = ["shop", "shop 9", "shop~", "sho", "_service", "가게", "shop%209", "2026-01-01"]

const searched = Effect.fnUntraced(function*(
  tenantId: string,
  ...attempts: ReadonlyArray<Partial<SearchAttempt>>
) {
  const started_at = DateTime.formatIso(yield* DateTime.now)
  const made = attempts.map((fields) => attempt({ started_at, ...fields }))
  yield* learnt(made)
  const event = yield* calledWith(...made)
  yield* append("s", [event], tenantId)
})

const packed = Effect.fnUntraced(function*(tenantId: string, what: "made" | "reused") {
  const fact = what === "made" ? packCreated() : cachedPackUsed()
  yield* append("s", [yield* codec.encode(fact, uuidv7(1_000), metadata)], tenantId)
})

const healthOf = (tenantId: string) =>
  Effect.flatMap(PublicApi, (api) => api.health({}, { tenantId }))

const deploymentHealth = Effect.flatMap(PublicApi, (api) => api.health({}, "deployment"))

const timeouts = (count: number) =>
  Array.from({ length: count }, () => ({ status: "timeout", hits_count: 0 } as const))

const promises = Effect.gen(function*() {
  for (const [index, tenantId] of tenants.entries()) {
    // As many as no other tenant has.
    yield* searched(tenantId, ...Array.from({ length: 2 ** index }, () => ({ key_slot: 2 })))
    yield* packed(tenantId, index % 2 === 0 ? "made" : "reused")
  }
  yield* searched("bank", ...timeouts(400))
  yield* searched("shop", { provider: "duckduckgo" }, { status: "api_key_missing" })

  for (const [index, tenantId] of tenants.entries()) {
    const view = yield* healthOf(tenantId)
    const own = 2 ** index + (tenantId === "shop" ? 2 : 0)
    assert.strictEqual(view.figures.attempts, own, tenantId)
    assert.strictEqual(view.packs.made + view.packs.reused, 1, tenantId)
    assert.strictEqual(view.packs.made, index % 2 === 0 ? 1 : 0, tenantId)
    assert.deepStrictEqual(view.keys, [])
    assert.deepStrictEqual(view.read_models, [])
    assert.notProperty(view, "credits")
    assert.deepStrictEqual(view.alerts, [])
    assert.notInclude(JSON.stringify(view), "key_slot")
  }
  const shop = yield* healthOf("shop")
  assert.deepStrictEqual(
    shop.by_key.map(({ attempts, provider }) => [provider, attempts]),
    [["duckduckgo", 1], ["tavily", 2]]
  )
  assert.strictEqual((yield* healthOf("nobody")).figures.attempts, 0)
  const bank = yield* healthOf("bank")
  assert.deepInclude(bank.alerts, {
    _tag: "SuccessRateLow",
    severity: "critical",
    web_search_success_rate: 0,
    attempts: 400
  })
  assert.lengthOf(bank.alerts, 1)

  const all = yield* deploymentHealth
  const others = 2 ** tenants.length - 1
  assert.strictEqual(all.figures.attempts, others + 2 + 400)
  assert.strictEqual(all.packs.made + all.packs.reused, tenants.length)
  assert.isAbove(all.keys.length, 0)
  assert.isAbove(all.read_models.length, 0)
  assert.include(all.alerts.map(({ _tag }) => _tag), "KeyMissing")
  assert.include(all.by_key.map(({ key_slot }) => key_slot), 2)
})

describe("a tenant's health", () => {
  it.effect("is its own, in memory", () =>
    Effect.andThen(TestClock.setTime(Date.parse("2026-01-02T12:00:30.000Z")), promises).pipe(
      Effect.provide(inMemory(providers()), { local: true })
    ))

  it.live("is its own, on a server", () =>
    promises.pipe(
      Effect.provide(
        useCases.pipe(
          Layer.provideMerge(Layer.mergeAll(
            providers(),
            instance("p1"),
            limits().pipe(Layer.provideMerge(credits)),
            PostgresReadModels.layer,
            PlainEventStore.layer,
            PostgresServiceState.layer
          )),
          Layer.provideMerge(Database.layer)
        ),
        { local: true }
      )
    ), 60_000)

  it.effect("is not shown by rows of a version that does not know tenants", () =>
    Effect.gen(function*() {
      const { acquire } = yield* ReadModels
      yield* acquire({ model: SearchHealthModel.name, version: 1 }, "an older process")
      yield* searched("shop", {})
      // Another process builds the rows anew and has not come to an end.
      yield* acquire({ model: SearchHealthModel.name, version: SearchHealthModel.version }, "other")
      const waiting = yield* Effect.forkChild(Effect.flip(healthOf("shop")))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* waiting.pollUnsafe()!)._tag, "StoreUnavailable")
    }).pipe(Effect.provide(inMemory(providers()), { local: true })))
})
