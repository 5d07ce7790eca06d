/**
 * The probes of a real `serve` process while its database is killed and comes back.
 *
 * Promise: it is alive throughout, since a restart would not help; it is not ready as long as the
 * database is away, and ready again by itself. Its metrics and its log show the outage.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { setTimeout as pause } from "node:timers/promises"
import * as DurableServer from "../support/durableServer.ts"
import { fleet } from "../support/replica.ts"

const looksMax = 600
const lookEveryMs = 50
/** Until the service looked at its database again. */
const lookAgainMs = 6_000
/** No provider is called. */
const noSearch = "http://127.0.0.1:9"

interface Said {
  readonly status: number
  readonly text: string
}

const said = async (url: string, path: string, init: RequestInit = {}): Promise<Said> => {
  const response = await fetch(`${url}${path}`, init)
  return { status: response.status, text: await response.text() }
}

/** Headers with a new token of that scope. */
const tokenOf = async (url: string, scope: string) => {
  const json = { "content-type": "application/json" }
  const body = JSON.stringify({ name: scope, scopes: [scope] })
  const { text } = await said(url, "/v1/tokens", { method: "POST", headers: json, body })
  return { ...json, authorization: `Bearer ${JSON.parse(text).token}` }
}

/** What the probe says once it says this, or at the end of all looks. */
const untilSaid = async (url: string, path: string, expected: Said) => {
  let last: Said = { status: 0, text: "" }
  for (let look = 0; look < looksMax; look++) {
    last = await said(url, path)
    if (last.status === expected.status && last.text === expected.text) return last
    await pause(lookEveryMs)
  }
  return last
}

const ready = { status: 200, text: `{"status":"ready"}` }
const away = { status: 503, text: `{"status":"not_ready","reason":"database_unreachable"}` }
const started = { status: 200, text: `{"status":"started"}` }

describe("the probes of a service whose database dies", () => {
  it.live(
    "say that it lives, that it is not ready, and that it is again",
    () =>
      Effect.gen(function*() {
        const server = yield* DurableServer.acquire
        const { replicas: [replica] } = yield* fleet(1, {
          databaseUrl: server.url,
          searchUrl: noSearch
        })
        const url = replica?.url ?? ""
        yield* Effect.promise(async () => {
          assert.deepStrictEqual(await untilSaid(url, "/startupz", started), started)
          assert.deepStrictEqual(await untilSaid(url, "/readyz", ready), ready)
          assert.match(replica?.log() ?? "", /level=WARN.*PAYLOAD_KEY/)
          const scraper = await tokenOf(url, "metrics")
          const asker = { method: "POST", headers: await tokenOf(url, "ground"), body: "{}" }
          await server.kill()
          assert.deepStrictEqual(await untilSaid(url, "/readyz", away), away)
          assert.deepStrictEqual(await said(url, "/livez"), {
            status: 200,
            text: `{"status":"alive"}`
          })
          assert.deepStrictEqual(await said(url, "/health"), {
            status: 200,
            text: `{"status":"ok"}`
          })
          assert.deepStrictEqual(await said(url, "/startupz"), started)
          assert.strictEqual((await said(url, "/v1/groundings", asker)).status, 503)
          assert.include(
            (await said(url, "/metrics", { headers: scraper })).text,
            `calls_total{operation="unidentified",outcome="StoreUnavailable"} 1\n`
          )
          await server.start()
          assert.deepStrictEqual(await untilSaid(url, "/readyz", ready), ready)
          await pause(lookAgainMs)
          await replica?.end("SIGTERM")
          const lines = replica?.log().match(/(?:the database c|service )[\w ]+/g) ?? []
          assert.deepStrictEqual(lines.slice(1), [
            "the database cannot be used",
            "the database can be used again",
            "service is ending",
            "service stopped"
          ])
        })
      }),
    120_000
  )
})
