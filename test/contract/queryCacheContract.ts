/** What every query cache owes the application. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { QueryCache } from "../../src/application/ports/SearchProvider.ts"
import type { QueryCacheEntry } from "../../src/domain/search/QueryCacheEntry.ts"
import { hit } from "../support/sessionFacts.ts"

const keyOf = (name: string, tenantId = "t") => ({
  tenantId,
  key: Buffer.from(name.padEnd(32, ".")).toString("hex")
})

const entryAt = (recorded_at_ms: number, url = "https://a.example/"): QueryCacheEntry => ({
  status: "success",
  hits: [hit(url, { content: "Naïve “quotes”, 한국어 and 🙂." })],
  recorded_at_ms,
  fresh_until_ms: recorded_at_ms + 1_000,
  event_id: "e"
})

export const queryCacheContract = (name: string, layer: Layer.Layer<QueryCache, unknown>) =>
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })(
    `QueryCache: ${name}`,
    (it) => {
      it.effect("gives back what was put, to the tenant who put it", () =>
        Effect.gen(function*() {
          const { find, put } = yield* QueryCache
          assert.isUndefined(yield* find(keyOf("a")))
          yield* put(keyOf("a"), entryAt(1))
          assert.deepStrictEqual(yield* find(keyOf("a")), entryAt(1))
          assert.isUndefined(yield* find(keyOf("a", "other")))
        }))

      it.effect("keeps the newest entry, in any order of writes", () =>
        Effect.gen(function*() {
          const { find, put } = yield* QueryCache
          yield* put(keyOf("b"), entryAt(2, "https://new.example/"))
          yield* put(keyOf("b"), entryAt(1, "https://old.example/"))
          assert.strictEqual((yield* find(keyOf("b")))?.recorded_at_ms, 2)
        }))

      it.effect("gives the lease to one of many, to the same one again, and to the next after it resigned", () =>
        Effect.gen(function*() {
          const { lead, resign } = yield* QueryCache
          const owners = Array.from({ length: 24 }, (_, index) => `p${index}`)
          const leading = yield* Effect.filter(
            owners,
            (owner) => lead(keyOf("c"), owner, 60_000),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(leading.length, 1)
          const [leader = ""] = leading
          assert.isTrue(yield* lead(keyOf("c"), leader, 60_000))
          yield* resign(keyOf("c"), "a stranger")
          assert.isFalse(yield* lead(keyOf("c"), "next", 60_000))
          yield* resign(keyOf("c"), leader)
          assert.isTrue(yield* lead(keyOf("c"), "next", 60_000))
        }))

      it.effect("renews the lease of its owner, and brings no lease back", () =>
        Effect.gen(function*() {
          const { lead, renew, resign } = yield* QueryCache
          assert.isFalse(yield* renew(keyOf("e"), "nobody", 60_000))
          assert.isTrue(yield* lead(keyOf("e"), "leader", 300))
          assert.isTrue(yield* renew(keyOf("e"), "leader", 60_000))
          assert.isFalse(yield* renew(keyOf("e"), "stranger", 60_000))
          yield* Effect.sleep("400 millis")
          assert.isFalse(yield* lead(keyOf("e"), "next", 60_000))
          yield* resign(keyOf("e"), "leader")
          assert.isFalse(yield* renew(keyOf("e"), "leader", 60_000))
          assert.isTrue(yield* lead(keyOf("e"), "next", 60_000))
        }))

      it.effect("gives the lease to another when it has ended, and not before", () =>
        Effect.gen(function*() {
          const { isLed, lead } = yield* QueryCache
          assert.isFalse(yield* isLed(keyOf("d")))
          assert.isTrue(yield* lead(keyOf("d"), "dead", 300))
          assert.isFalse(yield* lead(keyOf("d"), "next", 300))
          assert.isTrue(yield* isLed(keyOf("d")))
          yield* Effect.sleep("400 millis")
          assert.isFalse(yield* isLed(keyOf("d")))
          assert.isTrue(yield* lead(keyOf("d"), "next", 300))
        }))
    }
  )
