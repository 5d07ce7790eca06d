/** What the client knows of the contract is what the contract says, and it needs nothing else. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import * as client from "../../packages/client/src/connect.ts"
import { clientFiles } from "../../scripts/contract/ClientFiles.ts"
import { kinds, Problem } from "../../src/adapters/http/Problem.ts"

const filesMin = 8

/** What only some platforms have. */
const foreign = /\b(?:process|Buffer|require|__dirname|Deno|Bun|window|document)\b\s*[.([]/

const offences = (source: string): ReadonlyArray<string> => {
  const imports = [...source.matchAll(/(?:^(?:import|export)\s[^"]*?from |\bimport\()"([^"]+)"/gm)]
    .map(([, from = ""]) => from)
    .filter((from) => !from.startsWith("./"))
  return [...imports, ...(foreign.exec(source.replace(/\/\*[^]*?\*\//g, "")) ?? [])]
}

describe("the client's contract", () => {
  it("is what the script writes; if not: node scripts/clientContract.ts", () => {
    const files = clientFiles()
    assert.lengthOf(files, 3)
    for (const { path, text } of files) assert.strictEqual(readFileSync(path, "utf8"), text, path)
  })

  it("explains a name to a person who points at it", () => {
    const text = readFileSync("packages/client/src/Contract.ts", "utf8")
    assert.include(text, "export interface GroundingOutcome {")
    assert.include(text, "readonly pack: GroundingPack\n")
    assert.include(text, "   * Milliseconds from arrival to answer. Default: 45,000 standard")
    assert.include(text, " * - `budget_exhausted`: Not searched: the session has no search left")
    assert.include(text, "request. Default: `\"standard\"`. */\n  readonly tier?: Tier\n")
  })

  it("has a class for every kind of problem", () => {
    const classes = new Map(Object.entries(client))
    for (const kind of Object.keys(kinds)) {
      const name = kind.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
      assert.isTrue(classes.has(name), name)
    }
  })

  it("has on a failure whatever a problem says of a caller's call", () => {
    // Published under other names, or for operators only.
    const others = ["type", "status", "title", "detail", "instance", "errors", "may_have_searched"]
    const members = Object.keys(Problem.fields)
      .filter((field) => ![...others, "retry_after_ms", "token_id", "matter"].includes(field))
    const problem = Object.fromEntries(members.map((field) => [field, `of ${field}`]))
    const failure = new client.UnknownProblem(
      { type: "x", status: 400, title: "x", detail: "x", ...problem },
      false
    )
    assert.isAtLeast(members.length, 11)
    assert.deepInclude({ ...failure }, problem)
  })
})

describe("the client", () => {
  it("imports nothing but itself, and asks for nothing that only one platform has", () => {
    const files = globSync("packages/client/src/*.ts", { exclude: ["**/effect.ts"] })
    assert.isAtLeast(files.length, filesMin)
    assert.deepStrictEqual(files.flatMap((file) => offences(readFileSync(file, "utf8"))), [])
    const bad = [
      "import { Effect } from \"effect\"",
      "import(\"node:fs\")",
      "process.env",
      "Buffer.from("
    ]
    for (const source of bad) assert.isNotEmpty(offences(source), source)
  })

  it("depends on no package, and on effect only where its layer is used", () => {
    const manifest = JSON.parse(readFileSync("packages/client/package.json", "utf8"))
    assert.deepStrictEqual(Object.keys(manifest.dependencies ?? {}), [])
    assert.deepStrictEqual(Object.keys(manifest.peerDependencies), ["effect"])
    assert.deepStrictEqual(manifest.peerDependenciesMeta, { effect: { optional: true } })
    assert.deepStrictEqual(manifest.files, ["dist"])
  })
})
