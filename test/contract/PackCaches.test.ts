/** The pack cache in memory, embedded and on a server; and what erasure takes from it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import { PackCache } from "../../src/application/sharing/SharePacks.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import * as MemoryPackCache from "../support/memory/MemoryPackCache.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { keyOf, packAt, packCacheContract } from "./packCacheContract.ts"

const cache = PostgresQueryCache.layerPostgresPackCache({ general: 1, timely: 1 })
const streams = [
  "00000000-0000-7000-8000-000000000001",
  "00000000-0000-7000-8000-000000000009"
] as const

/** Sessions that the log knows: a pack of no session is not kept. */
const withSessions = Layer.effectDiscard(
  Effect.flatMap(
    Postgres,
    ({ run }) =>
      Effect.forEach(
        streams,
        (id) =>
          run((db) =>
            sql`insert into wg.streams (stream_id, tenant_id, session_id, version, head_hash, created_at)
          values (${id}, 't', ${id}, 0, '\\x00', now())`.execute(db)
          )
      )
  )
)

packCacheContract("memory", MemoryPackCache.layer)
packCacheContract(
  "embedded",
  cache.pipe(Layer.provideMerge(withSessions), Layer.provide(EmbeddedDatabase.layer))
)
packCacheContract(
  "server",
  cache.pipe(Layer.provideMerge(withSessions), Layer.provide(TestDatabase.layer))
)

describe("a pack that was kept", () => {
  const layer = cache.pipe(
    Layer.provideMerge(withSessions),
    Layer.provideMerge(EmbeddedDatabase.layer)
  )
  it.layer(layer, { excludeTestServices: true })((it) => {
    it.effect("goes when the session it came from is erased, and comes back no more", () =>
      Effect.gen(function*() {
        const { run } = yield* Postgres
        const { find, put } = yield* PackCache
        const [gone, kept] = streams
        yield* put(keyOf("gone"), packAt(1, gone))
        yield* put(keyOf("kept"), packAt(1, kept))
        yield* run((db) => sql`select wg.erase(${gone})`.execute(db))
        assert.isUndefined(yield* find(keyOf("gone")))
        assert.isDefined(yield* find(keyOf("kept")))
        // A run of the session that ends after its erasure.
        yield* put(keyOf("gone"), packAt(2, gone))
        assert.isUndefined(yield* find(keyOf("gone")))
      }))

    it.effect("is as good as none when another release wrote it", () =>
      Effect.gen(function*() {
        const { run } = yield* Postgres
        const { find, put } = yield* PackCache
        yield* put(keyOf("odd"), packAt(1, streams[1]))
        yield* run((db) =>
          sql`update wg.pack_cache set pack = '{"answer":1}' where key = ${keyOf("odd").key}`
            .execute(db)
        )
        assert.isUndefined(yield* find(keyOf("odd")))
      }))
  })
})
