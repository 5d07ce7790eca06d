/** What every table of the service's state owes the application. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer, Schema } from "effect"
import { ServiceState, stateOf } from "../../src/application/ports/ServiceState.ts"

const keysOf = (rows: ReadonlyArray<{ readonly key: string }>) => rows.map(({ key }) => key)

export const serviceStateContract = (name: string, layer: Layer.Layer<ServiceState, unknown>) =>
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })(
    `ServiceState: ${name}`,
    (it) => {
      it.effect("writes a row where it has the version that was read, and there alone", () =>
        Effect.gen(function*() {
          const { put, rows } = yield* ServiceState
          const value = { text: "Naïve “quotes”, 한국어 and 🙂.", none: null, list: [1] }
          assert.isTrue(yield* put("key", { key: "a", value: 0, version: 0 }))
          assert.isFalse(yield* put("key", { key: "a", value: 1, version: 0 }))
          assert.isTrue(yield* put("key", { key: "a", value, version: 1 }))
          assert.isFalse(yield* put("key", { key: "a", value: 1, version: 1 }))
          assert.deepStrictEqual(yield* rows("key", { limit: 9 }), [{
            key: "a",
            value,
            version: 2
          }])
          assert.deepStrictEqual(yield* rows("alert", { limit: 9 }), [])
        }))

      it.effect("gives the last rows before a key, by code point", () =>
        Effect.gen(function*() {
          const { put, rows } = yield* ServiceState
          for (const key of ["b", "B", "é", "c 1", "c"]) {
            assert.isTrue(yield* put("alert", { key, value: key, version: 0 }))
          }
          assert.deepStrictEqual(
            keysOf(yield* rows("alert", { limit: 9 })),
            ["B", "b", "c", "c 1", "é"]
          )
          assert.deepStrictEqual(
            keysOf(yield* rows("alert", { before: "c 1", limit: 2 })),
            ["b", "c"]
          )
        }))

      it.effect("hides a row that expired, and writes it anew under a later version", () =>
        Effect.gen(function*() {
          const { put, rows } = yield* ServiceState
          const row = { key: "a", value: 1, version: 0 }
          assert.isTrue(yield* put("open_alert", { ...row, keptMs: 60_000 }))
          assert.isFalse(yield* put("open_alert", row))
          assert.isTrue(yield* put("open_alert", { ...row, version: 1, keptMs: 0 }))
          assert.deepStrictEqual(yield* rows("open_alert", { limit: 9 }), [])
          assert.isTrue(yield* put("open_alert", { ...row, value: 2 }))
          // A process that read the first row closes nothing.
          assert.isFalse(yield* put("open_alert", { ...row, version: 1, keptMs: 0 }))
          assert.deepStrictEqual(
            yield* rows("open_alert", { limit: 9 }),
            [{ key: "a", value: 2, version: 3 }]
          )
        }))

      it.effect("loses no change of many that decide at once", () =>
        Effect.gen(function*() {
          const { change, rows } = yield* stateOf("credits", Schema.Int)
          yield* Effect.forEach(
            Array.from({ length: 8 }),
            () => change("count", (count = 0) => count + 1),
            { concurrency: "unbounded", discard: true }
          )
          assert.deepStrictEqual(yield* rows(), [{ key: "count", value: 8, version: 8 }])
          assert.isUndefined(yield* change("count", () => undefined))
        }))

      it.effect("leaves out what another release wrote in another shape", () =>
        Effect.gen(function*() {
          const { put } = yield* ServiceState
          yield* put("token", { key: "odd", value: "text", version: 0 })
          yield* put("token", { key: "own", value: 1, version: 0 })
          const { rows } = yield* stateOf("token", Schema.Int)
          assert.deepStrictEqual(keysOf(yield* rows()), ["own"])
        }))
    }
  )
