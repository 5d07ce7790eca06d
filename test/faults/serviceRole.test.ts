/** The whole service under a login that has the rights of `wg_app` and no others. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { sql } from "kysely"
import pg from "pg"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import * as PostgresEvidenceStore from "../../src/adapters/postgres/PostgresEvidenceStore.ts"
import * as PostgresPagesToCollect from "../../src/adapters/postgres/PostgresPagesToCollect.ts"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { creditsContract } from "../contract/creditsContract.ts"
import { eventStoreContract } from "../contract/eventStoreContract.ts"
import { evidenceStoreContract } from "../contract/evidenceStoreContract.ts"
import { packCacheContract } from "../contract/packCacheContract.ts"
import { pagesToCollectContract } from "../contract/pagesToCollectContract.ts"
import { queryCacheContract } from "../contract/queryCacheContract.ts"
import { readModelsContract } from "../contract/readModelsContract.ts"
import { serviceStateContract } from "../contract/serviceStateContract.ts"
import { caller, instance, limits, providers, scripted } from "../support/grounding.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { replays } from "../support/recordedSession.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith, cachedPackUsed, hit } from "../support/sessionFacts.ts"
import * as Database from "../support/testDatabase.ts"
import { TestDatabase } from "../support/testDatabase.ts"

/** A login that is a member of `wg_app`, and the database's URL under it. */
const login = Effect.gen(function*() {
  const { url } = yield* TestDatabase
  const address = new URL(url)
  const name = `wg_login_${address.pathname.slice(-8)}`
  yield* Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`create role ${name} login password 'pw' in role wg_app`)
    await client.end()
  })
  address.username = name
  address.password = "pw"
  return address.href
})

const underLogin = Layer.unwrap(
  Effect.map(
    login,
    (url) => PostgresServer.layer({ url: Redacted.make(url), poolMax: 4, durability: "unchecked" })
  )
).pipe(Layer.provideMerge(Database.layerOf("migrated")))

const found = answerWith([
  hit("https://a.example/", { content: "A tram ride in Halvern costs 2.80 crowns." })
])

const service = useCases.pipe(
  Layer.provide(Layer.mergeAll(
    PlainEventStore.layer,
    PostgresServiceState.layer,
    PostgresQueryCache.layer,
    PostgresCredits.layer({ tavily: 100 })
  )),
  Layer.provide(Layer.mergeAll(providers(scripted(found)), instance("p1"), limits())),
  Layer.provide(Layer.effectDiscard(Migrations.run)),
  Layer.provideMerge(underLogin)
)

describe("the service under the append-only role", () => {
  it.layer(service, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("starts, grounds, answers again and replays", () =>
      Effect.gen(function*() {
        const api = yield* PublicApi
        const asked = {
          session_id: "s",
          request_id: "r",
          topic: "What does a tram ride in Halvern cost?",
          phase: "mid_chat",
          user_asked_for_facts: true
        }
        const outcome = yield* api.ground(asked, caller)
        assert.strictEqual(outcome.mode, "snippets_only")
        assert.deepStrictEqual(yield* api.ground(asked, caller), outcome)
        yield* replays()
      }))
  })
})

const database = Layer.fresh(underLogin)
const name = "under wg_app"

/** A session that the log knows: a pack of no session is not kept. */
const withSession = Layer.effectDiscard(
  Effect.flatMap(
    Postgres,
    ({ run }) =>
      run((db) =>
        sql`insert into wg.streams (stream_id, tenant_id, session_id, version, head_hash, created_at)
        values (${cachedPackUsed().source_stream_id}, 't', 's', 0, '\\x00', now())`.execute(db)
      )
  )
)

// What each store owes the application, under the rights of the service: no right is missing.
eventStoreContract(name, PlainEventStore.layer.pipe(Layer.provide(database)))
creditsContract(name, PostgresCredits.layer({ tavily: 10 }).pipe(Layer.provide(database)))
serviceStateContract(name, PostgresServiceState.layer.pipe(Layer.provide(database)))
queryCacheContract(name, PostgresQueryCache.layer.pipe(Layer.provide(database)))
evidenceStoreContract(name, PostgresEvidenceStore.layer.pipe(Layer.provide(database)), false)
packCacheContract(
  name,
  PostgresQueryCache.layerPostgresPackCache({ general: 1, timely: 1 }).pipe(
    Layer.provideMerge(withSession),
    Layer.provide(database)
  )
)
pagesToCollectContract(name, PostgresPagesToCollect.layer(true).pipe(Layer.provide(database)))
readModelsContract(
  name,
  PostgresReadModels.layer.pipe(Layer.provideMerge(database)),
  (model) =>
    Effect.flatMap(
      Postgres,
      ({ run }) =>
        run((db) =>
          sql`update wg.checkpoints set lease_until = now() - interval '1 second'
        where consumer_id like ${`${model}@%`}`.execute(db)
        )
    )
)
