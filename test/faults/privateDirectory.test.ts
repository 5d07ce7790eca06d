/** The embedded store's directory is closed to other users, and a full disk is named. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as DirectoryLock from "../../src/infrastructure/postgres/DirectoryLock.ts"
import * as EmbeddedPostgres from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const othersMask = 0o077
const modeOf = (path: string): number => statSync(path).mode & 0o777

/** Open to all users itself, so that only the store's own directory can keep others out. */
const shared = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = mkdtempSync(join(tmpdir(), "wg-private-"))
    chmodSync(directory, 0o755)
    return directory
  }),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

/** Files and folders that another user reaches: every folder above them lets others enter. */
const reachable = (directory: string): ReadonlyArray<string> => {
  if ((modeOf(directory) & 0o005) === 0) return []
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return reachable(path)
    return (modeOf(path) & othersMask) === 0 ? [] : [path]
  })
}

const withUmask = (mask: number) =>
  Effect.acquireRelease(
    Effect.sync(() => process.umask(mask)),
    (before) => Effect.sync(() => process.umask(before))
  )

const started = (directory: string) =>
  Effect.scoped(Layer.build(Layer.fresh(EmbeddedPostgres.layer({ directory }))))

const taken = (directory: string) => Effect.scoped(DirectoryLock.acquire(directory))

/** What `effect` writes to the log. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const keep = Logger.make(({ logLevel, message }) => {
      lines.push(`${logLevel} ${String(message)}`)
    })
    return effect.pipe(Effect.as(lines), Effect.provide(Logger.layer([keep])))
  })

describe("the directory of an embedded database", () => {
  it.live.each(full ? [0o022, 0o000] : [0o000])(
    "is reached by its owner alone, umask %i",
    (mask) =>
      Effect.gen(function*() {
        const parent = yield* shared
        yield* withUmask(mask)
        const directory = join(parent, "own", "data")
        yield* started(directory)
        assert.strictEqual(modeOf(directory), 0o700)
        assert.deepStrictEqual(reachable(parent), [])
      }).pipe(Effect.scoped)
  )

  it.live("is closed with one warning when it was open, and without a word when not", () =>
    Effect.gen(function*() {
      const directory = join(yield* shared, "data")
      yield* taken(directory)
      assert.deepStrictEqual(yield* logged(taken(directory)), [])
      chmodSync(directory, 0o755)
      assert.deepStrictEqual(yield* logged(taken(directory)), [
        `Warn other users could read the data directory ${directory}; its mode is 0700 now`
      ])
      assert.strictEqual(modeOf(directory), 0o700)
      assert.deepStrictEqual(yield* logged(taken(directory)), [])
    }).pipe(Effect.scoped))

  it.live("is not closed when it is open and holds the files of others", () =>
    Effect.gen(function*() {
      const directory = yield* shared
      writeFileSync(join(directory, "letters.txt"), "")
      const error = yield* Effect.flip(taken(directory))
      assert.strictEqual(error._tag, "DirectoryUnusable")
      assert.match(
        error.message,
        /^The data directory \S+ cannot be used: other users may enter it, /
      )
      assert.include(error.message, "\"letters.txt\"")
      assert.strictEqual(modeOf(directory), 0o755)
      assert.isFalse(existsSync(join(directory, "lock")))
    }).pipe(Effect.scoped))

  it.live.skipIf(process.geteuid?.() !== 0)(
    "is refused when it belongs to another user",
    () =>
      Effect.gen(function*() {
        const directory = join(yield* shared, "data")
        mkdirSync(directory, { mode: 0o700 })
        chownSync(directory, 12_345, 12_345)
        const error = yield* Effect.flip(taken(directory))
        assert.strictEqual(
          error.message,
          `The data directory ${directory} cannot be used: it belongs to user 12345, not to user 0.`
        )
      }).pipe(Effect.scoped)
  )
})

/** A file system of `size`, unmounted with the scope. Undefined where mounting is not allowed. */
const smallDisk = (size: string) =>
  Effect.gen(function*() {
    const directory = yield* shared
    const mounted = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=0700`, "wg-test", directory])
          .status === 0
      ),
      (mounted) => Effect.sync(() => mounted ? spawnSync("umount", ["-l", directory]) : undefined)
    )
    return mounted ? directory : undefined
  })

describe("a full disk", () => {
  it.live("is named when the embedded database cannot start for it", (context) =>
    Effect.gen(function*() {
      const directory = yield* smallDisk("24m")
      if (directory === undefined) return context.skip()
      const error = yield* Effect.flip(started(directory))
      assert.strictEqual(
        error.message,
        `The embedded database in ${directory} did not start: no space left on ${directory}`
      )
      assert.isFalse(existsSync(join(directory, "space")))
    }).pipe(Effect.scoped))

  it("is named by the database's own error number, which comes without a message", () => {
    const reasonOf = (cause: unknown) => EmbeddedPostgres.reasonOf(cause, tmpdir())
    assert.strictEqual(reasonOf({ name: "ErrnoError", errno: 51 }), `no space left on ${tmpdir()}`)
    assert.strictEqual(reasonOf({ name: "ErrnoError", errno: 44 }), "error 44")
    assert.strictEqual(reasonOf(undefined), "error without a reason")
  })

  it.live("is not named for another failure, which has a reason too", () =>
    Effect.gen(function*() {
      const directory = join(yield* shared, "store")
      mkdirSync(join(directory, "data"), { recursive: true })
      chmodSync(directory, 0o700)
      writeFileSync(join(directory, "data", "PG_VERSION"), "3")
      const error = yield* Effect.flip(started(directory))
      assert.strictEqual(error._tag, "EmbeddedPostgresFailed")
      assert.match(error.message, /did not start: \S/)
      assert.notInclude(error.message, "no space")
    }).pipe(Effect.scoped))
})
