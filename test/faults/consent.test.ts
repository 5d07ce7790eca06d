/**
 * Pages full of unquoted words, read without the caller's consent to keep them.
 *
 * Promise: none of these words is in any table, nor in any file of the database, its journal
 * included.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import { Limits } from "../../src/application/ports/Limits.ts"
import { ProjectionRunner } from "../../src/application/projections/ProjectionRunner.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { useCasesWith } from "../../src/wiring/layers.ts"
import { canaryOf, holders, uncompressed } from "../support/erasableService.ts"
import { caller, instance, limits, plain, providers, scripted } from "../support/grounding.ts"
import * as PostgresStores from "../support/postgresStores.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"
import * as Database from "../support/testDatabase.ts"

const sessions = process.env["WG_TEST_FULL"] === "1" ? 200 : 20

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
  scripted(
    answerWith([hit(`https://halvern.example/${run}/${session}`, { content: "Trams of Halvern." })])
  )

const settings = Layer.merge(plain, Layer.effect(Limits, Limits).pipe(Layer.provide(limits())))

const service = (run: string, session: number) =>
  useCasesWith(engines).pipe(
    Layer.provide(Layer.mergeAll(
      providers(finding(run, session)),
      instance("p1"),
      settings,
      PostgresStores.layer
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

describe("a page read without consent", () => {
  it.layer(Database.layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect(
      `leaves none of its unquoted words, over ${sessions} sessions`,
      () =>
        Effect.gen(function*() {
          const { url } = yield* Database.TestDatabase
          yield* uncompressed(url)
          const outcomes = yield* groundAll("no", false)
          assert.isTrue(outcomes.every(({ mode }) => mode === "grounded"))
          assert.isTrue(outcomes.every(({ pack }) => JSON.stringify(pack).includes("38 minutes")))
          assert.deepStrictEqual(yield* holders(url, "no", ["base/OID/*", "pg_wal/0*"]), [])
        }),
      300_000
    )
  })
})
