/**
 * Groundings whose questions, pages and packs are full of canaries, in a real PostgreSQL: the
 * service under the rights of `wg_app`, erasures under those of `wg_eraser`.
 */
import { Effect, Layer, Redacted } from "effect"
import { sql } from "kysely"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import pg from "pg"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import * as PostgresErasure from "../../src/adapters/postgres/erasure/PostgresErasure.ts"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import * as PostgresCredits from "../../src/adapters/postgres/PostgresCredits.ts"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as PostgresEvidenceStore from "../../src/adapters/postgres/PostgresEvidenceStore.ts"
import * as PostgresPagesToCollect from "../../src/adapters/postgres/PostgresPagesToCollect.ts"
import * as PostgresQueryCache from "../../src/adapters/postgres/PostgresQueryCache.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import * as EraseSessions from "../../src/application/EraseSessions.ts"
import * as ApplyRetention from "../../src/application/erasure/ApplyRetention.ts"
import { ErasureList } from "../../src/application/erasure/EraseSession.ts"
import * as VerifiedLog from "../../src/application/log/VerifiedLog.ts"
import { Limits } from "../../src/application/ports/Limits.ts"
import { ProjectionRunner } from "../../src/application/projections/ProjectionRunner.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { evidenceWith, useCasesWith } from "../../src/wiring/layers.ts"
import * as Storage from "../../src/wiring/Storage.ts"
import { caller, instance, limits, plain, providers, scripted } from "./grounding.ts"
import * as PayloadKeys from "./payloadKeys.ts"
import { EvidenceApi, PublicApi } from "./sent.ts"
import { answerWith, hit } from "./sessionFacts.ts"
import { digest } from "./verifiedHistory.ts"

const hourMs = 3_600_000

/** Letters alone, and no word of any language: neither stemming nor chance makes another of it. */
export const canaryOf = (run: string, session: number): string =>
  `zq${run}${Array.from(String(session), (digit) => "abcdefghij"[Number(digit)]).join("")}qz`

export const sessionOf = (run: string, session: number): string => `${run}-${session}`

const topicOf = (run: string, session: number): string =>
  `How long does the ${canaryOf(run, session)} tram from the harbour of Halvern take?`

/** What the page says, the pack quotes. */
const pageOf = (canary: string): string =>
  [
    `The ${canary} tram from the harbour of Halvern to its airport takes 38 minutes.`,
    `${"The garden behind it has benches, a pond and a view of the river. ".repeat(6)} ${canary}.`
  ].join("\n\n")

const engines = Engines.layer({
  reader: [{
    info: { engine: "local", version: "1" },
    ask: ({ url }) =>
      Effect.sync(() => {
        const [run = "", session = ""] = url.split("/").slice(-2)
        const text = pageOf(canaryOf(run, Number(session)))
        return { reader: "web" as const, text, chunks: chunksOfText(text) }
      })
  }]
})

const finding = (run: string, session: number) =>
  scripted(answerWith([hit(`https://halvern.example/${run}/${session}`, {
    title: `Trams and ${canaryOf(run, session)}`,
    content: pageOf(canaryOf(run, session))
  })]))

const settings = Layer.merge(plain, Layer.effect(Limits, Limits).pipe(Layer.provide(limits())))

const log = VerifiedLog.layer.pipe(
  Layer.provide(PostgresEventStore.layer),
  Layer.provide(digest),
  Layer.provide(PayloadKeys.layer)
)

/** A process of the service, for one session's question. */
const service = (run: string, session: number) =>
  Layer.merge(useCasesWith(engines), evidenceWith(engines)).pipe(
    Layer.provide(PostgresQueryCache.layerPostgresPackCache({ general: hourMs, timely: hourMs })),
    Layer.provide(PostgresPagesToCollect.layer(true)),
    Layer.provide(Layer.mergeAll(
      providers(finding(run, session)),
      instance("p1"),
      settings,
      log,
      PostgresServiceState.layer,
      PostgresQueryCache.layer,
      PostgresEvidenceStore.layer,
      PostgresReadModels.layer,
      PostgresCredits.layer({})
    ))
  )

export const inService =
  (run: string, session: number) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, service(run, session), { local: true })

export const ground = (run: string, session: number, request_id = "r") =>
  Effect.flatMap(PublicApi, ({ ground }) =>
    ground({
      session_id: sessionOf(run, session),
      request_id,
      topic: topicOf(run, session),
      phase: "mid_chat",
      user_asked_for_facts: true,
      consent_raw_content: true,
      allow_collecting: true,
      overrides: { max_queries: 1 }
    }, caller)).pipe(inService(run, session))

/** Every other session's pages are collected; those of the rest wait. */
export const groundAll = Effect.fnUntraced(function*(run: string, sessions: number) {
  for (let session = 0; session < sessions; session++) {
    yield* ground(run, session)
    if (session % 2 === 0) yield* collected(sessionOf(run, session))
  }
  yield* caughtUp
})

/** What waits of a session is due now, and nothing else however long the groundings take. */
const collected = Effect.fnUntraced(function*(session_id: string) {
  const { run } = yield* Postgres
  yield* run((db) =>
    sql`update wg.pages_to_collect set due_at = now()
      + case when session_id = ${session_id} then -1 else 3600 end * interval '1 second'`
      .execute(db)
  )
  yield* Effect.flatMap(EvidenceApi, ({ gather }) => gather(caller)).pipe(inService("none", 0))
})

export const caughtUp = Effect.flatMap(ProjectionRunner, ({ catchUp }) => catchUp).pipe(
  inService("none", 0)
)

/** A login with the rights of a role and no others. */
export const loginOf = (url: string, role: "wg_app" | "wg_eraser") =>
  Effect.promise(async () => {
    const address = new URL(url)
    const name = `${role}_${address.pathname.slice(-8)}`
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`create role ${name} login password 'pw' in role ${role}`)
    await client.end()
    address.username = name
    address.password = "pw"
    return address.href
  })

export const database = (url: string, poolMax = 6) =>
  PostgresServer.layer({ url: Redacted.make(url), poolMax, durability: "unchecked" })

/** So short that it is over: all that there is was kept for too long. */
const momentDays = 1e-9

const retention = ApplyRetention.layer({
  every: { sessions: 0, caches: 0, pages: 0 },
  tenants: new Map([[
    caller.tenantId,
    { sessions: momentDays, caches: momentDays, pages: momentDays }
  ]]),
  intervalMs: 0
})

/** Erasures by a login. */
export const erasures = (url: string) =>
  Layer.fresh(
    Layer.merge(EraseSessions.layer, retention).pipe(
      Layer.provide(Layer.mergeAll(
        PostgresErasure.layer,
        PostgresErasure.layerPostgresRetention,
        PostgresEventStore.layer,
        PostgresEvidenceStore.layer,
        Layer.succeed(ErasureList, ErasureList.none),
        Storage.ids,
        digest
      )),
      Layer.provide(database(url, 2)),
      Layer.provide(PayloadKeys.layer)
    )
  )

/** By a connection of its own. */
export const looked = async <A>(
  url: string,
  look: (client: pg.Client) => Promise<A>
): Promise<A> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return look(client).finally(() => client.end())
}

/** Compressed values would hide from a scan of files. */
export const uncompressed = (url: string) =>
  Effect.promise(() =>
    looked(url, async (client) => {
      const { rows } = await client.query(
        `select format('alter table %I.%I alter column %I set storage external', n.nspname,
            c.relname, a.attname) as statement
          from pg_attribute a join pg_class c on c.oid = a.attrelid
            join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = 'wg' and c.relkind = 'r' and a.attnum > 0 and a.attstorage in ('x', 'm')`
      )
      for (const { statement } of rows) await client.query(statement)
    })
  )

/** Tables, and files of the database and its journal, that hold a canary of a run. */
export const holders = (url: string, run: string, files: ReadonlyArray<string>) =>
  Effect.promise(() =>
    looked(url, async (client) => {
      const canary = new RegExp(`zq${run}[a-j]+qz`)
      const { rows: tables } = await client.query(
        "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'wg'"
      )
      const found: Array<string> = []
      for (const { name } of tables) {
        const { rows } = await client.query(`select t::text as line from ${name} as t`)
        if (rows.some(({ line }) => canary.test(line))) found.push(name)
      }
      await client.query("checkpoint")
      const { rows: [{ data_directory, oid }] } = await client.query(
        `select current_setting('data_directory') as data_directory, oid from pg_database
          where datname = current_database()`
      )
      for (const kind of files) {
        for (const file of globSync(kind.replace("OID", oid), { cwd: data_directory })) {
          if (canary.test(readFileSync(join(data_directory, file), "latin1"))) found.push(file)
        }
      }
      return found
    })
  )

/** Looks at transactions of others before it gives up: an automatic `analyze` takes its time. */
const looksMax = 600
const lookMs = 50

/** How often a table is vacuumed while a reader that came in between keeps old versions. */
const vacuumsMax = 20

/** Row versions that an older transaction may see are kept by a vacuum: waits until there is none. */
const olderEnded = async (client: pg.Client) => {
  for (let look = 0; look < looksMax; look += 1) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and backend_xmin is not null`
    )
    if (rowCount === 0) return
    await setTimeout(lookMs)
  }
}

/** What an operator does after erasures, so that old versions of rows go from the files too. */
export const vacuumed = (url: string) =>
  Effect.promise(() =>
    looked(url, async (client) => {
      let isAllRemoved = false
      client.on("notice", ({ detail = "" }) => {
        if (/[1-9]\d* dead row versions cannot be removed/.test(detail)) isAllRemoved = false
      })
      const { rows: tables } = await client.query(
        "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'wg'"
      )
      for (const { name } of tables) {
        // A reader may begin between the look at the others and the vacuum.
        for (let time = 0; time < vacuumsMax && !isAllRemoved; time += 1) {
          await olderEnded(client)
          isAllRemoved = true
          await client.query(`vacuum (full, verbose) ${name}`)
        }
        isAllRemoved = false
      }
    })
  )
