/** What a long session and a long log cost: reading a session, an append, a page at the end. */
import { Effect, Layer, Redacted, Stream } from "effect"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import { appendEventsMax, EventStore, LogPosition } from "../../src/application/ports/EventStore.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import * as PlainEventStore from "../../test/support/plainEventStore.ts"
import { decided, planned, requested } from "../../test/support/sessionFacts.ts"
import { median } from "../load/calls.ts"
import type { Database } from "../load/services.ts"
import type { Curve } from "./plot.ts"

const sessionSizes = [8, 40, 200, 1_000, 5_000]
const readings = 15
const appends = 60
const pageEvents = 100
const fillEvents = 50_000
const metadata = { correlation_id: "bench", causation_id: "c", actor: "bench" }
const tenant_id = "default"

const storeOf = (database: Database) =>
  PlainEventStore.layer.pipe(
    Layer.provide(PostgresServer.layer({ url: Redacted.make(database.url), poolMax: 2 }))
  )

/** Median of the milliseconds that it takes. */
const timed = <A, E, R>(effect: Effect.Effect<A, E, R>, times: number) =>
  Effect.gen(function*() {
    const all: Array<number> = []
    for (let time = 0; time < times; time++) {
      const fromMs = performance.now()
      yield* effect
      all.push(performance.now() - fromMs)
    }
    return median(all)
  })

const factsOf = (count: number) =>
  Array.from({ length: Math.ceil(count / 3) }, (_, index) => `r${index}`).flatMap((request_id) => [
    requested({ request_id }),
    decided({ request_id }),
    planned(["one", "two"], { request_id })
  ]).slice(0, count)

export const ofSession = async (database: Database): Promise<Curve> => {
  const points = await Effect.runPromise(
    Effect.gen(function*() {
      const store = yield* EventStore
      const points: Array<readonly [number, number]> = []
      for (const count of sessionSizes) {
        const ref = { tenant_id, session_id: `session-of-${count}` }
        const facts = factsOf(count)
        for (let from = 0; from < count; from += appendEventsMax) {
          const { head } = yield* store.read(ref, from)
          const some = facts.slice(from, from + appendEventsMax)
          yield* store.append(
            head,
            yield* Effect.forEach(
              some,
              (fact) => SessionLog.codec.encode(fact, uuidv7(Date.now()), metadata)
            )
          )
        }
        yield* timed(SessionLog.load(ref), readings)
        points.push([count, yield* timed(SessionLog.load(ref), readings)])
      }
      return points
    }).pipe(Effect.provide(storeOf(database)))
  )
  return {
    title: "Reading a session, verified and folded",
    across: "events of the session",
    upwards: "milliseconds",
    series: [{ name: "whole session", points }]
  }
}

/** Events of other sessions, past the rules of the log: only their number matters. */
const fill = async (database: Database, from: number, count: number) => {
  await database.query("set session_replication_role = replica")
  for (let done = 0; done < count; done += fillEvents) {
    await database.query(
      `with opened as (
        insert into wg.streams (stream_id, version, head_hash, created_at, tenant_id, session_id)
          select gen_random_uuid(), 10, sha256('x'), now(), $1, 'fill-' || ($2::int + n)
            from generate_series(1, $3::int) as n returning stream_id)
      insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id, type,
          schema_version, data, metadata, seal)
        select stream_id, n, $1, now(), gen_random_uuid(), 'WEB_GROUNDING_NOTED', 1,
            jsonb_build_object('text', repeat('x', 300)), '{}'::jsonb, sha256('x') || sha256('x')
          from opened, generate_series(1, 10) as n`,
      ["fill", from + done, Math.min(fillEvents, count - done) / 10]
    )
  }
  await database.query("set session_replication_role = origin")
  await database.query("vacuum analyze wg.events")
  await database.query("vacuum analyze wg.streams")
}

export const ofLog = async (database: Database, sizes: ReadonlyArray<number>): Promise<Curve> => {
  const append: Array<readonly [number, number]> = []
  const page: Array<readonly [number, number]> = []
  let filled = 0
  for (const size of sizes) {
    await fill(database, filled, size - filled)
    filled = size
    const measured = await Effect.runPromise(
      Effect.gen(function*() {
        const store = yield* EventStore
        let { head } = yield* store.read({ tenant_id, session_id: `log-of-${size}` })
        const one = Effect.gen(function*() {
          const event = yield* SessionLog.codec.encode(requested(), uuidv7(Date.now()), metadata)
          const appended = yield* store.append(head, [event])
          head = appended.head
        })
        yield* timed(one, 10)
        const appendMs = yield* timed(one, appends)
        const last = head
        const { events } = yield* store.read(last.ref, last.version - 1)
        const end = events[0]?.position ?? 0n
        const from = LogPosition.make(end > BigInt(pageEvents) ? end - BigInt(pageEvents) : 0n)
        const tail = Stream.runCollect(Stream.take(store.all(from), pageEvents))
        yield* tail
        return { appendMs, pageMs: yield* timed(tail, readings) }
      }).pipe(Effect.provide(storeOf(database)))
    )
    append.push([size, measured.appendMs])
    page.push([size, measured.pageMs])
  }
  return {
    title: "An append, and the last 100 events, of a growing log",
    across: "events in the log",
    upwards: "milliseconds",
    series: [{ name: "append of one event", points: append }, {
      name: `last ${pageEvents} events`,
      points: page
    }]
  }
}
