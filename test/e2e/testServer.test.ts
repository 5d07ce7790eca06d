/**
 * The PostgreSQL of the tests leaves nothing behind, however the tests end.
 *
 * Saboteur: a keeper whose pipe is held by another process, so that it does not see the tests end.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { compiled } from "../support/processes.ts"

const holder = fileURLToPath(new URL("../support/postgresHolder.ts", import.meta.url))
const looksMax = 400
const lookEveryMs = 50

const started = (mode: "kept" | "orphaned") => {
  const place = mkdtempSync(join(tmpdir(), "wg-keeper-"))
  // As root the server runs as another user, who must get through to its data.
  chmodSync(place, 0o755)
  const child = spawn(process.execPath, [holder, mode], {
    env: { ...compiled, TMPDIR: place },
    stdio: ["pipe", "pipe", "inherit", "pipe"]
  })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  return {
    child,
    place,
    url: async () => {
      assert.isNotNull(child.stdout)
      const lines = createInterface({ input: child.stdout })
      const line = await lines[Symbol.asyncIterator]().next()
      return String(JSON.parse(line.value ?? "{}").url)
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL")
      child.stdio[3]?.destroy()
      await ended
      await until(() => directoriesOf(place).length === 0)
      rmSync(place, { recursive: true, force: true })
    }
  }
}

const directoriesOf = (place: string) =>
  readdirSync(place).filter((name) => name.startsWith("wg-postgres-"))

const until = async (holds: () => boolean, looks = looksMax) => {
  for (let look = 0; look < looks && !holds(); look++) await pause(lookEveryMs)
  return holds()
}

const answers = async (url: string) => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  return client.connect().then(() => client.end()).then(() => true, () => false)
}

describe("the PostgreSQL of the tests", () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
    it(`is gone after ${signal}`, async () => {
      await using run = started("kept")
      const url = await run.url()
      assert.isTrue(await answers(url))
      const alongside = join(run.place, "wg-alongside")
      assert.isTrue(existsSync(alongside))
      run.child.kill(signal)
      assert.isTrue(await until(() => directoriesOf(run.place).length === 0))
      assert.isTrue(await until(() => !existsSync(alongside)))
      assert.isFalse(await answers(url))
    })
  }

  it("is gone when it was being made", async () => {
    await using run = started("kept")
    assert.isTrue(await until(() => directoriesOf(run.place).length === 1))
    run.child.kill("SIGINT")
    assert.isTrue(await until(() => directoriesOf(run.place).length === 0))
  })

  it("would be missed if it stayed", async () => {
    await using run = started("orphaned")
    const url = await run.url()
    run.child.kill("SIGKILL")
    assert.isFalse(await until(() => directoriesOf(run.place).length === 0, 20))
    assert.isTrue(await answers(url))
  })
})
