/**
 * A reader of the whole log sees every event once and in order, while others write.
 *
 * The guards in the database are taken away in turn, to show that the tests would notice. Those
 * schedules are laid by hand, by transactions that stand open, so that they neither flake nor pass by
 * luck.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import type pg from "pg"
import {
  EventStore,
  LogPosition,
  logStart,
  type StoredEvent
} from "../../src/application/ports/EventStore.ts"
import { strange } from "../support/attempts.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const layer = PlainEventStore.layer.pipe(Layer.provideMerge(TestDatabase.layer))

const event = () => strange("WEB_GROUNDING_TESTED", {})

const append = (session_id: string, count: number) =>
  Effect.gen(function*() {
    const store = yield* EventStore
    const { head } = yield* store.read({ tenant_id: "default", session_id })
    return yield* store.append(head, Array.from({ length: count }, event))
  })

const query = (client: pg.Client, text: string) => Effect.promise(() => client.query(text))

/** One row, written by a transaction of the test's own; its position comes back. */
const insertRow = (client: pg.Client) =>
  Effect.map(
    query(
      client,
      `insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id, type,
          schema_version, data, metadata, seal)
        values (gen_random_uuid(), 1, 'default', now(), gen_random_uuid(), 'SLOW', 1, '{}', '{}',
          decode(repeat('00', 80), 'hex'))
        returning position`
    ),
    ({ rows }): bigint => BigInt(rows[0].position)
  )

const tail = (position: bigint) =>
  Effect.gen(function*() {
    const store = yield* EventStore
    const events = yield* Stream.runCollect(store.all(LogPosition.make(position)))
    return events.map(({ position }): bigint => position)
  })

/** An open transaction with its row inserted, then a later event that commits at once. */
const openThenLater = (session: string, slow: pg.Client) =>
  Effect.gen(function*() {
    const { events: [before] } = yield* append(`${session}-before`, 1)
    const start: bigint = before?.position ?? 0n
    yield* query(slow, "begin")
    const held = yield* insertRow(slow)
    const { events: [later] } = yield* append(`${session}-later`, 1)
    const committed: bigint = later?.position ?? 0n
    assert.isTrue(start < held && held < committed)
    return { start, held, committed }
  })

/** Holds the window between the watermark's two reads open, in this order of them. */
const slowWatermark = (order: "designed" | "swapped") => {
  const drawn = `select case when is_called then last_value else 0 end into settled
    from wg.position;`
  const holding = `select coalesce(array_agg(virtualtransaction), '{}') into holders from pg_locks
    where locktype = 'advisory' and granted and classid = 0 and objid = 7265001 and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and pid is distinct from pg_backend_pid();`
  const window = "perform pg_advisory_lock_shared(4711); perform pg_advisory_unlock_shared(4711);"
  const body = order === "designed"
    ? [drawn, window, holding]
    : [holding, window, drawn]
  return `create or replace function wg.watermark(out settled bigint, out holders text[])
    language plpgsql as $$ begin ${body.join(" ")} end $$`
}

describe("the live tail", () => {
  it.layer(layer, { excludeTestServices: true })("as designed", (it) => {
    it.effect("misses nothing and reorders nothing under 12 writers", () =>
      Effect.gen(function*() {
        const store = yield* EventStore
        const seen: Array<StoredEvent> = []
        const written = new Set<string>()
        const writers = yield* Effect.forkScoped(Effect.forEach(
          Array.from({ length: 12 }, (_, writer) => `writer-${writer}`),
          (session) =>
            Effect.gen(function*() {
              for (let round = 0; round < 30; round++) {
                const { events } = yield* append(session, 1 + round % 3)
                for (const { eventId } of events) written.add(eventId)
              }
            }),
          { concurrency: 12, discard: true }
        ))
        const catchUp = Effect.suspend(() =>
          Stream.runForEach(store.all(seen.at(-1)?.position ?? logStart), (event) =>
            Effect.sync(() => seen.push(event)))
        )
        let reads = 0
        while (writers.pollUnsafe() === undefined && reads++ < 10_000) {
          yield* catchUp
        }
        yield* Fiber.join(writers)
        yield* catchUp
        assert.isAbove(reads, 2)
        assert.strictEqual(written.size, 12 * 60)
        assert.deepStrictEqual(
          new Set(seen.map(({ eventId }) =>
            eventId
          )),
          written
        )
        assert.strictEqual(seen.length, written.size)
        const versions = new Map<string, number>()
        for (const { streamId, version } of seen) {
          assert.strictEqual(version, (versions.get(streamId) ?? 0) + 1)
          versions.set(streamId, version)
        }
      }).pipe(Effect.scoped))

    it.effect("waits for a writer that stays open, and passes one that gives up", () =>
      Effect.gen(function*() {
        const slow = yield* TestDatabase.connect
        const { committed, held, start } = yield* openThenLater("waits", slow)
        assert.deepStrictEqual(yield* tail(start), [])
        yield* query(slow, "commit")
        assert.deepStrictEqual(yield* tail(start), [held, committed])

        const gone = yield* openThenLater("passes", slow)
        yield* query(slow, "rollback")
        assert.deepStrictEqual(yield* tail(gone.start), [gone.committed])
      }).pipe(Effect.scoped))

    it.effect("is not held up by writers that start after it began to wait", () =>
      Effect.gen(function*() {
        const [slow, late] = [yield* TestDatabase.connect, yield* TestDatabase.connect]
        const { committed, held, start } = yield* openThenLater("starve", slow)
        const waiting = yield* Effect.forkScoped(tail(start))
        yield* Effect.sleep("50 millis")
        yield* query(late, "begin")
        yield* insertRow(late)
        yield* query(slow, "commit")
        assert.deepStrictEqual(yield* Fiber.join(waiting), [held, committed])
        yield* query(late, "rollback")
      }).pipe(Effect.scoped))

    it.effect("waits for a prepared transaction, which has no process", () =>
      Effect.gen(function*() {
        const slow = yield* TestDatabase.connect
        const { committed, held, start } = yield* openThenLater("prepared", slow)
        yield* query(slow, "prepare transaction 'wg_live_tail'")
        assert.deepStrictEqual(yield* tail(start), [])
        yield* query(slow, "commit prepared 'wg_live_tail'")
        assert.deepStrictEqual(yield* tail(start), [held, committed])
      }).pipe(Effect.scoped))

    it.effect("is not held up by a lock of the same number in another database", () =>
      Effect.gen(function*() {
        const other = yield* Effect.provide(
          TestDatabase.connect,
          yield* Layer.build(Layer.fresh(TestDatabase.layerOf("empty")))
        )
        yield* query(other, "begin; select pg_advisory_xact_lock_shared(7265001)")
        const { events: [mine] } = yield* append("databases", 2)
        assert.strictEqual((yield* tail((mine?.position ?? 0n) - 1n)).length, 2)
        yield* query(other, "rollback")
      }).pipe(Effect.scoped))

    it.effect("holds with the watermark's window open: a writer inside it is waited for", () =>
      Effect.gen(function*() {
        const found = yield* writerInsideTheWindow("designed")
        assert.deepStrictEqual(found, { passed: false, missed: false })
      }).pipe(Effect.scoped))
  })

  it.layer(Layer.fresh(layer), { excludeTestServices: true })("with a guard taken away", (it) => {
    it.effect("loses an event when the watermark's reads are swapped", () =>
      Effect.gen(function*() {
        const found = yield* writerInsideTheWindow("swapped")
        assert.deepStrictEqual(found, { passed: true, missed: true })
      }).pipe(Effect.scoped))
  })

  it.layer(Layer.fresh(layer), { excludeTestServices: true })("without the lock", (it) => {
    it.effect("loses an event", () =>
      Effect.gen(function*() {
        const [slow, owner] = [yield* TestDatabase.connect, yield* TestDatabase.connect]
        yield* query(owner, "drop trigger fence on wg.events")
        const { committed, held, start } = yield* openThenLater("fenceless", slow)
        assert.deepStrictEqual(yield* tail(start), [committed])
        yield* query(slow, "commit")
        assert.notInclude(yield* tail(committed), held)
      }).pipe(Effect.scoped))
  })
})

/** Starts a writer between the two reads, lets a later one commit, and asks what the reader did. */
const writerInsideTheWindow = (order: "designed" | "swapped") =>
  Effect.gen(function*() {
    const slow = yield* TestDatabase.connect
    const gate = yield* TestDatabase.connect
    yield* query(gate, slowWatermark(order))
    const { events: [before] } = yield* append(`window-${order}`, 1)
    const start: bigint = before?.position ?? 0n
    yield* query(gate, "select pg_advisory_lock(4711)")
    const reading = yield* Effect.forkScoped(tail(start))
    yield* untilWaiting(gate)
    yield* query(slow, "begin")
    const held = yield* insertRow(slow)
    const { events: [later] } = yield* append(`window-${order}-later`, 1)
    const committed: bigint = later?.position ?? 0n
    yield* query(gate, "select pg_advisory_unlock(4711)")
    const first = yield* Fiber.join(reading)
    yield* query(slow, "commit")
    const rest = yield* tail(first.at(-1) ?? start)
    return { passed: first.includes(committed), missed: ![...first, ...rest].includes(held) }
  })

/** Until the reader stands in the window. */
const untilWaiting = (client: pg.Client) =>
  Effect.gen(function*() {
    for (let looks = 0; looks < 500; looks++) {
      const { rows } = yield* query(
        client,
        `select 1 from pg_locks where locktype = 'advisory' and not granted and objid = 4711
          and database = (select oid from pg_database where datname = current_database())`
      )
      if (rows.length > 0) return
      yield* Effect.sleep("10 millis")
    }
    return yield* Effect.die("the reader never asked for the watermark")
  })
