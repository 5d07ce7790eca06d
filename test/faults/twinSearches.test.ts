/**
 * Many callers in two services on one PostgreSQL who ask few different things at the same time.
 *
 * Promise: exactly one search upstream for each thing asked.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import { Limits } from "../../src/application/ports/Limits.ts"
import { QueryCache, type SearchProvider } from "../../src/application/ports/SearchProvider.ts"
import { useCases } from "../../src/wiring/layers.ts"
import {
  caller,
  instance,
  limits,
  plain,
  providers,
  scripted,
  tramFares
} from "../support/grounding.ts"
import * as MemoryCredits from "../support/memory/MemoryCredits.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { PublicApi } from "../support/sent.ts"
import * as Database from "../support/testDatabase.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const callersEach = full ? 4_000 : 60
const questions = full ? 40 : 4
const concurrentCalls = 64
/** Longer than it takes until the callers of both services ask. */
const searchTakes = "1 second"

const upstream = () => {
  const provider = scripted(tramFares)
  return {
    ...provider,
    search: (request: Parameters<SearchProvider["search"]>[0]) =>
      Effect.delay(provider.search(request), searchTakes)
  }
}

const settings = Layer.merge(plain, Layer.effect(Limits, Limits).pipe(Layer.provide(limits())))

const service = <E, R>(
  id: string,
  provider: SearchProvider,
  cache: Layer.Layer<QueryCache, E, R>
) =>
  useCases.pipe(Layer.provide(Layer.mergeAll(
    providers(provider),
    instance(id, false),
    settings,
    PlainEventStore.layer,
    PostgresServiceState.layer,
    cache,
    MemoryCredits.layer({}),
    MemoryReadModels.layer
  )))

/** All callers of one service; how many of them spent a search. */
const crowd = <E, R>(
  id: string,
  run: string,
  provider: SearchProvider,
  cache: Layer.Layer<QueryCache, E, R>,
  callersCount: number
) =>
  Effect.gen(function*() {
    const { ground } = yield* PublicApi
    return yield* Effect.forEach(
      Array.from({ length: callersCount }, (_, index) => index),
      (index) =>
        ground({
          session_id: `${run}-${id}-${index}`,
          topic: "How much is a tram ticket in Halvern?",
          phase: "mid_chat",
          user_asked_for_facts: true,
          overrides: { max_queries: 1, exclude_domains: [`q${index % questions}.${run}.example`] }
        }, caller),
      { concurrency: concurrentCalls }
    )
  }).pipe(Effect.provide(service(id, provider, cache), { local: true }))

const race = <E, R>(
  run: string,
  cache: Layer.Layer<QueryCache, E, R>,
  callersCount = callersEach
) => {
  const provider = upstream()
  return Effect.all(
    ["p1", "p2"].map((id) => crowd(id, run, provider, cache, callersCount)),
    { concurrency: "unbounded" }
  ).pipe(Effect.map((outcomes) => ({ provider, outcomes: outcomes.flat() })))
}

describe("callers of the same searches in two services", () => {
  it.layer(Database.layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect(
      `cause one search for each of ${questions} questions, ${2 * callersEach} of them`,
      () =>
        Effect.gen(function*() {
          const { outcomes, provider } = yield* race("led", PostgresQueryCache.layer)
          assert.strictEqual(outcomes.length, 2 * callersEach)
          assert.isTrue(outcomes.every(({ mode }) => mode === "snippets_only"))
          assert.strictEqual(provider.queries.length, questions)
          const spent = outcomes.filter(({ budget }) => budget.spent_by_request > 0)
          assert.strictEqual(spent.length, questions)
        }),
      1_200_000
    )
  })
})
