import { Effect, Layer, Stream } from "effect"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as PostgresLogRows from "../../src/adapters/postgres/PostgresLogRows.ts"
import { EventStore, logStart } from "../../src/application/ports/EventStore.ts"
import type { PayloadKeys as StoredKeys } from "../../src/infrastructure/encryption/PayloadKeys.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import { anchoringRows, newKey } from "../support/anchoredLog.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import * as MemoryAnchors from "../support/memory/MemoryAnchors.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryLogRows from "../support/memory/MemoryLogRows.ts"
import * as PayloadKeys from "../support/payloadKeys.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { logRowsContract } from "./logRowsContract.ts"

const { MemoryRows } = MemoryLogRows

const verifying = () => anchoringRows(MemoryAnchors.held(), newKey())

logRowsContract("memory", {
  layer: verifying().pipe(
    Layer.provideMerge(Layer.merge(MemoryEventStore.layer, MemoryLogRows.layer)),
    Layer.provideMerge(Layer.sync(MemoryRows, () => ({ events: [], streams: [] })))
  ),
  copied: Effect.gen(function*() {
    const store = yield* EventStore
    const rows = yield* MemoryRows
    rows.events.push(...yield* Stream.runCollect(store.all(logStart)))
    for (const tenant of ["t1", "t2"]) rows.streams.push(...yield* store.streams(tenant, 9))
  }).pipe(Effect.orDie),
  edited: Effect.map(MemoryRows, (rows) => {
    rows.events = rows.events
      .map((event) => event.position === 7n ? { ...event, data: { secret: "no" } } : event)
      .filter(({ position }) => position !== 11n)
  })
})

const statements = [
  "set session_replication_role = replica",
  `update wg.events set data = '{"secret": "no"}' where position = 7`,
  "delete from wg.events where position = 11",
  "set session_replication_role = origin"
]

/** On one connection, as the role that wakes no trigger is the connection's. */
const edited = Effect.gen(function*() {
  const postgres = yield* Postgres
  yield* postgres.transaction(
    Effect.forEach(
      statements,
      (text, index) => postgres.prepared({ name: `edit_${index}`, text }, []),
      { discard: true }
    )
  )
}).pipe(Effect.orDie)

const overDatabase = Layer.merge(PostgresEventStore.layer, PostgresLogRows.layer)

const over = <E>(name: string, database: Layer.Layer<StoredKeys | Postgres, E>) =>
  logRowsContract(name, {
    layer: verifying().pipe(Layer.provideMerge(overDatabase), Layer.provideMerge(database)),
    copied: Effect.void,
    edited
  })

over("server", Layer.merge(TestDatabase.layer, PayloadKeys.plaintext))
over("embedded", Layer.merge(EmbeddedDatabase.layer, PayloadKeys.plaintext))
over("embedded, encrypted", Layer.merge(EmbeddedDatabase.layer, PayloadKeys.layer))
