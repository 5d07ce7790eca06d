/**
 * A process that appends to an embedded store is killed with SIGKILL at random moments.
 *
 * Promise: the directory opens again and holds every acknowledged event, and the chain verifies.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import * as HashChain from "../../src/domain/audit/HashChain.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import { bundledProgram } from "../support/bundledProgram.ts"
import { embedded, ref, type Writer } from "../support/embeddedWriter.ts"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import { compiled } from "../support/processes.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const killsCount = full ? 40 : 2
/** After the first acknowledgement. */
const killWithinMs = 400
const startMsMax = 90_000

const program = await bundledProgram("embeddedWriter")

const temporary = Effect.acquireRelease(
  Effect.sync(() => preparedDirectory("wg-killed-")),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

interface Killed {
  readonly acknowledged: number
  readonly ended: string
}

/** Lets the writer append for a moment and kills it; the last event that it was sure of. */
const killedWriter = (writer: Writer, afterMs: number) =>
  Effect.promise(() =>
    new Promise<Killed>((resolve) => {
      const child = spawn(process.execPath, [
        program,
        JSON.stringify(writer)
      ], { env: compiled, stdio: ["ignore", "pipe", "pipe"] })
      let said = ""
      let errors = ""
      const late = setTimeout(() => child.kill("SIGKILL"), startMsMax)
      child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), afterMs))
      child.stdout.on("data", (chunk) => said += String(chunk))
      child.stderr.on("data", (chunk) => errors += String(chunk))
      // Later than its end: what it said before is read.
      child.once("close", (code, signal) => {
        clearTimeout(late)
        // A line that was cut off was not said.
        const numbers = said.split("\n").slice(0, -1).map(Number)
        resolve({ acknowledged: Math.max(0, ...numbers), ended: signal ?? `${code} ${errors}` })
      })
    })
  )

/** How many events the directory holds once it is opened again, and whether the chain verifies. */
const reopened = (directory: string, session: string) =>
  Effect.gen(function*() {
    const { read } = yield* EventStore
    const { events, head } = yield* read(ref(session))
    return {
      held: events.length,
      isWhole: HashChain.verify({ sha256, canonical }, head, events)._tag === "Success"
    }
  }).pipe(Effect.provide(embedded(directory), { local: true }), Effect.scoped)

describe("an embedded store whose process is killed", () => {
  it.live(
    `holds every acknowledged event after each of ${killsCount} kills`,
    () =>
      Effect.gen(function*() {
        const directory = yield* temporary
        yield* reopened(directory, "honest")
        const figures = { kills: 0, acknowledged: 0 }
        for (; figures.kills < killsCount; figures.kills++) {
          const writer: Writer = { directory, session: "honest" }
          const { acknowledged, ended } = yield* killedWriter(writer, Math.random() * killWithinMs)
          assert.strictEqual(ended, "SIGKILL")
          assert.isAbove(acknowledged, figures.acknowledged)
          figures.acknowledged = acknowledged
          const { held, isWhole } = yield* reopened(directory, "honest")
          // One more may be held: it was recorded when its writer died before saying so.
          assert.isAtLeast(held, acknowledged)
          assert.isAtMost(held, acknowledged + 1)
          assert.isTrue(isWhole)
        }
        if (full) process.stdout.write(`${JSON.stringify(figures)}\n`)
      }).pipe(Effect.scoped),
    120_000 + killsCount * 15_000
  )
})
