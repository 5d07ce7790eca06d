/**
 * Holds the face for agents against the official conformance suite, and prints a row of figures
 * for each revision: `npm ci --prefix test/peers/conformance`, then
 * `npm exec -c "node test/peers/conformance/run.ts"`. Fails where a required scenario fails that
 * `expected-failures.yaml` does not explain, and where one passes that it does.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folder = import.meta.dirname
const packageFolder = join(folder, "node_modules/@modelcontextprotocol/conformance")
const suite = join(packageFolder, "dist/index.js")
const revisions = ["2025-11-25", "2026-07-28"]
const suiteMsMax = 120_000

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer().on("error", reject).listen(0, "127.0.0.1", () => {
      const address = probe.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })

interface Ran {
  readonly code: number | null
  readonly out: string
}

const ran = (args: ReadonlyArray<string>) =>
  new Promise<Ran>((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "pipe", "inherit"],
      timeout: suiteMsMax
    })
    let out = ""
    child.stdout.on("data", (chunk) => {
      out += String(chunk)
    })
    child.on("error", reject).on("close", (code) => resolve({ code, out }))
  })

const linePattern = /^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm

/** Scenarios that the suite has frozen for a revision. */
const requiredOf = (revision: string): ReadonlySet<string> => {
  const text = readFileSync(join(packageFolder, "requirements", `${revision}.yaml`), "utf8")
  const [, list = ""] = /^server:\n((?: {2}- .*\n)+)/m.exec(text) ?? []
  return new Set([...list.matchAll(/- (\S+)/g)].map(([, name = ""]) => name))
}

/** `| revision | required scenarios | their checks | scenarios beyond |`, each of how many. */
const rowOf = (revision: string, out: string): string => {
  const names = requiredOf(revision)
  const all = [...out.matchAll(linePattern)].map(([, name = "", passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed)
  }))
  const required = all.filter(({ name }) => names.has(name))
  const others = all.filter(({ name }) => !names.has(name))
  const met = (scenarios: typeof all) =>
    `${scenarios.filter(({ failed }) => failed === 0).length} of ${scenarios.length}`
  const checks = required.reduce((sum, { passed }) => sum + passed, 0)
  const failed = required.reduce((sum, { failed }) => sum + failed, 0)
  return `| ${revision} | ${met(required)} | ${checks} of ${checks + failed} | ${met(others)} |`
}

const port = await freePort()
const service = spawn(process.execPath, [join(folder, "serve.ts"), String(port)], {
  stdio: ["pipe", "pipe", "inherit"]
})
const results = mkdtempSync(join(tmpdir(), "wg-conformance-"))
try {
  await new Promise((resolve, reject) => {
    service.stdout.once("data", resolve)
    service.once("close", () => reject(new Error("The fixture did not start")))
  })
  for (const revision of revisions) {
    const { code, out } = await ran([
      suite,
      "server",
      ...["--url", `http://127.0.0.1:${port}/mcp`],
      ...["--requirements", revision],
      ...["--expected-failures", join(folder, "expected-failures.yaml")],
      ...["--output-dir", results]
    ])
    console.log(rowOf(revision, out))
    if (code !== 0) {
      console.error(out)
      process.exitCode = 1
    }
  }
} finally {
  service.stdin.end()
  rmSync(results, { recursive: true, force: true })
}
