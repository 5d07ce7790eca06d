/** What the ring of keys learns of an attempt, and what it does without a log. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { EventStore, EventStoreUnavailable } from "../../src/application/ports/EventStore.ts"
import * as KeyRing from "../../src/application/steps/KeyRing.ts"
import type { SearchAttempt } from "../../src/domain/search/SearchStatus.ts"
import { ids } from "../../src/wiring/Storage.ts"
import { attempt } from "../support/attempts.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"

const slots = [1, 2]
const away = Effect.fail(new EventStoreUnavailable({ operation: "log", cause: "away" }))

const learned = (...attempts: ReadonlyArray<Partial<SearchAttempt>>) =>
  Effect.gen(function*() {
    const { learn, usable } = yield* KeyRing.KeyRing
    for (const fields of attempts) yield* learn(attempt(fields))
    const { read } = yield* EventStore
    const { events } = yield* read({ tenant_id: "_service", session_id: "keys-tavily" })
    const usableNow = yield* usable("tavily", slots)
    return { facts: events.map(({ type }) => type), usable: usableNow.toSorted(), events }
  }).pipe(Effect.provide(
    Layer.provideMerge(KeyRing.layer, Layer.fresh(Layer.merge(MemoryEventStore.layer, ids)))
  ))

describe("the ring of keys", () => {
  it.effect.each(
    ["timeout", "network_error", "unknown_error", "bad_request", "circuit_open"] as const
  )("does not blame a key for %s", (status) =>
    Effect.gen(function*() {
      assert.deepInclude(yield* learned({ status }), { facts: [], usable: slots })
    }))

  it.effect.each(
    [
      ["rate_limited", "WEB_GROUNDING_KEY_COOLED_DOWN"],
      ["quota_exhausted", "WEB_GROUNDING_KEY_COOLED_DOWN"],
      ["invalid_key", "WEB_GROUNDING_KEY_DISABLED"]
    ] as const
  )("uses a key no more that was refused as %s", ([status, fact]) =>
    Effect.gen(function*() {
      assert.deepInclude(yield* learned({ status }), { facts: [fact], usable: [2] })
    }))

  it.effect("rests a key for as long as its provider said", () =>
    Effect.gen(function*() {
      const { events: [event] } = yield* learned({
        status: "rate_limited",
        retry_after_ms: 600_000
      })
      const { at, until } = Object(event?.data)
      assert.isAtLeast(Date.parse(until) - Date.parse(at), 600_000)
    }))

  it.effect("learns nothing of a provider without keys", () =>
    Effect.gen(function*() {
      const { learn } = yield* KeyRing.KeyRing
      const { key_slot: _, ...keyless } = attempt({ status: "rate_limited" })
      yield* learn(keyless)
      const { streams } = yield* EventStore
      assert.lengthOf(yield* streams("_service", 10), 0)
    }).pipe(Effect.provide(
      Layer.provideMerge(KeyRing.layer, Layer.merge(MemoryEventStore.layer, ids))
    )))

  it.effect("lets every key be used while the log is away, and fails nobody's search", () => {
    const log = Layer.effect(
      EventStore,
      Effect.map(
        EventStore,
        (store) => EventStore.of({ ...store, read: () => away, append: () => away })
      )
    ).pipe(Layer.provide(MemoryEventStore.layer))
    return Effect.gen(function*() {
      const { learn, loaded, usable } = yield* KeyRing.KeyRing
      yield* loaded("tavily", slots)
      yield* learn(attempt({ status: "invalid_key" }))
      assert.sameMembers([...yield* usable("tavily", slots)], slots)
    }).pipe(Effect.provide(KeyRing.layer.pipe(Layer.provide(Layer.merge(log, ids)))))
  })

  it.effect("tries a disabled key again after a start", () =>
    Effect.gen(function*() {
      const { learn, loaded, usable } = yield* KeyRing.KeyRing
      yield* learn(attempt({ status: "invalid_key" }))
      assert.deepStrictEqual(yield* usable("tavily", slots), [2])
      yield* loaded("tavily", slots)
      assert.sameMembers([...yield* usable("tavily", slots)], slots)
    }).pipe(Effect.provide(
      Layer.provideMerge(KeyRing.layer, Layer.merge(MemoryEventStore.layer, ids))
    )))
})
