/** A PostgreSQL of a test file's own, which keeps what it confirms, and may be killed. */
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { startServer, withDatabase } from "./postgresServer.ts"
import { TestDatabase } from "./testDatabase.ts"

const durable = {
  max_connections: "100",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: ""
}

const database = "wg"

/** With a migrated database; gone with the scope. */
export const acquire = Effect.gen(function*() {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => startServer(durable)),
    ({ stop }) => Effect.promise(stop)
  )
  const url = withDatabase(server.url, database)
  yield* Effect.promise(async () => {
    const admin = new pg.Client({ connectionString: server.url })
    await admin.connect()
    await admin.query(`create database ${database}`)
    await admin.end()
  })
  yield* Migrations.run.pipe(
    Effect.provide(PostgresServer.layer({ url: Redacted.make(url), poolMax: 1 })),
    Effect.orDie
  )
  return { ...server, url }
})

/** The same as the file's database, for those who ask for no more. */
export const layer = Layer.effect(
  TestDatabase,
  Effect.map(acquire, ({ url }) => TestDatabase.of({ url }))
)
