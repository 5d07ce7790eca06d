/**
 * Requests whose search another run has reserved: in another process, or in this one.
 *
 * Promise: a search is not sent twice, not ended while it may still be answered, and not awaited
 * from a dead run.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect, Fiber, Layer, Option } from "effect"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { QueryCache } from "../../src/application/ports/SearchProvider.ts"
import * as SessionTurns from "../../src/application/sharing/SessionTurns.ts"
import type { GroundingOutcome } from "../../src/domain/session/GroundingOutcome.ts"
import { tellFact } from "../../src/domain/session/Session.ts"
import { ids } from "../../src/wiring/Storage.ts"
import {
  caller,
  inMemory,
  instance,
  providers,
  scripted,
  whileTimePasses
} from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { PublicApi } from "../support/sent.ts"
import {
  answerWith,
  called,
  callStarted,
  decided,
  hit,
  planned,
  requested
} from "../support/sessionFacts.ts"
import { recorded, recordedTypes, recordElsewhere } from "../support/sessionStream.ts"
import { timePasses } from "../support/testTime.ts"

const question = {
  topic: "How much notice must a tenant give?",
  phase: "mid_chat",
  user_asked_for_facts: true
} as const

const found = hit("https://housing.gov.example/notice", {
  content: "A tenant must give one month's notice before moving out of an ordinary flat."
})

const ground = (fields: object = {}) =>
  Effect.flatMap(
    PublicApi,
    (api) => api.ground({ ...question, session_id: "s", request_id: "r", ...fields }, caller)
  )

/** The only query is reserved by the process, whose search may take ten seconds. */
const reservedBy = Effect.fnUntraced(function*(owner: string) {
  const nowMs = yield* Clock.currentTimeMillis
  yield* recordElsewhere(
    yield* EventStore,
    requested(question),
    decided(),
    planned(["one"]),
    callStarted(0, { owner, expires_at: DateTime.formatIso(DateTime.makeUnsafe(nowMs + 10_000)) })
  )
})

const answeredElsewhere = Effect.flatMap(
  EventStore,
  (log) => recordElsewhere(log, called(0, [found]))
)

/** The process `p1`, with others or as the only one. */
const processThat = (isSole: boolean, provider: ReturnType<typeof scripted>) =>
  inMemory(providers(provider), { instance: instance("p1", isSole) })

const details = Effect.map(
  recorded,
  (events) =>
    events.flatMap(({ data, type }) => type === "WEB_GROUNDING_CALLED" ? [Object(data).detail] : [])
)

const foundIn = ({ searches: [search] }: GroundingOutcome) => search?.hits_count

const unsent = () => scripted("hangs")
const answering = () => scripted(answerWith([found]))

describe("a search that another process makes", () => {
  it.effect("is waited for, and its answer taken as soon as it is recorded", () => {
    const provider = unsent()
    return Effect.gen(function*() {
      yield* reservedBy("p2")
      const running = yield* Effect.forkChild(ground())
      yield* timePasses("5 seconds")
      assert.strictEqual((yield* recordedTypes).at(-1), "CALL_STARTED")
      yield* answeredElsewhere
      yield* timePasses("200 millis")
      assert.isDefined(running.pollUnsafe(), "answered without waiting any longer")
      assert.strictEqual(foundIn(yield* Fiber.join(running)), 1)
      assert.deepStrictEqual(provider.queries, [])
    }).pipe(Effect.provide(processThat(false, provider)))
  })

  it.effect("is in doubt when its time and a moment to record it have passed, not before", () => {
    const provider = answering()
    return Effect.gen(function*() {
      yield* reservedBy("p2")
      const running = yield* Effect.forkChild(ground())
      yield* timePasses("11900 millis")
      assert.strictEqual((yield* recordedTypes).at(-1), "CALL_STARTED")
      yield* timePasses("300 millis")
      // The search that is left is used, once.
      assert.strictEqual((yield* Fiber.join(running)).searches.at(-1)?.hits_count, 1)
      assert.deepStrictEqual(yield* details, ["in_doubt", undefined])
      assert.deepStrictEqual(provider.queries, ["one"])
    }).pipe(Effect.provide(processThat(false, provider)))
  })

  it.effect("is in doubt as soon as the lease of who makes it has lapsed", () =>
    Effect.gen(function*() {
      const { lead } = yield* QueryCache
      yield* lead({ tenantId: caller.tenantId, key: "k" }, "p2 1", 4_000)
      yield* reservedBy("p2 1 k")
      const running = yield* Effect.forkChild(ground())
      yield* timePasses("3900 millis")
      assert.strictEqual((yield* recordedTypes).at(-1), "CALL_STARTED")
      yield* timePasses("300 millis")
      assert.strictEqual((yield* Fiber.join(running)).searches.at(-1)?.hits_count, 1)
      assert.deepStrictEqual(yield* details, ["in_doubt", undefined])
    }).pipe(Effect.provide(processThat(false, answering()))))

  it.effect("is reported as in progress at the deadline, with the time to ask again", () =>
    Effect.gen(function*() {
      yield* reservedBy("p2")
      const failure = yield* whileTimePasses(Effect.flip(ground({ deadline_ms: 2_000 })), 2_000)
      assert.deepInclude(failure, {
        _tag: "RequestInProgress",
        request_id: "r",
        retry_after_ms: 1_000
      })
      assert.strictEqual((yield* recordedTypes).at(-1), "CALL_STARTED")
    }).pipe(Effect.provide(processThat(false, unsent()))))

  it.effect("goes on when a caller who waits for it goes away", () =>
    Effect.gen(function*() {
      yield* reservedBy("p2")
      const waiting = yield* Effect.forkChild(ground())
      yield* timePasses("1 second")
      yield* Fiber.interrupt(waiting)
      assert.strictEqual((yield* recordedTypes).at(-1), "CALL_STARTED")
      yield* answeredElsewhere
      assert.strictEqual(foundIn(yield* whileTimePasses(ground(), 200)), 1)
    }).pipe(Effect.provide(processThat(false, unsent()))))
})

describe("a search that was reserved in a store of this process alone", () => {
  it.effect("is in doubt at once when the process before made it", () =>
    Effect.gen(function*() {
      yield* reservedBy("p0")
      const { searches } = yield* whileTimePasses(ground(), 300)
      assert.strictEqual(searches.at(-1)?.hits_count, 1)
      assert.deepStrictEqual(yield* details, ["in_doubt", undefined])
    }).pipe(Effect.provide(processThat(true, answering()))))

  it.effect("is waited for when another run of this process makes it", () =>
    Effect.gen(function*() {
      yield* reservedBy("p1")
      const running = yield* Effect.forkChild(ground())
      yield* timePasses("5 seconds")
      assert.strictEqual((yield* recordedTypes).at(-1), "CALL_STARTED")
      yield* answeredElsewhere
      yield* timePasses("200 millis")
      assert.strictEqual(foundIn(yield* Fiber.join(running)), 1)
    }).pipe(Effect.provide(processThat(true, unsent()))))
})

const turnsInMemory = Layer.mergeAll(SessionTurns.layer, MemoryEventStore.layer, ids)

describe("a fact that rests on what another process has recorded", () => {
  it.effect("is recorded, though this process had not seen that yet", () =>
    Effect.gen(function*() {
      const { join } = yield* SessionTurns.SessionTurns
      const { handleAll, load } = yield* join({ tenant_id: "t", session_id: "s" })
      yield* load
      yield* recordElsewhere(yield* EventStore, requested(question), decided())
      const { facts, rejected } = yield* handleAll([tellFact(planned())], "test")
      assert.deepStrictEqual([facts.length, Option.isNone(rejected)], [1, true])
      assert.deepStrictEqual(yield* recordedTypes, ["REQUESTED", "DECIDED", "QUERY_PLANNED"])
    }).pipe(Effect.scoped, Effect.provide(turnsInMemory)))

  it.effect("is refused when the log does not hold that either", () =>
    Effect.gen(function*() {
      const { join } = yield* SessionTurns.SessionTurns
      const { handleAll, load } = yield* join({ tenant_id: "t", session_id: "s" })
      yield* load
      const { facts, rejected } = yield* handleAll([tellFact(planned())], "test")
      assert.deepStrictEqual([facts.length, Option.isSome(rejected)], [0, true])
    }).pipe(Effect.scoped, Effect.provide(turnsInMemory)))
})
