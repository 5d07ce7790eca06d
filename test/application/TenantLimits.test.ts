/**
 * A tenant whose limits are used up: in the middle of a grounding, before one, and next to another
 * tenant's calls.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { askUnknown } from "../../src/adapters/cli/Wiring.ts"
import * as Admission from "../../src/application/Admission.ts"
import * as ServiceCalls from "../../src/application/operations/ServiceCalls.ts"
import { EngineFailed } from "../../src/application/ports/Engines.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { UsageMeter } from "../../src/application/ports/Limits.ts"
import { TenantLimits } from "../../src/application/sharing/TenantLimits.ts"
import { LimitReached } from "../../src/contract/PublicFailure.ts"
import { allScopes } from "../../src/domain/access/AccessToken.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { useCasesWith } from "../../src/wiring/layers.ts"
import { caller, inMemory, instance, limits, providers, scripted } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { replays } from "../support/recordedSession.ts"
import { PublicApi } from "../support/sent.ts"
import { behind } from "../support/service.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const found = answerWith([
  hit("https://ferry.example/", { content: "The Marrow ferry leaves at noon." })
])

const question = {
  session_id: "s",
  request_id: "r",
  topic: "When does the Marrow ferry leave?",
  phase: "mid_chat",
  user_asked_for_facts: true,
  overrides: { queries: ["Marrow ferry", "Marrow ferry timetable"] }
}

/** A tenant with so many searches left. */
const granting = (searches: number) => {
  let left = searches
  return Layer.succeed(TenantLimits, {
    concurrencyMax: 0,
    enter: () => Effect.void,
    takeSearch: () => Effect.sync(() => left-- > 0),
    hasCostLeft: () => Effect.succeed(true),
    addCost: () => Effect.void
  })
}

const grounding = Effect.gen(function*() {
  const api = yield* PublicApi
  const outcome = yield* api.ground(question, caller)
  yield* replays()
  const { events } = yield* Effect.flatMap(
    EventStore,
    ({ read }) => read({ tenant_id: "t", session_id: "s" })
  )
  return { outcome, types: events.map(({ type }) => type) }
})

describe("a grounding of a tenant with few searches left", () => {
  it.effect("answers with what the last of them found", () => {
    const provider = scripted(found)
    return Effect.gen(function*() {
      const { outcome, types } = yield* grounding
      assert.lengthOf(provider.queries, 1)
      assert.include(types, "WEB_GROUNDING_SEARCH_STOPPED")
      assert.strictEqual(outcome.status, "success")
      assert.include(outcome.evidence_block, "leaves at noon")
    }).pipe(Effect.provide(inMemory(providers(provider), { tenantLimits: granting(1) })))
  })

  it.effect("says that nothing was looked up when none is left, and fails no request", () => {
    const provider = scripted(found)
    return Effect.gen(function*() {
      const { outcome, types } = yield* grounding
      assert.lengthOf(provider.queries, 0)
      assert.notInclude(types, "WEB_GROUNDING_CALL_STARTED")
      assert.deepInclude(outcome, {
        mode: "ungrounded",
        status: "quota_exhausted",
        reason: "budget_exhausted"
      })
      assert.match(outcome.llm_context, /^\[Not searched\] No search is left/)
    }).pipe(Effect.provide(inMemory(providers(provider), { tenantLimits: granting(0) })))
  })
})

describe("what models cost a tenant", () => {
  const usage = (cost_micros: number) => ({ model: "m", requests: 1, cost_micros })
  const charging = (cost_micros: number) =>
    Effect.flatMap(UsageMeter, (charge) => charge(usage(cost_micros)))
  const info = { engine: "model", version: "1" }
  // What failed was paid all the same.
  const engines = Engines.layer({
    ranker: [{
      info,
      ask: () =>
        Effect.andThen(charging(70), new EngineFailed({ engine: "model", reason: "refused" }))
    }],
    writer: [{
      info,
      ask: () =>
        Effect.andThen(charging(5), new EngineFailed({ engine: "model", reason: "malformed" }))
    }]
  })

  it.effect("uses local engines instead of models once it is used up", () => {
    const asked: Array<string> = []
    const models = Engines.layer({
      writer: [{
        info,
        ask: () =>
          Effect.suspend(() => {
            asked.push("writer")
            return Effect.fail(new EngineFailed({ engine: "model", reason: "refused" }))
          })
      }]
    })
    const spent = Layer.succeed(TenantLimits, {
      concurrencyMax: 0,
      enter: () => Effect.void,
      takeSearch: () => Effect.succeed(true),
      hasCostLeft: () => Effect.succeed(false),
      addCost: () => Effect.void
    })
    return Effect.gen(function*() {
      const { outcome } = yield* grounding
      assert.deepStrictEqual(asked, [])
      assert.deepStrictEqual(outcome.rungs["writer"]?.faults, [])
      assert.include(outcome.evidence_block, "leaves at noon")
    }).pipe(
      Effect.provide(
        useCasesWith(models).pipe(
          Layer.provide(spent),
          Layer.provideMerge(
            Layer.mergeAll(
              providers(scripted(found)),
              MemoryEventStore.layer,
              instance("p1"),
              limits()
            )
          )
        )
      )
    )
  })

  it.effect("is counted once, whatever came of it, and not when it is asked again", () => {
    const spent: Array<readonly [string, number]> = []
    const counting = Layer.succeed(TenantLimits, {
      concurrencyMax: 0,
      enter: () => Effect.void,
      takeSearch: () => Effect.succeed(true),
      hasCostLeft: () => Effect.succeed(true),
      addCost: (tenantId, costMicros) =>
        Effect.sync(() => void (costMicros > 0 && spent.push([tenantId, costMicros])))
    })
    return Effect.gen(function*() {
      yield* grounding
      yield* grounding
      assert.deepStrictEqual(spent, [["t", 70], ["t", 5]])
    }).pipe(
      Effect.provide(
        useCasesWith(engines).pipe(
          Layer.provide(counting),
          Layer.provideMerge(
            Layer.mergeAll(
              providers(scripted(found)),
              MemoryEventStore.layer,
              instance("p1"),
              limits()
            )
          )
        )
      )
    )
  })
})

describe("a tenant's calls", () => {
  const calling = (tenantId: string, session_id: string) =>
    Effect.flatMap(ServiceCalls.ServiceCalls, ({ askedBy }) =>
      askUnknown(
        askedBy({ tenantId, actor: "test", scopes: allScopes }),
        "Ground",
        { ...question, session_id }
      ))

  const limited = (limits: Layer.Layer<TenantLimits>, provider = scripted("hangs")) =>
    ServiceCalls.layer().pipe(
      Layer.provide(Admission.layer({ grounding: 8, read: 8, health: 1, document: 1 })),
      Layer.provide(limits),
      Layer.provideMerge(behind(provider))
    )

  it.effect("are answered again whatever is left, where they were answered", () => {
    let left = 1
    const provider = scripted(found)
    return Effect.gen(function*() {
      const first = yield* calling("shop", "s1")
      assert.deepStrictEqual(yield* calling("shop", "s1"), first)
      const refused = yield* Effect.flip(calling("shop", "s2"))
      assert.deepInclude(refused, { _tag: "LimitReached", limit: "requests_per_minute" })
      const others = yield* Effect.flip(calling("bank", "s1"))
      assert.strictEqual(others._tag, "LimitReached")
      assert.lengthOf(provider.queries, 2)
    }).pipe(Effect.provide(limited(
      Layer.succeed(TenantLimits, {
        concurrencyMax: 0,
        enter: () =>
          Effect.suspend(() =>
            left-- > 0
              ? Effect.void
              : Effect.fail(
                new LimitReached({ limit: "requests_per_minute", retry_after_ms: 4_000 })
              )
          ),
        takeSearch: () => Effect.succeed(true),
        hasCostLeft: () => Effect.succeed(true),
        addCost: () => Effect.void
      }),
      provider
    )))
  })

  it.effect("are refused one by one when too many run, and no other tenant's are", () =>
    Effect.gen(function*() {
      const running = yield* Effect.forkChild(calling("shop", "s1"), { startImmediately: true })
      yield* Effect.yieldNow
      const failure = yield* Effect.flip(calling("shop", "s2"))
      assert.deepInclude(failure, { _tag: "LimitReached", limit: "concurrency" })
      const other = yield* Effect.forkChild(calling("bank", "s1"), { startImmediately: true })
      yield* Effect.yieldNow
      assert.isUndefined(other.pollUnsafe())
      yield* Fiber.interrupt(running)
      const next = yield* Effect.forkChild(calling("shop", "s3"), { startImmediately: true })
      yield* Effect.yieldNow
      assert.isUndefined(next.pollUnsafe())
      yield* Fiber.interruptAll([other, next])
    }).pipe(Effect.provide(limited(Layer.succeed(TenantLimits, {
      concurrencyMax: 1,
      enter: () => Effect.void,
      takeSearch: () => Effect.succeed(true),
      hasCostLeft: () => Effect.succeed(true),
      addCost: () => Effect.void
    })))))

  it.effect("are refused before anything is done when a limit is used up; reads are not", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(calling("shop", "s1"))
      assert.deepInclude(failure, { _tag: "LimitReached", retry_after_ms: 4_000 })
      const { askedBy } = yield* ServiceCalls.ServiceCalls
      const read = yield* Effect.flip(
        askedBy({ ...caller, scopes: allScopes }).GetSession({ session_id: "s1" })
      )
      assert.strictEqual(read._tag, "SessionNotFound")
    }).pipe(Effect.provide(limited(Layer.succeed(TenantLimits, {
      concurrencyMax: 0,
      enter: () =>
        Effect.fail(new LimitReached({ limit: "searches_per_day", retry_after_ms: 4_000 })),
      takeSearch: () => Effect.succeed(true),
      hasCostLeft: () => Effect.succeed(true),
      addCost: () => Effect.void
    })))))
})
