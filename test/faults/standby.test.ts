/**
 * A real streaming standby with its primary.
 *
 * Promises: no decision is read from it, it never says what of the log is settled, and reads from
 * it lag by a bounded time. Saboteurs: the standby's own watermark; a paused replay.
 */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join, relative, sep } from "node:path"
import pg from "pg"
import { inject } from "vitest"
import { listening } from "../../packages/client/test/support/rawServer.ts"
import * as PostgresReadModels from "../../src/adapters/postgres/models/PostgresReadModels.ts"
import { EventStore, LogPosition, logStart } from "../../src/application/ports/EventStore.ts"
import { ReadModels, StandbyRows } from "../../src/application/ports/ReadModels.ts"
import { ceilingsDefault } from "../../src/infrastructure/postgres/Pool.ts"
import { Postgres } from "../../src/infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { strange } from "../support/attempts.ts"
import * as DurableServer from "../support/durableServer.ts"
import { requestFor, send } from "../support/httpCalls.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import * as Pooler from "../support/pooler.ts"
import { startServer, withDatabase } from "../support/postgresServer.ts"
import * as Replica from "../support/replica.ts"

const settings = {
  max_connections: "100",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // What it holds may be lost with it.
  fsync: "off",
  // It asks the primary soon after it could not.
  wal_retrieve_retry_interval: "100ms"
}

/** What a backup leaves out: the running server's own, and a log that the standby streams itself. */
const isLeft = (place: string): boolean =>
  place === "postmaster.pid" || place === "postmaster.opts" ||
  /^(pg_wal|pg_replslot)[\\/]./.test(place)

/** The files of the server at `url`, with what makes a standby of them. */
const copied = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const files = mkdtempSync(join(tmpdir(), "wg-standby-"))
  const { rows: [place] } = await client.query("select current_setting('data_directory') as files")
  await client.query("select pg_backup_start('standby', true)")
  cpSync(place.files, files, {
    recursive: true,
    filter: (file) => !isLeft(relative(place.files, file).split(sep).join("/"))
  })
  const { rows: [stopped] } = await client.query("select labelfile from pg_backup_stop(false)")
  await client.end()
  mkdirSync(join(files, "pg_wal"), { recursive: true })
  writeFileSync(join(files, "backup_label"), stopped.labelfile)
  writeFileSync(join(files, "standby.signal"), "")
  const { hostname, password, port, username } = new URL(url)
  const primary = `host=${hostname} port=${port} user=${username} password=${password}`
  writeFileSync(join(files, "postgresql.auto.conf"), `primary_conninfo = '${primary}'\n`)
  return files
}

/** Gone with the scope. Its address has the database of the primary's. */
const acquire = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const files = await copied(url)
      const { password, pathname } = new URL(url)
      const server = await startServer(settings, {
        backup: { files, password: decodeURIComponent(password) },
        alongside: files
      })
      return { ...server, url: withDatabase(server.url, pathname.slice(1)) }
    }),
    ({ stop }) => Effect.promise(stop)
  )

interface FallsSilent {
  /** The given URL, through here. */
  readonly url: string
  /** Lets no byte pass on the connections that are open, for good. */
  readonly silence: Effect.Effect<void>
}

/** Relay to the server of the URL until the scope closes. */
const wayTo = (url: string) => {
  const target = new URL(url)
  const open = new Set<Socket>()
  const leading = listening((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [socket, other] of [[near, far], [far, near]] as const) {
      open.add(socket)
      socket.on("error", () => other.destroy())
      socket.on("close", () => open.delete(socket) && other.destroy())
      socket.pipe(other)
    }
  })
  return Effect.map(
    Effect.acquireRelease(Effect.promise(() => leading), ({ close }) => Effect.sync(close)),
    (server): FallsSilent => {
      const through = new URL(url)
      through.host = new URL(server.url).host
      return {
        url: through.href,
        silence: Effect.sync(() => {
          for (const socket of open) socket.unpipe().pause()
        })
      }
    }
  )
}

const lagMsMax = 5_000
/** More than the time between two looks at the standby. */
const lookMs = 1_300
const looksMax = 400
const pauseMs = 25
const full = process.env["WG_TEST_FULL"] === "1"
const pooler = full && Pooler.isInstalled("pgbouncer") ? "pgbouncer" : "stand-in"
/** Sessions whose order of appearance is watched, and lists that must lag. */
const listedMax = 100
const roundSessions = 5
const statesMin = 5
/** Callers of the whole service, more than a pooler has connections. */
const callers = 8

class Pair extends Context.Service<Pair, {
  readonly primary: string
  readonly standby: string
  readonly killStandby: Effect.Effect<void>
  readonly startStandby: Effect.Effect<void>
}>()("web-grounding/test/faults/standby/Pair") {}

const pair = Layer.effect(
  Pair,
  Effect.gen(function*() {
    const primary = yield* DurableServer.acquire
    const standby = yield* acquire(primary.url)
    return Pair.of({
      primary: primary.url,
      standby: standby.url,
      killStandby: Effect.promise(standby.kill),
      startStandby: Effect.promise(standby.start)
    })
  })
)

const primary = Layer.unwrap(
  Effect.map(Pair, (both) => PostgresServer.layer({ url: Redacted.make(both.primary) }))
)

const layer = Layer.merge(PlainEventStore.layer, PostgresReadModels.layer).pipe(
  Layer.provideMerge(primary),
  Layer.provideMerge(pair)
)

const asked = (url: string, text: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows
  })

const pause = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, pauseMs)))

const event = () => strange("WEB_GROUNDING_TESTED", {})

const rowsOf = (url: Redacted.Redacted) =>
  Effect.map(
    Layer.build(PostgresReadModels.standbyRows({
      url,
      lagMsMax,
      poolMax: 2,
      pooler: "none",
      ceilings: ceilingsDefault
    })),
    (built) => Context.get(built, StandbyRows)
  )

const kept = (value: number) => Effect.succeed(new Map([["a", value]]))
const everything = { model: "counts", from: "", until: "~", limit: 9 }

describe("a standby", () => {
  it.layer(layer, { timeout: "120 seconds" })((it) => {
    it.effect("is refused as the database, by name", () =>
      Effect.gen(function*() {
        const { standby } = yield* Pair
        const error = yield* Effect.flip(Effect.scoped(Layer.build(
          PostgresServer.layer({ url: Redacted.make(standby) })
        )))
        assert.strictEqual(error._tag, "ServerRefused")
        assert.match(error.message, /is a standby, which takes no writes .*: name the primary; /)
        assert.notInclude(error.message, new URL(standby).password)
      }))

    it.effect("never says what of the log is settled, though it believes to know", () =>
      Effect.gen(function*() {
        const { primary, standby } = yield* Pair
        const store = yield* EventStore
        const { head } = yield* store.read({ tenant_id: "default", session_id: "s" })
        yield* store.append(head, [event()])
        const text = "select settled::int, holders from wg.watermark()"
        const [own] = yield* asked(primary, text)
        let [believed] = yield* asked(standby, text)
        for (let looks = 0; looks < looksMax && believed.settled === 0; looks++) {
          yield* pause
          ;[believed] = yield* asked(standby, text)
        }
        // What is drawn next on the primary, and may be seen later, counts as settled there.
        assert.isAbove(believed.settled, own.settled)
        assert.deepStrictEqual(believed.holders, [])
        const { postgres } = yield* PostgresServer.open({ url: Redacted.make(standby) })
        const built = yield* Layer.build(
          Layer.fresh(PlainEventStore.layer).pipe(
            Layer.provide(Layer.succeed(Postgres, postgres))
          )
        )
        const error = yield* Effect.flip(
          Stream.runCollect(Context.get(built, EventStore).all(logStart))
        )
        assert.match(String(error.cause), /which a standby does not know: ask the primary/)
      }).pipe(Effect.scoped))

    it.effect("answers lists while it lags by a bounded time, and the primary when it does not", () =>
      Effect.gen(function*() {
        const { killStandby, standby, startStandby } = yield* Pair
        const { acquire, commit } = yield* ReadModels
        const lease = yield* acquire({ model: "counts", version: 1 }, "a")
        let last = yield* commit(lease, { to: LogPosition.make(1n), keys: [] }, () => kept(1))
        const rows = yield* rowsOf(Redacted.make(standby))
        const seen = Effect.map(rows.range(everything), (found) => found?.rows[0]?.[1])

        /** Writes a row that a paused standby does not have, and says who answers. */
        const answering = (value: number) =>
          Effect.gen(function*() {
            yield* asked(standby, "select pg_wal_replay_pause()")
            const to = LogPosition.make(last.position + 1n)
            last = yield* commit(last, { to, keys: [] }, () => kept(value))
            return (yield* seen) === value ? "primary" : "standby"
          })
        const resumed = asked(standby, "select pg_wal_replay_resume()")

        let answered = yield* answering(2)
        for (let looks = 0; looks < looksMax && answered === "primary"; looks++) {
          yield* resumed
          yield* TestClock.adjust(lookMs)
          yield* pause
          answered = yield* answering(3 + looks)
        }
        assert.strictEqual(answered, "standby")

        // It stays paused: once that may be longer than the bound, the primary answers.
        yield* TestClock.adjust(lagMsMax + lookMs)
        const newest = yield* seen
        const [listed] = (yield* rows.range(everything))?.rows ?? []
        assert.isAbove(Number(newest), 1)
        assert.deepStrictEqual(listed, ["a", newest ?? null])
        assert.strictEqual(yield* answering(1_000), "primary")
        yield* resumed

        // It is away, with calls on their way to it.
        answered = "primary"
        for (let looks = 0; looks < looksMax && answered === "primary"; looks++) {
          yield* resumed
          yield* TestClock.adjust(lookMs)
          yield* pause
          answered = yield* answering(2_000 + looks)
        }
        assert.strictEqual(answered, "standby")
        yield* killStandby
        const alone = yield* rows.listing({ ...everything, limit: 1 })
        assert.deepStrictEqual(alone?.rows, [])
        assert.isAtLeast(Number(yield* seen), 2_000)
        yield* startStandby
      }).pipe(Effect.scoped))

    it.effect("that fell silent is asked again as soon as it answers", () =>
      Effect.gen(function*() {
        const { standby } = yield* Pair
        const { acquire, commit } = yield* ReadModels
        const way = yield* wayTo(standby)
        const lease = yield* acquire({ model: "silent", version: 1 }, "a")
        let last = yield* commit(lease, { to: LogPosition.make(1n), keys: [] }, () => kept(1))
        const rows = yield* rowsOf(Redacted.make(way.url))
        const own = { ...everything, model: "silent" }

        /** Looks until a row that the paused standby lacks is not in what is answered. */
        const answers = Effect.gen(function*() {
          for (let looks = 0; looks < looksMax; looks++) {
            yield* asked(standby, "select pg_wal_replay_resume()")
            yield* TestClock.adjust(lookMs)
            yield* pause
            yield* asked(standby, "select pg_wal_replay_pause()")
            const value = Number(last.position) + 1
            const to = LogPosition.make(BigInt(value))
            last = yield* commit(last, { to, keys: [] }, () => kept(value))
            const found = yield* rows.range(own)
            if (found?.rows[0]?.[1] !== value) return true
          }
          return false
        }).pipe(Effect.ensuring(asked(standby, "select pg_wal_replay_resume()")))

        assert.isTrue(yield* answers)
        yield* way.silence
        yield* TestClock.adjust(lookMs)
        // What was known of it before counts no more.
        yield* TestClock.adjust(lagMsMax)
        assert.isTrue(yield* answers)
      }).pipe(Effect.scoped))

    it.effect("and its primary behind poolers serve whole groundings and lists over HTTP", () =>
      Effect.gen(function*() {
        const { primary, standby } = yield* Pair
        yield* Pooler.prepareRole(primary)
        const [writing, reading] = [
          yield* Pooler.poolerBefore(pooler, primary),
          yield* Pooler.poolerBefore(pooler, standby)
        ]
        const { replicas: [service] } = yield* Replica.fleet(1, {
          databaseUrl: writing.url,
          searchUrl: "http://127.0.0.1:9",
          program: { file: "bin/wg.js", args: ["serve", "--sandbox"] },
          settings: {
            DATABASE_POOLER: "transaction",
            DATABASE_POOL_MIN: String(callers),
            DATABASE_READ_URL: reading.url,
            DATABASE_READ_LAG_MS_MAX: String(lagMsMax)
          }
        })
        const at = service?.url ?? ""
        const grounded = (session_id: string, subject: string) =>
          send(
            at,
            requestFor("Ground", {
              session_id,
              topic: "What does a tram ride in Halvern cost?",
              phase: "mid_chat",
              user_asked_for_facts: true,
              subject
            })
          )
        const listed = (subject: string) =>
          Effect.map(
            send(at, requestFor("ListSessions", { subject })),
            ({ text }) => (JSON.parse(text).sessions as ReadonlyArray<unknown>).length
          )

        const answers = yield* Effect.forEach(
          Array.from({ length: callers }, (_, index) => `many-${index}`),
          (session) => grounded(session, "many"),
          { concurrency: callers }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status), answers.map(() => 200))
        const packs = answers.map(({ text }) => JSON.parse(text).pack)
        assert.isEmpty(packs.filter(({ key_points }) => key_points.length === 0))

        // A list that lacks a new record comes from the standby, whose replay is paused.
        let seen = 1
        let person = ""
        for (let looks = 0; looks < looksMax && seen === 1; looks++) {
          yield* asked(standby, "select pg_wal_replay_resume()")
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, lookMs)))
          yield* asked(standby, "select pg_wal_replay_pause()")
          person = `person-${looks}`
          assert.strictEqual((yield* grounded(`of-${person}`, person)).status, 200)
          seen = yield* listed(person)
        }
        assert.strictEqual(seen, 0)
        // Who erases does not go by it.
        const erased = yield* send(at, requestFor("EraseSubject", { subject: person }))
        assert.lengthOf(JSON.parse(erased.text).erasures, 1, erased.text)
        yield* asked(standby, "select pg_wal_replay_resume()")
        const verified = yield* send(at, requestFor("VerifyLog", {}))
        assert.strictEqual(verified.status, 200, verified.text)
        assert.deepStrictEqual(JSON.parse(verified.text).faults, [])
      }).pipe(Effect.scoped))

    it.effect.skipIf(!full)(
      "lists what the primary lists, never one session before another",
      () =>
        Effect.gen(function*() {
          const { primary, standby } = yield* Pair
          const serving = (settings: Readonly<Record<string, string>>) =>
            Effect.map(
              Replica.fleet(1, {
                databaseUrl: primary,
                searchUrl: "http://127.0.0.1:9",
                program: { file: "bin/wg.js", args: ["serve", "--sandbox"] },
                settings
              }),
              ({ replicas: [service] }) => service?.url ?? ""
            )
          const writing = yield* serving({})
          const reading = yield* serving({
            DATABASE_READ_URL: standby,
            DATABASE_READ_LAG_MS_MAX: String(lagMsMax)
          })
          const subject = "order"
          const ground = (session_id: string) =>
            send(
              writing,
              requestFor("Ground", {
                session_id,
                topic: "Tell me a joke.",
                phase: "mid_chat",
                subject
              })
            )
          const seen: Array<{ readonly at: string; readonly sessions: ReadonlySet<string> }> = []
          const sessionOf = (listed: { readonly session_id: string }) => listed.session_id
          const listed = (at: string) =>
            Effect.map(
              send(at, requestFor("ListSessions", { subject, limit: listedMax })),
              ({ text }) => {
                const { sessions } = JSON.parse(text)
                seen.push({ at, sessions: new Set(sessions.map(sessionOf)) })
                return sessions.length
              }
            )
          const until = (at: string, size: number) =>
            Effect.repeat(listed(at), { until: (listed) => listed >= size, times: looksMax })
          // Replay halts from before sessions begin until the primary has listed them.
          const halted = Effect.fnUntraced(function*(round: number) {
            const before = round * roundSessions
            const sessions = Array.from({ length: roundSessions }, (_, n) => `order-${before + n}`)
            yield* asked(standby, "select pg_wal_replay_pause()")
            yield* Effect.forEach(sessions, ground, { concurrency: 2 })
            yield* until(writing, before + roundSessions)
            yield* listed(reading)
            yield* asked(standby, "select pg_wal_replay_resume()")
            yield* until(reading, before + roundSessions)
          })
          yield* Effect.forEach(
            Array.from({ length: listedMax / roundSessions }, (_, round) => round),
            halted
          ).pipe(TestClock.withLive)
          let most = 0
          const behind = seen.filter(({ at, sessions }) => {
            if (at === writing) most = Math.max(most, sessions.size)
            return at === reading && sessions.size < most
          })
          assert.isAbove(behind.length, statesMin, "the standby was hardly asked")
          const sets = seen.map(({ sessions }) => sessions)
            .toSorted((left, right) => left.size - right.size)
          assert.isTrue(
            sets.every((one, place) => place === 0 || sets[place - 1]?.isSubsetOf(one) === true)
          )
          assert.strictEqual(sets.at(-1)?.size, listedMax)
        }).pipe(Effect.scoped)
    )

    it.effect("is not taken from another server, and not waited for at the start", () =>
      Effect.gen(function*() {
        const { primary } = yield* Pair
        const gone = new URL(primary)
        gone.port = "1"
        const rows = yield* rowsOf(Redacted.make(gone.href))
        assert.isDefined(yield* rows.range({ ...everything, limit: 1 }))
        // The primary itself is no standby: everything is asked of it once.
        const own = yield* rowsOf(Redacted.make(primary))
        assert.isDefined(yield* own.range({ ...everything, limit: 1 }))
        const error = yield* Effect.flip(rowsOf(Redacted.make(inject("postgresUrl"))))
        assert.match(error.message, /is no standby of the one in DATABASE_URL/)
      }).pipe(Effect.scoped))
  })
})
