/** The log's contract in PostgreSQL, whatever its tables hold. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { sql } from "kysely"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import { EventStore, type NewEvent } from "../../src/application/ports/EventStore.ts"
import { salt, uuidv7 } from "../../src/infrastructure/Digest.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as PayloadKeys from "../support/payloadKeys.ts"
import { eventStoreContract } from "./eventStoreContract.ts"

/** Sessions are unlike between tests and runs, so that tests may share a database. */
const run = salt()

/** Appends at the same moment: more than there are statements for. */
const crowd = 40

const event = (name: string): NewEvent => ({
  eventId: uuidv7(1_000),
  type: "WEB_GROUNDING_TESTED",
  schemaVersion: 1,
  data: { name },
  metadata: { correlation_id: "g-1", causation_id: "c-1", actor: "test" }
})

const recorded = (session: string, count: number) =>
  Effect.gen(function*() {
    const store = yield* EventStore
    const ref = { tenant_id: "default", session_id: `${run}-${session}` }
    const { head } = yield* store.read(ref)
    const events = Array.from({ length: count }, (_, n) => event(`${session}-${n}`))
    return yield* store.append(head, events)
  })

const statements = (texts: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { run } = yield* Postgres
    for (const text of texts) yield* run((db) => sql.raw(text).execute(db))
  })

/** Rows as they lie in the table, as a server reads them when it takes no index. */
const withoutIndexes = ["indexscan", "indexonlyscan", "bitmapscan"].map((way) =>
  `set local enable_${way} = off`
)

/** Of a store and its log, with payloads as plaintext and encrypted. */
export const storeContracts = (name: string, database: Layer.Layer<Postgres, unknown>) => {
  const kinds = [[name, PayloadKeys.plaintext], [`${name}, encrypted`, PayloadKeys.layer]] as const
  for (const [kind, keys] of kinds) {
    const layer = PostgresEventStore.layer.pipe(Layer.provideMerge(database), Layer.provide(keys))
    eventStoreContract(kind, layer)
    postgresLogContract(kind, layer)
  }
}

export const postgresLogContract = (
  name: string,
  layer: Layer.Layer<EventStore | Postgres, unknown>
) =>
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })(
    `EventStore in PostgreSQL: ${name}`,
    (it) => {
      it.effect("gives a stream's events by version, wherever their rows lie", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { transaction } = yield* Postgres
          const { head: { ref, streamId } } = yield* recorded("scattered", 3)
          const versions = yield* transaction(Effect.gen(function*() {
            yield* statements([
              ...withoutIndexes,
              // An erased payload makes a new row, behind those of the later versions.
              "set local wg.erasure = 'on'",
              `update wg.events set data = null, seal = substring(seal for 64)
                where stream_id = '${streamId}' and version = 1`
            ])
            const { run } = yield* Postgres
            const { rows } = yield* run((db) =>
              sql<{ version: number }>`select version from wg.events
                where stream_id = ${streamId}`.execute(db)
            )
            assert.deepStrictEqual(rows.map(({ version }) => version), [2, 3, 1])
            return (yield* store.read(ref)).events.map(({ version }) => version)
          }))
          assert.deepStrictEqual(versions, [1, 2, 3])
        }))

      it.effect("takes the others when the database refuses one of many appends", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const heads = yield* Effect.forEach(
            Array.from({ length: 30 }, (_, index) => `refused-${index}`),
            (session_id) =>
              Effect.map(
                store.read({ tenant_id: "default", session_id: `${run}-${session_id}` }),
                ({ head }) => head
              )
          )
          const exits = yield* Effect.forEach(heads, (head, index) =>
            Effect.exit(store.append(head, [
              index === 13
                ? { ...event("beyond"), schemaVersion: 100_000 }
                : event(`refused-${index}`)
            ])), { concurrency: "unbounded" })
          assert.deepStrictEqual(
            exits.flatMap((exit, index) => Exit.isFailure(exit) ? [index] : []),
            [13]
          )
        }))

      it.effect("records what starts and what goes on at the same moment, each in its order", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const heads = yield* Effect.forEach(
            Array.from({ length: crowd }, (_, index) => `mixed-${index}`),
            (session) =>
              Effect.map(recorded(session, session.endsWith("7") ? 0 : 1), ({ head }) => head)
          )
          const written = (index: number) =>
            Array.from({ length: 1 + index % 3 }, (_, n): NewEvent => ({
              ...event(`{"quoted, \\${index}-${n}"}`),
              type: n === 1 ? "NULL" : "WEB_GROUNDING_TESTED"
            }))
          const appended = yield* Effect.forEach(
            heads,
            (head, index) => store.append(head, written(index)),
            { concurrency: "unbounded" }
          )
          for (const { events, head } of appended) {
            const stored = yield* store.read(head.ref)
            assert.deepStrictEqual(stored.head, head)
            assert.deepStrictEqual(stored.events.slice(-events.length), events)
            const positions = events.map(({ position }) => position)
            assert.deepStrictEqual(positions, positions.toSorted((a, b) => Number(a - b)))
          }
        }))

      it.effect("refuses an append to a stream that was erased", () =>
        Effect.gen(function*() {
          const store = yield* EventStore
          const { events, head } = yield* recorded("erased", 2)
          yield* statements([`select wg.erase('${head.streamId}')`])
          const error = yield* Effect.flip(store.append(head, [event("late")]))
          assert.strictEqual(error._tag, "StreamConflict")
          // Among others of the same moment, too, which go together.
          const heads = yield* Effect.forEach(
            Array.from({ length: crowd }, (_, index) => index),
            (index) =>
              index === crowd / 2
                ? Effect.succeed(head)
                : Effect.map(recorded(`beside-erased-${index}`, 1), ({ head }) => head)
          )
          const exits = yield* Effect.forEach(
            heads,
            (head) => Effect.exit(store.append(head, [event("late")])),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            exits.flatMap((exit, index) => Exit.isFailure(exit) ? [index] : []),
            [crowd / 2]
          )
          const after = yield* store.read(head.ref)
          const { erasedAt, ...rest } = after.head
          assert.isString(erasedAt)
          assert.deepStrictEqual(rest, head)
          assert.deepStrictEqual(
            after.events.map(({ data, salt }) => [data, salt]),
            events.map(() => [null, null])
          )
        }))
    }
  )
