/** What every pack cache owes the application. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { PackCache } from "../../src/application/sharing/SharePacks.ts"
import type { CachedPack } from "../../src/domain/session/GroundingOutcome.ts"
import { cachedPackUsed } from "../support/sessionFacts.ts"

const { answer, source_event_id, source_stream_id } = cachedPackUsed()

/** `stream_id` is that of a session that the log knows. */
export const packAt = (made_at_ms: number, stream_id = source_stream_id): CachedPack => ({
  answer: { ...answer, llm_context: "Naïve “quotes”, 한국어 and 🙂." },
  asked_at: "2026-03-02T09:00:00.000Z",
  made_at_ms,
  fresh_until_ms: made_at_ms + 1_000,
  stream_id,
  event_id: source_event_id
})

export const keyOf = (name: string, tenantId = "t") => ({
  tenantId,
  key: Buffer.from(name.padEnd(32, ".")).toString("hex")
})

export const packCacheContract = (name: string, layer: Layer.Layer<PackCache, unknown>) =>
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })(
    `PackCache: ${name}`,
    (it) => {
      it.effect("gives back what was put, to the tenant who put it", () =>
        Effect.gen(function*() {
          const { find, put } = yield* PackCache
          assert.isUndefined(yield* find(keyOf("a")))
          yield* put(keyOf("a"), packAt(1))
          assert.deepStrictEqual(yield* find(keyOf("a")), packAt(1))
          assert.isUndefined(yield* find(keyOf("a", "other")))
        }))

      it.effect("keeps the newest pack, in any order of writes", () =>
        Effect.gen(function*() {
          const { find, put } = yield* PackCache
          yield* put(keyOf("b"), packAt(2))
          yield* put(keyOf("b"), packAt(1))
          assert.strictEqual((yield* find(keyOf("b")))?.made_at_ms, 2)
          yield* put(keyOf("b"), packAt(3))
          assert.strictEqual((yield* find(keyOf("b")))?.made_at_ms, 3)
        }))
    }
  )
