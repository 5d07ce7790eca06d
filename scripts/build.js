/**
 * Compiles what runs where it is installed: `node scripts/build.js client`, `service`, or both. Plain
 * JavaScript, for any Node from 20 on: npm runs it wherever it installs the project from.
 *
 * Does nothing where the compiler is not installed, as after `npm ci --omit=dev`: there the sources
 * are run as they are.
 */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

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
    compile("packages/client/tsconfig.effect.json", "--noCheck")
  },
  service: () => {
    rmSync(join(root, "dist"), { recursive: true, force: true })
    compile("tsconfig.build.json", "--noCheck")
    compile("tsconfig.build.client.json", "--noCheck")
    const assets = "src/adapters/dashboard/assets"
    cpSync(join(root, assets), join(root, "dist", assets), { recursive: true })
    cpSync(join(root, "corpus"), join(root, "dist/corpus"), { recursive: true })
    // A migration is known by the digest of its source.
    const migrations = join(root, "migrations")
    for (const file of readdirSync(migrations)) {
      cpSync(join(migrations, file), join(root, "dist/migrations", file))
    }
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
    targets[name]()
  }
}
