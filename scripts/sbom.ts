/**
 * The bill of materials and the licences of what the service runs on.
 *
 * `node scripts/sbom.ts` prints the bill as CycloneDX, by `npm sbom`; `--write` writes
 * `docs/reference/licences.md` anew. Either fails when a licence is unknown or not permitted.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import manifest from "../package.json" with { type: "json" }
import * as Licences from "./licences/Licences.ts"

const file = "docs/reference/licences.md"
const lock: Licences.Lock = JSON.parse(readFileSync("package-lock.json", "utf8"))
const dependencies = Licences.dependenciesOf(lock)
const problems = Licences.problemsIn(dependencies)
for (const problem of problems) console.error(problem)
if (process.argv.includes("--write")) {
  writeFileSync(file, Licences.textOf(dependencies))
} else {
  // With `--omit dev` npm also leaves out what a package for development needs as well, e.g. `pg`.
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"]
  const whole = JSON.parse(execFileSync("npm", args, { encoding: "utf8" }))
  const { metadata } = whole
  // npm names the folder instead of the package.
  const component = { ...metadata.component, name: manifest.name }
  const named = { ...whole, metadata: { ...metadata, component } }
  process.stdout.write(`${JSON.stringify(Licences.billOf(named, dependencies), undefined, 2)}\n`)
}
process.exitCode = problems.length === 0 ? 0 : 1
