/**
 * A process of its own that asks for a directory, says how that went, and keeps what it got.
 *
 * `node holdDirectory.ts <directory> [blocked]` prints one line of JSON. With `blocked` its event
 * loop stands still from then on.
 */
import { Effect, Exit, Scope } from "effect"
import * as DirectoryLock from "../../src/infrastructure/postgres/DirectoryLock.ts"

const [directory = "", mode] = process.argv.slice(2)
const scope = Effect.runSync(Scope.make())
const started = performance.now()
const exit = Effect.runSyncExit(
  Effect.provideService(DirectoryLock.acquire(directory), Scope.Scope, scope)
)
const held = Exit.isSuccess(exit)
const problem = held ? "" : String(Effect.runSync(Effect.flip(exit)).message)
process.stdout.write(`${JSON.stringify({ held, problem, ms: performance.now() - started })}\n`)
if (held) {
  // A minute at most, should nobody end this process.
  if (mode === "blocked") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
  setTimeout(() => process.exit(1), 60_000)
}
