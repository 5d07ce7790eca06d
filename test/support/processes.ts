/** Node processes of tests: their sources are compiled once for all of them. */
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The run's directory, else Node's own default. A process that is killed leaves nothing there. */
export const compiled: NodeJS.ProcessEnv = {
  NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
  ...process.env
}

/** Ends a test's own process with its work, and says why that failed. */
export const endWith = (work: Promise<unknown>) =>
  work.then(() => process.exit(0), (failure) => {
    process.stderr.write(`${String(failure)}\n`)
    process.exit(1)
  })
