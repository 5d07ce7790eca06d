/**
 * A grounding is killed with SIGKILL at each of its steps and asked again under the same request.
 *
 * Promise: an answer, the provider hit at most once for one reservation, nothing recorded twice.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { spawn } from "node:child_process"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as PostgresServiceState from "../../src/adapters/postgres/PostgresServiceState.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { bundledProgram } from "../support/bundledProgram.ts"
import { caller, instance, limits, sandbox, sandboxProviders } from "../support/grounding.ts"
import { type KillPoint, killPoints, requestOf, type Victim } from "../support/killPoints.ts"
import * as PlainEventStore from "../support/plainEventStore.ts"
import { compiled } from "../support/processes.ts"
import { PublicApi } from "../support/sent.ts"
import * as Database from "../support/testDatabase.ts"
import { TestDatabase } from "../support/testDatabase.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const rounds = full ? 40 : 1
/** Where money is at stake, and the ends. */
const everyday: ReadonlySet<KillPoint> = new Set([
  "after REQUESTED",
  "before CALL_STARTED",
  "after CALL_STARTED",
  "request sent",
  "answer received",
  "after CALLED",
  "after PACK_CREATED",
  "answer given"
])
const points = full ? killPoints : killPoints.filter((point) => everyday.has(point))
const victimTimeoutMs = 60_000
const program = await bundledProgram("groundingVictim")

const survivor = useCases.pipe(
  Layer.provideMerge(Layer.merge(PlainEventStore.layer, PostgresServiceState.layer)),
  Layer.provide(Layer.mergeAll(sandboxProviders, instance("survivor"), limits())),
  Layer.provideMerge(Layer.mergeAll(Database.layer, sandbox))
)

/** The signal that ended the process, or its exit code. */
const run = (victim: Victim) =>
  Effect.promise(() =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, [program, JSON.stringify(victim)], {
        env: compiled,
        stdio: ["ignore", "ignore", "pipe"]
      })
      const errors: Array<string> = []
      child.stderr.on("data", (chunk) => errors.push(String(chunk)))
      const timer = setTimeout(() => child.kill("SIGKILL"), victimTimeoutMs)
      child.on("exit", (code, signal) => {
        clearTimeout(timer)
        resolve(signal ?? `exit ${code} ${errors.join("")}`)
      })
    })
  )

interface Aftermath {
  readonly ended: string
  readonly mode: string
  /** Requests the provider received for this session's query, beyond the reservations recorded. */
  readonly unreservedHits: number
  readonly recordedTwice: ReadonlyArray<string>
  readonly replays: boolean
}

const killAndAskAgain = Effect.fn(
  function*(killAt: KillPoint, name: string) {
    const { url } = yield* TestDatabase
    const server = yield* SandboxServer.SandboxServer
    const sessionId = `${killAt}/${name}`.replaceAll(" ", "-")
    const before = yield* hitsOf(server)
    const ended = yield* run({ databaseUrl: url, sandboxUrl: server.baseUrl, sessionId, killAt })

    const api = yield* PublicApi
    const outcome = yield* api.ground(requestOf(sessionId), caller)
    const hits = (yield* hitsOf(server)) - before
    const store = yield* EventStore
    const { events } = yield* store.read({ tenant_id: caller.tenantId, session_id: sessionId })
    const types = events.map(({ type }) => type)
    const reservations = types.filter((type) => type === "WEB_GROUNDING_CALL_STARTED").length
    const replayed = yield* api.replay({ session_id: sessionId }, caller)
    return {
      ended,
      mode: outcome.mode,
      unreservedHits: Math.max(0, hits - reservations),
      recordedTwice: types.filter((type, index) =>
        types.indexOf(type) !== index && !/CALL_STARTED|CALLED/.test(type)
      ),
      replays: replayed.difference === undefined && replayed.chain_fault === undefined
    } satisfies Aftermath
  }
)

const hitsOf = (server: SandboxServer.SandboxServer["Service"]) =>
  Effect.map(server.hits, ({ total }) => total)

describe("a grounding killed with SIGKILL", () => {
  it.layer(survivor, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    // First of all: it leaves the compiled sources that a killed one cannot leave.
    it.effect("is not harmed when it is not killed", () =>
      Effect.gen(function*() {
        const { url } = yield* TestDatabase
        const { baseUrl } = yield* SandboxServer.SandboxServer
        const ended = yield* run({
          databaseUrl: url,
          sandboxUrl: baseUrl,
          sessionId: "unharmed",
          killAt: "never"
        })
        assert.strictEqual(ended, "exit 0 ")
      }), 60_000)

    it.effect.each(points.map((point) => ({ point })))(
      `at "$point" answers when asked again, ${rounds} times`,
      ({ point }) =>
        Effect.gen(function*() {
          const names = Array.from({ length: rounds }, (_, index) => `${index}`)
          // One after the other: the sandbox counts the hits of all.
          const aftermaths = yield* Effect.forEach(names, (name) => killAndAskAgain(point, name))
          for (const aftermath of aftermaths) {
            assert.deepInclude(aftermath, {
              ended: "SIGKILL",
              unreservedHits: 0,
              recordedTwice: [],
              replays: true
            })
            // The one search in flight is lost with its process; another may still be made.
            assert.include(["snippets_only", "partial"], aftermath.mode)
          }
        }),
      600_000
    )
  })
})
