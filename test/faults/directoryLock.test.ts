/** An embedded database's directory has one owner, whatever became of the one before. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as DirectoryLock from "../../src/infrastructure/postgres/DirectoryLock.ts"
import * as EmbeddedPostgres from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"
import { grace } from "../support/machine.ts"

const refusalIdleMsMax = 1_000
const rounds = process.env["WG_TEST_FULL"] === "1" ? 20 : 4

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "wg-lock-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

interface Answer {
  readonly held: boolean
  readonly problem: string
  readonly ms: number
}

const script = fileURLToPath(new URL("../support/holdDirectory.ts", import.meta.url))

/** A child that has asked for the directory, and its answer. Ended with the scope. */
const asker = (directory: string, ...mode: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(process.execPath, ["--expose-gc", script, directory, ...mode])),
      kill
    )
    const answer = yield* Effect.promise(() =>
      new Promise<Answer>((resolve, reject) => {
        child.stdout.once("data", (line: Buffer) => resolve(JSON.parse(String(line))))
        child.once("exit", () => reject(new Error("the child ended without an answer")))
      })
    )
    return { child, answer }
  })

const kill = (child: ChildProcess) =>
  Effect.promise(() =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve()
      child.once("exit", () => resolve())
      child.kill("SIGKILL")
    })
  )

const refusal = (directory: string) =>
  Effect.gen(function*() {
    const started = performance.now()
    const error = yield* Effect.flip(Effect.scoped(
      Layer.build(Layer.fresh(EmbeddedPostgres.layer({ directory })))
    ))
    return { error, ms: performance.now() - started }
  })

const takeAndRelease = (directory: string) => Effect.scoped(DirectoryLock.acquire(directory))

describe("the directory of an embedded database", () => {
  it.live(
    "is refused to a second process at once, and free when its owner is killed",
    () =>
      Effect.gen(function*() {
        const directory = yield* temporary
        for (let round = 0; round < rounds; round++) {
          const { answer, child } = yield* asker(directory)
          assert.isTrue(answer.held, answer.problem)
          const { error, ms } = yield* refusal(directory)
          assert.strictEqual(error._tag, "DirectoryHeld")
          assert.match(error.message, /^The data directory \S+ is already open in process \d+ on /)
          assert.include(error.message, `${directory} `)
          assert.include(error.message, `process ${child.pid} `)
          assert.isBelow(ms, grace(refusalIdleMsMax))
          yield* kill(child)
          yield* takeAndRelease(directory)
        }
      }).pipe(Effect.scoped),
    120_000
  )

  it.live("goes to one of several processes that ask at once", () =>
    Effect.gen(function*() {
      const directory = yield* temporary
      const askers = yield* Effect.all(Array.from({ length: 6 }, () => asker(directory)), {
        concurrency: 6
      })
      assert.strictEqual(askers.filter(({ answer }) => answer.held).length, 1)
      for (const { answer } of askers) assert.isBelow(answer.ms, grace(refusalIdleMsMax))
    }).pipe(Effect.scoped))

  it.live("is not taken from an owner whose event loop hangs", () =>
    Effect.gen(function*() {
      const directory = yield* temporary
      const { child } = yield* asker(directory, "blocked")
      assert.strictEqual((yield* refusal(directory)).error._tag, "DirectoryHeld")
      yield* kill(child)
      yield* takeAndRelease(directory)
    }).pipe(Effect.scoped))

  it.live("stays with its owner when the owner's garbage is collected", () =>
    Effect.gen(function*() {
      const directory = yield* temporary
      const { answer } = yield* asker(directory, "collected")
      assert.isTrue(answer.held, answer.problem)
      assert.strictEqual((yield* refusal(directory)).error._tag, "DirectoryHeld")
    }).pipe(Effect.scoped))

  it.live("is one directory by whatever path it is reached", () =>
    Effect.gen(function*() {
      const directory = yield* temporary
      const other = join(yield* temporary, "link")
      symlinkSync(directory, other)
      const { child } = yield* asker(directory)
      const { error } = yield* refusal(other)
      assert.strictEqual(error._tag, "DirectoryHeld")
      assert.include(error.message, `process ${child.pid} `)
    }).pipe(Effect.scoped))

  it.live.each([
    ["a dead process", { pid: 2 ** 22 + 1 }],
    ["a living process that took over the pid", { pid: process.ppid }],
    ["this process's pid in an earlier boot", { pid: process.pid, since: "2001-01-01T00:00:00Z" }],
    ["another host", { host: "elsewhere" }],
    ["nobody readable", "{ \"pid\": "]
  ])("is not held by a record alone, of %s", ([, left]) =>
    Effect.gen(function*() {
      const directory = yield* temporary
      const owner = { pid: 1, host: "here", since: "2026-11-21T22:49:09.123Z" }
      const record = typeof left === "string" ? left : JSON.stringify({ ...owner, ...left })
      writeFileSync(join(directory, "owner.json"), record)
      writeFileSync(join(directory, "lock"), "")
      yield* Effect.scoped(Effect.gen(function*() {
        yield* DirectoryLock.acquire(directory)
        const { pid } = JSON.parse(readFileSync(join(directory, "owner.json"), "utf8"))
        assert.strictEqual(pid, process.pid)
      }))
    }).pipe(Effect.scoped))

  it.live("is refused to the same process too, until it is closed", () =>
    Effect.gen(function*() {
      const directory = yield* temporary
      yield* Effect.scoped(Effect.gen(function*() {
        yield* DirectoryLock.acquire(directory)
        assert.strictEqual((yield* refusal(directory)).error._tag, "DirectoryHeld")
      }))
      yield* takeAndRelease(directory)
    }).pipe(Effect.scoped))

  it.live("is refused in one sentence when it cannot be made", () =>
    Effect.gen(function*() {
      const file = join(yield* temporary, "file")
      writeFileSync(file, "")
      const { error } = yield* refusal(join(file, "data"))
      assert.strictEqual(error._tag, "DirectoryUnusable")
      assert.include(error.message, "cannot be used")
    }).pipe(Effect.scoped))
})
