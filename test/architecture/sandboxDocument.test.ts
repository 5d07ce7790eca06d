/** The document of the sandbox names all that a caller may use there. */
import { assert, describe, it } from "@effect/vitest"
import { Struct } from "effect"
import { readFileSync } from "node:fs"
import { faultNames, plain } from "../../packages/sandbox/src/dialect/Fault.ts"
import { searchDialects } from "../../packages/sandbox/src/SandboxServer.ts"
import { providerTitles } from "../../src/domain/search/SearchStatus.ts"
import * as Providers from "../../src/wiring/Providers.ts"

const text = readFileSync("docs/sandbox.md", "utf8")

/** First cells of the rows under a heading. */
const cellsOf = (document: string, title: string): string =>
  (document.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? "")
    .split("\n").map((line) => /^\| (.*?) \|/.exec(line)?.[1] ?? "").join("\n")

const routesOf = (provider: keyof typeof searchDialects) =>
  searchDialects[provider].routes.map(({ method, path }) => `${method} ${path}`)
const searchers = Struct.keys(searchDialects)

/** Routes without a row that names their provider, too. */
const unnamedRoutes = (document: string) => {
  const rows = (document.split(/^## /m).find((section) => section.startsWith("Protocol\n")) ?? "")
    .split("\n")
  return searchers.flatMap((provider) =>
    routesOf(provider).filter((route) =>
      !rows.some((row) => row.includes(`\`${route}\``) && row.includes(providerTitles[provider]))
    )
  )
}

const unnamedFaults = (document: string) => {
  const cells = cellsOf(document, "Faults")
  return faultNames.filter((name) => !cells.includes(`\`${name}\``))
}

const unnamedKeys = (document: string) => {
  const keyed = Providers.table.flatMap(({ ledger, name }) => ledger === undefined ? [] : [name])
  return [...keyed, "jina" as const, "openai" as const]
    .map((service) => plain(service).replace(/1$/, ""))
    .filter((beginning) => !document.includes(`\`${beginning}\``))
}

describe("docs/sandbox.md", () => {
  it("has each way to ask for a search among its endpoints", () => {
    assert.deepStrictEqual(unnamedRoutes(text), [])
    assert.deepStrictEqual(unnamedRoutes(text.replace("`POST /html/`", "")), ["POST /html/"])
  })

  it("gives each route to one provider: all stand on one server", () => {
    const claims = searchers.flatMap((provider) =>
      routesOf(provider).map((route) => ({ route, provider }))
    )
    const shared = [...Map.groupBy(claims, ({ route }) => route)].filter(([, some]) =>
      some.length > 1
    )
      .map(([route, some]) => `${route}: ${some.map(({ provider }) => provider).join(", ")}`)
    assert.deepStrictEqual(shared, [])
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
