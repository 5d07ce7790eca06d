/** What is built anew from the log, beside events that are late, spoilt or long past. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { TestClock } from "effect/testing"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { QueryCache } from "../../src/application/ports/QueryCache.ts"
import * as Projection from "../../src/application/projections/Projection.ts"
import * as RebuildModels from "../../src/application/projections/RebuildModels.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import { append, calledWith, strange } from "../support/attempts.ts"
import { instance } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryQueryCache from "../support/memory/MemoryQueryCache.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import { catchUp, shown, Tally } from "../support/projections.ts"
import { called, hit } from "../support/sessionFacts.ts"

const tally = Projection.consumer(Tally({ name: "tally" }))
const quietly = Effect.provideService(References.MinimumLogLevel, "None")

const kept = Layer.mergeAll(
  MemoryEventStore.layer,
  MemoryQueryCache.layer,
  MemoryReadModels.layer,
  instance("a")
)
const layer = RebuildModels.layer([tally]).pipe(Layer.provideMerge(kept))

const rebuilt = Effect.flatMap(RebuildModels.RebuildModels, ({ rebuild }) => rebuild("default"))

const appended = (count: number) =>
  Effect.flatMap(
    Effect.forEach(Array.from({ length: count }), () => calledWith()),
    (events) => append("s", events)
  )

describe("a read model that is built anew", () => {
  it.effect("counts nothing that it has not come to yet", () =>
    Effect.gen(function*() {
      yield* appended(3)
      yield* catchUp("a", tally)
      yield* appended(2)
      const before = yield* shown("tally")
      assert.deepInclude((yield* rebuilt)[0], { model: "tally", corrected: 0 })
      assert.deepStrictEqual(yield* shown("tally"), before)
      yield* catchUp("a", tally)
      assert.strictEqual(Object((yield* shown("tally")).rows["all"]).count, 5)
    }).pipe(Effect.provide(layer)))

  it.live("passes the events that were set aside, and no other", () =>
    Effect.gen(function*() {
      yield* appended(3)
      yield* append("s", [strange("WEB_GROUNDING_CALLED", { of: "another shape" })])
      yield* appended(3)
      yield* catchUp("a", tally)
      const before = yield* shown("tally")
      assert.strictEqual(Object(before.rows["all"]).count, 6)
      assert.deepInclude((yield* rebuilt)[0], { model: "tally", corrected: 0 })
      assert.deepStrictEqual(yield* shown("tally"), before)
    }).pipe(Effect.provide(layer), quietly))
})

describe("a query cache that is built anew", () => {
  const dayMs = 24 * 3_600_000
  /** A search with this key, in a session of its own; the id of its event. */
  const searched = (session_id: string, key: string) =>
    Effect.gen(function*() {
      const store = yield* EventStore
      const fact = called(0, [hit("https://a.example/")], { cache: { key, fresh_ms: dayMs } })
      const metadata = { correlation_id: "r", causation_id: "c", actor: "test" }
      const event = yield* SessionLog.codec.encode(fact, uuidv7(yield* store.now), metadata)
      const { head } = yield* store.read({ tenant_id: "default", session_id })
      yield* store.append(head, [event])
      return event.eventId
    })
  const found = (key: string) =>
    Effect.flatMap(QueryCache, ({ find }) => find({ tenantId: "default", key }))

  it.effect("holds the newest search of each key, whichever session made it", () =>
    Effect.gen(function*() {
      yield* searched("first", "one")
      yield* TestClock.adjust("1 hour")
      const other = yield* searched("second", "two")
      const newer = yield* searched("second", "one")
      assert.deepInclude((yield* rebuilt).at(-1), { rows: 2, corrected: 2 })
      assert.strictEqual((yield* found("one"))?.event_id, newer)
      assert.strictEqual((yield* found("two"))?.event_id, other)
      // A session that was begun earlier searches last.
      yield* TestClock.adjust("1 hour")
      const newest = yield* searched("first", "one")
      yield* rebuilt
      assert.strictEqual((yield* found("one"))?.event_id, newest)
    }).pipe(Effect.provide(layer)))

  it.effect("holds no search that may not be given again, not even in an outage", () =>
    Effect.gen(function*() {
      yield* searched("first", "one")
      yield* TestClock.adjust("7 days")
      assert.deepInclude((yield* rebuilt).at(-1), { rows: 1, corrected: 1 })
      yield* searched("second", "two")
      yield* TestClock.adjust("7 days")
      assert.deepInclude((yield* rebuilt).at(-1), { rows: 1, corrected: 1 })
      assert.isDefined(yield* found("two"))
    }).pipe(Effect.provide(layer)))
})
