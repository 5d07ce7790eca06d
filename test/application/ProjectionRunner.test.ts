/** The runner over the log and the read models in memory, and both on a server. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, References, Scope, Stream } from "effect"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import { codec } from "../../src/application/log/SessionLog.ts"
import * as VerifiedLog from "../../src/application/log/VerifiedLog.ts"
import {
  EventStore,
  EventStoreUnavailable,
  logStart,
  type StreamHistory
} from "../../src/application/ports/EventStore.ts"
import { ReadModels } from "../../src/application/ports/ReadModels.ts"
import * as Projection from "../../src/application/projections/Projection.ts"
import * as ProjectionRunner from "../../src/application/projections/ProjectionRunner.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import { append, strange } from "../support/attempts.ts"
import { changed, instance } from "../support/grounding.ts"
import { grace } from "../support/machine.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { catchUp, folded, killedAt, runnerOf, shown, Tally } from "../support/projections.ts"
import { called } from "../support/sessionFacts.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const metadata = { correlation_id: "r", causation_id: "c", actor: "test" }

let calls = 0

/** Each with a call id of its own. */
const calledEvent = (request_id = "r") =>
  codec.encode(
    called(0, [], { request_id, call_id: `call-${++calls}` }),
    uuidv7(1_000),
    metadata
  )

const appendCalls = (session: string, count: number, request_id = "r") =>
  Effect.gen(function*() {
    const events = yield* Effect.forEach(
      Array.from({ length: count }),
      () => calledEvent(request_id)
    )
    return yield* append(session, events)
  })

/** Where an append ended. */
const endOf = ({ events }: StreamHistory) => events.at(-1)?.position ?? logStart

const checkpointOf = (model: string) =>
  Effect.gen(function*() {
    const { checkpoints } = yield* ReadModels
    return (yield* checkpoints).findLast(({ id }) => id.model === model)
  })

const isFold = (consumer: Projection.Consumer) =>
  Effect.gen(function*() {
    const { position, rows } = yield* shown(consumer.model)
    assert.deepStrictEqual(rows, yield* folded(consumer, position))
    return Object.keys(rows).length
  })

const until = (condition: Effect.Effect<boolean, unknown, ReadModels>) =>
  Effect.gen(function*() {
    for (let looks = 0; looks < 400; looks++) {
      if (yield* condition) return
      yield* Effect.sleep("10 millis")
    }
    return yield* Effect.die("it never came to that")
  })

/** Skipped events are logged; here that is intended. */
const quiet = Layer.succeed(References.MinimumLogLevel, "None")

const memory = Layer.mergeAll(MemoryEventStore.layer, MemoryReadModels.layer, quiet)
const server = Layer.mergeAll(PlainEventStore.layer, PostgresReadModels.layer, quiet).pipe(
  Layer.provide(TestDatabase.layer)
)

describe.each([["memory", memory], ["server", server]] as const)("the runner: %s", (_, layer) => {
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("takes every event in once, however often it is killed in a commit", () =>
      Effect.gen(function*() {
        const consumer = Projection.consumer(Tally({ name: "tally_killed" }))
        yield* appendCalls("killed", 30)
        for (let kills = 0; kills < 5; kills++) {
          const killed = yield* Effect.exit(
            Effect.provide(catchUp("a", consumer), killedAt(() => true))
          )
          assert.isTrue(Exit.isFailure(killed))
          assert.deepStrictEqual((yield* shown("tally_killed")).rows, {})
        }
        yield* catchUp("a", consumer)
        yield* isFold(consumer)
      }))

    it.effect("lets one of two processes read, and the other go on when it stops", () =>
      Effect.gen(function*() {
        const consumer = Projection.consumer(Tally({ name: "tally_two" }))
        const start = (owner: string) =>
          Effect.gen(function*() {
            const scope = yield* Scope.make()
            yield* ProjectionRunner.layerFollowing.pipe(
              Layer.provide(ProjectionRunner.layer([consumer])),
              Layer.provide(Layer.mergeAll(instance(owner), VerifiedLog.layerLogSignal)),
              Layer.fresh,
              Layer.buildWithScope(scope)
            )
            return Scope.close(scope, Exit.void)
          })
        const stop = yield* start("a")
        yield* until(Effect.map(checkpointOf("tally_two"), (at) => at?.owner === "a"))
        const stopOther = yield* start("b")
        yield* appendCalls("two", 10)
        const last = endOf(yield* appendCalls("two", 1))
        const isRead = Effect.map(checkpointOf("tally_two"), (at) => (at?.position ?? 0n) >= last)
        yield* until(isRead)
        yield* stop
        yield* until(Effect.map(checkpointOf("tally_two"), (at) => at?.owner === "b"))
        yield* stopOther
        yield* isFold(consumer)
      }))

    it.effect("passes unknown types", () =>
      Effect.gen(function*() {
        const consumer = Projection.consumer(Tally({ name: "tally_unknown" }))
        const history = yield* append("unknown", [strange("WEB_GROUNDING_UNHEARD_OF", [1])])
        yield* catchUp("a", consumer)
        const at = yield* checkpointOf("tally_unknown")
        assert.deepInclude(at, { position: endOf(history), parked: 0, state: "running" })
      }))

    it.effect("sets aside what does not decode and what its projection throws on", () =>
      Effect.gen(function*() {
        const poison = (request_id: string) => request_id === "poison-park"
        const consumer = Projection.consumer(Tally({ name: "tally_park", poison }))
        yield* appendCalls("park", 9)
        yield* append("park", [strange("WEB_GROUNDING_CALLED", { secret: "s" })])
        yield* appendCalls("park", 5)
        yield* appendCalls("park", 2, "poison-park")
        const after = yield* appendCalls("park", 6)
        yield* catchUp("a", consumer)
        const at = yield* checkpointOf("tally_park")
        assert.deepInclude(at, { parked: 3, position: endOf(after), state: "running" })
        const { rows } = yield* shown("tally_park")
        assert.isTrue(
          after.events.every(({ data }) =>
            typeof data === "object" && data !== null && "call_id" in data &&
            String(data.call_id) in rows
          )
        )
      }))

    it.effect("halts a projection that sets everything aside", () =>
      Effect.gen(function*() {
        const consumer = Projection.consumer(Tally({ name: "tally_bug", poison: () => true }))
        yield* appendCalls("bug-1", 60)
        yield* appendCalls("bug-2", 60)
        yield* catchUp("a", consumer)
        const at = yield* checkpointOf("tally_bug")
        assert.deepInclude(at, { state: "halted", parked: 100 })
        assert.match(at?.lastError ?? "", /^at \d+: threw TypeError$/)
        assert.deepStrictEqual((yield* shown("tally_bug")).rows, {})
      }))

    it.effect("says that it holds all only of what passed nothing and stopped nowhere", () =>
      Effect.gen(function*() {
        const poison = (request_id: string) => request_id === "poison-held"
        const models = (["held_whole", "held_park", "held_halt"] as const).map((name) =>
          Projection.consumer(Tally({ name, ...(name === "held_park" ? { poison } : {}) }))
        )
        const holdsAll = Effect.gen(function*() {
          const runner = yield* ProjectionRunner.ProjectionRunner
          return yield* Effect.forEach(models, ({ model }) => runner.holdsAll(model))
        }).pipe(Effect.provide(runnerOf("a", ...models), { local: true }))
        // Earlier events of the log do not matter here.
        const { acquire, commit, halt } = yield* ReadModels
        const to = endOf(yield* appendCalls("held", 1))
        for (const { model, version } of models) {
          const lease = yield* acquire({ model, version }, "a")
          yield* commit(lease, { to, keys: [] }, () => Effect.succeed(new Map()))
        }
        yield* appendCalls("held", 3)
        assert.deepStrictEqual(yield* holdsAll, [true, true, true])
        const count = Object.keys((yield* shown("held_whole")).rows).length
        yield* halt(yield* acquire({ model: "held_halt", version: 1 }, "a"), "a bug")
        yield* appendCalls("held", 1, "poison-held")
        assert.deepStrictEqual(yield* holdsAll, [true, false, false])
        assert.lengthOf(Object.keys((yield* shown("held_whole")).rows), count + 1)
      }))

    it.effect("rebuilds next to the live version: readers see old or new, never a mix", () =>
      Effect.gen(function*() {
        const versionOf = (version: number) =>
          Projection.consumer(Tally({ name: "tally_versions", version }))
        yield* appendCalls("versions", 40)
        yield* catchUp("a", versionOf(1))
        const seen = new Set<number>()
        const look = Effect.gen(function*() {
          const { rows, version } = yield* shown("tally_versions")
          const { all, ...each } = rows
          const versions = new Set(
            Object.values(rows).map((row) => (row as { readonly version: number }).version)
          )
          assert.deepStrictEqual([...versions], [version])
          assert.strictEqual((all as { count: number }).count, Object.keys(each).length)
          seen.add(version)
          yield* Effect.sleep("1 millis")
        })
        const reader = yield* Effect.forkScoped(Effect.forever(look))
        const writer = yield* Effect.forkScoped(Effect.forever(
          Effect.andThen(appendCalls("versions-live", 2), Effect.sleep("2 millis"))
        ))
        for (let version = 2; version <= 11; version++) {
          for (let rounds = 0; rounds < 50; rounds++) {
            yield* catchUp("a", versionOf(version - 1), versionOf(version))
            if ((yield* shown("tally_versions")).version === version) break
          }
          yield* Effect.sleep("5 millis")
          assert.isUndefined(reader.pollUnsafe())
        }
        yield* Fiber.interrupt(writer)
        yield* Fiber.interrupt(reader)
        assert.strictEqual((yield* shown("tally_versions")).version, 11)
        assert.isAtLeast(seen.size, 5)
        yield* catchUp("a", versionOf(11))
        yield* isFold(versionOf(11))
      }).pipe(Effect.scoped))

    it.effect("changes nothing when it is built anew", () =>
      Effect.gen(function*() {
        const version = (version: number) => ({
          ...Projection.consumer(Tally({ name: "tally_anew" })),
          version
        })
        yield* appendCalls("anew", 20)
        yield* catchUp("a", version(1))
        const before = yield* shown("tally_anew")
        yield* catchUp("a", version(2))
        assert.deepStrictEqual(yield* shown("tally_anew"), { ...before, version: 2 })
      }))

    it.effect("waits out an outage of the log, and reads on at a signal", () =>
      Effect.gen(function*() {
        const consumer = Projection.consumer(Tally({ name: "tally_outage" }))
        let outages = 3
        const failing = changed(EventStore, (store) => ({
          all: (position) =>
            outages-- > 0
              ? Stream.fail(new EventStoreUnavailable({ operation: "all", cause: "down" }))
              : store.all(position)
        }))
        yield* Effect.gen(function*() {
          const { lags } = yield* ProjectionRunner.ProjectionRunner
          const read = Effect.map(
            lags,
            (all) => all.some(({ events, model }) => model === "tally_outage" && events === 0)
          )
          yield* until(Effect.orElseSucceed(read, () => false))
          // A quiet log is looked at every 2 s by then.
          yield* Effect.sleep("1500 millis")
          const started = performance.now()
          const end = endOf(yield* appendCalls("outage", 3))
          yield* until(Effect.map(checkpointOf("tally_outage"), (at) => at?.position === end))
          assert.isBelow(performance.now() - started, grace(1_000))
        }).pipe(Effect.provide(
          ProjectionRunner.layerFollowing.pipe(
            Layer.provideMerge(Layer.fresh(ProjectionRunner.layer([consumer]))),
            Layer.provideMerge(VerifiedLog.layerAnnouncing.pipe(Layer.provide(failing))),
            Layer.provide(Layer.mergeAll(instance("a"), VerifiedLog.layerLogSignal))
          ),
          { local: true }
        ))
        yield* isFold(consumer)
      }))

    // The last: whatever came after it would read its events, too.
    it.effect("takes every event in once, page by page, and again nothing", () =>
      Effect.gen(function*() {
        const consumer = Projection.consumer(Tally({ name: "tally_once" }))
        for (let round = 0; round < 40; round++) yield* appendCalls(`once-${round % 7}`, 60)
        yield* catchUp("a", consumer)
        assert.isAbove(yield* isFold(consumer), 2_400)
        yield* catchUp("b", consumer)
        yield* isFold(consumer)
      }))
  })
})
