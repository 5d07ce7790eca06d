/**
 * Budgets under many processes and callers.
 *
 * Promise: as many searches are reserved as the tier allows, never one more.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import pg from "pg"
import type { Race } from "../support/budgetRacer.ts"
import { bundledProgram } from "../support/bundledProgram.ts"
import { compiled } from "../support/processes.ts"
import * as Database from "../support/testDatabase.ts"
import { TestDatabase } from "../support/testDatabase.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const processes = full ? 4 : 2
const callers = 16
const sessionsCount = full ? 200 : 2

const racer = await bundledProgram("budgetRacer")

const limits = { standard: 2, premium: 4 } as const

const racing = (race: Race) =>
  Effect.promise(() =>
    new Promise<void>((resolve, reject) => {
      const child = spawn(process.execPath, [racer, JSON.stringify(race)], {
        env: compiled,
        stdio: ["ignore", "ignore", "pipe"]
      })
      const errors: Array<string> = []
      child.stderr.on("data", (chunk) => errors.push(String(chunk)))
      child.on("exit", (code) => code === 0 ? resolve() : reject(new Error(errors.join(""))))
    })
  )

const reserved = (url: string, prefix: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from wg.events e join wg.streams s using (stream_id)
       where e.type = 'WEB_GROUNDING_CALL_STARTED' and s.session_id like $1 group by s.session_id`,
      [`${prefix}%`]
    )
    await client.end()
    return rows.map(({ count }) => count)
  })

const race = Effect.fn(function*(tier: Race["tier"], sessions: number) {
  const { url } = yield* TestDatabase
  const prefix = `${tier}-`
  const names = Array.from({ length: sessions }, (_, index) => `${prefix}${index}`)
  const options = { databaseUrl: url, sessions: names, callers, tier }
  yield* Effect.forEach(Array.from({ length: processes }), () => racing(options), {
    concurrency: "unbounded"
  })
  const raced = yield* reserved(url, prefix)
  // Callers who lost too often gave up, more of them on a busy machine: a few take what is left.
  yield* racing({ ...options, callers: limits[tier] })
  return { raced, counts: yield* reserved(url, prefix) }
})

describe("a session's budget", () => {
  it.layer(Database.layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect.each([{ tier: "standard" as const }, { tier: "premium" as const }])(
      `holds in the $tier tier for ${processes} processes of ${callers} callers`,
      ({ tier }) =>
        Effect.gen(function*() {
          const { counts, raced } = yield* race(tier, sessionsCount)
          for (const count of raced) assert.isAtMost(count, limits[tier])
          assert.deepStrictEqual(
            counts,
            Array.from({ length: sessionsCount }, () => limits[tier])
          )
        }),
      600_000
    )
  })
})
