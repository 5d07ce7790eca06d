/**
 * Replicas whose clocks are an hour behind and a day ahead, on one PostgreSQL.
 *
 * Promise: rests of keys, expiries of calls and ages of kept answers are measured by the database's
 * clock.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { Limits } from "../../src/application/ports/Limits.ts"
import type { SearchProvider } from "../../src/application/ports/SearchProvider.ts"
import * as KeyRing from "../../src/application/steps/KeyRing.ts"
import { salt } from "../../src/infrastructure/Digest.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { attempt } from "../support/attempts.ts"
import {
  caller,
  instance,
  limits,
  plain,
  providers,
  scripted,
  tramFares as answer
} from "../support/grounding.ts"
import * as MemoryCredits from "../support/memory/MemoryCredits.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { PublicApi } from "../support/sent.ts"
import * as Database from "../support/testDatabase.ts"

const run = salt()
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const deadlineMs = 10_000
/** By how much the replicas' clocks are wrong. */
const shifts = [-hourMs, 24 * hourMs]

const shiftedBy = (ms: number) =>
  Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (real) => ({
      currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + ms,
      currentTimeMillis: Effect.map(real.currentTimeMillis, (now) => now + ms),
      currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe() + BigInt(ms) * 1_000_000n,
      currentTimeNanos: Effect.map(real.currentTimeNanos, (now) => now + BigInt(ms) * 1_000_000n),
      monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: real.monotonicTimeNanos,
      sleep: (duration) => real.sleep(duration)
    }))
  )

const honest = Layer.merge(PlainEventStore.layer, PostgresServiceState.layer)

type Store = typeof honest

/** How far the times of the log are from the machine's own clock, which is the database's, too. */
const fromNow = (iso: unknown) => Date.parse(String(iso)) - Date.now()

const cooledBy = Effect.fnUntraced(function*(shift: number, store: Store, key_slot: number) {
  const replica = (ms: number) =>
    Layer.provideMerge(KeyRing.layer, store).pipe(Layer.provideMerge(shiftedBy(ms)), Layer.fresh)
  yield* Effect.flatMap(
    KeyRing.KeyRing,
    ({ learn }) => learn(attempt({ key_slot, status: "rate_limited" }))
  ).pipe(Effect.provide(replica(shift)))
  const usedBy = yield* Effect.filter(
    [0, ...shifts],
    (ms) =>
      Effect.flatMap(KeyRing.KeyRing, ({ usable }) => usable("tavily", [key_slot])).pipe(
        Effect.map((ready) => ready.length > 0),
        Effect.provide(replica(ms))
      )
  )
  return { usedBy }
})

const settings = Layer.merge(plain, Layer.effect(Limits, Limits).pipe(Layer.provide(limits())))

const ask = (question: string, shift: number, store: Store, provider: SearchProvider) =>
  Effect.gen(function*() {
    const session_id = `${run}-${question}-${shift}`.replaceAll(" ", "-")
    const api = yield* PublicApi
    const outcome = yield* api.ground({
      session_id,
      request_id: "r",
      topic: "How much is a tram ticket in Halvern?",
      phase: "mid_chat",
      user_asked_for_facts: true,
      deadline_ms: deadlineMs,
      overrides: { max_queries: 1, exclude_domains: [`${question}.${run}.example`] }
    }, caller)
    const { read } = yield* EventStore
    const { events } = yield* read({ tenant_id: caller.tenantId, session_id })
    const started = events.find(({ type }) => type === "WEB_GROUNDING_CALL_STARTED")
    return {
      ageMs: outcome.searches[0]?.cached_age_ms,
      expiresInMs: started === undefined ? undefined : fromNow(Object(started.data).expires_at),
      recordedMs: fromNow(started?.recordedAt)
    }
  }).pipe(Effect.provide(
    Layer.provideMerge(
      useCases,
      Layer.mergeAll(
        providers(provider),
        instance(`p${shift}`, false),
        settings,
        store,
        PostgresQueryCache.layer,
        MemoryCredits.layer({}),
        MemoryReadModels.layer
      )
    ).pipe(Layer.provideMerge(shiftedBy(shift)), Layer.fresh)
  ))

describe("replicas whose clocks are wrong", () => {
  it.layer(Database.layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("let a key rest for as long as one another, and for no longer", () =>
      Effect.gen(function*() {
        for (const [index, shift] of shifts.entries()) {
          const { usedBy } = yield* cooledBy(shift, honest, 1 + index)
          assert.deepStrictEqual(usedBy, [])
        }
        const keys = yield* (yield* KeyRing.keyStates).rows()
        assert.lengthOf(keys, shifts.length)
        for (const { value } of keys) {
          const restMs = fromNow(value.until)
          assert.isAbove(restMs, 0.5 * minuteMs)
          assert.isBelow(restMs, 1.5 * minuteMs)
        }
      }).pipe(Effect.provide(honest)))
  })

  // A database where no key rests.
  it.layer(Database.layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("let a call expire within its deadline", () =>
      Effect.gen(function*() {
        for (const shift of shifts) {
          const question = `expires ${shift}`.replaceAll(/[^a-z0-9]/g, "")
          const { expiresInMs = 0, recordedMs } = yield* ask(
            question,
            shift,
            honest,
            scripted(answer)
          )
          assert.isAbove(expiresInMs, 0)
          assert.isAtMost(expiresInMs, deadlineMs)
          assert.isBelow(Math.abs(recordedMs), deadlineMs)
        }
      }))

    /** The age that a replica a day ahead sees of what one an hour behind has just kept. */
    const ageSeen = Effect.fnUntraced(function*(question: string, store: Store) {
      yield* ask(question, -hourMs, store, scripted(answer))
      const { ageMs } = yield* ask(question, 24 * hourMs, store, scripted(answer))
      return ageMs ?? Infinity
    })

    it.effect("see the same age of a kept answer", () =>
      Effect.gen(function*() {
        assert.isBelow(yield* ageSeen("age", honest), minuteMs)
      }))
  })
})
