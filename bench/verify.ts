/**
 * How fast the whole log is verified, next to a bare read of the same rows with one SHA-256 over
 * each, in turn: `node bench/verify.ts [--events N] [--rounds N]`. On the embedded store and, when
 * `DATABASE_URL` names an empty database that this role may fill, on that server.
 */
import { Effect, Layer, Redacted } from "effect"
import { createHash } from "node:crypto"
import { parseArgs } from "node:util"
import * as PostgresEventStore from "../src/adapters/postgres/PostgresEventStore.ts"
import * as PostgresLogRows from "../src/adapters/postgres/PostgresLogRows.ts"
import { MakeAnchors } from "../src/application/audit/MakeAnchors.ts"
import * as VerifyLog from "../src/application/audit/VerifyLog.ts"
import { EventStore, type NewEvent } from "../src/application/ports/EventStore.ts"
import { uuidv7 } from "../src/infrastructure/Digest.ts"
import * as EmbeddedPostgres from "../src/infrastructure/postgres/EmbeddedPostgres.ts"
import * as Migrations from "../src/infrastructure/postgres/Migrations.ts"
import { Postgres } from "../src/infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../src/infrastructure/postgres/PostgresServer.ts"
import { anchoringRows, newKey } from "../test/support/anchoredLog.ts"
import * as MemoryAnchors from "../test/support/memory/MemoryAnchors.ts"
import { plaintext } from "../test/support/payloadKeys.ts"

const { values } = parseArgs({
  options: { events: { type: "string" }, rounds: { type: "string" } }
})
const eventsCount = Number(values.events ?? 50_000)
const rounds = Number(values.rounds ?? 5)
const sessionsCount = Math.ceil(eventsCount / 50)
/** A step of a session records one to four. */
const eventsOfAppend = 2
const pageEvents = 1_000

/** About as large as the median event of a session: 700 bytes. */
const event = (index: number): NewEvent => ({
  eventId: uuidv7(1_000),
  type: "WEB_GROUNDING_TESTED",
  schemaVersion: 1,
  data: {
    request_id: `r-${index}`,
    query: "notice period of a residential lease in the country",
    hits: Array.from({ length: 4 }, (_, rank) => ({
      rank,
      url: `https://site-${rank}.example/page/${index}`,
      title: "A page about the notice period of leases",
      score: 1 / (rank + 2)
    }))
  },
  metadata: { correlation_id: `g-${index}`, causation_id: "c", actor: "bench" }
})

const seeded = Effect.gen(function*() {
  const store = yield* EventStore
  const appends = Math.ceil(eventsCount / eventsOfAppend)
  for (let append = 0; append < appends; append++) {
    const session_id = `s-${append % sessionsCount}`
    const { head } = yield* store.read({ tenant_id: "default", session_id }, 1e6)
    yield* store.append(
      head,
      Array.from({ length: eventsOfAppend }, (_, index) => event(append * eventsOfAppend + index))
    )
  }
  const postgres = yield* Postgres
  yield* postgres.prepared({ name: "bench_analyze", text: "vacuum analyze wg.events" }, [])
})

const bareText = `select stream_id, version, position, tenant_id, event_id, type,
    schema_version, recorded_at, data, metadata, seal from wg.events
  where position > $1::bigint order by position limit ${pageEvents}`

const bare = Effect.gen(function*() {
  const postgres = yield* Postgres
  let after = "0"
  let digests = 0
  for (;;) {
    const rows = yield* postgres.prepared<{ readonly position: string }>(
      { name: "bench_bare", text: bareText },
      [after]
    )
    const last = rows.at(-1)
    if (last === undefined) return digests
    after = last.position
    for (const row of rows) {
      createHash("sha256").update(JSON.stringify(row)).digest("hex")
      digests += 1
    }
  }
})

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const startMs = performance.now()
    const answer = yield* effect
    return { answer, ms: performance.now() - startMs }
  })

const median = (numbers: ReadonlyArray<number>): number =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN

const measured = (name: string) =>
  Effect.gen(function*() {
    yield* seeded
    const { make } = yield* MakeAnchors
    yield* make
    const { verify } = yield* VerifyLog.VerifyLog
    const figures: Array<{ readonly bare: number; readonly full: number; readonly later: number }> =
      []
    for (let round = 0; round <= rounds; round++) {
      const raw = yield* timed(bare)
      const full = yield* timed(verify({}, { mode: "full" }))
      const later = yield* timed(verify({}, { mode: "incremental" }))
      if (!full.answer.sound || raw.answer !== full.answer.events) {
        return yield* Effect.die("the log is not as it was written")
      }
      // The first round warms both.
      if (round > 0) figures.push({ bare: raw.ms, full: full.ms, later: later.ms })
    }
    const rate = (ms: number) => `${Math.round(eventsCount / ms * 1_000)}/s`
    const ratios = figures.map(({ bare, full }) => bare / full)
    console.log(
      `${name}: ${eventsCount} events, bare read with SHA-256 ` +
        `${rate(median(figures.map(({ bare }) => bare)))}, verified ` +
        `${rate(median(figures.map(({ full }) => full)))}, ratio ${median(ratios).toFixed(2)} ` +
        `[${Math.min(...ratios).toFixed(2)}, ${Math.max(...ratios).toFixed(2)}]; incremental, ` +
        `nothing new: ${rate(median(figures.map(({ later }) => later)))}; ` +
        `${Math.round(process.memoryUsage().rss / 1e6)} MB resident`
    )
  })

const over = <E, R>(database: Layer.Layer<Postgres, E, R>) =>
  anchoringRows(MemoryAnchors.held(), newKey()).pipe(
    Layer.provideMerge(Layer.merge(PostgresEventStore.layer, PostgresLogRows.layer)),
    Layer.provide(plaintext),
    Layer.provideMerge(Layer.effectDiscard(Migrations.run).pipe(Layer.provideMerge(database)))
  )

await Effect.runPromise(
  measured("embedded").pipe(Effect.provide(over(EmbeddedPostgres.layerMemory)))
)
const url = process.env["DATABASE_URL"]
if (url !== undefined) {
  const server = PostgresServer.layer({ url: Redacted.make(url), poolMax: 4 })
  await Effect.runPromise(measured("server").pipe(Effect.provide(over(server))))
}
