/** A page whose commit fails for a while: by bad luck, or for good. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { LogPosition } from "../../src/application/ports/EventStore.ts"
import { type Lease, ReadModels, RowsRefused } from "../../src/application/ports/ReadModels.ts"
import * as Projection from "../../src/application/projections/Projection.ts"
import { append, calledWith } from "../support/attempts.ts"
import { changed } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import { catchUp, shown, Tally } from "../support/projections.ts"

/** Refuses the rows of this many commits, and counts all commits. */
const refusing = (commits: number) => {
  const seen = { commits: 0 }
  const layer = changed(ReadModels, (real) => ({
    commit: (lease, page, fold) =>
      Effect.suspend(() => {
        seen.commits += 1
        return seen.commits <= commits && page.parked === undefined
          ? Effect.fail(new RowsRefused({ ...lease.id, cause: "a lost race" }))
          : real.commit(lease, page, fold)
      })
  })).pipe(Layer.provide(MemoryReadModels.layer))
  return { layer, seen }
}

const handled = (commits: number, events: number) => {
  const { layer, seen } = refusing(commits)
  return Effect.gen(function*() {
    const tally = Projection.consumer(Tally({ name: "tally" }))
    yield* append("s", yield* Effect.forEach(Array.from({ length: events }), () => calledWith()))
    yield* catchUp("a", tally)
    const { checkpoints } = yield* ReadModels
    const [own] = yield* checkpoints
    const { rows } = yield* shown("tally")
    return { parked: own?.parked, taken: Object(rows["all"]).count, commits: seen.commits }
  }).pipe(
    Effect.provide(Layer.mergeAll(layer, MemoryEventStore.layer)),
    Effect.provideService(References.MinimumLogLevel, "None")
  )
}

describe("a page that is refused", () => {
  it.live.each([1, 2])(
    "is taken whole when it is tried again: refused %s times",
    (times) =>
      Effect.gen(function*() {
        const found = yield* handled(times, 4)
        assert.deepStrictEqual(found, { parked: 0, taken: 4, commits: times + 1 })
      })
  )

  it.live("is halved after three tries, and each half is tried once", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* handled(3, 2), { parked: 0, taken: 2, commits: 5 })
    }))

  it.live("is set aside by a version of the model that has set little aside itself", () =>
    Effect.gen(function*() {
      const { acquire, checkpoints, commit } = yield* ReadModels
      let lease: Lease = yield* acquire({ model: "tally", version: 1 }, "a")
      for (let position = 1n; position <= 100n; position++) {
        const to = LogPosition.make(position)
        const parked = { position: to, attempts: 3, error: "does not decode" }
        lease = yield* commit(lease, { to, keys: [], parked }, () => Effect.succeed(new Map()))
      }
      yield* append("s", [yield* calledWith()])
      const newer = Tally({ name: "tally", version: 2, poison: () => true })
      yield* catchUp("a", Projection.consumer(newer))
      const own = (yield* checkpoints).find(({ id }) => id.version === 2)
      assert.deepInclude(own, { parked: 1, state: "rebuilding" })
    }).pipe(
      Effect.provide(Layer.merge(MemoryReadModels.layer, MemoryEventStore.layer)),
      Effect.provideService(References.MinimumLogLevel, "None")
    ))

  it.live("is set aside when its event is alone and was tried three times", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* handled(3, 1), { parked: 1, taken: undefined, commits: 4 })
    }))
})
