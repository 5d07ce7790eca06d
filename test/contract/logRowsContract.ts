/** What every `LogRows` adapter owes the verification of the log. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, Option, Stream } from "effect"
import { MakeAnchors } from "../../src/application/audit/MakeAnchors.ts"
import * as VerifyLog from "../../src/application/audit/VerifyLog.ts"
import { LogRows, type LogScope } from "../../src/application/audit/VerifyLog.ts"
import type { EventStore } from "../../src/application/ports/EventStore.ts"
import { recorded, toldOf } from "../support/verifiedHistory.ts"

type Services = EventStore | LogRows | MakeAnchors | VerifyLog.VerifyLog

export interface LogRowsContract<E, R> {
  readonly layer: Layer.Layer<Services | R, E>
  /** Layers between the log and its rows. */
  readonly copied: Effect.Effect<void, never, Services | R>
  /** Edits a payload of session `a` at version 3, and takes out the last event of session `c`. */
  readonly edited: Effect.Effect<void, never, Services | R>
}

export const logRowsContract = <E, R>(
  name: string,
  { copied, edited, layer }: LogRowsContract<E, R>
): void => {
  describe(`${name}: rows of the log`, () => {
    it.layer(layer, { excludeTestServices: true })((it) => {
      it.effect("are read by position, with their predecessors, and are named when changed", () =>
        Effect.gen(function*() {
          const rows = yield* LogRows
          const { verify } = yield* VerifyLog.VerifyLog
          yield* recorded
          yield* copied
          const until = yield* rows.settled
          const counted = (scope: LogScope) =>
            Effect.map(verify(scope, { mode: "full" }), ({ events, sound, streams }) => ({
              events,
              sound,
              streams
            }))
          const read = yield* Stream.runCollect(rows.events({}, { after: 3n, until: until - 1n }))
          assert.deepStrictEqual(read.map(({ position }) => Number(position)), [
            4,
            5,
            6,
            7,
            8,
            9,
            10,
            11
          ])
          assert.deepStrictEqual(
            read.map(({ previous, version }) => [version, Number(previous?.position)]),
            [[2, 1], [2, 2], [2, 3], [3, 4], [3, 5], [3, 6], [4, 7], [4, 9]]
          )
          const places = yield* Stream.runCollect(rows.places(4n))
          assert.deepStrictEqual(
            places.map(({ sessionId, tenantId }) => `${tenantId} ${sessionId}`),
            ["t1 a", "t1 b", "t2 c", "t1 a"]
          )

          const whole = yield* verify({}, { mode: "full" })
          assert.deepStrictEqual(toldOf(whole), [])
          assert.deepStrictEqual(whole.anchors, { count: 0, uncovered: 12, outside: true })
          const { make } = yield* MakeAnchors
          const { at: _, ...made } = Option.getOrThrow((yield* make).anchor)
          assert.deepInclude(whole.anchor, made)
          assert.isAbove(whole.bytes, 12 * 50)
          assert.deepStrictEqual(yield* counted({}), { events: 12, sound: true, streams: 3 })
          assert.deepStrictEqual(yield* counted({ tenantId: "t1" }), {
            events: 8,
            sound: true,
            streams: 2
          })
          assert.deepStrictEqual(yield* counted({ tenantId: "t1", sessionId: "b" }), {
            events: 3,
            sound: true,
            streams: 1
          })
          assert.deepStrictEqual(yield* counted({ tenantId: "t2", sessionId: "b" }), {
            events: 0,
            sound: true,
            streams: 0
          })
          const unchanged = yield* verify({}, { mode: "incremental" })
          assert.deepInclude(unchanged.anchor, made)
          assert.deepStrictEqual(unchanged.anchors, { count: 1, uncovered: 0, outside: true })
          assert.strictEqual(unchanged.events, 0)
          const other = {
            ...made,
            at: "",
            tree_size: 7,
            last_position: "7",
            root_hash: "0".repeat(64)
          }
          assert.deepStrictEqual(
            toldOf(yield* verify({}, { mode: "full", anchor: other })),
            ["rewritten - - #7"]
          )

          yield* edited
          const payload = "payload_edited a 3 #7"
          const head = "head_mismatch c 3 #9"
          const shortened = "removed - - #12"
          const all = yield* verify({}, { mode: "full" })
          assert.deepStrictEqual(toldOf(all), [payload, shortened, head])
          assert.strictEqual(all.anchor, undefined)
          assert.deepStrictEqual(
            toldOf(yield* verify({}, { mode: "incremental" })),
            [shortened, head]
          )
          const t1 = yield* verify({ tenantId: "t1" }, { mode: "full" })
          assert.deepStrictEqual(toldOf(t1), [payload])
          const c = yield* verify({ tenantId: "t2", sessionId: "c" }, { mode: "full" })
          assert.deepStrictEqual(toldOf(c), [head])
          const b = yield* verify({ tenantId: "t1", sessionId: "b" }, { mode: "full" })
          assert.deepStrictEqual(toldOf(b), [])
        }))
    })
  })
}
