/** What every `ReadModels` adapter owes the runner. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, type Layer, type Schema } from "effect"
import { LogPosition } from "../../src/application/ports/EventStore.ts"
import {
  type Changes,
  type Lease,
  type Listing,
  ReadModels
} from "../../src/application/ports/ReadModels.ts"
import { salt } from "../../src/infrastructure/Digest.ts"

/** Models are unlike between tests and runs, so that tests may share a database. */
const run = salt().slice(0, 8)
const idOf = (model: string, version = 1) => ({ model: `${run}_${model}`, version })

const at = (position: number) => LogPosition.make(BigInt(position))

const writing = (entries: Readonly<Record<string, Schema.Json | undefined>>) => () =>
  Effect.succeed<Changes>(new Map(Object.entries(entries)))

const everything = { from: "", until: "~", limit: 100 }

const shown = (model: string) =>
  Effect.gen(function*() {
    const { range } = yield* ReadModels
    return yield* range({ model: idOf(model).model, ...everything })
  })

const rowsOf = (model: string) =>
  Effect.map(shown(model), (snapshot) => Object.fromEntries(snapshot?.rows ?? []))

export const readModelsContract = <R>(
  name: string,
  layer: Layer.Layer<ReadModels | R, unknown>,
  /** Lets a lease run out. */
  expire: (model: string) => Effect.Effect<void, unknown, R>
) =>
  it.layer(layer, { timeout: "60 seconds" })(`ReadModels: ${name}`, (it) => {
    it.effect("starts a version never seen at the log's beginning, live when it is the first", () =>
      Effect.gen(function*() {
        const { acquire } = yield* ReadModels
        assert.isUndefined(yield* shown("fresh"))
        const lease = yield* acquire(idOf("fresh"), "a")
        assert.deepInclude(lease, { owner: "a", position: at(0), state: "running" })
        assert.deepStrictEqual(yield* shown("fresh"), { version: 1, position: at(0), rows: [] })
      }))

    it.effect("writes pages of many read models at the same moment, each as if alone", () =>
      Effect.gen(function*() {
        const { acquire, commit } = yield* ReadModels
        const models = ["many_1", "many_2", "many_3", "many_4", "many_5"]
        const leases = yield* Effect.forEach(models, (model) => acquire(idOf(model), "a"), {
          concurrency: models.length
        })
        const all = (
          to: number,
          fold: (model: string) => Effect.Effect<Changes, string>,
          leasesOf = leases
        ) =>
          Effect.forEach(
            leasesOf,
            (lease, index) =>
              Effect.exit(commit(lease, { to: at(to), keys: ["row"] }, (rows) =>
                Effect.flatMap(
                  fold(models[index] ?? ""),
                  (changes) => Effect.succeed(new Map([...changes, ["before", rows.get("row")]]))
                ))),
            { concurrency: models.length }
          )
        const named = (model: string) => Effect.succeed<Changes>(new Map([["row", model]]))
        const first = yield* all(1, named)
        assert.isTrue(first.every(Exit.isSuccess))
        const leasesAfter = (exits: typeof first) =>
          exits.flatMap((exit) => Exit.isSuccess(exit) ? [exit.value] : [])
        const second = yield* all(2, (model) => named(`${model} anew`), leasesAfter(first))
        for (const model of models) {
          assert.deepStrictEqual(yield* rowsOf(model), { row: `${model} anew`, before: model })
        }
        const next = leasesAfter(second)
        const poisoned = yield* all(
          3,
          (model) => model === "many_3" ? Effect.fail("poison") : named(`${model} again`),
          // The fifth has written since.
          next.map((lease, index) => index === 4 ? { ...lease, position: at(0) } : lease)
        )
        assert.deepStrictEqual(poisoned.map(Exit.isSuccess), [true, true, false, true, false])
        for (const model of ["many_1", "many_2", "many_4"]) {
          const before = `${model} anew`
          assert.deepStrictEqual(yield* rowsOf(model), { row: `${model} again`, before })
          assert.strictEqual((yield* shown(model))?.position, at(3))
        }
        for (const model of ["many_3", "many_5"]) {
          assert.deepStrictEqual(yield* rowsOf(model), { row: `${model} anew`, before: model })
          assert.strictEqual((yield* shown(model))?.position, at(2))
        }
        // The third goes on where it was, and the fifth alone has lost its lease.
        const late = yield* all(
          4,
          (model) => named(`${model} late`),
          next.map((lease, index) => {
            if (index === 4) return { ...lease, position: at(0) }
            return index === 2 ? lease : { ...lease, position: at(3) }
          })
        )
        assert.deepStrictEqual(late.map(Exit.isSuccess), [true, true, true, true, false])
        assert.strictEqual((yield* rowsOf("many_5"))["row"], "many_5 anew")
      }))

    it.effect("takes one of two pages that a lease brings at the same moment", () =>
      Effect.gen(function*() {
        const { acquire, commit } = yield* ReadModels
        const lease = yield* acquire(idOf("twice"), "a")
        const both = yield* Effect.forEach(
          ["one", "other"],
          (key) =>
            Effect.exit(
              commit(lease, { to: at(1), keys: [] }, () =>
                Effect.succeed<Changes>(new Map([[key, 1]])))
            ),
          { concurrency: 2 }
        )
        assert.lengthOf(both.filter(Exit.isSuccess), 1)
        assert.lengthOf(Object.keys(yield* rowsOf("twice")), 1)
      }))

    it.effect("writes rows and checkpoint together, and gives the rows asked for", () =>
      Effect.gen(function*() {
        const { acquire, commit } = yield* ReadModels
        const lease = yield* acquire(idOf("rows"), "a")
        const hostile = { "\u2028": ["\"'\\", 0.1, 1e21, null, { a: "~" }], "": true }
        const first = yield* commit(
          lease,
          { to: at(3), keys: [] },
          writing({ a: 1, b: hostile, c: 3 })
        )
        const asked: Array<unknown> = []
        yield* commit(first, { to: at(5), keys: ["b", "c", "none"] }, (rows) => {
          asked.push(Object.fromEntries(rows))
          return writing({ c: undefined, d: 4, none: undefined })()
        })
        assert.deepStrictEqual(asked, [{ b: hostile, c: 3 }])
        const snapshot = yield* shown("rows")
        assert.deepStrictEqual(snapshot, {
          version: 1,
          position: at(5),
          rows: [["a", 1], ["b", hostile], ["d", 4]]
        })
      }))

    it.effect("leaves everything as it was when the fold fails, dies or is interrupted", () =>
      Effect.gen(function*() {
        const { acquire, commit } = yield* ReadModels
        const lease = yield* acquire(idOf("fails"), "a")
        const before = yield* commit(lease, { to: at(1), keys: [] }, writing({ a: 1 }))
        for (const end of [Effect.fail("no"), Effect.die("no"), Effect.interrupt]) {
          const exit = yield* Effect.exit(commit(before, { to: at(2), keys: ["a"] }, () =>
            end))
          assert.isTrue(Exit.isFailure(exit))
        }
        assert.deepStrictEqual(yield* rowsOf("fails"), { a: 1 })
        yield* commit(before, { to: at(2), keys: ["a"] }, writing({ a: 2 }))
        assert.deepStrictEqual(yield* rowsOf("fails"), { a: 2 })
      }))

    it.effect("takes a page once: the same lease again changes nothing", () =>
      Effect.gen(function*() {
        const { acquire, commit } = yield* ReadModels
        const lease = yield* acquire(idOf("once"), "a")
        yield* commit(lease, { to: at(1), keys: [] }, writing({ a: 1 }))
        const again = yield* Effect.flip(commit(lease, { to: at(1), keys: [] }, writing({ a: 2 })))
        assert.strictEqual(again._tag, "LeaseLost")
        assert.deepStrictEqual(yield* rowsOf("once"), { a: 1 })
      }))

    it.effect("lets one of 16 commits at the same position win", () =>
      Effect.gen(function*() {
        const { acquire, commit } = yield* ReadModels
        const lease = yield* acquire(idOf("race"), "a")
        const exits = yield* Effect.forEach(
          Array.from({ length: 16 }, (_, racer) =>
            racer),
          (racer) =>
            Effect.exit(
              commit(lease, { to: at(1), keys: ["n"] }, writing({ n: racer, [racer]: 1 }))
            ),
          { concurrency: 16 }
        )
        assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
        assert.strictEqual(Object.keys(yield* rowsOf("race")).length, 2)
      }))

    it.effect("refuses a second owner until the lease is over, and excludes the first", () =>
      Effect.gen(function*() {
        const { acquire, commit } = yield* ReadModels
        const first = yield* acquire(idOf("lease"), "a")
        assert.deepStrictEqual(yield* acquire(idOf("lease"), "a"), first)
        const refused = yield* Effect.flip(acquire(idOf("lease"), "b"))
        assert.deepInclude(refused, { _tag: "LeaseRefused", reason: "held" })
        yield* expire(idOf("lease").model)
        const second = yield* acquire(idOf("lease"), "b")
        assert.isTrue(BigInt(second.token) > BigInt(first.token))
        const late = yield* Effect.flip(
          commit(first, { to: at(1), keys: [] }, writing({ a: "late" }))
        )
        assert.strictEqual(late._tag, "LeaseLost")
        yield* commit(second, { to: at(1), keys: [] }, writing({ a: "second" }))
        assert.deepStrictEqual(yield* rowsOf("lease"), { a: "second" })
      }))

    it.effect("renews the lease with every commit", () =>
      Effect.gen(function*() {
        const { acquire, commit } = yield* ReadModels
        let lease: Lease = yield* acquire(idOf("renew"), "a")
        yield* expire(idOf("renew").model)
        lease = yield* commit(lease, { to: at(1), keys: [] }, writing({}))
        const refused = yield* Effect.flip(acquire(idOf("renew"), "b"))
        assert.deepInclude(refused, { reason: "held" })
        assert.strictEqual(lease.position, at(1))
      }))

    it.effect("lets another owner go on at once when a lease is given back", () =>
      Effect.gen(function*() {
        const { acquire, release } = yield* ReadModels
        const first = yield* acquire(idOf("release"), "a")
        yield* release(first)
        const second = yield* acquire(idOf("release"), "b")
        yield* release(first)
        assert.deepInclude(yield* Effect.flip(acquire(idOf("release"), "a")), { reason: "held" })
        assert.isTrue(BigInt(second.token) > BigInt(first.token))
      }))

    it.effect("takes nothing from an earlier lease of the same owner", () =>
      Effect.gen(function*() {
        const { acquire, checkpoints, commit, halt, release } = yield* ReadModels
        const first = yield* acquire(idOf("again"), "a")
        yield* release(first)
        yield* release(yield* acquire(idOf("again"), "b"))
        const third = yield* acquire(idOf("again"), "a")
        assert.deepStrictEqual({ ...third, token: first.token }, first)
        const early = { to: at(1), keys: [] }
        const late = yield* Effect.flip(commit(first, early, writing({ a: "first" })))
        assert.strictEqual(late._tag, "LeaseLost")
        assert.strictEqual((yield* Effect.flip(halt(first, "late")))._tag, "LeaseLost")
        yield* release(first)
        const own = (yield* checkpoints).find(({ id }) => id.model === idOf("again").model)
        assert.deepInclude(own, { owner: "a", state: "running", position: at(0) })
        yield* commit(third, early, writing({ a: "third" }))
        assert.deepStrictEqual(yield* rowsOf("again"), { a: "third" })
      }))

    it.effect("shows a version's fold that version's rows alone", () =>
      Effect.gen(function*() {
        const { acquire, commit } = yield* ReadModels
        const old = yield* acquire(idOf("apart"), "a")
        const keys = ["a", "b"]
        const other = yield* acquire(idOf("apart beside", 2), "a")
        yield* commit(other, { to: at(1), keys: [] }, writing({ a: "other", b: "other" }))
        yield* commit(old, { to: at(1), keys: [] }, writing({ a: "old", b: "old" }))
        const rebuilding = yield* acquire(idOf("apart", 2), "a")
        const asked: Array<unknown> = []
        const fold = (rows: ReadonlyMap<string, Schema.Json>) => {
          asked.push(Object.fromEntries(rows))
          return writing({ a: "new", b: undefined })()
        }
        const half = yield* commit(rebuilding, { to: at(1), keys }, fold)
        yield* commit(half, { to: at(2), keys }, fold)
        assert.deepStrictEqual(asked, [{}, { a: "new" }])
        assert.deepStrictEqual(yield* rowsOf("apart"), { a: "old", b: "old" })
      }))

    it.effect("goes live by its latest lease alone", () =>
      Effect.gen(function*() {
        const { acquire, goLive, release } = yield* ReadModels
        yield* acquire(idOf("latest"), "a")
        const first = yield* acquire(idOf("latest", 2), "a")
        yield* release(first)
        yield* release(yield* acquire(idOf("latest", 2), "b"))
        const third = yield* acquire(idOf("latest", 2), "a")
        assert.strictEqual((yield* Effect.flip(goLive(first)))._tag, "LeaseLost")
        assert.strictEqual((yield* Effect.flip(goLive({ ...third, owner: "b" })))._tag, "LeaseLost")
        assert.strictEqual((yield* shown("latest"))?.version, 1)
        assert.deepStrictEqual(yield* goLive(third), { ...third, state: "running" })
        assert.strictEqual((yield* shown("latest"))?.version, 2)
      }))

    it.effect("keeps what was set aside, with the page that passes it", () =>
      Effect.gen(function*() {
        const { acquire, checkpoints, commit } = yield* ReadModels
        const lease = yield* acquire(idOf("letters"), "a")
        const parked = { position: at(7), attempts: 3, error: "does not decode" }
        yield* commit(lease, { to: at(7), keys: [], parked }, writing({}))
        const own = (yield* checkpoints).find(({ id }) => id.model === idOf("letters").model)
        assert.deepInclude(own, { position: at(7), parked: 1, state: "running" })
      }))

    it.effect("halts until an operator sets it running", () =>
      Effect.gen(function*() {
        const { acquire, checkpoints, commit, halt } = yield* ReadModels
        const lease = yield* acquire(idOf("halts"), "a")
        yield* halt(lease, "at 1: threw TypeError")
        const refused = yield* Effect.flip(acquire(idOf("halts"), "a"))
        assert.deepInclude(refused, { reason: "halted" })
        const late = yield* Effect.flip(commit(lease, { to: at(1), keys: [] }, writing({ a: 1 })))
        assert.strictEqual(late._tag, "LeaseLost")
        const own = (yield* checkpoints).find(({ id }) => id.model === idOf("halts").model)
        assert.deepInclude(own, { state: "halted", lastError: "at 1: threw TypeError" })
      }))

    it.effect("builds a newer version next to the live one and switches at once", () =>
      Effect.gen(function*() {
        const { acquire, commit, goLive } = yield* ReadModels
        const old = yield* commit(
          yield* acquire(idOf("versions"), "a"),
          { to: at(9), keys: [] },
          writing({ a: "old", b: "old" })
        )
        const first = yield* acquire(idOf("versions", 2), "a")
        assert.deepInclude(first, { state: "rebuilding", position: at(0) })
        const half = yield* commit(first, { to: at(4), keys: [] }, writing({ a: "new" }))
        assert.deepStrictEqual(yield* goLive(half), half)
        assert.deepStrictEqual(yield* rowsOf("versions"), { a: "old", b: "old" })
        const whole = yield* commit(half, { to: at(9), keys: [] }, writing({ c: "new" }))
        assert.deepStrictEqual(yield* goLive(whole), { ...whole, state: "running" })
        assert.deepStrictEqual(yield* shown("versions"), {
          version: 2,
          position: at(9),
          rows: [["a", "new"], ["c", "new"]]
        })
        const late = yield* Effect.flip(commit(old, { to: at(10), keys: [] }, writing({ a: 1 })))
        assert.strictEqual(late._tag, "LeaseLost")
        const retired = yield* Effect.flip(acquire(idOf("versions"), "a"))
        assert.deepInclude(retired, { reason: "retired" })
        assert.strictEqual((yield* Effect.flip(goLive(whole)))._tag, "LeaseLost")
      }))

    it.effect("does not let an older version in that was never there", () =>
      Effect.gen(function*() {
        const { acquire } = yield* ReadModels
        yield* acquire(idOf("older", 3), "a")
        const refused = yield* Effect.flip(acquire(idOf("older", 2), "a"))
        assert.deepInclude(refused, { reason: "retired" })
      }))

    it.effect("corrects rows in place, in any owner's model, and all of them or none", () =>
      Effect.gen(function*() {
        const { acquire, commit, correct } = yield* ReadModels
        const id = idOf("corrected")
        const lease = yield* acquire(id, "a")
        const kept = yield* commit(lease, { to: at(3), keys: [] }, writing({ a: 1, b: 2, c: 3 }))
        for (const end of [Effect.fail("no"), Effect.die("no"), Effect.interrupt]) {
          const exit = yield* Effect.exit(correct(id, ["a"], () => end))
          assert.isTrue(Exit.isFailure(exit))
          assert.deepStrictEqual(yield* rowsOf("corrected"), { a: 1, b: 2, c: 3 })
        }
        const asked: Array<unknown> = []
        yield* correct(id, ["a", "none"], (rows) => {
          asked.push(Object.fromEntries(rows))
          return writing({ a: "right", b: undefined })()
        })
        assert.deepStrictEqual(asked, [{ a: 1 }])
        const snapshot = yield* shown("corrected")
        assert.deepInclude(snapshot, { version: 1, position: at(3) })
        assert.deepStrictEqual(yield* rowsOf("corrected"), { a: "right", c: 3 })
        // Its keeper goes on with the lease that it has.
        yield* commit(kept, { to: at(4), keys: [] }, writing({ c: 4 }))
        assert.deepStrictEqual(yield* rowsOf("corrected"), { a: "right", c: 4 })
      }))

    it.effect("corrects nothing of a version that is halted, retired or was never started", () =>
      Effect.gen(function*() {
        const { acquire, correct, halt } = yield* ReadModels
        yield* acquire(idOf("shut"), "a")
        const correcting = (version: number) =>
          Effect.flip(correct(idOf("shut", version), [], writing({ a: 1 })))
        assert.deepInclude(yield* correcting(2), { _tag: "LeaseRefused", reason: "retired" })
        yield* halt(yield* acquire(idOf("shut"), "a"), "no more")
        assert.deepInclude(yield* correcting(1), { _tag: "LeaseRefused", reason: "halted" })
        assert.deepStrictEqual(yield* rowsOf("shut"), {})
      }))

    it.effect("lists rows by the order in them, the greatest first", () =>
      Effect.gen(function*() {
        const { acquire, commit, listing } = yield* ReadModels
        const lease = yield* acquire(idOf("listed"), "a")
        const row = (sort_key: string, words: string, ...flags: ReadonlyArray<string>) => ({
          sort_key,
          words,
          flags
        })
        yield* commit(
          lease,
          { to: at(1), keys: [] },
          writing({
            z: row("~t 2026-01-01 a", "50 % of rent", "failed"),
            y: row("~t 2026-01-03 a", "fähre", "answered", "failed"),
            x: row("~t 2026-01-02 한", "rent", "answered"),
            w: row("~u 2026-01-09 a", "rent", "failed"),
            unsorted: { words: "rent", flags: ["failed"] }
          })
        )
        const span = { from: "~t ", until: "~t \u{10ffff}", limit: 10 }
        const keysOf = (asked: Partial<Omit<Listing, "model">>) =>
          Effect.map(
            listing({ model: idOf("listed").model, ...span, ...asked }),
            (snapshot) => snapshot?.rows.map(([key]) => key)
          )
        assert.deepStrictEqual(yield* keysOf({}), ["y", "x", "z"])
        assert.deepStrictEqual(yield* keysOf({ limit: 2 }), ["y", "x"])
        assert.deepStrictEqual(yield* keysOf({ until: "~t 2026-01-02 한" }), ["z"])
        assert.deepStrictEqual(yield* keysOf({ flag: "failed" }), ["y", "z"])
        assert.deepStrictEqual(yield* keysOf({ flag: "failed", words: "fähre" }), ["y"])
        assert.deepStrictEqual(yield* keysOf({ words: "% of" }), ["z"])
        assert.deepStrictEqual(yield* keysOf({ words: "_ent" }), [])
        assert.deepStrictEqual(yield* keysOf({ from: "~v ", until: "~w " }), [])
        const none = yield* listing({ model: idOf("never").model, ...span })
        assert.isUndefined(none)
      }))

    it.effect("gives a range of keys, by code point, at most as many as asked", () =>
      Effect.gen(function*() {
        const { acquire, commit, range } = yield* ReadModels
        const lease = yield* acquire(idOf("range"), "a")
        yield* commit(
          lease,
          { to: at(1), keys: [] },
          writing({
            "2026-01-01T00:00Z a": 1,
            "2026-01-01T00:00Z B": 2,
            "2026-01-01T00:01Z": 3,
            "2026-01-01T00:02Z": 4
          })
        )
        const { model } = idOf("range")
        const span = { model, from: "2026-01-01T00:00Z", until: "2026-01-01T00:02Z", limit: 9 }
        const rows = (yield* range(span))?.rows
        assert.deepStrictEqual(rows?.map(([, row]) => row), [2, 1, 3])
        assert.lengthOf((yield* range({ ...span, limit: 2 }))?.rows ?? [], 2)
      }))
  })
