/** Alerts: each is opened once and closed once, whichever process looks and however often. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import { AskHealth } from "../../src/application/AskHealth.ts"
import { EventStoreUnavailable } from "../../src/application/ports/EventStore.ts"
import * as WatchAlerts from "../../src/application/WatchAlerts.ts"
import type { Alert } from "../../src/domain/health/SearchHealth.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as Sent from "../support/sent.ts"
import { timePasses } from "../support/testTime.ts"

const cooling = (key_slot: number, until: string): Alert => ({
  _tag: "KeyCooling",
  severity: "info",
  provider: "tavily",
  key_slot,
  until,
  reason: "rate_limited"
})

const rateLow: Alert = {
  _tag: "SuccessRateLow",
  severity: "critical",
  web_search_success_rate: 0,
  attempts: 40
}

const now = Ref.makeUnsafe<ReadonlyArray<Alert> | "away">([])

const health = Layer.succeed(AskHealth, {
  health: () => Effect.die("not asked"),
  lastHour: Effect.die("not asked"),
  alerts: Effect.flatMap(Ref.get(now), (alerts) =>
    alerts === "away"
      ? Effect.fail(new EventStoreUnavailable({ operation: "read", cause: "away" }))
      : Effect.succeed(alerts))
})

const watcher = WatchAlerts.layer.pipe(Layer.provide(health))
const layer = watcher.pipe(Layer.provideMerge(MemoryEventStore.layer))

const looked = (alerts: ReadonlyArray<Alert> | "away") =>
  Effect.gen(function*() {
    yield* timePasses("1 minute")
    yield* Ref.set(now, alerts)
    const other = WatchAlerts.WatchAlerts.pipe(Effect.provide(Layer.fresh(watcher)))
    const { look } = yield* WatchAlerts.WatchAlerts
    yield* Effect.all([look, (yield* other).look, look], { concurrency: 3 })
    const { list: told } = yield* Sent.WatchAlerts
    const of = (input: object) =>
      Effect.map(told(input), ({ alerts }) => alerts.map(({ alert_key }) => alert_key))
    return { open: yield* of({ state: "open" }), closed: yield* of({ state: "closed" }) }
  })

describe("alerts", () => {
  it.effect("are opened once and closed once", () =>
    Effect.gen(function*() {
      const [low, two] = ["SuccessRateLow", "KeyCooling tavily 2"]
      assert.deepStrictEqual(yield* looked([]), { open: [], closed: [] })
      const resting = cooling(2, "2026-01-01T00:05:00.000Z")
      assert.deepStrictEqual(yield* looked([resting]), { open: [two], closed: [] })
      const longer = cooling(2, "2026-01-01T00:09:00.000Z")
      assert.deepStrictEqual(yield* looked([longer, rateLow]), { open: [low, two], closed: [] })
      assert.deepStrictEqual(yield* looked([rateLow]), { open: [low], closed: [two] })
      assert.deepStrictEqual(yield* looked("away"), { open: [low], closed: [two] })
      assert.deepStrictEqual(yield* looked([resting]), { open: [two], closed: [low, two] })
      assert.deepStrictEqual(yield* looked([]), { open: [], closed: [two, low, two] })
    }).pipe(Effect.provide(layer)))

  it.effect("of a changed log stay open, also where a process has not met the change", () =>
    Effect.gen(function*() {
      const tampered: Alert = {
        _tag: "LogTampered",
        severity: "critical",
        tenant_id: "bank",
        session_id: "s",
        stream_id: "01a2",
        version: 3,
        kind: "payload_edited",
        since: "2026-01-01T00:00:00.000Z"
      }
      assert.deepStrictEqual((yield* looked([tampered])).open, ["LogTampered 01a2"])
      assert.deepStrictEqual((yield* looked([])).open, ["LogTampered 01a2"])
      assert.deepStrictEqual((yield* looked([tampered])).open, ["LogTampered 01a2"])
    }).pipe(Effect.provide(Layer.fresh(layer))))

  it.effect("are listed page by page, the one that was opened last first", () =>
    Effect.gen(function*() {
      yield* looked([rateLow])
      yield* looked([rateLow, cooling(1, "2026-01-01T00:05:00.000Z")])
      yield* looked([])
      yield* looked([cooling(3, "2026-01-01T00:09:00.000Z")])
      const { list } = yield* Sent.WatchAlerts
      const first = yield* list({ limit: 2 })
      const second = yield* list({ limit: 2, cursor: first.next })
      assert.deepStrictEqual(
        [first, second].map(({ alerts }) => alerts.map(({ alert_key }) => alert_key)),
        [["KeyCooling tavily 3", "KeyCooling tavily 1"], ["SuccessRateLow"]]
      )
      assert.isUndefined(second.next)
      yield* timePasses("91 days")
      assert.deepStrictEqual(
        (yield* list({})).alerts.map(({ alert_key }) => alert_key),
        ["KeyCooling tavily 3"]
      )
    }).pipe(Effect.provide(Layer.fresh(layer))))
})
