/**
 * How long a step through the list of 10,000 sessions takes, from the statement to the page's HTML:
 * `node bench/sessionList.ts`. On the embedded store, which is the slower of the two.
 */
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SessionsPage from "../src/adapters/dashboard/views/SessionsPage.ts"
import { page, type Viewer } from "../src/adapters/dashboard/views/Shell.ts"
import * as PostgresReadModels from "../src/adapters/postgres/models/PostgresReadModels.ts"
import * as SessionLog from "../src/application/log/SessionLog.ts"
import { LogPosition } from "../src/application/ports/EventStore.ts"
import { ReadModels } from "../src/application/ports/ReadModels.ts"
import * as Projection from "../src/application/projections/Projection.ts"
import { SessionsModel } from "../src/application/projections/SessionsModel.ts"
import * as Queries from "../src/application/QueryReadModels.ts"
import { uuidv7 } from "../src/infrastructure/Digest.ts"
import * as EmbeddedPostgres from "../src/infrastructure/postgres/EmbeddedPostgres.ts"
import * as Migrations from "../src/infrastructure/postgres/Migrations.ts"
import { dayBefore } from "../test/support/dashboardHistory.ts"
import * as PlainEventStore from "../test/support/plainEventStore.ts"
import { runnerOf } from "../test/support/projections.ts"
import * as Sent from "../test/support/sent.ts"

const sessionsCount = 10_000
const rowsOfCommit = 500
const timesEach = 40

const directory = mkdtempSync(join(tmpdir(), "wg-list-"))
const database = Layer.effectDiscard(Migrations.run).pipe(
  Layer.provideMerge(EmbeddedPostgres.layer({ directory: join(directory, "data") }))
)
const layer = Queries.layer.pipe(
  Layer.provide(runnerOf("bench", Projection.consumer(SessionsModel))),
  Layer.provideMerge(Layer.merge(PlainEventStore.layer, PostgresReadModels.layer)),
  Layer.provide(database)
)

const metadata = { correlation_id: "r", causation_id: "c", actor: "bench" }
const { plan } = Projection.consumer(SessionsModel)

/** Rows as the projection makes them, without a log that they would be read from. */
const seeded = Effect.gen(function*() {
  const readModels = yield* ReadModels
  const sessions = dayBefore(Date.now(), sessionsCount)
  let lease = yield* readModels.acquire({ model: SessionsModel.name, version: 1 }, "seed")
  for (let from = 0; from < sessions.length; from += rowsOfCommit) {
    const events = yield* Effect.forEach(
      sessions.slice(from, from + rowsOfCommit).flatMap(({ atMs, events, sessionId }) =>
        events.map((event) => ({ atMs, event, sessionId }))
      ),
      ({ atMs, event, sessionId }) =>
        Effect.map(SessionLog.codec.encode(event, uuidv7(atMs), metadata), (encoded) => ({
          ...encoded,
          tenantId: "default",
          sessionId,
          streamId: sessionId,
          version: 1,
          position: LogPosition.make(1n),
          recordedAt: new Date(atMs).toISOString(),
          salt: "",
          payloadDigest: "",
          hash: ""
        }))
    )
    const { fold, keys } = yield* plan(events)
    lease = yield* readModels.commit(
      lease,
      { to: LogPosition.make(BigInt(from + 1)), keys },
      fold
    )
  }
})

const viewer: Viewer = {
  tenantId: "default",
  canRead: true,
  canGround: true,
  canAudit: true,
  canErase: true,
  isAdmin: true,
  isSignedIn: false,
  isSandbox: false
}

const at = (sorted: ReadonlyArray<number>, share: number) =>
  sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(1)

const measured = Effect.gen(function*() {
  const { sessions } = yield* Sent.QueryReadModels
  const nowIso = new Date().toISOString()
  const caller = { tenantId: "default" }
  const step = (asked: SessionsPage.SessionsQuery) =>
    Effect.map(sessions({ limit: 100, ...asked }, caller), (list) => {
      const body = SessionsPage.body(asked, list, nowIso)
      page(viewer, { title: "Sessions", view: "/sessions", body })
      return list
    })
  const steps: ReadonlyArray<readonly [string, SessionsPage.SessionsQuery]> = [
    ["first page", {}],
    ["failed only", { state: "failed" }],
    ["words that many hold", { words: "ferry" }],
    ["words that none holds", { words: "nothing holds this" }]
  ]
  for (const [name, asked] of steps) {
    const ms: Array<number> = []
    for (let time = 0; time < timesEach; time++) {
      const begun = performance.now()
      yield* step(asked)
      ms.push(performance.now() - begun)
    }
    const sorted = ms.toSorted((one, other) => one - other)
    console.log(`${name.padEnd(24)} p50 ${at(sorted, 0.5)} ms, p95 ${at(sorted, 0.95)} ms`)
  }
  let cursor: string | undefined
  let rows = 0
  const begun = performance.now()
  do {
    const list = yield* step(cursor === undefined ? {} : { cursor })
    rows += list.sessions.length
    cursor = list.next
  } while (cursor !== undefined)
  const pages = Math.ceil(rows / 100)
  const each = ((performance.now() - begun) / pages).toFixed(1)
  console.log(`${"to the end".padEnd(24)} ${rows} rows, ${each} ms a page`)
})

try {
  await Effect.runPromise(
    Effect.andThen(seeded, measured).pipe(Effect.provide(layer), Effect.scoped)
  )
} finally {
  rmSync(directory, { recursive: true, force: true })
}
