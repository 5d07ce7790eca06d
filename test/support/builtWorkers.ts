/**
 * Pages are read by processes that start from what was built of the sources, as the service's do, in a
 * fifth of the time. Where the sources have changed since, they start from those.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Plugin } from "vitest/config"

const root = fileURLToPath(new URL("../..", import.meta.url))
const { digestOfSources } = await import(pathToFileURL(join(root, "bin/sources.js")).href)
const record = join(root, "dist/sources.sha256")
const starter = "packages/pages/src/PageExtraction"
const setting = "WG_TEST_STARTS_BESIDE"

const isCurrent = existsSync(record) && readFileSync(record, "utf8") === digestOfSources()

/** For the environment of the tests: the module next to which the worker's file is looked for. */
export const environment: Readonly<Record<string, string>> = isCurrent
  ? { [setting]: pathToFileURL(join(root, "dist", `${starter}.js`)).href }
  : {}

/** Asked anew in each run: what a plugin makes of a module is kept longer than a build. */
export const plugin: Plugin = {
  name: "built-workers",
  transform: (code, id) =>
    id.startsWith(join(root, `${starter}.ts`))
      ? code.replaceAll("import.meta.url", `(process.env.${setting} ?? import.meta.url)`)
      : undefined
}
