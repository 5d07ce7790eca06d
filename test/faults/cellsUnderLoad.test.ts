/**
 * Two real services, each with a database of its own, while callers ground without a pause and one
 * of two tenants is moved from one to the other.
 *
 * Promise: the callers end in success after they followed, no answer that was given is lost, nothing
 * is searched twice, the other tenant notices nothing, and every face says where the tenant is.
 * Saboteurs: `scripts/mutants/cells.ts`.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { connect, TenantElsewhere } from "../../packages/client/src/connect.ts"
import { GroundingClient, layer as overRpc } from "../../src/client.ts"
import { drawnKey } from "../../src/infrastructure/encryption/PayloadCipher.ts"
import * as CommandLine from "../support/commandLine.ts"
import { counted } from "../support/countedSearch.ts"
import * as DurableServer from "../support/durableServer.ts"
import { withDatabase } from "../support/postgresServer.ts"
import * as Replica from "../support/replica.ts"
import { TestDatabase } from "../support/testDatabase.ts"

const full = process.env["WG_TEST_FULL"] === "1"
/** Moves that are killed at some moment before one may end. */
const killsCount = full ? 12 : 0
const callersCount = 3
const searchMs = 100
const looksMax = 600
const lookEveryMs = 50
const loadMs = full ? 4_000 : 300

interface Asked {
  readonly session_id: string
  readonly request_id: string
}

interface Calls {
  readonly answered: Array<Asked>
  readonly failures: Array<string>
  /** Answers that told the client to ask again or elsewhere. */
  refused: number
}

const questionOf = (tenant: string, caller: number, number: number) => ({
  session_id: `${tenant}-${caller}-${Math.floor(number / 3)}`,
  request_id: `r${number}`,
  topic: `What does tram ride ${tenant} ${caller} ${number} in Halvern cost?`,
  phase: "mid_chat" as const,
  user_asked_for_facts: true,
  overrides: { max_queries: 1, queries: [`Halvern fare ${tenant} ${caller} ${number}`] }
})

interface Caller {
  readonly tenant: string
  readonly token: string
  readonly number: number
}

const calling = async (
  cells: Readonly<Record<string, string>>,
  { number: caller, tenant, token }: Caller,
  calls: Calls,
  run: { isOver: boolean }
) => {
  const client = connect(cells["a"] ?? "", {
    token,
    cells,
    retries: 10,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (response.status === 503 || response.status === 421) calls.refused += 1
      return response
    }
  })
  for (let number = 0; !run.isOver; number++) {
    const asked = questionOf(tenant, caller, number)
    await client.ground(asked, { timeoutMs: 60_000 }).then(
      ({ request_id, session_id }) => calls.answered.push({ session_id, request_id }),
      (error: unknown) => calls.failures.push(String(error))
    )
  }
}

const answer = async (url: string, path: string, token: string, body: object) => {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream"
    },
    body: JSON.stringify(body)
  })
  return { status: response.status, text: await response.text() }
}

/** Kills a move again and again, each time somewhat later. */
const killed = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) => {
  for (let kill = 0; kill < killsCount; kill++) {
    const child = spawn(process.execPath, ["bin/wg.js", ...args], {
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "ignore", "pipe"]
    })
    const ended = new Promise((resolve) => child.once("exit", resolve))
    // From its first step on: before that, nothing is begun.
    await Promise.race([ended, new Promise((resolve) => child.stderr.once("data", resolve))])
    await pause(kill * 5)
    child.kill("SIGKILL")
    await ended
  }
}

const copied = async (url: string, to: string) => {
  const admin = new pg.Client({ connectionString: withDatabase(url, "postgres") })
  await admin.connect()
  await admin.query(`create database ${to} template wg`)
  await admin.end()
  return withDatabase(url, to)
}

describe("a tenant that is moved while it is served", () => {
  it.layer(DurableServer.layer, { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect(
      "loses no answer, and its callers follow it",
      () =>
        Effect.gen(function*() {
          const { url } = yield* TestDatabase
          const search = yield* counted({ answerMs: () => searchMs })
          const folder = yield* Effect.acquireRelease(
            Effect.sync(() => mkdtempSync(join(tmpdir(), "wg-cells-"))),
            (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
          )
          const file = join(folder, "cells.json")
          const write = (cells: Readonly<Record<string, string>>) =>
            writeFileSync(
              file,
              JSON.stringify({
                default: "a",
                cells: Object.fromEntries(
                  Object.entries(cells).map(([name, url]) => [name, { url }])
                )
              })
            )
          write({ a: "http://127.0.0.1:1", b: "http://127.0.0.1:2" })
          const there = yield* Effect.promise(() => copied(url, "wg_b"))
          const ofCell = (CELL: string, DATABASE_URL: string, PAYLOAD_KEY: string) => ({
            CELL,
            CELLS_FILE: file,
            DATABASE_URL,
            PAYLOAD_KEY
          })
          const [here, other] = [ofCell("a", url, drawnKey()), ofCell("b", there, drawnKey())]
          const made = async (env: Readonly<Record<string, string>>, ...args: Array<string>) => {
            const { err, out } = await CommandLine.run(
              ["tokens", "create", "--name", "test", ...args],
              env
            )
            return /wg_\S+/.exec(out)?.[0] ?? assert.fail(err)
          }
          const tokens = yield* Effect.promise(async () => ({
            acme: await made(here, "--tenant", "acme"),
            shop: await made(here, "--tenant", "shop"),
            admin: await made(other, "--scope", "admin", "--scope", "read", "--scope", "audit")
          }))
          const started = (env: ReturnType<typeof ofCell>) =>
            Effect.acquireRelease(
              Effect.promise(() =>
                Replica.start({
                  databaseUrl: env.DATABASE_URL,
                  searchUrl: search.baseUrl,
                  settings: env
                })
              ),
              (replica) => Effect.promise(() => replica.end("SIGKILL"))
            )
          const [a, b] = yield* Effect.all([started(here), started(other)], { concurrency: 2 })
          const cells = { a: a.url, b: b.url }
          write(cells)

          const calls = (): Calls => ({ answered: [], failures: [], refused: 0 })
          const [ofAcme, ofShop] = [calls(), calls()]
          const env = {
            ...here,
            CELL_MOVE_DATABASE_URL: there,
            CELL_MOVE_PAYLOAD_KEY: other.PAYLOAD_KEY
          }
          yield* Effect.promise(async () => {
            const run = { isOver: false }
            const callers = Array.from({ length: callersCount }, (_, number) => [
              calling(cells, { tenant: "acme", token: tokens.acme, number }, ofAcme, run),
              calling(cells, { tenant: "shop", token: tokens.shop, number }, ofShop, run)
            ]).flat()
            await pause(loadMs)
            await killed(["cells", "move", "acme", "--to", "b"], env)
            const moved = await CommandLine.run(["cells", "move", "acme", "--to", "b"], env)
            assert.strictEqual(moved.code, 0, moved.err)
            const before = ofAcme.answered.length
            for (let look = 0; look < looksMax && ofAcme.answered.length < before + 8; look++) {
              await pause(lookEveryMs)
            }
            run.isOver = true
            await Promise.all(callers)
            assert.isAtLeast(ofAcme.answered.length, before + 8)
          })
          assert.deepStrictEqual([...ofAcme.failures, ...ofShop.failures], [])
          assert.strictEqual(ofShop.refused, 0)
          assert.isAbove(ofAcme.refused, 0)
          assert.isAbove(ofShop.answered.length, 0)
          assert.deepStrictEqual([...search.hits].filter(([, hits]) => hits > 1), [])
          assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")).tenants, { acme: "b" })

          const client = connect(b.url, { token: tokens.acme })
          yield* Effect.promise(async () => {
            for (const asked of ofAcme.answered) {
              assert.strictEqual((await client.pack(asked)).request_id, asked.request_id)
            }
          })
          yield* Effect.promise(() => looksElsewhere({ a: a.url, b: b.url, token: tokens.acme }))
          const overProtocol = yield* Effect.flip(
            Effect.flatMap(
              GroundingClient,
              (client) => client.ground({ session_id: "late", topic: "Trams?" })
            ).pipe(
              Effect.provide(
                overRpc({ url: a.url, headers: { authorization: `Bearer ${tokens.acme}` } })
              )
            )
          )
          assert.deepInclude(overProtocol, { _tag: "TenantElsewhere", cell: "b", url: b.url })

          const asking = { CELLS_FILE: file, CELL_TOKEN: tokens.admin }
          yield* Effect.promise(async () => {
            const verified = await CommandLine.run(["verify", "--all", "--cell", "b"], asking)
            assert.match(verified.out, /^Log: sound/, verified.err)
            const health = await CommandLine.run(["health", "--json", "--cell", "b"], asking)
            assert.deepInclude(JSON.parse(health.out), { hours: 24 })
            const listed = await CommandLine.run(["cells", "list"], here)
            assert.match(listed.out, /Tenant acme left to b; its old copy is here/)
            const late = await CommandLine.run(["ground", "Trams?"], {
              ...here,
              WEB_GROUNDING_TENANT: "acme"
            })
            assert.match(late.err, /The tenant is served by the cell b/)
            const erased = await CommandLine.run(["cells", "erase", "acme"], here)
            assert.match(erased.out, /its chains stay/, erased.err)
            assert.match((await CommandLine.run(["verify", "--all"], here)).out, /^Log: sound/)
          })
        }).pipe(Effect.scoped),
      120_000 + killsCount * 20_000
    )
  })
})

/** What each face of the old cell says of the tenant, once its table was read again. */
const looksElsewhere = async (
  { a, b, token }: { readonly a: string; readonly b: string; readonly token: string }
) => {
  const question = { session_id: "late", topic: "Trams?" }
  const seen = { status: 421, cell: "b", url: b }
  for (let look = 0; look < looksMax; look++) {
    const { text } = await answer(a, "/v1/groundings", token, question)
    if (JSON.parse(text).url === b) break
    await pause(lookEveryMs)
  }
  const problem = await answer(a, "/v1/groundings", token, question)
  assert.deepInclude(JSON.parse(problem.text), seen)
  const read = await connect(a, { token, retries: 0 }).pack({ session_id: "late", request_id: "r" })
    .catch((failure: unknown) => failure)
  assert.instanceOf(read, TenantElsewhere)
  const tavily = await answer(a, "/search", token, { query: "trams" })
  assert.strictEqual(tavily.status, 421)
  const documents = await fetch(`${a}/documents?source_type=user_note&source_id=n`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "text/plain" },
    body: "A tram."
  })
  assert.strictEqual(documents.status, 421)
  const hello = await fetch(`${a}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream"
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "test", version: "1" }
      }
    })
  })
  await hello.text()
  const called = await fetch(`${a}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-session-id": hello.headers.get("mcp-session-id") ?? "",
      "mcp-protocol-version": "2025-11-25"
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "web_grounding", arguments: { topic: "Trams?" } }
    })
  })
  assert.include(await called.text(), "TenantElsewhere")
}
