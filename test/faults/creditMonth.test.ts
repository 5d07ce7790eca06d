/**
 * Monthly credits while the month ends, from services whose sessions are in three time zones.
 *
 * Promise: no key is charged more than its ceiling in a month, and what the ceiling leaves is used.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import { Credits } from "../../src/application/ports/SearchProvider.ts"
import * as Postgres from "../../src/infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import * as Database from "../support/testDatabase.ts"
import { TestDatabase } from "../support/testDatabase.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const ceiling = full ? 1_000 : 60
const requests = full ? 20_000 : 1_200
const keys = [1, 2, 3, 4, 5]
const costMax = 2
const zones = ["UTC", "Asia/Tokyo", "America/Los_Angeles"]
const callsAtOnce = 16

const lastSecond = "2026-11-30T23:59:59Z"
const firstSecond = "2026-12-01T00:00:00Z"

/** Sessions of `zone` that see a clock of the test's before the server's own. */
const sessionIn = (url: string, zone: string): string => {
  const address = new URL(url)
  address.searchParams.set("options", `-c timezone=${zone} -c search_path=turning,pg_catalog`)
  return address.toString()
}

const clockOf = (client: pg.Client) => ({
  make: Effect.promise(async () => {
    await client.query("create schema if not exists turning")
    await client.query("create table if not exists turning.clock (at timestamptz not null)")
    await client.query(
      `create or replace function turning.now() returns timestamptz language sql volatile
       as 'select at from turning.clock'`
    )
    await client.query("truncate turning.clock, wg.credits")
    await client.query("insert into turning.clock values ($1)", [lastSecond])
  }),
  turn: Effect.promise(() => client.query("update turning.clock set at = $1", [firstSecond]))
})

/** What each key was charged before and after the month turned. */
const spend = Effect.gen(
  function*() {
    const { url } = yield* TestDatabase
    const clock = clockOf(yield* Database.connect)
    yield* clock.make
    const before = keys.map(() => 0)
    const after = keys.map(() => 0)
    const half = Math.floor(requests / 2)
    const asking = (from: number, to: number, charged: Array<number>) =>
      Effect.forEach(zones, (zone, place) =>
        Effect.forEach(
          Array.from({ length: to - from }, (_, index) => from + index)
            .filter((index) => index % zones.length === place),
          (index) =>
            Effect.gen(function*() {
              const { reserve } = yield* Credits
              const key = index % keys.length
              const cost = 1 + Math.floor(index / keys.length) % costMax
              const granted = yield* reserve("tavily", keys[key] ?? 1, cost)
              if (granted !== undefined) charged[key] = (charged[key] ?? 0) + cost
            }),
          { concurrency: callsAtOnce, discard: true }
        ).pipe(
          Effect.provide(
            PostgresCredits.layer({ tavily: ceiling }).pipe(
              // A start would refuse sessions whose zone is not UTC.
              Layer.provide(
                Layer.effect(
                  Postgres.Postgres,
                  Effect.map(
                    PostgresServer.open({ url: Redacted.make(sessionIn(url, zone)), poolMax: 8 }),
                    ({ postgres }) => postgres
                  )
                )
              )
            ),
            { local: true }
          )
        ), { concurrency: "unbounded", discard: true })
    yield* asking(0, half, before)
    yield* clock.turn
    yield* asking(half, requests, after)
    return { before, after }
  }
).pipe(Effect.scoped)

describe("a provider's monthly credits", () => {
  it.layer(Database.layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect(
      `hold for ${keys.length} keys and ${requests} requests over the end of a month`,
      () =>
        Effect.gen(function*() {
          const { after, before } = yield* spend
          for (const charged of [...before, ...after]) {
            assert.isAtMost(charged, ceiling)
            assert.isAtLeast(charged, ceiling - (costMax - 1))
          }
        }),
      300_000
    )
  })
})
