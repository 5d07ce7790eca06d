/**
 * Pages full of words that nobody quotes, read without the caller's consent to keep them.
 *
 * Promise: not one of those words is in any table, nor in any file of the database, its journal
 * included.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import { Limits } from "../../src/application/ports/Limits.ts"
import { ProjectionRunner } from "../../src/application/projections/ProjectionRunner.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { useCasesWith } from "../../src/wiring/layers.ts"
import { caller, instance, limits, plain, providers, scripted } from "../support/grounding.ts"
import { PublicApi } from "../support/sent.ts"
import { hit } from "../support/sessionFacts.ts"
import * as Database from "../support/testDatabase.ts"

const sessions = process.env["WG_TEST_FULL"] === "1" ? 200 : 20

/** Letters alone, and no word of any language: neither stemming nor chance makes another of it. */
const canaryOf = (run: string, session: number): string =>
  `zq${run}${Array.from(String(session), (digit) => "abcdefghij"[Number(digit)]).join("")}qz`

const pageOf = (canary: string): string =>
  [
    "The tram from the harbour of Halvern to its airport takes 38 minutes.",
    "The waiting room is open on working days and closed on public holidays. ".repeat(14),
    `${"The garden behind it has benches, a pond and a view of the river. ".repeat(14)} ${canary}.`
  ].join("\n\n")

const canaryOfAddress = (url: string): string => {
  const [run = "", session = ""] = url.split("/").slice(-2)
  return canaryOf(run, Number(session))
}

/** Every page holds the canary of its session, which its address names. */
const engines = Engines.layer({
  reader: [{
    info: { engine: "local", version: "1" },
    ask: ({ url }) =>
      Effect.sync(() => {
        const text = pageOf(canaryOfAddress(url))
        return { reader: "web" as const, text, chunks: chunksOfText(text) }
      })
  }]
})

const finding = (run: string, session: number) =>
  scripted({
    droppedCount: 0,
    hits: [hit(`https://halvern.example/${run}/${session}`, { content: "Trams of Halvern." })]
  })

const settings = Layer.merge(plain, Layer.effect(Limits, Limits).pipe(Layer.provide(limits())))

const service = (run: string, session: number) =>
  useCasesWith(engines).pipe(
    Layer.provide(Layer.mergeAll(
      providers(finding(run, session)),
      instance("p1"),
      settings,
      PostgresEventStore.layer,
      PostgresServiceState.layer,
      PostgresQueryCache.layer,
      PostgresReadModels.layer,
      PostgresCredits.layer({})
    ))
  )

const groundAll = (run: string, consent: boolean) =>
  Effect.forEach(
    Array.from({ length: sessions }, (_, index) => index),
    (index) =>
      Effect.gen(function*() {
        const { ground } = yield* PublicApi
        const outcome = yield* ground({
          session_id: `${run}-${index}`,
          topic: "How long does the tram from the harbour of Halvern to its airport take?",
          phase: "mid_chat",
          user_asked_for_facts: true,
          consent_raw_content: consent,
          overrides: { max_queries: 1, exclude_domains: [`${run}${index}.example`] }
        }, caller)
        yield* Effect.flatMap(ProjectionRunner, ({ catchUp }) => catchUp)
        return outcome
      }).pipe(Effect.provide(service(run, index), { local: true }))
  )

/** Compressed values would hide from a scan of files. */
const uncompressed = Effect.gen(function*() {
  const client = yield* Database.connect
  yield* Effect.promise(() =>
    client.query("alter table wg.events alter column data set storage external")
  )
}).pipe(Effect.scoped)

/** Names of the tables and files that hold a canary. */
const holders = (run: string) =>
  Effect.gen(function*() {
    const client = yield* Database.connect
    const canary = new RegExp(`zq${run}[a-j]+qz`)
    return yield* Effect.promise(async () => {
      const { rows: tables } = await client.query(
        "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'wg'"
      )
      const found: Array<string> = []
      for (const { name } of tables) {
        const { rows } = await client.query(`select t::text as line from ${name} as t`)
        if (rows.some(({ line }) => canary.test(line))) found.push(name)
      }
      await client.query("checkpoint")
      const { rows: [{ data_directory }] } = await client.query("show data_directory")
      const { rows: [{ oid }] } = await client.query(
        "select oid from pg_database where datname = current_database()"
      )
      for (const file of globSync([`base/${oid}/*`, "pg_wal/0*"], { cwd: data_directory })) {
        if (canary.test(readFileSync(join(data_directory, file), "latin1"))) found.push(file)
      }
      return found
    })
  }).pipe(Effect.scoped)

describe("a page read without consent", () => {
  it.layer(Database.layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect(
      `leaves none of its unquoted words, over ${sessions} sessions`,
      () =>
        Effect.gen(function*() {
          yield* uncompressed
          const outcomes = yield* groundAll("no", false)
          assert.isTrue(outcomes.every(({ mode }) => mode === "grounded"))
          assert.isTrue(outcomes.every(({ pack }) => JSON.stringify(pack).includes("38 minutes")))
          assert.deepStrictEqual(yield* holders("no"), [])
        }),
      300_000
    )
  })
})
