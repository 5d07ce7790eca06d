/**
 * A first start hears Ctrl-C while it prepares the embedded store, and leaves no half-made one.
 *
 * Saboteur: a start that prepares in its own event loop.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { compiled } from "../support/processes.ts"

const looksMax = 3_000
const lookEveryMs = 20

const fresh = () => {
  const directory = mkdtempSync(join(tmpdir(), "wg-first-"))
  return {
    directory,
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true })
  }
}

const start = (directory: string, program: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, program, {
    env: { ...compiled, WEB_GROUNDING_DATA_DIR: directory },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const told: Array<string> = []
  child.stdout.on("data", (chunk) => told.push(String(chunk)))
  child.stderr.on("data", (chunk) => told.push(String(chunk)))
  const ended = new Promise<{ code: number | null; text: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, text: told.join("") }))
  )
  return { child, ended, text: () => told.join("") }
}

/** Sends the signal when the first file of the new database is there. */
const signalled = async (
  directory: string,
  program: ReadonlyArray<string>,
  signal: "SIGINT" | "SIGKILL"
) => {
  const { child, ended, text } = start(directory, program)
  const isBegun = () => existsSync(join(directory, "data.new", "PG_VERSION"))
  for (let look = 0; look < looksMax && !isBegun() && child.exitCode === null; look++) {
    await pause(lookEveryMs)
  }
  const before = text()
  child.kill(signal)
  return { ...await ended, before }
}

/** The last of its databases stands: nothing was heard before the work was done. */
const isWhole = (directory: string) => existsSync(join(directory, "data.new", "base", "5"))

const migrate = ["bin/wg.js", "migrate"]

describe("a first start", () => {
  it("hears SIGINT while it prepares, leaves nothing, and is done by the next one", async () => {
    using place = fresh()
    const { before, code } = await signalled(place.directory, migrate, "SIGINT")
    assert.match(before, /^Preparing \S+data \(once, some seconds\) …\n$/)
    assert.strictEqual(code, 130)
    assert.isFalse(isWhole(place.directory))
    assert.deepStrictEqual(readdirSync(place.directory), ["lock"])
    const next = await start(place.directory, migrate).ended
    assert.strictEqual(next.code, 0, next.text)
    assert.match(next.text, /^Preparing [^]+\nApplied 0001_log/)
    const later = await start(place.directory, migrate).ended
    assert.strictEqual(later.text, "The database is up to date.\n")
  })

  it("is begun anew after SIGKILL", async () => {
    using place = fresh()
    await signalled(place.directory, migrate, "SIGKILL")
    assert.isTrue(existsSync(join(place.directory, "data.new")))
    const next = await start(place.directory, migrate).ended
    assert.strictEqual(next.code, 0, next.text)
    assert.match(next.text, /\nApplied 0001_log/)
    assert.isFalse(existsSync(join(place.directory, "data.new")))
  })

  it("would be caught preparing in its own event loop", async () => {
    using place = fresh()
    await signalled(place.directory, ["test/support/inPlaceStart.ts"], "SIGINT")
    assert.isTrue(isWhole(place.directory))
  })
})
