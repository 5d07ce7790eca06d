/**
 * Data directories whose embedded store is ready. The first start of one takes some ten seconds of
 * processor time, so one is made for all tests, and kept as long as the migrations are the same.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { compiled } from "./processes.ts"

const cache = "node_modules/.cache/web-grounding"

/** Everything that a store is made by. */
const made = [
  ...readdirSync("migrations").map((name) => join("migrations", name)),
  "node_modules/@electric-sql/pglite/package.json",
  "src/infrastructure/postgres/EmbeddedPostgres.ts"
]

/** A store that is never opened: it is copied. */
const template = (): string => {
  const hash = createHash("sha256")
  for (const file of made.toSorted()) hash.update(file).update(readFileSync(file))
  const path = join(cache, `embedded-${hash.digest("hex").slice(0, 16)}`)
  if (existsSync(path)) return path
  mkdirSync(cache, { recursive: true })
  const making = mkdtempSync(`${path}.`)
  const { status, stderr } = spawnSync(process.execPath, ["bin/wg.js", "migrate"], {
    env: { ...compiled, WEB_GROUNDING_DATA_DIR: making },
    encoding: "utf8"
  })
  if (status !== 0) {
    rmSync(making, { recursive: true, force: true })
    throw new Error(`no embedded store was made: ${stderr}`)
  }
  try {
    renameSync(making, path)
  } catch (cause) {
    // Another worker was faster.
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(path)) throw cause
  }
  return path
}

/** A directory of the caller's own, in the system's place for such. The caller removes it. */
export const preparedDirectory = (prefix: string): string => {
  const directory = mkdtempSync(join(tmpdir(), prefix))
  cpSync(template(), directory, { recursive: true })
  return directory
}
