/**
 * Three real processes on one PostgreSQL, one of them killed with SIGKILL and started again, again
 * and again, while callers ground through the client and go on at another replica.
 *
 * Promise: no session spends more than its budget, no search is paid twice, every request is
 * answered when asked again, and the log verifies.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted } from "effect"
import { setTimeout as pause } from "node:timers/promises"
import {
  GroundingClient,
  type GroundInput,
  layer as clientLayer
} from "../../packages/client/src/effect.ts"
import { EventStore, type StoredEvent } from "../../src/application/ports/EventStore.ts"
import * as HashChain from "../../src/domain/audit/HashChain.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { counted } from "../support/countedSearch.ts"
import * as DurableServer from "../support/durableServer.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { type Fleet, fleet } from "../support/replica.ts"
import { TestDatabase } from "../support/testDatabase.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const killsCount = full ? 200 : 2
/** Also where a replica takes long to be replaced. */
const killsMin = 2
/** No kill begins later than this after the first. */
const killingMsMax = full ? 40 * 60_000 : 20_000
const killPauseMs = full ? 300 : 700
const replicasCount = 3
const callersCount = 24
const callerPauseMs = 700
const requestsOfSession = 3
const triesMax = 40
const deadlineMs = 15_000
const searchMs = 120
/** Of a standard session. */
const searchesMax = 2
const sessionsMax = 1_000_000

const tenant = "default"

/** A search that was reserved by a killed replica is found in doubt two seconds after it ends. */
const settings = { SEARCH_ATTEMPT_TIMEOUT_MS: "1500" }

/** The requests of a session follow each other, so that several callers are at it at once. */
const inputOf = (item: number) => {
  const session = Math.floor(item / requestsOfSession)
  return {
    session_id: `s${session}`,
    request_id: `r${item}`,
    topic: `What does tram ride ${item} in Halvern cost?`,
    phase: "mid_chat",
    user_asked_for_facts: true,
    deadline_ms: deadlineMs,
    overrides: { max_queries: 1, queries: [`Halvern tram fare ${item}`] }
  } satisfies GroundInput
}

/** Asks one replica after the other under the same request; the number of tries, or none. */
const untilAnswered = Effect.fnUntraced(function*({ replicas }: Fleet, item: number) {
  for (let tries = 1; tries <= triesMax; tries++) {
    const { url } = replicas[(item + tries) % replicas.length] ?? { url: "" }
    const answered = yield* Effect.flatMap(
      GroundingClient,
      (client) => client.ground(inputOf(item), { retries: 0 })
    ).pipe(Effect.provide(clientLayer({ url }), { local: true }), Effect.result)
    if (answered._tag === "Success") return { item, tries, failure: "" }
    const failure = answered.failure._tag
    if (failure === "InternalFailure" || failure === "InvalidInput") {
      return { item, tries, failure }
    }
    yield* Effect.sleep("200 millis")
  }
  return { item, tries: triesMax, failure: "not answered" }
})

/** Everything that is recorded, stream by stream. */
const recorded = Effect.gen(function*() {
  const { url } = yield* TestDatabase
  return yield* Effect.gen(function*() {
    const store = yield* EventStore
    const streams = yield* store.streams(tenant, sessionsMax)
    return yield* Effect.forEach(
      streams.filter(({ ref }) => /^s\d+$/.test(ref.session_id)),
      ({ ref }) => store.read(ref),
      { concurrency: 4 }
    )
  }).pipe(Effect.provide(
    PlainEventStore.layer.pipe(
      Layer.provide(PostgresServer.layer({ url: Redacted.make(url), poolMax: 4 }))
    ),
    { local: true }
  ))
})

/** What the log and the provider's own count must not show. */
const violationsIn = Effect.fnUntraced(function*(hits: ReadonlyMap<string, number>) {
  const streams = yield* recorded
  const started = streams.map(({ events }) => reservedQueries(events))
  const reservations = new Map<string, number>()
  for (const query of started.flat()) {
    reservations.set(query, (reservations.get(query) ?? 0) + 1)
  }
  const sent = [...hits]
  return {
    sessions: streams.length,
    overBudget: started.filter((queries) => queries.length > searchesMax).length,
    unreserved: sent.filter(([query, count]) => count > (reservations.get(query) ?? 0)).length,
    hitTwice: sent.filter(([, count]) => count > 1).length,
    unverified: streams.filter(({ events, head }) =>
      HashChain.verify({ sha256, canonical }, head, events)._tag === "Failure"
    ).length,
    inDoubt: streams.flatMap(({ events }) =>
      events
    ).filter(isInDoubt).length
  }
})

const reservedQueries = (events: ReadonlyArray<StoredEvent>) =>
  events.filter(({ type }) => type === "WEB_GROUNDING_CALL_STARTED")
    .map(({ data }): string => Object(data)["query"])

const isInDoubt = ({ data }: StoredEvent) => Object(data)["detail"] === "in_doubt"

const sound = { overBudget: 0, unreserved: 0, hitTwice: 0, unverified: 0 }

describe("replicas that are killed", () => {
  it.layer(DurableServer.layer, { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect(
      "overrun no budget, pay no search twice and leave no request unanswered",
      () =>
        Effect.gen(function*() {
          const { url: databaseUrl } = yield* TestDatabase
          const search = yield* counted({ answerMs: () => searchMs })
          const replicas = yield* fleet(replicasCount, {
            databaseUrl,
            searchUrl: search.baseUrl,
            settings
          })
          const run = { item: 0, kills: 0, isOver: false }
          const calling = Effect.gen(function*() {
            const ended: Array<{ item: number; tries: number; failure: string }> = []
            while (!run.isOver) {
              ended.push(yield* untilAnswered(replicas, run.item++))
              yield* Effect.sleep(callerPauseMs)
            }
            return ended
          })
          const killing = Effect.gen(function*() {
            const startMs = yield* Clock.currentTimeMillis
            while (
              run.kills < killsMin || run.kills < killsCount &&
                (yield* Clock.currentTimeMillis) - startMs < killingMsMax
            ) {
              yield* Effect.promise(() => pause(killPauseMs * (0.5 + Math.random())))
              yield* Effect.promise(() => replicas.replace(run.kills % replicasCount))
              run.kills += 1
            }
          }).pipe(Effect.ensuring(Effect.sync(() => run.isOver = true)))

          const callers = Effect.forEach(Array.from({ length: callersCount }), () => calling, {
            concurrency: "unbounded"
          })
          const [ended] = yield* Effect.all([callers, killing], { concurrency: 2 })
          const calls = ended.flat()
          const found = yield* violationsIn(search.hits)
          const tries = Math.max(...calls.map(({ tries }) => tries))
          const figures = { kills: run.kills, requests: calls.length, tries, ...found }
          if (full) process.stdout.write(`${JSON.stringify(figures)}\n`)
          const told = JSON.stringify(figures)
          assert.deepInclude(found, sound, told)
          assert.deepStrictEqual(calls.filter(({ failure }) => failure !== ""), [], told)
          assert.isAtLeast(run.kills, killsMin, told)
          assert.isAbove(search.hits.size, run.kills, told)
        }).pipe(Effect.scoped),
      killingMsMax + 300_000
    )
  })
})
