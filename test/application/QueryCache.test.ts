import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { Limits } from "../../src/application/ports/Limits.ts"
import { SearchFailed, type SearchProvider } from "../../src/application/ports/SearchProvider.ts"
import { useCases } from "../../src/wiring/layers.ts"
import {
  caller,
  instance,
  limits,
  plain,
  providers,
  scripted,
  slow,
  tramFares as answer
} from "../support/grounding.ts"
import * as MemoryCredits from "../support/memory/MemoryCredits.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryQueryCache from "../support/memory/MemoryQueryCache.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith } from "../support/sessionFacts.ts"
import { timePasses } from "../support/testTime.ts"

const ask = (
  session_id: string,
  { overrides, ...fields }: Record<string, unknown> & { readonly overrides?: object } = {},
  tenantId = "t"
) =>
  Effect.flatMap(PublicApi, (api) =>
    api.ground({
      session_id,
      request_id: "r",
      topic: "How much is a tram ticket in Halvern?",
      phase: "mid_chat",
      user_asked_for_facts: true,
      // One query each, so that searches can be counted.
      overrides: { max_queries: 1, ...overrides },
      ...fields
    }, { ...caller, tenantId }))

/** What all processes share, and one of them. */
const shared = Layer.mergeAll(
  plain,
  MemoryEventStore.layer,
  MemoryQueryCache.layer,
  MemoryCredits.layer({})
)

const settings = Layer.effect(Limits, Limits).pipe(
  Layer.provide(limits()),
  Layer.merge(MemoryReadModels.layer)
)

const processOf = (id: string, provider: SearchProvider) =>
  useCases.pipe(Layer.provide(Layer.mergeAll(providers(provider), instance(id, false), settings)))

const spent = ({ budget }: { readonly budget: { readonly spent_by_request: number } }) =>
  budget.spent_by_request

describe("the query cache", () => {
  it.effect("answers another session for free, until its time is up", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      assert.strictEqual(spent(yield* ask("s1")), 1)
      const second = yield* ask("s2")
      assert.strictEqual(spent(second), 0)
      assert.deepInclude(second.searches[0], { status: "success", hits_count: 3 })
      assert.isDefined(second.searches[0]?.cached_age_ms)
      yield* timePasses("80 hours")
      assert.strictEqual(spent(yield* ask("s3")), 1)
      assert.strictEqual(provider.queries.length, 2)
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })

  it.effect("keeps news and finance for a day", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      const news = { overrides: { topic: "news" } }
      yield* ask("s1", news)
      yield* timePasses("20 hours")
      assert.strictEqual(spent(yield* ask("s2", news)), 0)
      yield* timePasses("8 hours")
      assert.strictEqual(spent(yield* ask("s3", news)), 1)
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })

  it.effect("distinguishes what may be answered differently, and never crosses tenants", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      yield* ask("s1")
      const others = [
        ask("s2", { region: { country: "JP" } }),
        ask("s3", { overrides: { exclude_domains: ["a.example"] } }),
        ask("s4", { overrides: { search_depth: "advanced" } }),
        ask("s5", { locale: "ko" }),
        ask("s1", {}, "another tenant")
      ]
      for (const other of others) assert.strictEqual(spent(yield* other), 1)
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })

  it.effect("never lets what the sandbox made up answer for the web", () => {
    const made = scripted(answer)
    const real = scripted(answer)
    const mock: SearchProvider = { ...made, name: "mock" }
    return Effect.gen(function*() {
      yield* ask("s1").pipe(Effect.provide(processOf("p1", mock), { local: true }))
      yield* ask("s2").pipe(Effect.provide(processOf("p2", real), { local: true }))
      assert.strictEqual(made.queries.length, 1)
      assert.strictEqual(real.queries.length, 1)
    }).pipe(Effect.provide(shared))
  })

  it.effect("keeps no failure, and that nothing was found only briefly", () => {
    const failed = new SearchFailed({ provider: "tavily", status: "timeout" })
    const provider = scripted(failed, answerWith([]), answer)
    return Effect.gen(function*() {
      assert.strictEqual((yield* ask("s1")).searches[0]?.status, "timeout")
      assert.strictEqual((yield* ask("s2")).searches[0]?.status, "no_results")
      assert.strictEqual(spent(yield* ask("s3")), 0)
      yield* timePasses("12 minutes")
      assert.strictEqual((yield* ask("s4")).searches[0]?.status, "success")
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })

  it.effect("is used with its age when every provider fails, but not for ever", () => {
    const failed = new SearchFailed({ provider: "tavily", status: "network_error" })
    const provider = scripted(answer, failed)
    return Effect.gen(function*() {
      yield* ask("s1")
      yield* timePasses("100 hours")
      const stale = yield* ask("s2")
      assert.deepInclude(stale, { mode: "stale_cache", status: "stale" })
      assert.strictEqual(stale.searches[0]?.status, "network_error")
      assert.isAtLeast(stale.searches[0]?.stale_age_ms ?? 0, 100 * 3_600_000)
      assert.isAbove(stale.pack.confidence, 0)
      yield* timePasses("80 hours")
      assert.strictEqual((yield* ask("s3")).mode, "ungrounded")
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })

  it.effect("lets a session give its own answer again", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      const first = yield* ask("s1")
      const again = yield* ask("s1", { request_id: "r2" })
      assert.deepInclude(again, { reused_from_request_id: "r", pack: first.pack })
      assert.strictEqual(spent(again), 0)
      assert.strictEqual(provider.queries.length, 1)
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })
})

describe("callers of one query at the same time", () => {
  const many = process.env["WG_TEST_FULL"] === "1" ? 200 : 25

  it.effect("cause one search in two processes, and all are answered", () => {
    const provider = slow(scripted(answer), 500)
    return Effect.gen(function*() {
      const crowd = (id: string) =>
        Effect.forEach(Array.from({ length: many }), (_, index) => ask(`${id}-${index}`), {
          concurrency: "unbounded"
        }).pipe(Effect.provide(processOf(id, provider), { local: true }))
      const both = yield* Effect.forkChild(
        Effect.all([crowd("p1"), crowd("p2")], { concurrency: "unbounded" })
      )
      yield* Effect.forEach(Array.from({ length: 40 }), () => timePasses("100 millis"))
      const outcomes = (yield* Fiber.join(both)).flat()
      assert.strictEqual(outcomes.length, 2 * many)
      assert.isTrue(outcomes.every(({ mode }) => mode === "snippets_only"))
      assert.strictEqual(provider.queries.length, 1)
      assert.strictEqual(outcomes.filter((outcome) => spent(outcome) > 0).length, 1)
    }).pipe(Effect.provide(shared))
  })

  it.effect("wait no longer than their own deadline", () => {
    const provider = slow(scripted(answer), 4_000)
    return Effect.gen(function*() {
      const patient = yield* Effect.forkChild(ask("s1"))
      yield* timePasses("100 millis")
      const hasty = yield* Effect.forkChild(ask("s2", { deadline_ms: 1_000 }))
      yield* Effect.forEach(Array.from({ length: 11 }), () => timePasses("100 millis"))
      assert.strictEqual((yield* Fiber.join(hasty)).mode, "ungrounded")
      yield* Effect.forEach(Array.from({ length: 40 }), () => timePasses("100 millis"))
      assert.strictEqual((yield* Fiber.join(patient)).mode, "snippets_only")
    }).pipe(Effect.provide(processOf("p", provider)), Effect.provide(shared))
  })
})
