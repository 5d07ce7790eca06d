/**
 * Groundings while the database ends every connection again and again.
 *
 * Promise: nearly every call is answered as if nothing had happened, no paid answer is lost and no
 * reservation is sent twice.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Ref } from "effect"
import type { SearchProvider } from "../../src/application/ports/SearchProvider.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { caller, instance, limitsAlone, plain, providers } from "../support/grounding.ts"
import * as PostgresStores from "../support/postgresStores.ts"
import { PublicApi } from "../support/sent.ts"
import { hit } from "../support/sessionFacts.ts"
import * as Database from "../support/testDatabase.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const durationMs = full ? 30_000 : 5_000
const killEvery = "200 millis"
const callersCount = 6
const searchMs = 60
const deadlineMs = 20_000
const answeredShareMin = 0.95

/** A provider that takes its time and counts the requests for each query. */
const counting = (hits: Map<string, number>): SearchProvider => ({
  name: "tavily",
  keySlot: 1,
  search: ({ excludeDomains }) =>
    Effect.gen(function*() {
      const search = excludeDomains.join()
      hits.set(search, (hits.get(search) ?? 0) + 1)
      yield* Effect.sleep(searchMs)
      return {
        droppedCount: 0,
        credits: 1,
        hits: [hit("https://halvern.example/tram", {
          content: "A single tram ticket in Halvern costs 2.80 crowns."
        })]
      }
    })
})

const servicesOver = (provider: SearchProvider) =>
  useCases.pipe(
    Layer.provide(Layer.mergeAll(
      PostgresStores.layer,
      providers(provider),
      instance("one", false),
      limitsAlone(),
      plain
    ))
  )

const requestOf = (session: string) => ({
  session_id: session,
  request_id: "r",
  topic: "What does a tram ride in Halvern cost?",
  phase: "mid_chat",
  user_asked_for_facts: true,
  deadline_ms: deadlineMs,
  overrides: { max_queries: 1, exclude_domains: [`${session}.example`] }
})

/** Ends every other backend of the database until the time is up. */
const endingBackends = Effect.gen(function*() {
  const admin = yield* Database.connect
  const ended = yield* Ref.make(0)
  const endAll = Effect.promise(() =>
    admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
    )
  ).pipe(Effect.flatMap(({ rowCount }) => Ref.update(ended, (count) => count + (rowCount ?? 0))))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(endAll, Effect.sleep(killEvery))))
  return { ended, admin }
})

const underFire = Effect.fnUntraced(function*(name: string, lastingMs: number) {
  const hits = new Map<string, number>()
  return yield* Effect.gen(function*() {
    const api = yield* PublicApi
    const { admin, ended } = yield* endingBackends
    const untilMs = (yield* Clock.currentTimeMillis) + lastingMs
    const answered = yield* Effect.forEach(
      Array.from({ length: callersCount }, (_, index) => index),
      Effect.fnUntraced(function*(index) {
        let right = 0
        let calls = 0
        while ((yield* Clock.currentTimeMillis) < untilMs) {
          const request = requestOf(`${name}-${index}-${calls}`)
          calls += 1
          const outcome = yield* Effect.option(api.ground(request, caller))
          if (outcome._tag === "Some" && outcome.value.searches[0]?.status === "success") right += 1
        }
        return { right, calls }
      }),
      { concurrency: "unbounded" }
    )
    const calls = answered.reduce((sum, one) => sum + one.calls, 0)
    const right = answered.reduce((sum, one) => sum + one.right, 0)
    const { rows } = yield* Effect.promise(() =>
      admin.query<{ session: string; started: number; found: number }>(
        `select s.session_id as session,
            count(*) filter (where e.type = 'WEB_GROUNDING_CALL_STARTED')::int as started,
            count(*) filter (where e.type = 'WEB_GROUNDING_CALLED'
              and e.data->>'status' = 'success')::int as found
          from wg.streams s join wg.events e using (stream_id)
          where s.session_id like $1 group by 1`,
        [`${name}-%`]
      )
    )
    const recorded = new Map(rows.map((row) => [`${row.session}.example`, row]))
    const sent = [...hits]
    return {
      calls,
      share: right / calls,
      ended: yield* Ref.get(ended),
      lost: sent.filter(([search]) => recorded.get(search)?.found !== 1).length,
      unreserved: sent.filter(([search, count]) => count > (recorded.get(search)?.started ?? 0))
        .length
    }
  }).pipe(Effect.scoped, Effect.provide(servicesOver(counting(hits)), { local: true }))
})

describe("a database that ends its connections", () => {
  it.layer(Database.layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect(
      "costs hardly an answer, loses nothing that was paid and pays nothing twice",
      () =>
        Effect.gen(function*() {
          const { calls, ended, lost, share, unreserved } = yield* underFire("sound", durationMs)
          assert.isAbove(ended, 10)
          assert.isAbove(calls, callersCount)
          assert.strictEqual(lost, 0)
          assert.strictEqual(unreserved, 0)
          assert.isAtLeast(share, answeredShareMin, `${calls} calls`)
        }),
      durationMs + 120_000
    )
  })
})
