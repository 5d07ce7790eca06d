/**
 * Two real replicas on one database are ended by SIGTERM in turn and started again, while callers
 * ground without a pause through a balancer of connections, as a cluster's is: a connection stays with
 * its replica, and new ones go to those that are ready.
 *
 * Promise: no call of the client fails, with its default number of retries, and each process ends in
 * order.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connect as dial } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { connect } from "../../packages/client/src/connect.ts"
import { listening } from "../../packages/client/test/support/rawServer.ts"
import { counted } from "../support/countedSearch.ts"
import * as DurableServer from "../support/durableServer.ts"
import * as Replica from "../support/replica.ts"
import { TestDatabase } from "../support/testDatabase.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const restartsCount = full ? 50 : 2
const callersCount = 6
const searchMs = 300
const lookEveryMs = 100
const looksMax = 1_200
const settings = {
  // Longer than the balancer takes to notice.
  WEB_GROUNDING_SHUTDOWN_DELAY_MS: "1000",
  WEB_GROUNDING_SHUTDOWN_GRACE_MS: "8000"
}

interface Place {
  replica: Replica.Replica
  isReady: boolean
}

const isReady = ({ url }: Replica.Replica): Promise<boolean> =>
  fetch(`${url}/readyz`, { headers: { connection: "close" } }).then(({ ok }) => ok, () => false)

/** Gives each new connection to the next replica that was ready when it was last asked. */
const balanced = (places: ReadonlyArray<Place>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const state = { isOver: false, next: 0 }
      const { close, url } = await listening((caller) => {
        const ready = places.filter((place) => place.isReady)
        const place = ready[state.next++ % Math.max(1, ready.length)] ?? places[0]
        const replica = dial(Number(new URL(place?.replica.url ?? "").port), "127.0.0.1")
        for (const [one, other] of [[caller, replica], [replica, caller]] as const) {
          one.on("error", () => other.destroy()).on("close", () => other.destroy())
          one.pipe(other)
        }
      })
      const looking = (async () => {
        while (!state.isOver) {
          for (const place of places) place.isReady = await isReady(place.replica)
          await pause(lookEveryMs)
        }
      })()
      return {
        url,
        close: async () => {
          state.isOver = true
          await looking
          close()
        }
      }
    }),
    ({ close }) => Effect.promise(close)
  )

const untilReady = async (place: Place) => {
  for (let look = 0; look < looksMax && !place.isReady; look++) await pause(lookEveryMs)
  assert.isTrue(place.isReady, "a replica did not become ready")
}

interface Calls {
  answered: number
  /** Answers by which the client had to ask again. */
  refused: number
  readonly failures: Array<string>
}

/** One question after the other, until it is over. */
const calling = async (url: string, caller: number, calls: Calls, run: { isOver: boolean }) => {
  const client = connect(url, {
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (response.status === 503) calls.refused += 1
      return response
    }
  })
  for (let number = 0; !run.isOver; number++) {
    const ride = `${caller} ${number}`
    const asked = client.ground({
      session_id: `rolling-${caller}-${number}`,
      topic: `What does tram ride ${ride} in Halvern cost?`,
      phase: "mid_chat",
      user_asked_for_facts: true,
      overrides: { max_queries: 1, queries: [`Halvern tram fare ${ride}`] }
    }, { timeoutMs: 60_000 })
    await asked.then(
      ({ searches }) => {
        if (searches[0]?.status === "success") calls.answered += 1
        else calls.failures.push(`search: ${searches[0]?.status}`)
      },
      (error: unknown) => calls.failures.push(String(error))
    )
  }
}

describe("replicas that are restarted in turn", () => {
  it.layer(DurableServer.layer, { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect(
      "fail no call",
      () =>
        Effect.gen(function*() {
          const { url: databaseUrl } = yield* TestDatabase
          const search = yield* counted({ answerMs: () => searchMs })
          const options = { databaseUrl, searchUrl: search.baseUrl, settings }
          const fleet = yield* Replica.fleet(2, options)
          const places = fleet.replicas.map((replica): Place => ({ replica, isReady: false }))
          const { url } = yield* balanced(places)
          const codes: Array<number | null> = []
          const calls: Calls = { answered: 0, refused: 0, failures: [] }
          yield* Effect.promise(async () => {
            const run = { isOver: false }
            for (const place of places) await untilReady(place)
            const callers = Array.from(
              { length: callersCount },
              (_, caller) => calling(url, caller, calls, run)
            )
            for (let restart = 0; restart < restartsCount; restart++) {
              const place = places[restart % places.length]
              if (place === undefined) break
              await pause(2 * searchMs)
              const { code } = await place.replica.end("SIGTERM")
              codes.push(code)
              place.isReady = false
              place.replica = await Replica.start(options)
              await untilReady(place)
            }
            run.isOver = true
            await Promise.all(callers)
          }).pipe(
            Effect.ensuring(
              Effect.promise(() => Promise.all(places.map(({ replica }) => replica.end("SIGKILL"))))
            )
          )
          const told = JSON.stringify({ ...calls, restarts: codes.length })
          if (full) process.stdout.write(`${told}\n`)
          assert.deepStrictEqual(calls.failures, [], told)
          assert.deepStrictEqual(codes, codes.map(() => 0))
          assert.isAbove(calls.answered, callersCount * restartsCount, told)
        }),
      120_000 + restartsCount * 40_000
    )
  })
})
