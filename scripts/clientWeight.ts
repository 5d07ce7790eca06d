/**
 * What the client costs whoever installs it, beside other clients of search and models: prints the
 * table of `docs/client.md`. `node scripts/clientWeight.ts` installs each with npm into an empty
 * directory. Times are told as multiples of an empty module's, middle of several runs in turn.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const runsCount = 9

interface Subject {
  readonly label: string
  /** What npm is asked for: a name with its version, or a tarball. */
  readonly asked: string
  /** A module that uses it. */
  readonly source: string
}

interface Installed extends Subject {
  readonly directory: string
}

const compiler = resolve("node_modules/typescript/bin/tsc")
const nodeTypes = resolve("node_modules/@types")

const middle = (values: ReadonlyArray<number>): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

const msOf = (args: ReadonlyArray<string>, cwd: string): number => {
  const fromMs = performance.now()
  execFileSync(process.execPath, args, { cwd, stdio: "inherit" })
  return performance.now() - fromMs
}

const installed = (subject: Subject, directory: string): Installed => {
  writeFileSync(join(directory, "package.json"), `{"type":"module"}`)
  writeFileSync(join(directory, "use.ts"), subject.source)
  writeFileSync(join(directory, "use.js"), subject.source)
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"]
  if (subject.asked !== "") execFileSync("npm", [...args, subject.asked], { cwd: directory })
  else execFileSync("npm", args, { cwd: directory })
  return { ...subject, directory }
}

const weightOf = ({ directory }: Installed) => {
  const entries = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((entry) => entry.startsWith("node_modules/"))
  const bytes = entries.map((entry) => statSync(join(directory, entry)))
    .reduce((sum, entry) => entry.isFile() ? sum + entry.size : sum, 0)
  const packagesCount =
    entries.filter((entry) =>
      /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^@./][^/]*\/package\.json$/.test(entry)
    ).length
  return { megabytes: bytes / 1e6, packagesCount }
}

const checking = ["--strict", "--noEmit", "--skipLibCheck", "false", "--target", "ES2022"]
const typesArgs = [
  compiler,
  ...checking,
  "--module",
  "NodeNext",
  "--typeRoots",
  nodeTypes,
  "--types",
  "node",
  "use.ts"
]

const times = (subjects: ReadonlyArray<Installed>, args: ReadonlyArray<string>) => {
  // In turn, so that a busy moment does not meet one of them alone.
  const rounds = Array.from(
    { length: runsCount },
    () => subjects.map(({ directory }) => msOf(args, directory))
  )
  return subjects.map((_, at) => middle(rounds.map((round) => round[at] ?? 0)))
}

const root = mkdtempSync(join(tmpdir(), "wg-weight-"))
try {
  const packed = execFileSync(
    "npm",
    ["pack", "--silent", "--pack-destination", root, "-w", "packages/client"],
    { encoding: "utf8" }
  ).trim().split("\n").at(-1) ?? ""
  const subjects: ReadonlyArray<Subject> = [
    { label: "an empty module", asked: "", source: "export {}\n" },
    {
      label: "`@web-grounding/client`",
      asked: join(root, packed),
      source: `import { connect } from "@web-grounding/client"\nconnect("http://127.0.0.1")\n`
    },
    {
      label: "`@tavily/core` 0.7.13",
      asked: "@tavily/core@0.7.13",
      source: `import { tavily } from "@tavily/core"\ntavily({ apiKey: "tvly-x" })\n`
    },
    {
      label: "`openai` 7.57.0",
      asked: "openai@7.57.0",
      source: `import OpenAI from "openai"\nnew OpenAI({ apiKey: "x" })\n`
    }
  ]
  const there = subjects.map((subject) => installed(subject, mkdtempSync(join(root, "of-"))))
  const types = times(there, typesArgs)
  const imports = times(there, ["use.js"])
  const ratio = (values: ReadonlyArray<number>, at: number) =>
    ((values[at] ?? 0) / (values[0] ?? 1)).toFixed(2)
  console.log("| Package | Packages | MB installed | Type check | Cold import |")
  console.log("| --- | --- | --- | --- | --- |")
  there.forEach((subject, at) => {
    const { megabytes, packagesCount } = weightOf(subject)
    console.log(
      `| ${subject.label} | ${packagesCount} | ${megabytes.toFixed(1)} | ` +
        `${ratio(types, at)} | ${ratio(imports, at)} |`
    )
  })
} finally {
  rmSync(root, { recursive: true, force: true })
}
