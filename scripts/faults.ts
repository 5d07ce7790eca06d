/**
 * Puts deliberate faults into the sources, one at a time and in memory alone, and runs the tests that
 * import the changed file.
 *
 * `npm run faults -- --seed 1 --count 300 [folder ...]` draws them by syntax, the same for the same seed;
 * `npm run faults -- --named [word ...]` tries the named ones. Prints a line for each fault and a score
 * by folder. Fails when a named fault survives, or when less is noticed than `--floor` (a percentage).
 */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import type { Plugin } from "vitest/config"
import { BaseSequencer, createVitest, type TestSpecification } from "vitest/node"
import { projects } from "../vitest.config.ts"
import { drawn, faultsOf, randomOf, withFault } from "./faults/DrawnFault.ts"
import { namedFaults, placed } from "./faults/NamedFault.ts"

/** What is measured where no folder is named. Files that begin so count together. */
const subjects = [
  "src/domain/session",
  "src/domain/pack",
  "src/application/log",
  "src/adapters/postgres",
  "src/application/Access,src/domain/access",
  "src/domain/audit,src/application/audit"
]
/** The nearest of the tests that import a file: a fault that these miss counts as survived. */
const testsMax = 8
/** Longest run of a fault's tests. What loops or hangs is noticed by it. */
const runMsMax = 60_000

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "40" },
    floor: { type: "string", default: "0" },
    named: { type: "boolean", default: false },
    minutes: { type: "string", default: "600" }
  }
})

interface Trial {
  /** What its score counts for. */
  readonly subject: string
  readonly name: string
  readonly file: string
  readonly source: string
  readonly tests: ReadonlyArray<string>
}

const sources = globSync(["src/**/*.ts", "packages/*/src/**/*.ts"]).sort()
const textOf = (file: string) => readFileSync(file, "utf8")
const lineOf = (source: string, at: number) => source.slice(0, at).split("\n").length

const imports =
  /^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"/gm

/** File of a module of this repository; undefined for other packages. */
const importedFile = (from: string, specifier: string): string | undefined => {
  if (specifier.startsWith(".")) return join(dirname(from), specifier)
  const [, name = "", entry] = /^@web-grounding\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  const manifest = `packages/${name}/package.json`
  if (!existsSync(manifest)) return undefined
  const target: unknown = JSON.parse(textOf(manifest)).exports?.[`./${entry}`]
  return typeof target === "string" ? join("packages", name, target) : undefined
}

/** Of each file, those that import it. */
const importersOf = (files: ReadonlyArray<string>): ReadonlyMap<string, Set<string>> => {
  const importers = new Map<string, Set<string>>()
  for (const file of files) {
    for (const [, fixed, dynamic] of textOf(file).matchAll(imports)) {
      const imported = importedFile(file, fixed ?? dynamic ?? "")
      if (imported === undefined) continue
      importers.set(imported, (importers.get(imported) ?? new Set()).add(file))
    }
  }
  return importers
}

const slowTest = /^test\/(?:contract|e2e|faults|infrastructure|simulation)\//

/** Tests that import a file, over whichever files in between: the nearest and the fast ones first. */
const testsOf = (file: string, importers: ReadonlyMap<string, Set<string>>) => {
  const distances = new Map([[file, 0]])
  for (const [one, distance] of distances) {
    for (const importer of importers.get(one) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1)
    }
  }
  return [...distances].filter(([one]) => one.endsWith(".test.ts"))
    .map(([test, distance]) => ({ test, cost: distance + (slowTest.test(test) ? 1.5 : 0) }))
    .sort((left, right) => left.cost - right.cost)
    .slice(0, testsMax)
    .map(({ test }) => test)
}

const drawnTrials = (): ReadonlyArray<Trial> => {
  const random = randomOf(Number(values.seed))
  const chosen = positionals.length > 0 ? positionals : subjects
  const importers = importersOf([
    ...sources,
    ...globSync("{test,packages/*/test,migrations}/**/*.ts")
  ])
  const bySubject = chosen.map((subject) => {
    const files = sources.filter((file) => subject.split(",").some((part) => file.startsWith(part)))
    const all = files.flatMap((file) => {
      const source = textOf(file)
      return faultsOf(source).map((fault) => ({ fault, file, source }))
    })
    return drawn(all, Math.ceil(Number(values.count) / chosen.length), random).map(
      ({ fault, file, source }): Trial => ({
        subject,
        name: `${file}:${lineOf(source, fault.start)} ${fault.operator}: ${
          source.slice(fault.start, fault.end).replace(/\s+/g, " ").slice(0, 60)
        }`,
        file,
        source: withFault(source, fault),
        tests: testsOf(file, importers)
      })
    )
  })
  // Alternating subjects, so that an interrupted run has tried all of them.
  return Array.from(
    { length: Number(values.count) },
    (_, turn) => bySubject.flatMap((some) => some.slice(turn, turn + 1))
  )
    .flat().slice(0, Number(values.count))
}

const namedTrials = (): ReadonlyArray<Trial> => {
  const all = new Map(sources.map((file) => [file, textOf(file)]))
  return Object.entries(namedFaults).flatMap(([test, faults]) =>
    Object.entries(faults).flatMap(([name, fault]) => {
      const place = placed(all, fault)
      if (place === undefined) {
        throw new Error(`"${name}": its text is not in the sources exactly once`)
      }
      return [{ subject: "named", name, tests: [test], ...place }]
    })
  ).filter(({ file, name, tests }) =>
    positionals.length === 0 ||
    positionals.some((word) => [name, file, ...tests].some((text) => text.includes(word)))
  )
}

/** The nearest tests first, as they are given. */
class AsGiven extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    return files
  }
}

let current: { readonly file: string; readonly source: string } | undefined
const bounds = {
  maxWorkers: 1,
  testTimeout: 20_000,
  hookTimeout: 60_000,
  // It would keep a source with a fault for runs that come later.
  fsModuleCache: false
}

/** Gives the tests the source with the fault. */
const planting: Plugin = {
  name: "planting",
  enforce: "pre",
  load: (id) =>
    current !== undefined && id.split("?")[0] === current.file ? current.source : undefined
}

const begin = async () => {
  const seen = { isNoticed: false }
  const vitest = await createVitest("test", {
    config: false,
    projects: projects.map(({ plugins, test }) => ({
      plugins: [...plugins, planting],
      test: { ...test, ...bounds }
    })),
    watch: false,
    ...bounds,
    sequence: { sequencer: AsGiven },
    reporters: [{
      onTestCaseResult: (test) => {
        if (test.result().state === "failed") notice()
      },
      onTestModuleEnd: (module) => {
        if (!module.ok()) notice()
      },
      onTestRunEnd: (_, errors) => {
        if (errors.length > 0) notice()
      }
    }]
  })
  const notice = () => {
    if (seen.isNoticed) return
    seen.isNoticed = true
    void vitest.cancelCurrentRun("test-failure")
  }
  return { seen, vitest, specifications: await vitest.globTestSpecifications() }
}

/** Ends what runs tests at the moment: a test that computes without end hears nothing else. */
const endWorkers = () => {
  const listed = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
  for (const line of listed.split("\n")) {
    const [pid, parent, ...words] = line.trim().split(/\s+/)
    if (Number(parent) === process.pid && words.join(" ").includes("vitest/dist/workers")) {
      process.kill(Number(pid), "SIGKILL")
    }
  }
}

let running = await begin()

const verdictOn = async ({ file, source, tests }: Trial) => {
  const { seen, specifications, vitest } = running
  const wanted = tests.flatMap((test) =>
    specifications.filter(({ moduleId }) => moduleId === resolve(test))
  )
  if (wanted.length === 0) return "survived"
  current = { file: resolve(file), source }
  seen.isNoticed = false
  vitest.invalidateFile(current.file)
  const isInTime = await Promise.race([
    vitest.runTestSpecifications(wanted).then(() => true),
    pause(runMsMax, false, { ref: false })
  ])
  if (isInTime) {
    vitest.invalidateFile(current.file)
    current = undefined
    return seen.isNoticed ? "noticed" : "survived"
  }
  endWorkers()
  current = undefined
  // It may wait for the ended ones for ever.
  vitest.close().catch(() => undefined)
  running = await begin()
  return "timed out"
}

const trials = values.named ? namedTrials() : drawnTrials()
const scores = new Map<string, { noticed: number; all: number }>()
const end = Date.now() + Number(values.minutes) * 60_000
for (const trial of trials) {
  if (Date.now() > end) break
  const began = Date.now()
  const verdict = await verdictOn(trial)
  const score = scores.get(trial.subject) ?? { noticed: 0, all: 0 }
  score.all += 1
  if (verdict !== "survived") score.noticed += 1
  scores.set(trial.subject, score)
  console.log(`${verdict.padEnd(9)} ${trial.name} (${Math.round((Date.now() - began) / 1000)} s)`)
}
await running.vitest.close()

const total = { noticed: 0, all: 0 }
for (const [subject, { all, noticed }] of scores) {
  total.noticed += noticed
  total.all += all
  console.log(`${noticed} of ${all} noticed: ${subject}`)
}
console.log(`${total.noticed} of ${total.all} faults noticed`)
const floor = values.named ? 100 : Number(values.floor)
process.exit(total.all > 0 && 100 * total.noticed >= floor * total.all ? 0 : 1)
