/**
 * A first start hears Ctrl-C while it prepares the embedded store, and leaves no half-made one.
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
const signalEveryMs = 100
/** Each case starts up to four processes, two of which make a database. */
const timeoutMs = 240_000

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

const isBegun = (directory: string) => existsSync(join(directory, "data.new"))

/** Sends the signal when the folder of the new database is there, seconds before its files are. */
const signalled = async (directory: string, signal: "SIGINT" | "SIGKILL") => {
  const { child, ended, text } = start(directory, migrate)
  for (let look = 0; look < looksMax && !isBegun(directory); look++) await pause(lookEveryMs)
  const before = text()
  child.kill(signal)
  return { ...await ended, before }
}

/** Share of the signals that are heard, sent again and again while the store is prepared. */
const heardShare = async (directory: string) => {
  const { child, ended } = start(directory, ["test/support/preparing.ts"])
  let sent = 0
  for (let look = 0; look < looksMax && child.exitCode === null; look++) {
    if (isBegun(directory) && child.kill("SIGINT")) sent += 1
    await pause(signalEveryMs)
  }
  const { code, text } = await ended
  assert.strictEqual(code, 0, text)
  assert.isAbove(sent, 3)
  return (text.match(/heard/g)?.length ?? 0) / sent
}

const migrate = ["bin/wg.js", "migrate"]

const full = process.env["WG_TEST_FULL"] === "1"

describe("a first start", { timeout: timeoutMs }, () => {
  it("hears SIGINT while it prepares, leaves nothing, and is begun anew after SIGKILL", async () => {
    using place = fresh()
    const { before, code } = await signalled(place.directory, "SIGINT")
    assert.match(before, /^Preparing \S+ \(once, some seconds\) …\n$/)
    assert.strictEqual(code, 130)
    assert.deepStrictEqual(readdirSync(place.directory), ["lock"])
    await signalled(place.directory, "SIGKILL")
    assert.isTrue(existsSync(join(place.directory, "data.new")))
    const next = await start(place.directory, migrate).ended
    assert.strictEqual(next.code, 0, next.text)
    assert.match(next.text, /^Preparing [^]+\nApplied 0001_log/)
    assert.isFalse(existsSync(join(place.directory, "data.new")))
    const later = await start(place.directory, migrate).ended
    assert.strictEqual(later.text, "The database is up to date.\n")
  })

  it.runIf(full)("hears most signals", async () => {
    using place = fresh()
    assert.isAbove(await heardShare(place.directory), 0.5)
    assert.isTrue(existsSync(join(place.directory, "data", "PG_VERSION")))
  })
})
