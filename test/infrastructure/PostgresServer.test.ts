import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { inject } from "vitest"
import { Postgres, type PostgresError } from "../../src/infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { startServer, withDatabase } from "../support/postgresServer.ts"

const refusal = (url: string, durability: "required" | "unchecked" = "unchecked") =>
  Effect.flip(Effect.scoped(
    Layer.build(Layer.fresh(PostgresServer.layer({ url: Redacted.make(url), durability })))
  ))

const reasonOf = (error: PostgresError | PostgresServer.ServerRefused) =>
  error._tag === "ServerRefused" ? error.reason : undefined

const changed = (change: (url: URL) => void): string => {
  const url = new URL(inject("postgresUrl"))
  change(url)
  return url.href
}

const server = Effect.acquireRelease(
  Effect.promise(() => startServer({ listen_addresses: "127.0.0.1", unix_socket_directories: "" })),
  ({ stop }) => Effect.promise(stop)
)

const administer = (url: string, statements: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  })

/** Sessions see a reloaded setting after a signal from the server's main process. */
const untilSet = (url: string, name: string, value: string) =>
  Effect.promise(async () => {
    for (let looks = 0; looks < 200; looks++) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const { rows } = await client.query(`select current_setting('${name}') as value`)
      await client.end()
      if (rows[0].value === value) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(`${name} did not become ${value}`)
  })

describe("a PostgreSQL server as the database", () => {
  it.live("is used when it answers", () =>
    Effect.gen(function*() {
      const { prepared } = yield* Postgres
      const rows = yield* prepared({ name: "one", text: "select $1::int as one" }, [1])
      assert.deepStrictEqual(rows, [{ one: 1 }])
    }).pipe(Effect.provide(PostgresServer.layer({
      url: Redacted.make(inject("postgresUrl")),
      durability: "unchecked"
    }))))

  it.live("is refused for a malformed URL, in a sentence without the password", () =>
    Effect.gen(function*() {
      for (
        const url of [
          "",
          "not a url hunter2",
          "http://u:hunter2@127.0.0.1/db",
          "postgres://u:hunter2%zz@127.0.0.1/db",
          "postgres://u:hunter2@127.0.0.1:99999/db"
        ]
      ) {
        const { message } = yield* refusal(url)
        assert.match(message, /^The database URL cannot be used: [^.]+\.$/, url)
        assert.notInclude(message, "hunter2")
      }
    }))

  it.live("is refused when no server answers, when the login fails, when the database is missing", () =>
    Effect.gen(function*() {
      const cases = [
        [changed((url) => url.port = "1"), "Unreachable", /cannot be reached: ECONNREFUSED\.$/],
        [
          changed((url) => url.hostname = "no.such.host.invalid"),
          "Unreachable",
          /cannot be reached/
        ],
        [
          changed((url) => url.password = "hunter2"),
          "LoginRefused",
          /refuses the login of postgres/
        ],
        [withDatabase(inject("postgresUrl"), "absent"), "DatabaseMissing", /no database absent\.$/]
      ] as const
      for (const [url, tag, sentence] of cases) {
        const error = yield* refusal(url)
        assert.strictEqual(reasonOf(error)?._tag, tag)
        assert.match(error.message, sentence)
        const everything = `${error.message} ${JSON.stringify(error)} ${error.stack}`
        for (const secret of ["hunter2", new URL(inject("postgresUrl")).password]) {
          assert.notInclude(everything, secret)
        }
      }
    }))

  it.live("is refused, by the setting's name, when it may forget a commit", () =>
    Effect.gen(function*() {
      const { url } = yield* server
      const accepted = Layer.build(PostgresServer.layer({ url: Redacted.make(url) }))
      yield* Effect.scoped(accepted)
      for (const setting of ["fsync", "synchronous_commit", "full_page_writes"]) {
        yield* administer(url, [`alter system set ${setting} = off`, "select pg_reload_conf()"])
        yield* untilSet(url, setting, "off")
        const error = yield* refusal(url, "required")
        assert.deepStrictEqual(reasonOf(error), { _tag: "NotDurable", setting, value: "off" })
        assert.include(error.message, `${setting} is off`)
        yield* administer(url, [`alter system reset ${setting}`, "select pg_reload_conf()"])
        yield* untilSet(url, setting, "on")
      }
      yield* Effect.scoped(accepted)
    }).pipe(Effect.scoped))
})
