/** Read models that follow the log, by a clock that the test moves. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, References, Stream } from "effect"
import * as VerifiedLog from "../../src/application/log/VerifiedLog.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { LeaseRefused, ReadModels } from "../../src/application/ports/ReadModels.ts"
import * as Projection from "../../src/application/projections/Projection.ts"
import * as ProjectionRunner from "../../src/application/projections/ProjectionRunner.ts"
import { append, calledWith } from "../support/attempts.ts"
import { changed, instance } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import { catchUp, runnerOf, Tally } from "../support/projections.ts"
import { timePasses } from "../support/testTime.ts"

const memory = Layer.merge(MemoryEventStore.layer, MemoryReadModels.layer)
const quietly = Effect.provideService(References.MinimumLogLevel, "None")

const appended = Effect.flatMap(calledWith(), (event) => append("s", [event]))

const positionOf = Effect.gen(function*() {
  const { checkpoints } = yield* ReadModels
  return (yield* checkpoints)[0]?.position
})

/** Lets all fibers go on that do not wait for time to pass. */
const settled = Effect.forEach(Array.from({ length: 500 }), () => Effect.yieldNow, {
  discard: true
})

describe("a read model that follows the log", () => {
  it.effect("reads on soon after something is appended, and what follows it with it", () => {
    let readings = 0
    const read = changed(EventStore, (store) => ({
      all: (position) => {
        readings += 1
        return store.all(position)
      }
    })).pipe(Layer.provide(MemoryEventStore.layer))
    let leases = 0
    const counted = changed(ReadModels, (models) => ({
      acquire: (id, owner) => {
        leases += 1
        return models.acquire(id, owner)
      }
    })).pipe(Layer.provide(memory))
    const following = ProjectionRunner.layerFollowing.pipe(
      Layer.provide(ProjectionRunner.layer([Projection.consumer(Tally({ name: "tally" }))])),
      Layer.provideMerge(VerifiedLog.layerAnnouncing),
      Layer.provideMerge(Layer.mergeAll(instance("a"), VerifiedLog.layerLogSignal, read, counted))
    )
    return Effect.gen(function*() {
      yield* settled
      yield* timePasses("1 minute")
      // The lease of 15 s is renewed in time, and not at each look.
      assert.isAtLeast(leases, 8)
      assert.isAtMost(leases, 16)
      const before = readings
      for (const position of [3n, 6n, 9n]) {
        for (let count = 0; count < 3; count++) {
          yield* appended
          yield* timePasses("10 millis")
        }
        yield* timePasses("150 millis")
        yield* settled
        assert.strictEqual(yield* positionOf, position)
      }
      assert.isAtMost(readings - before, 6)
    }).pipe(Effect.provide(following))
  })

  it.effect("looks at the moments at which others that began at another time look", () => {
    const looks: Array<number> = []
    const read = changed(EventStore, (store) => ({
      all: (position) =>
        Stream.unwrap(Effect.map(Clock.currentTimeMillis, (nowMs) => {
          looks.push(nowMs)
          return store.all(position)
        }))
    })).pipe(Layer.provide(MemoryEventStore.layer))
    const follower = (name: string) =>
      Layer.build(Layer.fresh(
        ProjectionRunner.layerFollowing.pipe(
          Layer.provide(ProjectionRunner.layer([Projection.consumer(Tally({ name }))])),
          Layer.provide(Layer.mergeAll(instance(name), VerifiedLog.layerLogSignal))
        )
      ))
    return Effect.gen(function*() {
      yield* follower("early")
      yield* timePasses("700 millis")
      yield* follower("late")
      yield* timePasses("9300 millis")
      looks.length = 0
      yield* timePasses("10 seconds")
      assert.isAtLeast(looks.length, 8)
      const [first, ...others] = Map.groupBy(looks, (atMs) => atMs).values()
      assert.deepStrictEqual(
        [first?.length, ...others.map(({ length }) => length)],
        [first, ...others].map(() => 2)
      )
    }).pipe(Effect.provide(Layer.merge(memory, read)), Effect.scoped)
  })

  it.effect("keeps a caller waiting for a moment, and is brought up to date once for all callers", () => {
    const acquired: Array<string> = []
    const heldElsewhere = changed(ReadModels, () => ({
      acquire: (id) =>
        Effect.suspend(() => {
          acquired.push(id.model)
          return Effect.fail(new LeaseRefused({ ...id, reason: "held" }))
        })
    })).pipe(Layer.provide(memory))
    const runner = ProjectionRunner.layer([Projection.consumer(Tally({ name: "tally" }))]).pipe(
      Layer.provideMerge(Layer.mergeAll(heldElsewhere, MemoryEventStore.layer)),
      Layer.provide(Layer.mergeAll(instance("a"), VerifiedLog.layerLogSignal))
    )
    return Effect.gen(function*() {
      const { catchUp: catchingUp, follow } = yield* ProjectionRunner.ProjectionRunner
      yield* appended
      yield* Effect.forkChild(follow)
      yield* settled
      const callers = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.forkChild(catchingUp)
      )
      yield* settled
      assert.isTrue(callers.every((caller) => caller.pollUnsafe() === undefined))
      yield* timePasses("50 millis")
      yield* settled
      assert.isTrue(callers.every((caller) => caller.pollUnsafe() !== undefined))
      // Once by the loop that follows, and once for all callers.
      assert.strictEqual(acquired.length, 2)
    }).pipe(Effect.provide(runner))
  })

  it.effect("has begun once it was brought up to date, or is another process's to bring", () => {
    const tally = Projection.consumer(Tally({ name: "tally" }))
    const begunOf = Effect.flatMap(ProjectionRunner.ProjectionRunner, ({ isBegun }) => isBegun)
    const caughtUp = Effect.flatMap(ProjectionRunner.ProjectionRunner, ({ catchUp }) => catchUp)
    return Effect.gen(function*() {
      assert.isFalse(yield* begunOf)
      yield* appended
      yield* caughtUp
      assert.isTrue(yield* begunOf)
      yield* Effect.gen(function*() {
        assert.isFalse(yield* begunOf)
        yield* caughtUp
        assert.isTrue(yield* begunOf)
      }).pipe(Effect.provide(runnerOf("b", tally), { local: true }))
    }).pipe(Effect.provide(runnerOf("a", tally)), Effect.provide(memory))
  })

  it.effect("is behind for the process that keeps it alone, and by the age of what is missing", () => {
    const tally = Projection.consumer(Tally({ name: "tally" }))
    const lagMs = Effect.flatMap(ProjectionRunner.ProjectionRunner, ({ ownLagMs }) => ownLagMs)
    return Effect.gen(function*() {
      const { catchUp: caughtUp } = yield* ProjectionRunner.ProjectionRunner
      yield* caughtUp
      yield* appended
      yield* timePasses("10 seconds")
      assert.strictEqual(yield* lagMs, 10_000)
      assert.strictEqual(yield* Effect.provide(lagMs, runnerOf("b", tally), { local: true }), 0)
      yield* caughtUp
      assert.strictEqual(yield* lagMs, 0)
    }).pipe(Effect.provide(runnerOf("a", tally)), Effect.provide(memory))
  })

  it.effect("is shown to an operator when it is halted, and not when it was replaced", () =>
    Effect.gen(function*() {
      yield* appended
      const version = (version: number) => Projection.consumer(Tally({ name: "tally", version }))
      yield* catchUp("a", version(1))
      yield* catchUp("a", version(2))
      const { acquire, halt } = yield* ReadModels
      yield* halt(yield* acquire({ model: "strict", version: 1 }, "a"), "a bug")
      const lags = yield* Effect.flatMap(
        ProjectionRunner.ProjectionRunner,
        (runner) => runner.lags
      ).pipe(Effect.provide(runnerOf("a", version(2)), { local: true }))
      assert.deepStrictEqual(
        lags.map(({ events, model, state, version }) => [model, version, state, events]),
        [["strict", 1, "halted", 1], ["tally", 2, "running", 0]]
      )
    }).pipe(Effect.provide(memory), quietly))
})
