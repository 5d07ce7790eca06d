/**
 * Applies each listed fault to a copy of the sources and runs the tests that should notice it.
 *
 * `npm run mutants` runs all of them; `npm run mutants -- session replay` those whose id contains
 * one of the words. Prints one line a fault and the share noticed; fails when one was not.
 */
import { execFileSync, spawn } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Mutant, mutated } from "./mutants/Mutant.ts"
import { mutants } from "./mutants/mutants.ts"

/** Runs at the same time, each in its own copy. */
const copiesCount = 2
const runMsMax = 300_000
/** Of all tests that any fault names, without a fault. */
const baselineMsMax = 1_800_000

type Verdict = "noticed" | "survived" | "equivalent" | "timed out"

const words = process.argv.slice(2)
const chosen = mutants.filter(({ id }) =>
  words.length === 0 || words.some((word) => id.includes(word))
)

const copy = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "wg-mutants-"))
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    encoding: "utf8"
  })
  const files = listed.trim().split("\n").filter((file) => existsSync(file))
  for (const file of files) cpSync(file, join(directory, file))
  symlinkSync(join(process.cwd(), "node_modules"), join(directory, "node_modules"))
  return directory
}

/** Exit code of the tests in that directory; `undefined` when they took too long. */
const testsIn = (directory: string, tests: ReadonlyArray<string>, msMax = runMsMax) =>
  new Promise<number | undefined>((resolve) => {
    const vitest = join(directory, "node_modules/vitest/vitest.mjs")
    const args = [vitest, "run", "--bail=1", "--maxWorkers=1", "--reporter=dot", ...tests]
    const child = spawn(process.execPath, args, { cwd: directory, stdio: "ignore" })
    const timer = setTimeout(() => child.kill("SIGTERM"), msMax)
    child.on("close", (code) => {
      clearTimeout(timer)
      resolve(code ?? undefined)
    })
  })

const verdictOn = async (mutant: Mutant, directory: string): Promise<Verdict> => {
  const file = join(directory, mutant.file)
  const source = readFileSync(file, "utf8")
  const faulty = mutated(source, mutant)
  if (faulty === undefined) throw new Error(`${mutant.id}: its text is not there exactly once`)
  writeFileSync(file, faulty)
  const code = await testsIn(directory, mutant.tests)
  writeFileSync(file, source)
  if (code === undefined) return "timed out"
  if (code !== 0) return "noticed"
  return mutant.equivalent === undefined ? "survived" : "equivalent"
}

const verdicts = new Map<string, Verdict>()
const waiting = [...chosen]

const work = async (): Promise<void> => {
  const directory = copy()
  try {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const verdict = await verdictOn(mutant, directory)
      verdicts.set(mutant.id, verdict)
      console.log(`${verdict.padEnd(10)} ${mutant.id}: ${mutant.means}`)
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const withoutFault = async (): Promise<number | undefined> => {
  const directory = copy()
  const tests = [...new Set(chosen.flatMap(({ tests }) => tests))]
  const code = await testsIn(directory, tests, baselineMsMax)
  rmSync(directory, { recursive: true, force: true })
  return code
}

if (chosen.length === 0) {
  console.error(`No fault has an id with ${words.join(" or ")} in it.`)
  process.exit(1)
}
const baseline = await withoutFault()
if (baseline !== 0) {
  const why = baseline === undefined ? "take too long" : "fail"
  console.error(`The tests ${why} without a fault: nothing can be said.`)
  process.exit(1)
}
await Promise.all(Array.from({ length: copiesCount }, work))

const count = (verdict: Verdict) => [...verdicts.values()].filter((one) => one === verdict).length
const judged = verdicts.size - count("equivalent")
console.log(
  `${count("noticed")} of ${judged} faults noticed, ${count("survived")} survived, ` +
    `${count("timed out")} timed out, ${count("equivalent")} change nothing`
)
process.exit(count("noticed") === judged ? 0 : 1)
