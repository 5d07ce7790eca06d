/**
 * What a search costs as the stream of key facts grows: events read from the log, not time.
 *
 * Promise: a search reads no more of a long stream than of a short one, and a report that changes
 * nothing reads nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Ref } from "effect"
import * as EventCodec from "../../src/application/log/EventCodec.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import * as KeyRing from "../../src/application/steps/KeyRing.ts"
import { KeyCooledDown, KeyPoolEvent, KeyRecovered } from "../../src/domain/search/KeyPoolEvent.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import { ids } from "../../src/wiring/Storage.ts"
import { attempt } from "../support/attempts.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { timePasses } from "../support/testTime.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const eventsMany = full ? 40_000 : 4_000
const eventsFew = 10
const searches = 5

const ref = { tenant_id: "_service", session_id: "keys-tavily" }
const slots = [1, 2]
const codec = EventCodec.make(KeyPoolEvent)
const metadata = { correlation_id: "keys-tavily", causation_id: "c", actor: "test" }
const past = "2026-01-01T00:00:00.000Z"
const farAway = "2100-01-01T00:00:00.000Z"

const cooled = (until: string, key_slot = 1) =>
  KeyCooledDown.make({
    provider: "tavily",
    key_slot,
    at: past,
    status: "rate_limited",
    until,
    strikes: 1
  })
const recovered = KeyRecovered.make({ provider: "tavily", key_slot: 1, at: past })

/** Rests and recoveries of a key, in turn. */
const flapping = (count: number): ReadonlyArray<KeyPoolEvent> =>
  Array.from({ length: count }, (_, index) => index % 2 === 0 ? cooled(past) : recovered)

const append = Effect.fnUntraced(function*(events: ReadonlyArray<KeyPoolEvent>) {
  const store = yield* EventStore
  for (let from = 0; from < events.length; from += 64) {
    const { head } = yield* store.read(ref, from)
    yield* store.append(
      head,
      yield* Effect.forEach(
        events.slice(from, from + 64),
        (event) => codec.encode(event, uuidv7(1_000), metadata)
      )
    )
  }
})

/** Counts the readings of a log and the events that they gave. */
const counted = Effect.gen(function*() {
  const store = yield* EventStore
  const readings = yield* Ref.make<ReadonlyArray<number>>([])
  const layer = Layer.succeed(EventStore, {
    ...store,
    read: (ref, afterVersion) =>
      Effect.tap(
        store.read(ref, afterVersion),
        ({ events }) => Ref.update(readings, (all) => [...all, events.length])
      )
  })
  return { layer, readings: Ref.getAndSet(readings, []) }
})

const oneSearch = Effect.gen(function*() {
  const { learn, usable } = yield* KeyRing.KeyRing
  const [key_slot = 0] = yield* usable("tavily", slots)
  yield* learn(attempt({ key_slot }))
})

/** Events read by each search but the first, over a stream of so many events. */
const eventsRead = (count: number, ring: "one" | "a new one each time") =>
  Effect.gen(function*() {
    yield* append(flapping(count))
    const { layer, readings } = yield* counted
    const rings = KeyRing.layer.pipe(Layer.provide(Layer.merge(layer, ids)))
    if (ring === "one") {
      return yield* Effect.gen(function*() {
        yield* oneSearch
        const first = yield* readings
        yield* Effect.repeat(oneSearch, { times: searches - 1 })
        return { first, later: yield* readings }
      }).pipe(Effect.provide(rings))
    }
    yield* Effect.provide(oneSearch, rings, { local: true })
    const first = yield* readings
    yield* Effect.repeat(Effect.provide(oneSearch, rings, { local: true }), {
      times: searches - 1
    })
    return { first, later: yield* readings }
  }).pipe(Effect.provide(Layer.fresh(MemoryEventStore.layer), { local: true }))

describe("the ring of keys", () => {
  it.effect("reads one event a search, of a long stream as of a short one", () =>
    Effect.gen(function*() {
      const few = yield* eventsRead(eventsFew, "one")
      const many = yield* eventsRead(eventsMany, "one")
      assert.deepStrictEqual(many.later, Array.from({ length: searches }, () => 1))
      assert.deepStrictEqual(few.later, many.later)
      assert.deepStrictEqual(many.first, [eventsMany])
    }))

  it.effect("sees what another process recorded in the meantime", () =>
    Effect.gen(function*() {
      const { usable } = yield* KeyRing.KeyRing
      assert.sameMembers([...yield* usable("tavily", slots)], slots)
      yield* append([cooled(farAway)])
      assert.deepStrictEqual(yield* usable("tavily", slots), [2])
    }).pipe(Effect.provide(
      Layer.provideMerge(KeyRing.layer, Layer.merge(MemoryEventStore.layer, ids))
    )))

  it.effect("starts from the first event when the log was restored to another past", () =>
    Effect.gen(function*() {
      const logs = yield* Effect.forEach(
        [[...flapping(10), cooled(farAway, 2)], [cooled(farAway, 1)], [
          ...flapping(10),
          cooled(farAway, 1)
        ]],
        (events) =>
          Effect.gen(function*() {
            yield* append(events)
            return yield* EventStore
          }).pipe(Effect.provide(Layer.fresh(MemoryEventStore.layer), { local: true }))
      )
      const [grown, behind, other] = logs
      if (grown === undefined || behind === undefined || other === undefined) return assert.fail()
      const current = yield* Ref.make(grown)
      const restored = Layer.succeed(EventStore, {
        ...grown,
        read: (ref, after) => Effect.flatMap(Ref.get(current), (log) => log.read(ref, after)),
        append: (head, events) =>
          Effect.flatMap(Ref.get(current), (log) => log.append(head, events))
      })
      yield* Effect.gen(function*() {
        const { learn, usable } = yield* KeyRing.KeyRing
        assert.deepStrictEqual(yield* usable("tavily", slots), [1])
        yield* Ref.set(current, behind)
        assert.deepStrictEqual(yield* usable("tavily", slots), [2])
        yield* Ref.set(current, grown)
        assert.deepStrictEqual(yield* usable("tavily", slots), [1])
        // The same length, another history: only the hash tells.
        yield* Ref.set(current, other)
        assert.deepStrictEqual(yield* usable("tavily", slots), [2])
        yield* Ref.set(current, behind)
        // Decided on the other past, refused by this one, and decided again after a pause.
        const learning = yield* Effect.forkChild(
          learn(attempt({ key_slot: 2, status: "rate_limited" }))
        )
        yield* timePasses("1 second")
        yield* Fiber.join(learning)
        assert.deepStrictEqual(yield* usable("tavily", slots), [])
      }).pipe(Effect.provide(KeyRing.layer.pipe(Layer.provide(Layer.merge(restored, ids)))))
    }))
})
