/** The log is verified each interval by one process, and what is found opens and closes an alert. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { MakeAnchors } from "../../src/application/audit/MakeAnchors.ts"
import * as WatchLog from "../../src/application/audit/WatchLog.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { stateOf } from "../../src/application/ports/ServiceState.ts"
import { Verifications } from "../../src/domain/audit/VerificationLog.ts"
import { anchoring, log, newKey, type Tampering } from "../support/anchoredLog.ts"
import * as MemoryAnchors from "../support/memory/MemoryAnchors.ts"
import { timePasses } from "../support/testTime.ts"

const dayMs = 24 * 3_600_000

const record = Effect.gen(function*() {
  const { append, read } = yield* EventStore
  const { head } = yield* read({ tenant_id: "t", session_id: "s" })
  yield* append(head, [{
    eventId: crypto.randomUUID(),
    type: "NOTED",
    schemaVersion: 1,
    data: { index: head.version },
    metadata: { correlation_id: "r", causation_id: "r", actor: "test" }
  }])
})

/** The latest verification, and the one that runs, e.g. `full 0` and `full begun`. */
const verified = Effect.gen(function*() {
  const { rows } = yield* stateOf("verification", Verifications)
  return (yield* rows()).flatMap(({ value: { last, running } }) => [
    ...(last === undefined ? [] : [`${last.mode} ${last.faults_count}`]),
    ...(running === undefined ? [] : [`${running.mode} begun`])
  ])
})

const watching = () => {
  const tampering: Tampering = { rows: undefined }
  const anchored = anchoring(MemoryAnchors.held(), newKey())
  const process = WatchLog.layer(dayMs).pipe(Layer.provideMerge(anchored))
  return { tampering, process, layer: process.pipe(Layer.provideMerge(log(tampering))) }
}

describe("verification by the service", () => {
  it.effect("is done once an interval, of all processes, every seventh time of all payloads", () => {
    const { layer, process } = watching()
    return Effect.gen(function*() {
      yield* record
      yield* (yield* MakeAnchors).make
      const { newest, round, unsound } = yield* WatchLog.WatchLog
      const other = yield* WatchLog.WatchLog.pipe(Effect.provide(Layer.fresh(process)))
      assert.isTrue(Option.isNone(yield* newest))
      yield* Effect.all([round, other.round, round], { concurrency: 3 })
      assert.deepStrictEqual(yield* verified, ["full 0"])
      const firstAt = Option.getOrThrow(yield* newest).at
      yield* timePasses("20 hours")
      yield* other.round
      assert.strictEqual(Option.getOrThrow(yield* newest).at, firstAt)
      const told: Array<string> = []
      for (let day = 1; day <= 7; day++) {
        yield* timePasses("24 hours")
        yield* Effect.all([other.round, round], { concurrency: 2 })
        told.push(...yield* verified)
      }
      const six = Array.from({ length: 6 }, () => "incremental 0")
      assert.deepStrictEqual(told, [...six, "full 0"])
      assert.isTrue(Option.isNone(yield* unsound))
      assert.strictEqual(Option.getOrThrow(yield* newest).mode, "full")
    }).pipe(Effect.provide(layer))
  })

  it.effect("reports what it found until a later one finds nothing, and looks at all meanwhile", () => {
    const { layer, tampering } = watching()
    return Effect.gen(function*() {
      yield* record
      yield* record
      yield* (yield* MakeAnchors).make
      const { round, unsound } = yield* WatchLog.WatchLog
      yield* round
      tampering.rows = (events) =>
        events.map((event, index) => index === 0 ? { ...event, data: { index: 99 } } : event)
      // An incremental one does not look at payloads before the anchor.
      yield* timePasses("24 hours")
      yield* round
      assert.isTrue(Option.isNone(yield* unsound))
      for (let day = 0; day < 6; day++) {
        yield* timePasses("24 hours")
        yield* round
      }
      const found = Option.getOrThrow(yield* unsound)
      assert.deepInclude(found, { kind: "payload_edited", faults_count: 1, severity: "critical" })
      assert.deepStrictEqual(yield* verified, ["full 1"])
      yield* timePasses("24 hours")
      yield* round
      assert.deepStrictEqual(yield* verified, ["full 1"])
      const later = Option.getOrThrow(yield* unsound)
      assert.isBelow(Date.parse(later.since), Date.parse(later.at))
      assert.strictEqual(later.since, found.since)
      tampering.rows = undefined
      yield* timePasses("24 hours")
      yield* round
      assert.isTrue(Option.isNone(yield* unsound))
      assert.deepStrictEqual(yield* verified, ["full 0"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("goes on where a process ended in the middle, after six hours", () => {
    const { layer, process, tampering } = watching()
    return Effect.gen(function*() {
      yield* record
      const { round } = yield* WatchLog.WatchLog
      const other = yield* WatchLog.WatchLog.pipe(Effect.provide(Layer.fresh(process)))
      tampering.rows = () => {
        throw new Error("this process ends here")
      }
      yield* round
      tampering.rows = undefined
      yield* timePasses("5 hours")
      yield* other.round
      assert.deepStrictEqual(yield* verified, ["full begun"])
      yield* timePasses("2 hours")
      yield* other.round
      assert.deepStrictEqual(yield* verified, ["full 0"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("follows by itself, a minute after the start", () => {
    const { layer } = watching()
    return Effect.gen(function*() {
      yield* Effect.forkChild((yield* WatchLog.WatchLog).follow)
      yield* record
      yield* timePasses("50 seconds")
      assert.deepStrictEqual(yield* verified, [])
      yield* timePasses("20 seconds")
      assert.deepStrictEqual(yield* verified, ["full 0"])
      yield* timePasses("25 hours")
      assert.deepStrictEqual(yield* verified, ["incremental 0"])
    }).pipe(Effect.provide(layer))
  })
})
