/**
 * Many callers of one session, in one process and in two.
 *
 * Promise: callers of the same process never conflict, none is answered later than 250 ms after its
 * deadline, and the budget holds.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Ref } from "effect"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { caller, changed, instance, limits, providers, scripted } from "../support/grounding.ts"
import { grace } from "../support/machine.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { PublicApi } from "../support/sent.ts"
import { hit } from "../support/sessionFacts.ts"
import * as Database from "../support/testDatabase.ts"
import { timePasses } from "../support/testTime.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const callersCount = full ? 64 : 24
const deadlineMs = 3_000
const graceIdleMs = 250

const found = {
  droppedCount: 0,
  credits: 1,
  hits: [hit("https://halvern.example/tram", {
    content: "A single tram ticket in Halvern costs 2.80 crowns."
  })]
}

const requestOf = (session_id: string, index: number) => ({
  session_id,
  request_id: `r${index}`,
  topic: `What does tram ${index} in Halvern cost?`,
  phase: "mid_chat",
  user_asked_for_facts: true,
  deadline_ms: deadlineMs,
  overrides: { max_queries: 1 }
})

/** How each call ended, and how much later than its deadline. */
const ask = Effect.fnUntraced(function*(sessionOf: (index: number) => string, first: number) {
  const api = yield* PublicApi
  return yield* Effect.forEach(
    Array.from({ length: callersCount / 2 }, (_, index) => first + index),
    Effect.fnUntraced(function*(index) {
      const startMs = yield* Clock.currentTimeMillis
      const ended = yield* Effect.match(
        api.ground(requestOf(sessionOf(index), index), caller),
        { onFailure: ({ _tag }): string => _tag, onSuccess: ({ mode }): string => mode }
      )
      return { ended, lateMs: (yield* Clock.currentTimeMillis) - startMs - deadlineMs }
    }),
    { concurrency: "unbounded" }
  )
})

const service = (id: string) =>
  useCases.pipe(
    Layer.provide(Layer.mergeAll(
      PlainEventStore.layer,
      PostgresServiceState.layer,
      providers(scripted(found)),
      instance(id, false),
      limits()
    ))
  )

const inTwoServices = (sessionOf: (index: number) => string) =>
  Effect.map(
    Effect.all([
      Effect.provide(ask(sessionOf, 0), service("one"), { local: true }),
      Effect.provide(ask(sessionOf, callersCount / 2), service("two"), { local: true })
    ], { concurrency: 2 }),
    ([one, two]) => [...one, ...two]
  )

const latest = (calls: ReadonlyArray<{ readonly lateMs: number }>) =>
  Math.max(...calls.map(({ lateMs }) => lateMs))

describe("a session with many callers in two processes", () => {
  it.layer(Database.layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect(
      `answers ${callersCount} of them in time, and keeps its budget`,
      () =>
        Effect.gen(function*() {
          const apart = yield* inTwoServices((index) => `apart-${index}`)
          const together = yield* inTwoServices(() => "together")
          const allowance = Math.max(0, latest(apart)) + grace(graceIdleMs)
          assert.isAtMost(latest(together), allowance, JSON.stringify(together))
          const admin = yield* Database.connect
          const { rows } = yield* Effect.promise(() =>
            admin.query<{ count: number }>(
              `select count(*)::int as count from wg.streams join wg.events using (stream_id)
              where session_id = 'together' and type = 'WEB_GROUNDING_CALL_STARTED'`
            )
          )
          assert.isAtMost(rows[0]?.count ?? 0, 2)
          assert.deepStrictEqual(together.filter(({ ended }) => ended === "InternalFailure"), [])
        }),
      120_000
    )
  })
})

describe("callers of one session in one process", () => {
  it.live("never conflict", () =>
    Effect.gen(function*() {
      const count = yield* Ref.make(0)
      const counting = changed(EventStore, (store) => ({
        append: (head, events) =>
          Effect.andThen(Effect.yieldNow, store.append(head, events)).pipe(
            Effect.tapError(({ _tag }) =>
              _tag === "StreamConflict"
                ? Ref.update(count, (before) => before + 1)
                : Effect.void
            )
          )
      })).pipe(Layer.provideMerge(MemoryEventStore.layer))
      const store = yield* Layer.build(counting)
      const over = useCases.pipe(Layer.provide(
        Layer.mergeAll(
          Layer.succeedContext(store),
          providers(scripted(found)),
          instance("one", false),
          limits()
        )
      ))
      const calls = yield* Effect.provide(ask(() => "together", 0), over, { local: true })
      assert.deepStrictEqual(calls.filter(({ ended }) => ended === "InternalFailure"), [])
      assert.strictEqual(yield* Ref.get(count), 0)
    }).pipe(Effect.scoped), 60_000)
})

describe("a log that does not come back", () => {
  /** Takes the first append of a session, and a later one only after an hour. */
  const hanging = changed(EventStore, (store) => ({
    append: (head, events) =>
      Effect.andThen(
        head.version === 0 ? Effect.void : Effect.sleep("1 hour"),
        store.append(head, events)
      )
  })).pipe(Layer.provideMerge(MemoryEventStore.layer))
  const over = useCases.pipe(
    Layer.provide(Layer.mergeAll(hanging, providers(scripted(found)), instance("one"), limits()))
  )

  it.effect(
    "is told as a request in progress, 250 ms after the deadline at the latest",
    () =>
      Effect.gen(function*() {
        const api = yield* PublicApi
        const asking = yield* Effect.forkChild(
          Effect.flip(api.ground(requestOf("s", 1), caller))
        )
        yield* timePasses(deadlineMs + grace(graceIdleMs))
        assert.strictEqual((yield* Fiber.join(asking))._tag, "RequestInProgress")
        yield* timePasses("1 day")
      }).pipe(Effect.provide(over)),
    20_000
  )
})
