/** What the ring of keys learns of an attempt, and what it does without a store. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { EventStoreUnavailable } from "../../src/application/ports/EventStore.ts"
import { ServiceState } from "../../src/application/ports/ServiceState.ts"
import * as KeyRing from "../../src/application/steps/KeyRing.ts"
import type { SearchAttempt } from "../../src/domain/search/SearchStatus.ts"
import { attempt } from "../support/attempts.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"

const slots = [1, 2]
const ring = KeyRing.layer.pipe(Layer.provideMerge(MemoryEventStore.layer))
const away = Effect.fail(new EventStoreUnavailable({ operation: "log", cause: "away" }))

const keysKept = Effect.flatMap(
  KeyRing.keyStates,
  ({ rows }) => Effect.map(rows(), (all) => all.map(({ value }) => value))
)

const learned = (...attempts: ReadonlyArray<Partial<SearchAttempt>>) =>
  Effect.gen(function*() {
    const { learn, usable } = yield* KeyRing.KeyRing
    for (const fields of attempts) yield* learn(attempt(fields))
    const usableNow = yield* usable("tavily", slots)
    return { states: yield* keysKept, usable: usableNow.toSorted() }
  }).pipe(Effect.provide(Layer.fresh(ring)))

/** A process with a ring of its own over the same store. */
const process = Effect.map(
  Layer.build(Layer.fresh(KeyRing.layer)),
  (built) => Context.get(built, KeyRing.KeyRing)
)

describe("the ring of keys", () => {
  it.effect.each(
    ["timeout", "network_error", "unknown_error", "bad_request", "circuit_open"] as const
  )("does not blame a key for %s", (status) =>
    Effect.gen(function*() {
      const { states, usable } = yield* learned({ status })
      assert.deepStrictEqual(states.map(({ state }) => state), ["usable"])
      assert.deepStrictEqual(usable, slots)
    }))

  it.effect.each(
    [
      ["rate_limited", "cooling"],
      ["quota_exhausted", "cooling"],
      ["invalid_key", "disabled"]
    ] as const
  )("uses a key no more that was refused as %s", ([status, expected]) =>
    Effect.gen(function*() {
      const { states, usable } = yield* learned({ status })
      assert.deepStrictEqual(states.map(({ state }) => state), [expected])
      assert.deepStrictEqual(usable, [2])
    }))

  it.effect("rests a key for as long as its provider said", () =>
    Effect.gen(function*() {
      const { states: [key] } = yield* learned({ status: "rate_limited", retry_after_ms: 600_000 })
      assert.isAtLeast(Date.parse(key?.until ?? "") - Date.parse(key?.since ?? ""), 600_000)
    }))

  it.effect("learns nothing of a provider without keys", () =>
    Effect.gen(function*() {
      const { learn } = yield* KeyRing.KeyRing
      const { key_slot: _, ...keyless } = attempt({ status: "rate_limited" })
      yield* learn(keyless)
      assert.lengthOf(yield* keysKept, 0)
    }).pipe(Effect.provide(Layer.fresh(ring))))

  it.effect("asks for nothing when an attempt changes nothing, and once for each search", () =>
    Effect.gen(function*() {
      const state = yield* ServiceState
      let asked = 0
      const counted = Layer.succeed(ServiceState, {
        rows: (kind, page) =>
          Effect.suspend(() => {
            asked += 1
            return state.rows(kind, page)
          }),
        put: state.put
      })
      yield* Effect.gen(function*() {
        const { learn, usable } = yield* KeyRing.KeyRing
        yield* learn(attempt({ key_slot: 1 }))
        asked = 0
        for (let search = 0; search < 5; search++) {
          yield* usable("tavily", slots)
          yield* learn(attempt({ key_slot: 1 }))
        }
      }).pipe(
        Effect.provide(Layer.fresh(KeyRing.layer).pipe(Layer.provide(counted)), { local: true })
      )
      assert.strictEqual(asked, 5)
    }).pipe(Effect.provide(Layer.fresh(MemoryEventStore.layer))))

  it.effect("sees what another process learnt, and outlives both", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* process, yield* process]
      assert.sameMembers([...yield* other.usable("tavily", slots)], slots)
      yield* one.learn(attempt({ status: "rate_limited" }))
      assert.deepStrictEqual(yield* other.usable("tavily", slots), [2])
      assert.deepStrictEqual(yield* (yield* process).usable("tavily", slots), [2])
      // A call that was under way when the key was refused brings it back for neither.
      yield* other.learn(attempt({ status: "success" }))
      assert.deepStrictEqual(yield* one.usable("tavily", slots), [2])
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(MemoryEventStore.layer))))

  it.effect("lets every key be used while the store is away, and fails no search", () => {
    const log = Layer.merge(
      MemoryEventStore.layer,
      Layer.succeed(ServiceState, { rows: () => away, put: () => away })
    )
    return Effect.gen(function*() {
      const { learn, loaded, usable } = yield* KeyRing.KeyRing
      yield* loaded("tavily", slots)
      yield* learn(attempt({ status: "invalid_key" }))
      assert.sameMembers([...yield* usable("tavily", slots)], slots)
    }).pipe(Effect.provide(KeyRing.layer.pipe(Layer.provide(log))))
  })

  it.effect("tries a disabled key again after a start", () =>
    Effect.gen(function*() {
      const { learn, loaded, usable } = yield* KeyRing.KeyRing
      yield* learn(attempt({ status: "invalid_key" }))
      assert.deepStrictEqual(yield* usable("tavily", slots), [2])
      yield* loaded("tavily", slots)
      assert.sameMembers([...yield* usable("tavily", slots)], slots)
    }).pipe(Effect.provide(Layer.fresh(ring))))
})
