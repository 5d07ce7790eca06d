/** Node processes of tests: their sources are compiled once for all of them. */
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Where Node's own compile cache lies by default. A process that is killed leaves nothing in it. */
export const compiled: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache")
}
