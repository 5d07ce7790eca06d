/**
 * Compiles what runs where it is installed: `node scripts/build.js client`, `service`, or both. Plain
 * JavaScript, for any Node from 20 on: npm runs it wherever it installs the project from.
 *
 * Does nothing where compiler or bundler is not installed, as after `npm ci --omit=dev`: there the
 * sources are run as they are.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { digestOfSources } from "../bin/sources.js"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const compiler = join(root, "node_modules/typescript/bin/tsc")

/** One pass of the compiler. */
const compile = (project, ...options) =>
  execFileSync(process.execPath, [compiler, "-p", join(root, project), ...options], {
    stdio: "inherit"
  })

const targets = {
  client: () => {
    rmSync(join(root, "packages/client/dist"), { recursive: true, force: true })
    compile("packages/client/tsconfig.json")
  },
  service: async () => {
    const digest = digestOfSources()
    const record = join(root, "dist/sources.sha256")
    // npm prepares the project whenever it packs it, and processes may be running from what is there.
    if (existsSync(record) && readFileSync(record, "utf8") === digest) return
    const { bundle } = await import("./bundle.js").catch(() => ({ bundle: undefined }))
    if (bundle === undefined) {
      console.error("web-grounding: not bundled, for rolldown does not run here")
      return
    }
    rmSync(join(root, "dist"), { recursive: true, force: true })
    compile("tsconfig.build.json", "--noCheck")
    compile("tsconfig.build.client.json", "--noCheck")
    await bundle(root, join(root, "dist"))
    // Last, so that what was built by halves is not run.
    writeFileSync(record, digest)
  }
}

const named = process.argv.slice(2)
if (!existsSync(compiler)) {
  console.error("web-grounding: not compiled, for typescript is not installed here")
} else {
  for (const name of named.length === 0 ? Object.keys(targets) : named) {
    if (!Object.hasOwn(targets, name)) {
      console.error(`Expected ${Object.keys(targets).join(" or ")}, not ${name}`)
      process.exit(1)
    }
    await targets[name]()
  }
}
