/** A missing key is told to one caller, whoever asks and however many processes there are. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as HealthNotes from "../../src/application/health/HealthNotes.ts"
import { EventStore, EventStoreUnavailable } from "../../src/application/ports/EventStore.ts"
import { ids } from "../../src/wiring/Storage.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"

const key = { provider: "tavily", key_slot: 1, since: "2026-01-01T09:00:00.000Z" } as const
const later = "2026-01-02T09:00:00.000Z"

type Notes = HealthNotes.HealthNotes["Service"]

/** One more process over the same log. */
const process = Effect.map(
  Layer.build(Layer.fresh(HealthNotes.layer)),
  (built) => Context.get(built, HealthNotes.HealthNotes)
)

/** Of callers of several processes that ask at once, how many hear of it. */
const heardBy = (processes: ReadonlyArray<Notes>) =>
  Effect.map(
    Effect.forEach(
      processes.flatMap((notes) => Array.from({ length: 4 }, () => notes)),
      ({ isFirstToHear }) => isFirstToHear(key),
      { concurrency: "unbounded" }
    ),
    (heard) => heard.filter((first) => first).length
  )

const withLog = Effect.provide(Layer.fresh(Layer.merge(MemoryEventStore.layer, ids)))

describe("what the service remembers of its health", () => {
  it.live("tells one of many that ask at once, and nobody after a restart", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* heardBy([yield* process, yield* process, yield* process]), 1)
      assert.strictEqual(yield* heardBy([yield* process]), 0)
    }).pipe(Effect.scoped, withLog))

  it.live("tells again of a key that was there in between, and of another key", () =>
    Effect.gen(function*() {
      const { isFirstToHear } = yield* process
      assert.isTrue(yield* isFirstToHear(key))
      assert.isFalse(yield* isFirstToHear(key))
      assert.isTrue(yield* isFirstToHear({ ...key, since: later }))
      assert.isFalse(yield* isFirstToHear({ ...key, since: later }))
      assert.isTrue(yield* isFirstToHear({ ...key, key_slot: 2 }))
      assert.isTrue(yield* isFirstToHear({ ...key, provider: "serpapi" }))
    }).pipe(Effect.scoped, withLog))

  it.effect("tells everyone while the log is away", () => {
    const away = () => Effect.fail(new EventStoreUnavailable({ operation: "log", cause: "away" }))
    const log = Layer.effect(
      EventStore,
      Effect.map(EventStore, (store) => EventStore.of({ ...store, read: away, append: away }))
    ).pipe(Layer.provide(MemoryEventStore.layer))
    return Effect.gen(function*() {
      const { isFirstToHear, measuredAtMs } = yield* process
      assert.isTrue(yield* isFirstToHear(key))
      assert.isTrue(yield* isFirstToHear(key))
      assert.strictEqual(yield* measuredAtMs("tavily", 1), 0)
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(log, ids)))
  })
})
