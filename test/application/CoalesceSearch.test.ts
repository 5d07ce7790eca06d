/**
 * Callers of one search while its leader is slow, frozen or gone.
 *
 * Promise: a caller spends at most a third of its time on another's search, a leader without signs
 * of life is replaced within its short lease, and no caller releases another's lease.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Fiber, Layer } from "effect"
import { Digest } from "../../src/application/ports/Platform.ts"
import { QueryCache } from "../../src/application/ports/SearchProvider.ts"
import * as CoalesceSearch from "../../src/application/sharing/CoalesceSearch.ts"
import * as SingleFlight from "../../src/application/sharing/SingleFlight.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import { instance, providers, scripted, whileTimePasses } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryQueryCache from "../support/memory/MemoryQueryCache.ts"
import { request } from "../support/sandboxSearch.ts"
import { timePasses } from "../support/testTime.ts"

const { CoalesceSearch: Coalesce } = CoalesceSearch
type Service = typeof Coalesce.Service

const leftMs = 30_000
const thirdMs = leftMs / 3

/** One process, over a cache that all share. */
const processOf = (id: string, cache: Layer.Layer<QueryCache, never, QueryCache> = asItIs) =>
  Effect.map(
    Layer.build(Layer.fresh(CoalesceSearch.layer.pipe(Layer.provide(Layer.mergeAll(
      cache,
      instance(id, false),
      providers(scripted("hangs")),
      Layer.succeed(Digest, { sha256, canonical })
    ))))),
    (built) => Context.get(built, Coalesce)
  )

const asItIs = Layer.effect(QueryCache, Effect.service(QueryCache))

/** The process gives no sign of life, as when it is stopped or killed. */
const frozen = Layer.effect(
  QueryCache,
  Effect.map(QueryCache, (cache) => ({ ...cache, renew: () => Effect.never }))
)

const shared = Layer.merge(MemoryEventStore.layer, MemoryQueryCache.layer)

/** When a caller may search, and what it holds. */
const turnOf = (process: Service, ms = leftMs) => process.turn("t", request(), ms)

const startedAfter = Effect.fnUntraced(function*(turn: Effect.Effect<SingleFlight.Turn<unknown>>) {
  const startMs = yield* Clock.currentTimeMillis
  const fiber = yield* Effect.forkChild(
    Effect.flatMap(
      turn,
      (turn) => Effect.map(Clock.currentTimeMillis, (nowMs) => ({ turn, afterMs: nowMs - startMs }))
    )
  )
  for (let steps = 0; steps < 700 && fiber.pollUnsafe() === undefined; steps++) {
    yield* timePasses("50 millis")
  }
  return yield* Fiber.join(fiber)
})

const holdsLead = (turn: SingleFlight.Turn<unknown>) =>
  turn._tag === "Leads" && turn.lead.held !== undefined

const leadOf = (turn: SingleFlight.Turn<unknown>): SingleFlight.Lead =>
  turn._tag === "Leads" ? turn.lead : assert.fail("no lead")

/** Whether a leader is active: another caller would have to wait. */
const isLed = Effect.fnUntraced(function*(lead: SingleFlight.Lead) {
  const cache = yield* QueryCache
  const mayLead = yield* cache.lead(lead.key, "stranger", 1)
  yield* cache.resign(lead.key, "stranger")
  return !mayLead
})

describe("a caller of a search that another one makes", () => {
  it.effect.each(["in its process", "in another process"])("searches alone after a third: %s", (
    where
  ) =>
    Effect.gen(function*() {
      const one = yield* processOf("p1")
      const other = where === "in its process" ? one : yield* processOf("p2")
      assert.isTrue(holdsLead(yield* turnOf(one)))
      const { afterMs, turn } = yield* startedAfter(turnOf(other))
      assert.isFalse(holdsLead(turn))
      assert.isAtLeast(afterMs, thirdMs)
      assert.isAtMost(afterMs, thirdMs + 50)
    }).pipe(Effect.provide(shared)))

  it.effect("takes over within a lease when the leader gives no sign of life", () =>
    Effect.gen(function*() {
      const dead = yield* processOf("p1", frozen)
      const alive = yield* processOf("p2")
      yield* turnOf(dead)
      const { afterMs, turn } = yield* startedAfter(turnOf(alive))
      assert.isTrue(holdsLead(turn))
      assert.isAtLeast(afterMs, SingleFlight.leaseMs)
      assert.isAtMost(afterMs, SingleFlight.leaseMs + 100)
    }).pipe(Effect.provide(shared)))

  it.effect("is not let in while the leader lives, however long its search takes", () =>
    Effect.gen(function*() {
      const leader = yield* processOf("p1")
      const lead = leadOf(yield* turnOf(leader))
      for (let times = 0; times < 20; times++) {
        yield* timePasses("1 second")
        assert.isTrue(yield* isLed(lead), `after ${times + 1} s`)
      }
      yield* leader.release(lead)
      assert.isFalse(yield* isLed(lead))
    }).pipe(Effect.provide(shared)))

  it.effect("searches as soon as the leader gives up", () =>
    Effect.gen(function*() {
      const one = yield* processOf("p1")
      const lead = leadOf(yield* turnOf(one))
      const waiting = yield* Effect.forkChild(turnOf(one))
      yield* timePasses("1 second")
      yield* one.release(lead)
      assert.isTrue(holdsLead(yield* Fiber.join(waiting)))
    }).pipe(Effect.provide(shared)))

  it.effect("is not kept waiting by another tenant's", () =>
    Effect.gen(function*() {
      const one = yield* processOf("p1")
      yield* turnOf(one)
      const other = yield* whileTimePasses(one.turn("another", request(), leftMs), 50)
      assert.isTrue(holdsLead(other))
    }).pipe(Effect.provide(shared)))

  it.effect("lets others search when it disconnects", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* processOf("p1"), yield* processOf("p2")]
      const lead = leadOf(yield* turnOf(one))
      // The first waits for the other process, the second for the first.
      const first = yield* Effect.forkChild(turnOf(other))
      yield* timePasses("100 millis")
      const second = yield* Effect.forkChild(turnOf(other))
      yield* timePasses("100 millis")
      yield* Fiber.interrupt(first)
      yield* one.release(lead)
      yield* timePasses("100 millis")
      assert.isTrue(holdsLead(yield* Fiber.join(second)))
    }).pipe(Effect.provide(shared)))
})

describe("a lease", () => {
  /** The cache takes longer to grant a lead than a caller waits for it. */
  const slowToTell = Layer.effect(
    QueryCache,
    Effect.map(QueryCache, (cache) => ({
      ...cache,
      lead: (key, owner, ms) => Effect.delay(cache.lead(key, owner, 60 * ms), thirdMs + 1_000)
    }))
  )

  it.effect.each(["waits no longer", "goes away"])(
    "is not kept by one who %s for it",
    (how) =>
      Effect.gen(function*() {
        const one = yield* processOf("p1", slowToTell)
        const asking = yield* Effect.forkChild(turnOf(one))
        yield* timePasses("1 second")
        if (how === "goes away") yield* Fiber.interrupt(asking)
        yield* timePasses(thirdMs)
        if (how === "waits no longer") assert.isFalse(holdsLead(yield* Fiber.join(asking)))
        yield* timePasses("2 seconds")
        const other = yield* processOf("p2")
        assert.isTrue(holdsLead(yield* whileTimePasses(turnOf(other), 50)))
      }).pipe(Effect.provide(shared))
  )

  /** A slow leader, and a caller of its process who went alone and is done. */
  const slowAndAlone = Effect.gen(function*() {
    const one = yield* processOf("p1")
    const lead = leadOf(yield* turnOf(one))
    const { turn } = yield* startedAfter(turnOf(one))
    return { alone: leadOf(turn), lead, one }
  })

  it.effect("is not given back by one who searched alone", () =>
    Effect.gen(function*() {
      const { alone, lead, one } = yield* slowAndAlone
      yield* one.release(alone)
      assert.isTrue(yield* isLed(lead))
      const next = yield* Effect.forkChild(turnOf(one))
      yield* timePasses("1 second")
      assert.isUndefined(next.pollUnsafe())
      yield* one.release(lead)
      assert.isTrue(holdsLead(yield* Fiber.join(next)))
    }).pipe(Effect.provide(shared)))

  /** A leader that was frozen for longer than its lease ends, while another one leads. */
  const thawed = (names: "each its own" | "one for all") =>
    Effect.gen(function*() {
      const named = Layer.effect(
        QueryCache,
        Effect.map(QueryCache, (cache) => {
          const nameOf = (owner: string) => names === "one for all" ? "process" : owner
          return {
            ...cache,
            lead: (key, owner, ms) => cache.lead(key, nameOf(owner), ms),
            renew: () => Effect.never,
            resign: (key, owner) => cache.resign(key, nameOf(owner))
          }
        })
      )
      const [one, other] = [yield* processOf("p1", named), yield* processOf("p2", named)]
      const lead = leadOf(yield* turnOf(one))
      const { turn } = yield* startedAfter(turnOf(other))
      assert.isTrue(holdsLead(turn))
      // The current leader gave a sign of life a moment ago.
      const cache = yield* QueryCache
      const held = leadOf(turn).held?.owner ?? ""
      yield* cache.lead(lead.key, names === "one for all" ? "process" : held, 60_000)
      yield* one.release(lead)
      return yield* isLed(lead)
    }).pipe(Effect.provide(shared))

  it.effect("is not ended by a leader that was frozen and lost it", () =>
    Effect.map(thawed("each its own"), (led) => assert.isTrue(led)))
})
