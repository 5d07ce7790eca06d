/**
 * A session with other writers, and a log that does not take what is recorded.
 *
 * Promise: the caller gets a truthful answer in time, nothing is decided on an outdated state, and
 * paid results are recorded even when they are late.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Ref } from "effect"
import type { Report } from "../../src/application/GroundQuestion.ts"
import {
  type EventStore,
  EventStoreUnavailable,
  type NewEvent,
  StreamConflict,
  type StreamHead
} from "../../src/application/ports/EventStore.ts"
import type { SearchProvider } from "../../src/application/ports/SearchProvider.ts"
import { PublicApi } from "../../src/application/PublicApi.ts"
import {
  caller,
  inMemory,
  logThat,
  providers,
  scripted,
  slow,
  tramFares as answer,
  whileTimePasses
} from "../support/grounding.ts"
import * as Sent from "../support/sent.ts"
import { callStarted, requested } from "../support/sessionFacts.ts"
import { recorded, recordedTypes, recordElsewhere } from "../support/sessionStream.ts"
import { timePasses } from "../support/testTime.ts"

const question = {
  topic: "How much is a tram ticket in Halvern?",
  phase: "mid_chat",
  user_asked_for_facts: true
} as const
const asked = { ...question, session_id: "s", request_id: "r" }

const silent: Report = () => Effect.void

const ground = (fields: object = {}, report = silent) =>
  Effect.flatMap(Sent.PublicApi, (api) => api.ground({ ...asked, ...fields }, caller, report))

const holds = (events: ReadonlyArray<NewEvent>, type: string) =>
  events.some((event) => event.type === `WEB_GROUNDING_${type}`)

const conflict = ({ ref, version }: StreamHead) =>
  Effect.fail(new StreamConflict({ ref, expectedVersion: version }))
const unavailable = Effect.fail(new EventStoreUnavailable({ operation: "append", cause: "away" }))

/** A log that answers appends of one type of event so. */
const logWith = (
  type: string,
  instead: (head: StreamHead) => ReturnType<EventStore["Service"]["append"]>
) => logThat((log, head, events) => holds(events, type) ? instead(head) : log.append(head, events))

describe("a session whose last search another process takes", () => {
  const other = { request_id: "r2" }
  const spent = [
    requested({ ...question, topic: "Something else", ...other }),
    callStarted(0, other),
    callStarted(1, other)
  ]
  /** Both searches of the session are taken right before this process reserves one. */
  const faster = () => {
    let isTaken = false
    return logThat((log, head, events) => {
      if (isTaken || !holds(events, "CALL_STARTED")) return log.append(head, events)
      isTaken = true
      return Effect.andThen(Effect.orDie(recordElsewhere(log, ...spent)), log.append(head, events))
    })
  }

  it.effect("answers without a search, and keeps its budget", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      const outcome = yield* whileTimePasses(ground(), 1_000)
      assert.strictEqual(outcome.mode, "ungrounded")
      assert.deepStrictEqual(outcome.searches, [])
      assert.deepStrictEqual(provider.queries, [])
      const events = yield* recorded
      assert.lengthOf(events.filter(({ type }) => type === "WEB_GROUNDING_CALL_STARTED"), 2)
      const stopped = events.find(({ type }) => type === "WEB_GROUNDING_SEARCH_STOPPED")
      assert.deepInclude(stopped?.data, { request_id: "r", reason: "budget" })
    }).pipe(Effect.provide(inMemory(providers(provider), { log: faster() })))
  })

  it.effect("keeps no other session from the search that it did not make", () => {
    const provider = scripted(answer)
    return Effect.gen(function*() {
      yield* whileTimePasses(ground(), 1_000)
      const next = yield* whileTimePasses(ground({ session_id: "another" }), 100)
      assert.strictEqual(next.mode, "snippets_only")
    }).pipe(Effect.provide(inMemory(providers(provider), { log: faster() })))
  })
})

describe("a request id that another process takes for another question", () => {
  it.effect("is refused, also when that shows only as the request is recorded", () => {
    let isTaken = false
    const overtaken = logThat((log, head, events) => {
      if (isTaken) return log.append(head, events)
      isTaken = true
      const other = requested({ ...question, topic: "Something else", request_id: "r" })
      return Effect.andThen(Effect.orDie(recordElsewhere(log, other)), log.append(head, events))
    })
    const provider = scripted(answer)
    return Effect.gen(function*() {
      const failure = yield* whileTimePasses(Effect.flip(ground()), 1_000)
      assert.strictEqual(failure._tag, "RequestConflict")
      assert.deepStrictEqual(provider.queries, [])
      assert.deepStrictEqual(yield* recordedTypes, ["REQUESTED"])
    }).pipe(Effect.provide(inMemory(providers(provider), { log: overtaken })))
  })
})

describe("a session that others always write to first", () => {
  it.effect("is reported as in progress at the deadline", () =>
    Effect.gen(function*() {
      const failure = yield* whileTimePasses(Effect.flip(ground({ deadline_ms: 2_000 })), 2_100)
      assert.deepInclude(failure, {
        _tag: "RequestInProgress",
        request_id: "r",
        retry_after_ms: 1_000
      })
      assert.deepStrictEqual(yield* recordedTypes, [])
    }).pipe(
      Effect.provide(inMemory(providers(scripted(answer)), { log: logWith("DECIDED", conflict) }))
    ))

  it.effect("is written to as soon as they leave time for it", () => {
    let conflicts = 0
    const busy = logThat((log, head, events) => {
      if (!holds(events, "DECIDED") || conflicts === 30) return log.append(head, events)
      conflicts += 1
      return conflict(head)
    })
    return Effect.gen(function*() {
      const outcome = yield* whileTimePasses(ground(), 5_000)
      assert.strictEqual(outcome.mode, "snippets_only")
      assert.strictEqual(conflicts, 30)
    }).pipe(Effect.provide(inMemory(providers(scripted(answer)), { log: busy })))
  })
})

describe("a log that does not answer", () => {
  /** Appends of one type of event wait for `release`. */
  const hanging = Effect.fnUntraced(function*<A, E>(
    type: string,
    provider: SearchProvider,
    told: Effect.Effect<A, E, PublicApi>
  ) {
    const isTold = yield* Deferred.make<void>()
    const log = logWith(type, () => Effect.andThen(Deferred.await(isTold), unavailable))
    return yield* told.pipe(
      Effect.ensuring(Deferred.succeed(isTold, undefined)),
      Effect.provide(inMemory(providers(provider), { log }))
    )
  })

  it.effect.each([["PACK_CREATED", 1], ["DECIDED", 0]] as const)(
    "costs the caller no more than its deadline: at %s",
    ([type, searches]) => {
      const provider = scripted(answer)
      return Effect.gen(function*() {
        const failed = Effect.flip(ground({ deadline_ms: 2_000, overrides: { max_queries: 1 } }))
        const failure = yield* hanging(type, provider, whileTimePasses(failed, 2_200))
        assert.deepInclude(failure, { _tag: "RequestInProgress", request_id: "r" })
        assert.strictEqual(provider.queries.length, searches)
      })
    }
  )

  it.effect("holds a caller that goes away for a second", () => {
    const left = Effect.gen(function*() {
      const running = yield* Effect.forkChild(ground())
      yield* timePasses("1 second")
      const leaving = yield* Effect.forkChild(Fiber.interrupt(running))
      yield* timePasses("900 millis")
      assert.isUndefined(leaving.pollUnsafe(), "the record of its call is waited for")
      yield* timePasses("200 millis")
      assert.isDefined(leaving.pollUnsafe())
    })
    return hanging("CALLED", scripted("hangs"), left)
  })
})

describe("a log that is away", () => {
  const failing = (type: string) =>
    inMemory(providers(scripted(answer)), { log: logWith(type, () => unavailable) })

  it.effect.each(
    [
      ["REQUESTED", false],
      ["DECIDED", false],
      ["CALL_STARTED", false],
      ["CALLED", true],
      ["PACK_CREATED", true]
    ] as const
  )(
    "tells whether a search may have been sent: at %s %s",
    ([type, may_have_searched]) =>
      Effect.gen(function*() {
        const failure = yield* whileTimePasses(Effect.flip(ground()), 100)
        assert.deepInclude(failure, {
          _tag: "StoreUnavailable",
          request_id: "r",
          may_have_searched
        })
      }).pipe(Effect.provide(failing(type)))
  )

  it.effect("reports an earlier run's search, too", () =>
    Effect.gen(function*() {
      const away = yield* Ref.make(false)
      const log = logThat((log, head, events) =>
        Effect.flatMap(Ref.get(away), (isAway) => isAway ? unavailable : log.append(head, events))
      )
      yield* Effect.gen(function*() {
        const dying = yield* Effect.forkChild(
          ground({}, ({ event }) =>
            event._tag === "WEB_GROUNDING_CALLED" ? Effect.never : Effect.void)
        )
        yield* timePasses("1 second")
        yield* Fiber.interrupt(dying)
        yield* Ref.set(away, true)
        assert.deepInclude(yield* Effect.flip(ground()), {
          _tag: "StoreUnavailable",
          may_have_searched: true
        })
      }).pipe(Effect.provide(inMemory(providers(scripted(answer)), { log })))
    }))
})

describe("an answer that was paid for", () => {
  /** Others write first for so long. */
  const busyFor = (ms: number) =>
    logThat((log, head, events) =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (nowMs) => holds(events, "CALLED") && nowMs < ms ? conflict(head) : log.append(head, events)
      )
    )

  it.effect("is recorded after the deadline, while its caller has heard that it takes longer", () =>
    Effect.gen(function*() {
      const failure = yield* whileTimePasses(Effect.flip(ground({ deadline_ms: 2_000 })), 2_200)
      assert.strictEqual(failure._tag, "RequestInProgress")
      assert.strictEqual((yield* recordedTypes).at(-1), "CALL_STARTED")
      yield* timePasses("6 seconds")
      const last = (yield* recorded).at(-1)
      assert.strictEqual(last?.type, "WEB_GROUNDING_CALLED")
      assert.deepInclude(last?.data, { status: "success" })
      // Asked again, the request goes on from there.
      const again = yield* whileTimePasses(ground({ deadline_ms: 2_000 }), 1_000)
      assert.strictEqual(again.mode, "snippets_only")
    }).pipe(
      Effect.provide(inMemory(providers(slow(scripted(answer), 300)), { log: busyFor(6_000) }))
    ))
})

describe("a listener to the facts", () => {
  it.effect("does not keep a caller from going away", () =>
    Effect.gen(function*() {
      const running = yield* Effect.forkChild(ground({}, () => Effect.never))
      yield* timePasses("1 second")
      const leaving = yield* Effect.forkChild(Fiber.interrupt(running))
      yield* timePasses("1 millis")
      assert.isDefined(leaving.pollUnsafe())
    }).pipe(Effect.provide(inMemory(providers(scripted(answer))))))

  it.effect("does not lengthen a search by what it takes: it ends as its reservation says", () => {
    const slowly: Report = ({ event }) =>
      event._tag === "WEB_GROUNDING_CALL_STARTED" ? Effect.sleep("4 seconds") : Effect.void
    return Effect.gen(function*() {
      yield* whileTimePasses(
        ground({ deadline_ms: 9_000, overrides: { max_queries: 1 } }, slowly),
        9_000
      )
      const events = yield* recorded
      const started = events.find(({ type }) => type === "WEB_GROUNDING_CALL_STARTED")
      const ended = events.find(({ type }) => type === "WEB_GROUNDING_CALLED")
      assert.strictEqual(ended?.recordedAt, Object(started?.data).expires_at)
    }).pipe(
      Effect.provide(
        inMemory(providers(scripted("hangs")), { limits: { attemptTimeoutMs: 60_000 } })
      )
    )
  })
})
