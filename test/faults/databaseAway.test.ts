/**
 * Groundings while PostgreSQL is killed and started again, has no connection left, or is locked.
 *
 * Promise: a paid answer is recorded, nobody waits longer than 250 ms beyond its deadline, a
 * failure says truly whether something may have been searched, and the same request asked again
 * is answered. Saboteurs: statements that are not tried again; a caller with a later deadline;
 * failures that always say that nothing was searched.
 */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { setTimeout as pause } from "node:timers/promises"
import {
  administer,
  ask,
  askAgain,
  type Call,
  type Ledger,
  ledger,
  type Request,
  type Retries,
  searchesUnderWay,
  service,
  violationsIn,
  withLag
} from "../support/callersOnDatabase.ts"
import * as DurableServer from "../support/durableServer.ts"
import { grace } from "../support/machine.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const outagesCount = full ? 20 : 1
const callersCount = 8
/** Longer than the short deadline. */
const awayMs = 2_000
const betweenMs = 500
const shortMs = 1_500
/** Longer than an outage, and than the server takes to come back. */
const longMs = full ? 20_000 : 12_000
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

/** As if every failure said that nothing was searched. */
const reassuring = (calls: ReadonlyArray<Call>): ReadonlyArray<Call> =>
  calls.map((call) =>
    call.failure?._tag === "StoreUnavailable"
      ? { ...call, failure: Object.assign(call.failure, { may_have_searched: false }) }
      : call
  )

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
  function*(server: Server, name: string, outages: number, retries: Retries) {
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
        Effect.all([Effect.all(callers, { concurrency: "unbounded" }), killing], {
          concurrency: 2
        })
      )
      const calls = result[0].flat()
      const again = yield* Effect.forEach(
        calls.filter(({ failure }) => failure !== undefined),
        ({ request }) => askAgain(request, longMs, asked),
        { concurrency: "unbounded" }
      )
      return { calls, lagMs, again, ...(yield* violationsIn(server.url, asked)) }
    }).pipe(Effect.provide(service(server.url, asked, retries), { local: true }))
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
          outagesCount,
          "as built"
        )
        const told = JSON.stringify({ ...figuresOf(calls), lagMs, again: figuresOf(again) })
        if (full) process.stdout.write(`${told}\n`)
        assert.deepInclude({ lost, unreserved }, { lost: 0, unreserved: 0 }, told)
        assert.deepStrictEqual(lateOf(calls, lagMs), [], told)
        assert.deepStrictEqual(untrueOf(calls), [], told)
        assert.deepStrictEqual(again.filter(({ failure }) => failure !== undefined), [], told)
        // Some were told in time to come again, others were answered as if nothing had happened.
        assert.isAbove(again.length, 0, told)
        assert.isAbove(calls.length - again.length, 0, told)

        if (full) {
          const sabotaged = yield* throughOutages(server, "saboteur", 1, "none")
          assert.isAbove(sabotaged.lost, 0)
          assert.isAbove(untrueOf(reassuring(sabotaged.calls)).length, 0)
        }
        const patient = calls.filter(({ deadlineMs }) => deadlineMs === longMs)
          .map((call) => ({ ...call, lateMs: call.lateMs + longMs - shortMs }))
        assert.isAbove(lateOf(patient, lagMs).length, 0, told)
      }).pipe(Effect.scoped),
    120_000 + outagesCount * 40_000
  )

  /** Callers of a role that may have fewer connections than their pool wants. */
  const overFewConnections = Effect.fnUntraced(
    function*(server: Server, name: string, retries: Retries) {
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
        // What the first question compiles would keep the answers of searches from those beside it.
        yield* ask(alone(`${name}-first`), longMs, asked)
        return yield* Effect.forEach(
          Array.from({ length: narrowCallersCount }, (_, index) => alone(`${name}-${index}`)),
          (request) => ask(request, longMs, asked),
          { concurrency: "unbounded" }
        )
      }).pipe(Effect.provide(service(narrow.href, asked, retries), { local: true }))
      return { calls, ...(yield* violationsIn(server.url, asked)) }
    }
  )

  it.live(
    "answers every caller with fewer connections than its pool wants",
    () =>
      Effect.gen(function*() {
        const server = yield* DurableServer.acquire
        const { calls, lost, unreserved } = yield* overFewConnections(server, "narrow", "as built")
        const told = JSON.stringify(figuresOf(calls))
        assert.deepStrictEqual(calls.filter(({ ended }) => ended !== "success"), [], told)
        assert.deepInclude({ lost, unreserved }, { lost: 0, unreserved: 0 })
        const sabotaged = yield* overFewConnections(server, "saboteur", "none")
        assert.isAbove(sabotaged.calls.filter(({ ended }) => ended !== "success").length, 0)
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
