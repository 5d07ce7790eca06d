/** A database of one test file on the run's server, cloned from the migrated template. */
import { Context, Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import pg from "pg"
import { inject } from "vitest"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { templateDatabase, withDatabase } from "./postgresServer.ts"

/** URL of the file's own database, as superuser. */
export class TestDatabase extends Context.Service<TestDatabase, {
  readonly url: string
}>()("web-grounding/test/support/TestDatabase") {}

/** Migrated, or empty. */
export const layerOf = (content: "migrated" | "empty"): Layer.Layer<TestDatabase> =>
  Layer.effect(
    TestDatabase,
    Effect.gen(function*() {
      const name = `wg_test_${randomUUID().replaceAll("-", "")}`
      const template = content === "migrated" ? templateDatabase : "template0"
      yield* Effect.acquireRelease(
        administer(`create database ${name} template ${template}`),
        () => administer(`drop database if exists ${name} with (force)`)
      )
      return TestDatabase.of({ url: withDatabase(inject("postgresUrl"), name) })
    })
  )

/** The service's own handle on the file's database, and the database's URL. */
export const layer = Layer.unwrap(
  Effect.map(
    TestDatabase,
    ({ url }) =>
      PostgresServer.layer({ url: Redacted.make(url), poolMax: 32, durability: "unchecked" })
  )
).pipe(Layer.provideMerge(layerOf("migrated")))

/** A connection of the driver, outside the service, until the scope closes. */
export const connect = Effect.gen(function*() {
  const { url } = yield* TestDatabase
  return yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: url })
      client.on("error", () => {})
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )
})

const administer = (statement: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: inject("postgresUrl") })
    await client.connect()
    await client.query(statement)
    await client.end()
  })
