/** What a clone's compiled service was made of. Plain JavaScript: a start and the build both ask. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const packages = existsSync(join(root, "packages")) ? readdirSync(join(root, "packages")) : []
const folders = [
  ...["bin", "migrations", "packages/sandbox/corpus", "src"],
  ...packages.map((name) => `packages/${name}/src`)
]
/** Of the packages, the list of what npm installed last. */
const files = [
  "node_modules/.package-lock.json",
  "package.json",
  "scripts/build.js",
  "scripts/bundle.js"
]

const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))

/** Digest of every name and every byte, so that neither an edit nor a restored time is missed. */
export const digestOfSources = () => {
  const hash = createHash("sha256")
  const isThere = (path) => existsSync(join(root, path))
  const named = [...folders.filter(isThere).flatMap(filesIn), ...files.filter(isThere)]
  for (const file of named.sort()) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file))).update("\0")
  }
  return hash.digest("hex")
}
