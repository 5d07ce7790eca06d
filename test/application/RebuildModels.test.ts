/** Rebuilding, with events that are late, spoilt or long past. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, References, type Schema } from "effect"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { ReadModels } from "../../src/application/ports/ReadModels.ts"
import { QueryCache } from "../../src/application/ports/SearchProvider.ts"
import * as Projection from "../../src/application/projections/Projection.ts"
import * as RebuildModels from "../../src/application/projections/RebuildModels.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import { append, calledWith, strange } from "../support/attempts.ts"
import { changed, instance, plain } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryQueryCache from "../support/memory/MemoryQueryCache.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import { catchUp, shown, Tally } from "../support/projections.ts"
import { called, hit } from "../support/sessionFacts.ts"
import { timePasses } from "../support/testTime.ts"

const tally = Projection.consumer(Tally({ name: "tally" }))
const quietly = Effect.provideService(References.MinimumLogLevel, "None")

const kept = Layer.mergeAll(
  plain,
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

const id = { model: "tally", version: 1 }
const wrong = { count: 99, last: "0", version: 1 }

/** Puts a row in the place of the sound ones. */
const spoil = (...rows: ReadonlyArray<readonly [string, Schema.Json]>) =>
  Effect.flatMap(
    ReadModels,
    ({ correct }) => correct(id, [], () => Effect.succeed(new Map(rows)))
  )

/** The rebuild over read models of which `correct` is another. */
const rebuiltOver = (
  correct: (real: ReadModels["Service"]) => ReadModels["Service"]["correct"]
) =>
  rebuilt.pipe(
    Effect.provide(
      RebuildModels.layer([tally]).pipe(
        Layer.provide(
          Layer.effect(
            ReadModels,
            Effect.map(ReadModels, (real) => ({ ...real, correct: correct(real) }))
          )
        )
      ),
      { local: true }
    )
  )

/** Folds what was appended, between a comparison and its correction. */
const foldedBetween = (times: number) => {
  let left = times
  return Effect.suspend(() => {
    if (left-- <= 0) return Effect.void
    return Effect.andThen(Effect.orDie(appended(1)), Effect.orDie(catchUp("keeper", tally)))
  })
}

describe("a read model that is put right while it is kept", () => {
  it.effect("loses nothing that its keeper folds meanwhile", () =>
    Effect.gen(function*() {
      yield* appended(3)
      yield* catchUp("keeper", tally)
      yield* spoil(["all", wrong], ["odd", wrong])
      const services = yield* Effect.context<EventStore | ReadModels>()
      const between = foldedBetween(1)
      const [found] = yield* rebuiltOver((real) => (...asked) =>
        Effect.andThen(Effect.provide(between, services), real.correct(...asked))
      )
      assert.deepInclude(found, { corrected: 2, rows: 2 })
      const { rows } = yield* shown("tally")
      assert.strictEqual(Object(rows["all"]).count, 4)
      assert.notProperty(rows, "odd")
    }).pipe(Effect.provide(layer)))

  it.effect("says so where the rows change each time that they are compared", () =>
    Effect.gen(function*() {
      yield* appended(1)
      yield* catchUp("keeper", tally)
      yield* spoil(["all", wrong], ["odd", wrong])
      const services = yield* Effect.context<EventStore | ReadModels>()
      const between = foldedBetween(100)
      const [found] = yield* rebuiltOver((real) => (...asked) =>
        Effect.andThen(Effect.provide(between, services), real.correct(...asked))
      )
      assert.deepInclude(found, { corrected: 1, passed: "moving" })
    }).pipe(Effect.provide(layer)))

  it.effect("stays as it was when the call is cut off half-way", () =>
    Effect.gen(function*() {
      yield* appended(3)
      yield* catchUp("keeper", tally)
      yield* spoil(["all", wrong], ["odd", wrong])
      const before = yield* shown("tally")
      const reached = yield* Deferred.make<void>()
      const cutOff = yield* Effect.forkChild(rebuiltOver((real) => (asked, keys, fold) =>
        real.correct(asked, keys, (rows) =>
          Effect.andThen(
            fold(rows),
            Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
          ))
      ))
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(cutOff)
      assert.deepStrictEqual(yield* shown("tally"), before)
      assert.deepInclude((yield* rebuilt)[0], { corrected: 2 })
    }).pipe(Effect.provide(layer)))

  it.effect("is looked at by one call at a time, and the other gets to know it", () =>
    Effect.gen(function*() {
      yield* appended(3)
      yield* catchUp("keeper", tally)
      yield* spoil(["all", wrong])
      const reached = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const both = Effect.gen(function*() {
        const first = yield* Effect.forkChild(rebuilt)
        yield* Deferred.await(reached)
        const second = yield* rebuilt
        yield* Deferred.succeed(goOn, undefined)
        return [yield* Fiber.join(first), second] as const
      })
      const waiting = changed(ReadModels, (real) => ({
        correct: (asked, keys, fold) =>
          Effect.andThen(
            Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(goOn)),
            real.correct(asked, keys, fold)
          )
      }))
      const [first, second] = yield* both.pipe(
        Effect.provide(RebuildModels.layer([tally]).pipe(Layer.provide(waiting)), { local: true })
      )
      assert.deepInclude(first[0], { corrected: 1 })
      assert.deepStrictEqual(second, [
        { model: "tally", rows: 0, corrected: 0, passed: "under_way" }
      ])
      // The place is free again.
      assert.deepInclude((yield* rebuilt)[0], { rows: 2, corrected: 0 })
    }).pipe(Effect.provide(layer)))

  it.effect("is passed by while it is halted, or another version is the one that is read", () =>
    Effect.gen(function*() {
      const { acquire, halt } = yield* ReadModels
      yield* appended(1)
      yield* catchUp("keeper", tally)
      const newer = Projection.consumer(Tally({ name: "tally", version: 2 }))
      yield* acquire({ model: "tally", version: 2 }, "keeper")
      const all = yield* rebuilt.pipe(Effect.provide(RebuildModels.layer([newer]), { local: true }))
      assert.deepInclude(all[0], { passed: "rebuilding", corrected: 0 })
      yield* halt(yield* acquire(id, "keeper"), "no more")
      assert.deepInclude((yield* rebuilt)[0], { passed: "halted", corrected: 0 })
    }).pipe(Effect.provide(layer)))
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
      yield* timePasses("1 hour")
      const other = yield* searched("second", "two")
      const newer = yield* searched("second", "one")
      assert.deepInclude((yield* rebuilt).at(-1), { rows: 2, corrected: 2 })
      assert.strictEqual((yield* found("one"))?.event_id, newer)
      assert.strictEqual((yield* found("two"))?.event_id, other)
      // A session that was begun earlier searches last.
      yield* timePasses("1 hour")
      const newest = yield* searched("first", "one")
      yield* rebuilt
      assert.strictEqual((yield* found("one"))?.event_id, newest)
    }).pipe(Effect.provide(layer)))

  it.effect("holds no search that may not be given again, not even in an outage", () =>
    Effect.gen(function*() {
      yield* searched("first", "one")
      yield* timePasses("7 days")
      assert.deepInclude((yield* rebuilt).at(-1), { rows: 1, corrected: 1 })
      yield* searched("second", "two")
      yield* timePasses("7 days")
      assert.deepInclude((yield* rebuilt).at(-1), { rows: 1, corrected: 1 })
      assert.isDefined(yield* found("two"))
    }).pipe(Effect.provide(layer)))
})
