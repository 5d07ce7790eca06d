/**
 * Groundings while PostgreSQL is killed and started again, has no connection left, or is locked.
 *
 * Promise: a paid answer is recorded, no caller waits longer than 250 ms beyond its deadline, a
 * failure says truly whether something may have been searched, and the same request asked again is
 * answered.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Layer, Redacted, References } from "effect"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import type { SearchProvider } from "../../src/application/ports/SearchProvider.ts"
import type { PublicFailure } from "../../src/contract/PublicFailure.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { useCases } from "../../src/wiring/layers.ts"
import * as DurableServer from "../support/durableServer.ts"
import { caller, instance, limitsAlone, plain, providers } from "../support/grounding.ts"
import { grace, slowness } from "../support/machine.ts"
import * as PostgresStores from "../support/postgresStores.ts"
import { PublicApi } from "../support/sent.ts"
import { hit } from "../support/sessionFacts.ts"

/** Between two looks at how late a timer of this process is. */
const lookEveryMs = 20
const searchMs = 300
/** A search without an outcome is found in doubt two seconds after it. */
const attemptMsMax = 1_000
const triesMax = 100

/** What the provider was asked and has answered, by request. */
interface Ledger {
  readonly hits: Map<string, number>
  readonly answered: Map<string, number>
}

const ledger = (): Ledger => ({ hits: new Map(), answered: new Map() })

const searchesUnderWay = ({ answered, hits }: Ledger) => sumOf(hits) - sumOf(answered)

const sumOf = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

const count = (counts: Map<string, number>, key: string) =>
  counts.set(key, (counts.get(key) ?? 0) + 1)

/** A provider with a key and a price, as a real one has them. */
const counting = ({ answered, hits }: Ledger): SearchProvider => ({
  name: "tavily",
  keySlot: 1,
  creditsByDepth: { basic: 1, advanced: 2 },
  search: ({ excludeDomains }) =>
    Effect.gen(function*() {
      const name = excludeDomains.join().replace(".example", "")
      count(hits, name)
      yield* Effect.sleep(searchMs)
      count(answered, name)
      return {
        droppedCount: 0,
        credits: 1,
        hits: [1, 2, 3].map((rank) =>
          hit(`https://halvern-${rank}.example/tram`, {
            rank,
            content: "A single tram ticket in Halvern costs 2.80 crowns."
          })
        )
      }
    })
})

/** The use cases over the database of that address, with a pool as the service has it. */
const service = (databaseUrl: string, asked: Ledger) =>
  useCases.pipe(
    Layer.provide(Layer.mergeAll(
      PostgresStores.layer,
      providers(counting(asked)),
      instance("one", false),
      limitsAlone({ attemptTimeoutMs: attemptMsMax }),
      plain
    )),
    Layer.provide(PostgresServer.layer({ url: Redacted.make(databaseUrl), poolMax: 10 }))
  )

/** A request by its name, which no other one has, and the session it belongs to. */
interface Request {
  readonly name: string
  readonly session: string
}

interface Call {
  readonly request: Request
  readonly deadlineMs: number
  /** `success`, another status of the search, or the failure's name. */
  readonly ended: string
  readonly failure: PublicFailure | undefined
  /** After the deadline; negative before it. */
  readonly lateMs: number
  /** Whether the provider had been asked for it when the call ended. */
  readonly wasSearched: boolean
}

const inputOf = ({ name, session }: Request, deadlineMs: number) => ({
  session_id: session,
  request_id: name,
  topic: "What does a tram ride in Halvern cost?",
  phase: "mid_chat",
  user_asked_for_facts: true,
  deadline_ms: deadlineMs,
  overrides: { max_queries: 1, exclude_domains: [`${name}.example`] }
})

/** Asked twice it is the same request, whatever its deadline. */
const ask = Effect.fnUntraced(
  function*(request: Request, deadlineMs: number, asked: Ledger) {
    const api = yield* PublicApi
    const startMs = yield* Clock.currentTimeMillis
    const told = yield* api.ground(inputOf(request, deadlineMs), caller).pipe(
      // The service logs each fault of the database.
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.result
    )
    const failure = told._tag === "Failure" ? told.failure : undefined
    const call: Call = {
      request,
      deadlineMs,
      failure,
      ended: told._tag === "Success"
        ? told.success.searches[0]?.status ?? "no search"
        : told.failure._tag,
      lateMs: (yield* Clock.currentTimeMillis) - startMs - deadlineMs,
      wasSearched: asked.hits.has(request.name)
    }
    return call
  }
)

/** Until it is answered, within a bound of tries. */
const askAgain = Effect.fnUntraced(
  function*(request: Request, deadlineMs: number, asked: Ledger) {
    for (let tries = 1; tries < triesMax; tries++) {
      const call = yield* ask(request, deadlineMs, asked)
      if (call.failure === undefined) return call
      yield* Effect.sleep("100 millis")
    }
    return yield* ask(request, deadlineMs, asked)
  }
)

/** The effect, and by how much a timer of this process was late at worst meanwhile. */
const withLag = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const worst = { lagMs: 0 }
    const look = Effect.gen(function*() {
      const beforeMs = yield* Clock.currentTimeMillis
      yield* Effect.sleep(lookEveryMs)
      const lagMs = (yield* Clock.currentTimeMillis) - beforeMs - lookEveryMs
      worst.lagMs = Math.max(worst.lagMs, lagMs)
    })
    yield* Effect.forkScoped(Effect.forever(look))
    return { result: yield* effect, lagMs: worst.lagMs }
  }).pipe(Effect.scoped)

const administer = (
  url: string,
  run: (admin: pg.Client) => Promise<unknown>
): Effect.Effect<void> =>
  Effect.promise(async () => {
    const admin = new pg.Client({ connectionString: url })
    admin.on("error", () => {})
    await admin.connect()
    await run(admin)
    await admin.end()
  })

/** Answers that are not in the log, and hits without a reservation; of requests. */
const violationsIn = Effect.fnUntraced(function*(url: string, asked: Ledger) {
  const recorded = new Map<string, { readonly started: number; readonly found: number }>()
  yield* administer(url, async (admin) => {
    const { rows } = await admin.query<{ name: string; started: number; found: number }>(
      `select data->>'request_id' as name,
          count(*) filter (where type = 'WEB_GROUNDING_CALL_STARTED')::int as started,
          count(*) filter (where type = 'WEB_GROUNDING_CALLED'
            and data->>'status' = 'success')::int as found
        from wg.events where data->>'request_id' is not null group by 1`
    )
    for (const row of rows) recorded.set(row.name, row)
  })
  return {
    lost: [...asked.answered].filter(([name, answers]) =>
      answers !== (recorded.get(name)?.found ?? 0)
    ).length,
    unreserved: [...asked.hits].filter(([name, hits]) => hits > (recorded.get(name)?.started ?? 0))
      .length
  }
})

const full = process.env["WG_TEST_FULL"] === "1"
const outagesCount = full ? 20 : 1
const callersCount = 8
/** Longer than the short deadline. */
const awayMs = 2_000
const betweenMs = 500
const shortMs = 1_500
/** Longer than an outage, and than the server takes to come back. */
const longMs = Math.round((full ? 20_000 : 12_000) * Math.min(2, slowness()))
const lockedMs = 4_000
const connectionsMax = 3
const narrowCallersCount = 12
const graceIdleMs = 250

const looksMax = 500
const lookEvery = "10 millis"

/** Calls that ended later than they may: a deadline's timer and the answer may each be late. */
const lateOf = (calls: ReadonlyArray<Call>, lagMs: number) =>
  calls.filter(({ lateMs }) => lateMs > grace(graceIdleMs) + 2 * lagMs)

/** Failures that are none of the two which fit, or that say a wrong thing. */
const untrueOf = (calls: ReadonlyArray<Call>) =>
  calls.filter(({ failure, request, wasSearched }) => {
    if (failure === undefined) return false
    if (failure._tag === "RequestInProgress") return failure.request_id !== request.name
    return failure._tag !== "StoreUnavailable" || failure.request_id !== request.name ||
      (wasSearched && !failure.may_have_searched)
  })

const underWay = (asked: Ledger) =>
  Effect.gen(function*() {
    for (let look = 0; look < looksMax && searchesUnderWay(asked) === 0; look++) {
      yield* Effect.sleep(lookEvery)
    }
  })

/** A request with a session of its own. */
const alone = (name: string): Request => ({ name, session: name })

type Server = Effect.Success<typeof DurableServer.acquire>

/** Callers with short and with long deadlines while the server is killed again and again. */
const throughOutages = Effect.fnUntraced(
  function*(server: Server, name: string, outages: number) {
    const asked = ledger()
    const run = { isOver: false, calls: 0 }
    return yield* Effect.gen(function*() {
      const calling = (deadlineMs: number) =>
        Effect.gen(function*() {
          const calls: Array<Call> = []
          while (!run.isOver) {
            calls.push(yield* ask(alone(`${name}-${run.calls++}`), deadlineMs, asked))
          }
          return calls
        })
      const killing = Effect.gen(function*() {
        for (let outage = 0; outage < outages; outage++) {
          yield* Effect.sleep(betweenMs)
          yield* underWay(asked)
          yield* Effect.promise(server.kill)
          yield* Effect.sleep(awayMs)
          yield* Effect.promise(server.start)
        }
        yield* Effect.sleep(betweenMs)
      }).pipe(Effect.ensuring(Effect.sync(() => run.isOver = true)))
      const callers = Array.from(
        { length: callersCount },
        (_, index) => calling(index % 2 === 0 ? shortMs : longMs)
      )
      const { lagMs, result } = yield* withLag(
        Effect.all([Effect.all(callers, { concurrency: "unbounded" }), killing], { concurrency: 2 })
      )
      const calls = result[0].flat()
      const again = yield* Effect.forEach(
        calls.filter(({ failure }) => failure !== undefined),
        ({ request }) => askAgain(request, longMs, asked),
        { concurrency: "unbounded" }
      )
      return { calls, lagMs, again, ...(yield* violationsIn(server.url, asked)) }
    }).pipe(Effect.provide(service(server.url, asked), { local: true }))
  }
)

const figuresOf = (calls: ReadonlyArray<Call>) => {
  const ends: Record<string, number> = {}
  for (const { ended } of calls) ends[ended] = (ends[ended] ?? 0) + 1
  return { ...ends, latestMs: Math.max(...calls.map(({ lateMs }) => lateMs)) }
}

describe("a database that is away", () => {
  it.live(
    "costs no paid answer, no deadline and no truth when it is killed",
    () =>
      Effect.gen(function*() {
        const server = yield* DurableServer.acquire
        const { again, calls, lagMs, lost, unreserved } = yield* throughOutages(
          server,
          "killed",
          outagesCount
        )
        const told = JSON.stringify({ ...figuresOf(calls), lagMs, again: figuresOf(again) })
        if (full) process.stdout.write(`${told}\n`)
        assert.deepInclude({ lost, unreserved }, { lost: 0, unreserved: 0 }, told)
        assert.deepStrictEqual(lateOf(calls, lagMs), [], told)
        assert.deepStrictEqual(untrueOf(calls), [], told)
        assert.deepStrictEqual(again.filter(({ failure }) => failure !== undefined), [], told)
        // Some got a failure in time to ask again, others an answer as if nothing had happened.
        assert.isAbove(again.length, 0, told)
        assert.isAbove(calls.length - again.length, 0, told)

        const patient = calls.filter(({ deadlineMs }) => deadlineMs === longMs)
          .map((call) => ({ ...call, lateMs: call.lateMs + longMs - shortMs }))
        assert.isAbove(lateOf(patient, lagMs).length, 0, told)
      }).pipe(Effect.scoped),
    120_000 + outagesCount * 40_000
  )

  /** Callers of a role that may have fewer connections than their pool wants. */
  const overFewConnections = Effect.fnUntraced(
    function*(server: Server, name: string) {
      const asked = ledger()
      const narrow = new URL(server.url)
      narrow.username = name
      narrow.password = name
      yield* administer(server.url, (admin) =>
        admin.query(
          `create role ${name} login password '${name}' connection limit ${connectionsMax}
            in role wg_app`
        ))
      const calls = yield* Effect.gen(function*() {
        // Compiling for the first question would delay the answers of concurrent searches.
        yield* ask(alone(`${name}-first`), longMs, asked)
        return yield* Effect.forEach(
          Array.from({ length: narrowCallersCount }, (_, index) => alone(`${name}-${index}`)),
          (request) => ask(request, longMs, asked),
          { concurrency: "unbounded" }
        )
      }).pipe(Effect.provide(service(narrow.href, asked), { local: true }))
      return { calls, ...(yield* violationsIn(server.url, asked)) }
    }
  )

  it.live(
    "answers every caller with fewer connections than its pool wants",
    () =>
      Effect.gen(function*() {
        const server = yield* DurableServer.acquire
        const { calls, lost, unreserved } = yield* overFewConnections(server, "narrow")
        const told = JSON.stringify(figuresOf(calls))
        assert.deepStrictEqual(calls.filter(({ ended }) => ended !== "success"), [], told)
        assert.deepInclude({ lost, unreserved }, { lost: 0, unreserved: 0 })
      }).pipe(Effect.scoped),
    120_000
  )

  /** Callers with short and with long deadlines while a statement of another session waits. */
  const throughLock = Effect.fnUntraced(
    function*(server: Server, name: string, lock: string) {
      const asked = ledger()
      const requests = Array.from({ length: callersCount }, (_, index) => ({
        name: `${name}-${index}`,
        session: `${name}-session-${index}`
      }))
      return yield* Effect.gen(function*() {
        // Their streams are there to be locked.
        const opened = yield* Effect.forEach(
          requests,
          (request) => ask({ ...request, name: `${request.name}-opening` }, longMs, asked),
          { concurrency: 4 }
        )
        assert.deepStrictEqual(opened.filter(({ ended }) => ended !== "success"), [])
        const locked = yield* Deferred.make<void>()
        const holding = administer(server.url, async (admin) => {
          await admin.query("begin")
          await admin.query(lock)
          Deferred.doneUnsafe(locked, Effect.void)
          await pause(lockedMs)
          await admin.query("commit")
        })
        const asking = Effect.andThen(
          Deferred.await(locked),
          Effect.forEach(
            requests,
            (request, index) => ask(request, index % 2 === 0 ? shortMs : longMs, asked),
            { concurrency: "unbounded" }
          )
        )
        const { lagMs, result: [calls] } = yield* withLag(
          Effect.all([asking, holding], { concurrency: 2 })
        )
        const again = yield* Effect.forEach(
          calls.filter(({ failure }) => failure !== undefined),
          ({ request }) => askAgain(request, longMs, asked)
        )
        const told = JSON.stringify({ name, ...figuresOf(calls), lagMs, again: figuresOf(again) })
        return { calls, again, lagMs, told, ...(yield* violationsIn(server.url, asked)) }
      }).pipe(Effect.provide(service(server.url, asked), { local: true }))
    }
  )

  it.live(
    "tells callers in time what waits for a lock, and answers those who can wait",
    () =>
      Effect.gen(function*() {
        const server = yield* DurableServer.acquire
        const locks = {
          log: "lock table wg.events in share row exclusive mode",
          row: "select 1 from wg.streams where session_id like 'row-session-%' for update"
        }
        for (const [name, lock] of Object.entries(locks)) {
          const { again, calls, lagMs, lost, told, unreserved } = yield* throughLock(
            server,
            name,
            lock
          )
          if (full) process.stdout.write(`${told}\n`)
          assert.deepInclude({ lost, unreserved }, { lost: 0, unreserved: 0 }, told)
          assert.deepStrictEqual(lateOf(calls, lagMs), [], told)
          assert.deepStrictEqual(untrueOf(calls), [], told)
          for (const { deadlineMs, ended } of calls) {
            assert.strictEqual(
              ended,
              deadlineMs === shortMs ? "RequestInProgress" : "success",
              told
            )
          }
          assert.deepStrictEqual(again.filter(({ ended }) => ended !== "success"), [], told)
          // A caller with the longer deadline is late for the shorter one: the lock was felt.
          const patient = calls.filter(({ deadlineMs }) => deadlineMs === longMs)
            .map((call) => ({ ...call, lateMs: call.lateMs + longMs - shortMs }))
          assert.strictEqual(lateOf(patient, lagMs).length, patient.length, told)
        }
      }).pipe(Effect.scoped),
    120_000
  )
})
