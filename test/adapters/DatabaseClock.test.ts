import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as SettledLog from "../../src/adapters/postgres/SettledLog.ts"
import { Postgres, PostgresError } from "../../src/infrastructure/postgres/Postgres.ts"

const hourMs = 3_600_000

/** A database whose clock is an hour ahead of the process's, and that counts how often it is asked. */
const database = (tripMs = 0) => {
  const asked = { count: 0, isDown: false }
  const answer = Effect.gen(function*() {
    asked.count++
    yield* Effect.sleep(tripMs / 2)
    if (asked.isDown) {
      return yield* new PostgresError({
        fault: "connection",
        may_have_run: true,
        cause: new Error("gone")
      })
    }
    const now_ms = (yield* Clock.currentTimeMillis) + hourMs
    yield* Effect.sleep(tripMs / 2)
    return [{ now_ms }]
  })
  const layer = Layer.mock(Postgres, { prepared: () => answer as never })
  return { asked, layer }
}

const ahead = Effect.fnUntraced(function*(now: Effect.Effect<number>) {
  return (yield* now) - (yield* Clock.currentTimeMillis)
})

describe("the database's clock", () => {
  it.effect("is asked once for many answers, and again after half a minute", () => {
    const { asked, layer } = database()
    return Effect.gen(function*() {
      const now = yield* SettledLog.makeDatabaseClock
      yield* Effect.forEach(Array.from({ length: 100 }), () => now, { concurrency: "unbounded" })
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* ahead(now), hourMs)
      assert.strictEqual(asked.count, 1)
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* ahead(now), hourMs)
      assert.strictEqual(asked.count, 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is right though the answer took a while to come", () => {
    const { layer } = database(300)
    return Effect.gen(function*() {
      const making = yield* Effect.forkChild(SettledLog.makeDatabaseClock)
      yield* TestClock.adjust("300 millis")
      assert.strictEqual(yield* ahead(yield* Fiber.join(making)), hourMs)
    }).pipe(Effect.provide(layer))
  })

  it.effect("does not move when the process's clock is set, and is read again", () => {
    const { asked, layer } = database()
    return Effect.gen(function*() {
      const real = yield* Clock.Clock
      const now = yield* SettledLog.makeDatabaseClock
      const before = yield* now
      const set: Clock.Clock = {
        currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + 24 * hourMs,
        currentTimeMillis: Effect.map(real.currentTimeMillis, (ms) => ms + 24 * hourMs),
        currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe(),
        currentTimeNanos: real.currentTimeNanos,
        monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: real.monotonicTimeNanos,
        sleep: (duration) => real.sleep(duration)
      }
      asked.isDown = true
      assert.strictEqual(yield* Effect.provideService(now, Clock.Clock, set), before)
      assert.strictEqual(asked.count, 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is reckoned on while the database is down, which is not asked each time", () => {
    const { asked, layer } = database()
    return Effect.gen(function*() {
      const now = yield* SettledLog.makeDatabaseClock
      asked.isDown = true
      yield* TestClock.adjust("40 seconds")
      for (let times = 0; times < 10; times++) assert.strictEqual(yield* ahead(now), hourMs)
      assert.strictEqual(asked.count, 2)
      asked.isDown = false
      yield* TestClock.adjust("40 seconds")
      assert.strictEqual(yield* ahead(now), hourMs)
      assert.strictEqual(asked.count, 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is the process's before the database has ever answered", () => {
    const { asked, layer } = database()
    asked.isDown = true
    return Effect.gen(function*() {
      const now = yield* SettledLog.makeDatabaseClock
      assert.strictEqual(yield* ahead(now), 0)
      asked.isDown = false
      yield* TestClock.adjust("40 seconds")
      assert.strictEqual(yield* ahead(now), hourMs)
    }).pipe(Effect.provide(layer))
  })
})
