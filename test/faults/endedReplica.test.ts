/**
 * A real `serve` process gets SIGTERM while callers wait for their answers.
 *
 * Promise: `/readyz` reports `draining` while it still answers, every open call gets its answer or
 * `Interrupted`, and the process is gone within 20 s.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { setTimeout as pause } from "node:timers/promises"
import { GroundingClient, layer as clientLayer } from "../../packages/client/src/effect.ts"
import { counted } from "../support/countedSearch.ts"
import * as DurableServer from "../support/durableServer.ts"
import { type Ended, fleet } from "../support/replica.ts"
import { TestDatabase } from "../support/testDatabase.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const roundsCount = full ? 20 : 1
const callersCount = 12
const endMsMax = 20_000
const quickSearchMs = 1_500
/** Longer than the end may take its time. */
const slowSearchMs = 14_000
const settings = {
  WEB_GROUNDING_SHUTDOWN_DELAY_MS: "1000",
  WEB_GROUNDING_SHUTDOWN_GRACE_MS: "5000"
}
const looksMax = 1_000
const lookEveryMs = 20

interface End {
  /** Outcome, or the failure's name, of each call that was open. */
  readonly calls: ReadonlyArray<string>
  /** The last answer of `/readyz` before the port closed. */
  readonly lastReady: string
  readonly ended: Ended
  readonly endedMs: number
}

const readyz = (url: string) =>
  fetch(`${url}/readyz`).then((response) => response.text(), () => undefined)

/** The last answer, once it says something else than `ready` or nothing at all. */
const readinessAtEnd = async (url: string) => {
  let last = ""
  for (let look = 0; look < looksMax; look++) {
    const said = await readyz(url)
    if (said === undefined) return last
    last = said
    if (said.includes("not_ready")) return last
    await pause(lookEveryMs)
  }
  return last
}

/** Half of the searches are answered within the grace time, the other half are not. */
const isSlow = (query: string) => Number(query.split(" ").at(-1)) % 2 === 1

const endUnderLoad = Effect.fnUntraced(function*(signal: "SIGTERM" | "SIGKILL", round: number) {
  const { url: databaseUrl } = yield* TestDatabase
  const search = yield* counted({
    answerMs: (query) => isSlow(query) ? slowSearchMs : quickSearchMs
  })
  const { replicas: [replica] } = yield* fleet(1, {
    databaseUrl,
    searchUrl: search.baseUrl,
    settings
  })
  if (replica === undefined) return yield* Effect.die("no replica")
  const call = (index: number) =>
    Effect.flatMap(GroundingClient, (client) =>
      client.ground({
        session_id: `${signal}-${round}-${index}`,
        topic: `What does tram ride ${index} in Halvern cost?`,
        phase: "mid_chat",
        user_asked_for_facts: true,
        deadline_ms: 30_000,
        overrides: { max_queries: 1, queries: [`${signal} ${round} tram fare ${index}`] }
      }, { retries: 0 })).pipe(
        Effect.provide(clientLayer({ url: replica.url }), { local: true }),
        Effect.match({
          onFailure: ({ _tag }): string => _tag,
          onSuccess: ({ searches }) => searches[0]?.status ?? "no search"
        })
      )
  const calling = yield* Effect.forkChild(
    Effect.forEach(Array.from({ length: callersCount }, (_, index) => index), call, {
      concurrency: "unbounded"
    })
  )
  const end = yield* Effect.promise(async () => {
    for (let look = 0; look < looksMax && search.hits.size < callersCount; look++) {
      await pause(lookEveryMs)
    }
    const startMs = performance.now()
    const gone = replica.end(signal)
    const lastReady = await readinessAtEnd(replica.url)
    const ended = await gone
    return { lastReady, ended, endedMs: performance.now() - startMs }
  })
  const all: End = { ...end, calls: yield* Fiber.join(calling) }
  return all
}, Effect.scoped)

/** What is wrong with the end of a process; empty when it ended in order. */
const disorderIn = ({ calls, ended, endedMs, lastReady }: End): ReadonlyArray<string> => [
  // A search that a busy machine ends by its time is answered, too.
  ...calls.filter((one) => !["success", "timeout", "Interrupted"].includes(one)),
  ...(lastReady.includes("draining") ? [] : [`readiness: ${lastReady}`]),
  ...(endedMs <= endMsMax ? [] : [`${endedMs} ms`]),
  // A process that ends in order after a signal has not failed.
  ...(ended.code === 0 ? [] : [`ended with ${ended.signal ?? ended.code}`])
]

describe("a service that is ended under load", () => {
  it.layer(DurableServer.layer, { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect(
      "drains, answers or interrupts every open call, and is gone in time",
      () =>
        Effect.gen(function*() {
          for (let round = 0; round < roundsCount; round++) {
            const end = yield* endUnderLoad("SIGTERM", round)
            const told = JSON.stringify(end)
            if (full) process.stdout.write(`${told}\n`)
            assert.deepStrictEqual(disorderIn(end), [], told)
            assert.include(end.calls, "success", told)
            assert.include(end.calls, "Interrupted", told)
          }
        }),
      60_000 + roundsCount * 60_000
    )
  })
})
