/** Calls that go to a database together. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import * as GroupAppend from "../../src/adapters/postgres/GroupAppend.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as TestDatabase from "../support/testDatabase.ts"

/** Runs groups that wait until they are let go, and says what was in them. */
const gathering = Effect.fnUntraced(function*(options: {
  readonly callsMax: number
  readonly groupsMax: number
  readonly lateAfterMs?: number
  readonly besideFrom?: number
  readonly follower?: "at once" | "waits"
}) {
  const groups: Array<ReadonlyArray<number>> = []
  const go: Array<Deferred.Deferred<void>> = []
  const call = yield* GroupAppend.makeGathered<number, number, string>({
    ...options,
    run: (calls) =>
      Effect.gen(function*() {
        const mayGo = yield* Deferred.make<void>()
        groups.push(calls)
        go.push(mayGo)
        yield* Deferred.await(mayGo)
        return calls.map((one) => one < 0 ? Exit.fail(`no ${one}`) : Exit.succeed(one * 10))
      })
  })
  const letGo = (group: number) =>
    Effect.suspend(() => {
      const mayGo = go[group]
      return mayGo === undefined ? Effect.die("no such group") : Deferred.succeed(mayGo, undefined)
    })
  return { call, groups, letGo }
})

/** Enough turns of the event loop for every group that may begin. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
const turns = Effect.forEach(Array.from({ length: 10 }), () => turn, { discard: true })

describe("calls of the same moment", () => {
  it.live("go together, up to as many groups as may be, and each has its own answer", () =>
    Effect.gen(function*() {
      const { call, groups, letGo } = yield* gathering({ callsMax: 2, groupsMax: 2 })
      const fibers = yield* Effect.forEach(
        [1, -2, 3, 4, 5],
        (one) => Effect.forkChild(Effect.exit(call(one)))
      )
      yield* turns
      assert.deepStrictEqual(groups, [[1, -2], [3, 4]])
      yield* letGo(0)
      yield* turns
      assert.deepStrictEqual(groups, [[1, -2], [3, 4], [5]])
      yield* letGo(1)
      yield* letGo(2)
      assert.deepStrictEqual(
        yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber)),
        [
          Exit.succeed(10),
          Exit.fail("no -2"),
          ...[30, 40, 50].map((answer) => Exit.succeed(answer))
        ]
      )
    }).pipe(Effect.scoped))

  it.live(
    "wait for the group under way, and go on without it when it is late",
    () =>
      Effect.gen(function*() {
        const { call, groups, letGo } = yield* gathering({
          callsMax: 9,
          groupsMax: 3,
          lateAfterMs: 200
        })
        const begunMs = yield* Clock.currentTimeMillis
        const fork = (one: number) => Effect.forkChild(call(one))
        const first = yield* fork(1)
        yield* turns
        const second = yield* fork(2)
        yield* turns
        const third = yield* fork(3)
        yield* turns
        assert.deepStrictEqual(groups, [[1]])
        while (groups.length < 2) yield* Effect.sleep("10 millis")
        assert.deepStrictEqual(groups, [[1], [2, 3]])
        assert.isAtLeast((yield* Clock.currentTimeMillis) - begunMs, 200)
        yield* letGo(1)
        assert.deepStrictEqual([yield* Fiber.join(second), yield* Fiber.join(third)], [20, 30])
        const fourth = yield* fork(4)
        yield* turns
        assert.deepStrictEqual(groups, [[1], [2, 3], [4]], "one that is late keeps nobody waiting")
        yield* letGo(0)
        yield* letGo(2)
        assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(fourth)], [10, 40])
      }).pipe(Effect.scoped),
    10_000
  )

  it.live("go while a group is in progress where enough of them wait, and share them out", () =>
    Effect.gen(function*() {
      const { call, groups, letGo } = yield* gathering({
        callsMax: 9,
        groupsMax: 8,
        lateAfterMs: 60_000,
        besideFrom: 2
      })
      const fork = (one: number) => Effect.forkChild(call(one))
      yield* Effect.forEach([1, 2, 3, 4, 5], fork)
      yield* turns
      assert.deepStrictEqual(groups, [[1, 2, 3], [4, 5]], "half each, where both are enough")
      yield* Effect.forEach([6, 7, 8], fork)
      yield* turns
      assert.deepStrictEqual(groups.length, 2, "no third one")
      yield* letGo(0)
      yield* turns
      assert.deepStrictEqual(groups.slice(2), [[6, 7, 8]])
      yield* letGo(1)
      yield* fork(9)
      yield* turns
      assert.deepStrictEqual(groups.length, 3, "too few to go beside")
      yield* fork(10)
      yield* turns
      assert.deepStrictEqual(groups.slice(3), [[9, 10]])
      yield* Effect.forEach([2, 3], letGo)
    }).pipe(Effect.scoped))

  it.live("go along with those that call again as soon as they are answered", () =>
    Effect.gen(function*() {
      const { call, groups, letGo } = yield* gathering({
        callsMax: 9,
        groupsMax: 8,
        lateAfterMs: 60_000
      })
      const again = (one: number) => Effect.forkChild(Effect.flatMap(call(one), call))
      yield* Effect.forEach([1, 2], again)
      yield* turns
      const waiting = yield* Effect.forkChild(call(3))
      yield* turns
      yield* letGo(0)
      yield* turns
      assert.deepStrictEqual(groups, [[1, 2], [3, 10, 20]])
      yield* letGo(1)
      yield* Fiber.join(waiting)
    }).pipe(Effect.scoped))

  it.live("do not wait where they come one after the other, and for each other after that", () =>
    Effect.gen(function*() {
      const { call, groups, letGo } = yield* gathering({
        callsMax: 9,
        groupsMax: 8,
        lateAfterMs: 60_000,
        follower: "at once"
      })
      const first = yield* Effect.forkChild(call(1))
      yield* turns
      yield* letGo(0)
      yield* Fiber.join(first)
      const second = yield* Effect.forkChild(call(2), { startImmediately: true })
      assert.deepStrictEqual(groups, [[1], [2]], "in the same turn")
      yield* Effect.forEach([3, 4], (one) => Effect.forkChild(call(one)))
      yield* turns
      assert.deepStrictEqual(groups.length, 2)
      yield* letGo(1)
      yield* Fiber.join(second)
      yield* turns
      yield* letGo(2)
      yield* turns
      yield* Effect.forEach([5, 6], (one) => Effect.forkChild(call(one)))
      yield* turns
      assert.deepStrictEqual(groups, [[1], [2], [3, 4], [5, 6]])
      yield* letGo(3)
    }).pipe(Effect.scoped))

  it.live("go together also where the call before was alone", () =>
    Effect.gen(function*() {
      const { call, groups, letGo } = yield* gathering({ callsMax: 9, groupsMax: 8 })
      const first = yield* Effect.forkChild(call(1))
      yield* turns
      yield* letGo(0)
      yield* Fiber.join(first)
      const both = yield* Effect.forkChild(
        Effect.forEach([2, 3], call, { concurrency: 2 }),
        { startImmediately: true }
      )
      yield* turns
      assert.deepStrictEqual(groups, [[1], [2, 3]])
      yield* letGo(1)
      yield* Fiber.join(both)
    }).pipe(Effect.scoped))

  it.live("are not sent when no caller waits for them", () =>
    Effect.gen(function*() {
      const { call, groups, letGo } = yield* gathering({ callsMax: 9, groupsMax: 1 })
      const first = yield* Effect.forkChild(call(1))
      yield* turns
      const gone = yield* Effect.forkChild(call(2))
      const later = yield* Effect.forkChild(call(3))
      yield* turns
      yield* Fiber.interrupt(gone)
      yield* letGo(0)
      yield* turns
      yield* letGo(1)
      assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(later)], [10, 30])
      assert.deepStrictEqual(groups, [[1], [3]])
    }).pipe(Effect.scoped))

  it.live(
    "fail when their time is over while no group ends, and only then",
    () =>
      Effect.gen(function*() {
        const sent: Array<number> = []
        const go = yield* Deferred.make<void>()
        const call = yield* GroupAppend.makeGathered<number, number, string>({
          callsMax: 9,
          groupsMax: 1,
          expiry: { untilMs: (one) => one, failure: "never sent" },
          run: (calls) =>
            Effect.gen(function*() {
              sent.push(...calls)
              yield* Deferred.await(go)
              return calls.map((one) => Exit.succeed(one))
            })
        })
        const nowMs = yield* Clock.currentTimeMillis
        const [stuck, soon, patient] = [nowMs, nowMs + 50, nowMs + 60_000]
        const first = yield* Effect.forkChild(call(stuck))
        yield* turns
        const later = yield* Effect.forkChild(call(patient))
        const second = yield* Effect.forkChild(Effect.flip(call(nowMs + 400)))
        assert.strictEqual(yield* Effect.flip(call(soon)), "never sent")
        assert.strictEqual(yield* Fiber.join(second), "never sent")
        assert.isUndefined(first.pollUnsafe(), "what was sent ends as it ends")
        yield* Deferred.succeed(go, undefined)
        assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(later)], [
          stuck,
          patient
        ])
        assert.deepStrictEqual(sent, [stuck, patient])
      }).pipe(Effect.scoped),
    5_000
  )

  it.live("end with what ended their group", () =>
    Effect.gen(function*() {
      const call = yield* GroupAppend.makeGathered<number, number, never>({
        callsMax: 9,
        groupsMax: 1,
        run: () => Effect.die("broken")
      })
      const both = yield* Effect.forEach([1, 2], (one) => Effect.exit(call(one)), {
        concurrency: 2
      })
      assert.deepStrictEqual(both, [Exit.die("broken"), Exit.die("broken")])
    }).pipe(Effect.scoped))

  it.live("are answered by one reading where they ask for the same, which began after them", () =>
    Effect.gen(function*() {
      let value = 0
      const asked: Array<string> = []
      const read = yield* GroupAppend.shared(4, (key: string) =>
        Effect.andThen(
          Effect.sync(() => asked.push(key)),
          Effect.andThen(turns, Effect.sync(() => `${key} ${value += 1}`))
        ))
      const early = yield* Effect.forkChild(Effect.all([read("a"), read("a"), read("b")], {
        concurrency: 3
      }))
      while (asked.length < 2) yield* turn
      assert.deepStrictEqual(asked, ["a", "b"])
      assert.strictEqual(yield* read("a"), "a 3")
      assert.deepStrictEqual(yield* Fiber.join(early), ["a 1", "a 1", "b 2"])
    }).pipe(Effect.scoped))

  it.layer(Layer.fresh(TestDatabase.layer), { timeout: "60 seconds", excludeTestServices: true })(
    "in a transaction",
    (it) => {
      it.effect("are a part of it", () =>
        Effect.gen(function*() {
          const { prepared, transaction } = yield* Postgres
          const identify = yield* GroupAppend.shared(1, () =>
            prepared<{ id: string }>(
              { name: "test_gathered", text: "select pg_current_xact_id()::text as id" },
              []
            ))
          const begun = yield* Deferred.make<void>()
          const outside = yield* Effect.forkChild(
            Effect.andThen(Deferred.await(begun), identify(0))
          )
          const ids = yield* transaction(Effect.gen(function*() {
            const first = yield* identify(0)
            yield* Deferred.succeed(begun, undefined)
            // The outside caller asks first; what is gathered then begins there.
            yield* Effect.yieldNow
            return [first, yield* identify(0)]
          }))
          const [[first] = [], [second] = []] = ids
          assert.strictEqual(first?.id, second?.id)
          const [other] = yield* Fiber.join(outside)
          assert.notStrictEqual(other?.id, first?.id)
        }).pipe(Effect.scoped))
    }
  )
})
