/**
 * A process that asks for a directory, prints the result, and keeps the directory.
 *
 * `node holdDirectory.ts <directory> [blocked|collected]` prints one line of JSON. With `blocked`
 * its event loop stops from then on. With `collected`, which needs `--expose-gc`, it collects its
 * garbage before it prints.
 */
import { Effect, Exit, Scope } from "effect"
import * as DirectoryLock from "../../src/infrastructure/postgres/DirectoryLock.ts"

/** What a finalizer leaves is garbage of the next collection. */
const collectionsCount = 3

const [directory = "", mode] = process.argv.slice(2)

/** Nothing here refers to the scope when this has returned. */
const asked = () => {
  const scope = Effect.runSync(Scope.make())
  const started = performance.now()
  const exit = Effect.runSyncExit(
    Effect.provideService(DirectoryLock.acquire(directory), Scope.Scope, scope)
  )
  const held = Exit.isSuccess(exit)
  const problem = held ? "" : String(Effect.runSync(Effect.flip(exit)).message)
  return { held, problem, ms: performance.now() - started }
}

const answer = asked()
if (mode === "collected") {
  for (let times = 0; times < collectionsCount; times++) {
    await new Promise((resolve) => setImmediate(resolve))
    globalThis.gc?.()
  }
}
process.stdout.write(`${JSON.stringify(answer)}\n`)
if (answer.held) {
  // A minute at most, should the parent not end this process.
  if (mode === "blocked") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
  setTimeout(() => process.exit(1), 60_000)
}
