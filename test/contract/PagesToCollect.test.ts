/** The queue of pages to collect, in memory, embedded and on a server; and what erasure takes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import * as PostgresPagesToCollect from "../../src/adapters/postgres/PostgresPagesToCollect.ts"
import { PagesToCollect } from "../../src/application/evidence/PagesToCollect.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import { collectedAt, webPage } from "../support/evidenceEntries.ts"
import * as MemoryPagesToCollect from "../support/memory/MemoryPagesToCollect.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { pagesToCollectContract } from "./pagesToCollectContract.ts"

const queue = PostgresPagesToCollect.layer(true)

pagesToCollectContract("memory", MemoryPagesToCollect.layer())
pagesToCollectContract("embedded", queue.pipe(Layer.provide(EmbeddedDatabase.layer)))
pagesToCollectContract("server", queue.pipe(Layer.provide(TestDatabase.layer)))

describe("pages that wait", () => {
  it.layer(queue.pipe(Layer.provideMerge(EmbeddedDatabase.layer)), { excludeTestServices: true })(
    (it) => {
      it.effect("go when their session is erased, and no others", () =>
        Effect.gen(function*() {
          const { run } = yield* Postgres
          const { put, take } = yield* PagesToCollect
          yield* run((db) =>
            sql`insert into wg.streams (stream_id, tenant_id, session_id, version, head_hash, created_at)
            values ('00000000-0000-7000-8000-000000000001', 't', 'gone', 0, '\\x00', now())`
              .execute(db)
          )
          for (const name of ["gone", "kept"]) {
            const material = webPage(`https://${name}.example/`, "Text.")
            yield* put(
              "t",
              name,
              [{ key: `web:${name}`, page: { material, read_at: collectedAt } }],
              0
            )
          }
          yield* run((db) =>
            sql`select wg.erase('00000000-0000-7000-8000-000000000001')`.execute(db)
          )
          assert.deepStrictEqual((yield* take("t", 5, 1)).map(({ key }) => key), ["web:kept"])
        }))
    }
  )
})
