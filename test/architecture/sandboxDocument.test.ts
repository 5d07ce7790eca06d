/** The document of the sandbox names all that a caller may use there. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { faultNames } from "../../src/adapters/sandbox/dialect/Fault.ts"
import * as SandboxKey from "../../src/adapters/sandbox/dialect/SandboxKey.ts"
import { searchRoutes } from "../../src/adapters/sandbox/SearchDialects.ts"
import * as Providers from "../../src/wiring/Providers.ts"

const text = readFileSync("docs/sandbox.md", "utf8")

/** First cells of the rows under a heading. */
const cellsOf = (document: string, title: string): string =>
  (document.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? "")
    .split("\n").map((line) => /^\| (.*?) \|/.exec(line)?.[1] ?? "").join("\n")

const unnamedRoutes = (document: string) => {
  const cells = cellsOf(document, "Protocol")
  return searchRoutes.map(({ method, path }) => `${method} ${path}`)
    .filter((route) => !cells.includes(`\`${route}\``))
}

const unnamedFaults = (document: string) => {
  const cells = cellsOf(document, "Faults")
  return faultNames.filter((name) => !cells.includes(`\`${name}\``))
}

const unnamedKeys = (document: string) => {
  const keyed = Providers.table.flatMap(({ ledger, name }) => ledger === undefined ? [] : [name])
  return [...keyed, "jina" as const, "openai" as const]
    .map((service) => SandboxKey.plain(service).replace(/1$/, ""))
    .filter((beginning) => !document.includes(`\`${beginning}\``))
}

describe("docs/sandbox.md", () => {
  it("has each way to ask for a search among its endpoints", () => {
    assert.deepStrictEqual(unnamedRoutes(text), [])
    assert.deepStrictEqual(unnamedRoutes(text.replace("`POST /html/`", "")), ["POST /html/"])
  })

  it("has each fault in its table", () => {
    assert.deepStrictEqual(unnamedFaults(text), [])
    assert.deepStrictEqual(unnamedFaults(text.replace("| `hang` |", "| |")), ["hang"])
  })

  it("says how the keys of each service begin", () => {
    assert.deepStrictEqual(unnamedKeys(text), [])
    assert.deepStrictEqual(unnamedKeys(text.replaceAll("`serp-", "`")), ["serp-sandbox-"])
  })
})
