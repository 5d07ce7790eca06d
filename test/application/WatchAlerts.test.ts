/** Alerts: each is opened once and closed once, whichever process looks and however often. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Ref } from "effect"
import { AskHealth } from "../../src/application/AskHealth.ts"
import { EventStoreUnavailable } from "../../src/application/ports/EventStore.ts"
import { stateOf } from "../../src/application/ports/ServiceState.ts"
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

const healthBy = (seen: Ref.Ref<ReadonlyArray<Alert> | "away">) =>
  Layer.succeed(AskHealth, {
    health: () => Effect.die("not asked"),
    lastHour: Effect.die("not asked"),
    alerts: Effect.flatMap(Ref.get(seen), (alerts) =>
      alerts === "away"
        ? Effect.fail(new EventStoreUnavailable({ operation: "read", cause: "away" }))
        : Effect.succeed(alerts))
  })

/** A process that sees what is set for it alone. */
const replica = Effect.gen(function*() {
  const seen = yield* Ref.make<ReadonlyArray<Alert> | "away">([])
  const services = yield* Layer.build(
    Layer.fresh(WatchAlerts.layer.pipe(Layer.provide(healthBy(seen))))
  )
  return { seen, look: Context.get(services, WatchAlerts.WatchAlerts).look }
})

const watcher = WatchAlerts.layer.pipe(Layer.provide(healthBy(now)))
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
  it.effect("rise and ease while they are open", () =>
    Effect.gen(function*() {
      const severities = Effect.gen(function*() {
        const { list: told } = yield* Sent.WatchAlerts
        return (yield* told({ state: "open" })).alerts.map(({ alert }) => alert.severity)
      })
      yield* looked([{ ...rateLow, severity: "warning" }])
      assert.deepStrictEqual(yield* severities, ["warning"])
      yield* looked([rateLow])
      assert.deepStrictEqual(yield* severities, ["critical"])
      yield* looked([{ ...rateLow, severity: "warning" }])
      assert.deepStrictEqual(yield* severities, ["warning"])
    }).pipe(Effect.provide(layer)))

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

  it.effect("that one process of two sees are opened once, and over a minute after", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* replica, yield* replica]
      const { list: told } = yield* Sent.WatchAlerts
      const listed = Effect.map(
        told({}),
        ({ alerts }) =>
          alerts.map(({ alert_key, closed_at }) => [alert_key, closed_at === undefined])
      )
      const turns = (seconds: number) =>
        Effect.repeat(
          Effect.all([
            one.look,
            timePasses("7 seconds"),
            other.look,
            timePasses("8 seconds"),
            listed
          ]),
          { times: seconds / 15 - 1 }
        )
      yield* Ref.set(one.seen, [rateLow])
      yield* turns(600)
      assert.deepStrictEqual(yield* listed, [["SuccessRateLow", true]])
      yield* Ref.set(one.seen, [])
      yield* turns(30)
      assert.deepStrictEqual(yield* listed, [["SuccessRateLow", true]])
      yield* turns(60)
      assert.deepStrictEqual(yield* listed, [["SuccessRateLow", false]])
      // The process that saw it ends, and the other one closes it.
      yield* Ref.set(one.seen, [rateLow])
      yield* one.look
      yield* Effect.repeat(Effect.andThen(timePasses("15 seconds"), other.look), { times: 4 })
      assert.deepStrictEqual(yield* listed, [["SuccessRateLow", false], ["SuccessRateLow", false]])
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(layer))))

  it.effect("of an earlier release are seen once more before they are over", () =>
    Effect.gen(function*() {
      const { put } = yield* stateOf("open_alert", WatchAlerts.AlertRow)
      const opened_at = "2026-01-01T00:00:00.000Z"
      const value = { alert_key: "SuccessRateLow", alert: rateLow, opened_at }
      yield* put({ key: value.alert_key, value, version: 0 })
      assert.deepStrictEqual((yield* looked([])).open, ["SuccessRateLow"])
      assert.deepStrictEqual((yield* looked([])).closed, ["SuccessRateLow"])
    }).pipe(Effect.provide(Layer.fresh(layer))))

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
