/** Docstrings stand where others program against something, and end as sentences do. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"

/** A glob that finds fewer docstrings than this looks in the wrong place. */
const docstringsMin = 100

interface Docstring {
  readonly line: number
  readonly text: string
}

const docstringsOf = (source: string): ReadonlyArray<Docstring> =>
  Array.from(source.matchAll(/\/\*\*([^]*?)\*\//g), ({ 1: body = "", index }) => ({
    line: source.slice(0, index).split("\n").length,
    text: body.replace(/^\s*\* ?/gm, " ").replace(/\s+/g, " ").trim()
  }))

const faultsOf = (file: string, source: string): ReadonlyArray<string> =>
  docstringsOf(source).flatMap(({ line, text }) =>
    /[.:?!)`"…>]$/.test(text) ? [] : [`${file}:${line}: end the sentence: ${text}`]
  )

/** Exported functions, classes and interfaces; a function may be made by `Effect.fn`. */
const declaration =
  /^export (?:(?:async )?function\*?|class|interface|const(?=[^=]*=\s*(?:<|\(|async|Effect\.fn|\w+\s*=>))) ?(\w+)/gm

/** Names of those that no docstring stands before. */
const undescribed = (source: string): ReadonlyArray<string> =>
  Array.from(source.matchAll(declaration)).flatMap(({ 1: name = "", index }) =>
    source.slice(0, index).endsWith("*/\n") ? [] : [name]
  )

/** The places that others program against: ports and use cases, the contract, the client. */
const isOffered = (file: string): boolean =>
  /^(?:src\/(?:application|contract)|packages\/client)\//.test(file)

const sources = globSync(["src/**/*.ts", "packages/*/src/**/*.ts"]).sort()
  .map((file) => [file, readFileSync(file, "utf8")] as const)

describe("docstrings", () => {
  it("end as sentences do", () => {
    const all = sources.flatMap(([, source]) => docstringsOf(source))
    assert.isAbove(all.length, docstringsMin)
    assert.deepStrictEqual(sources.flatMap(([file, source]) => faultsOf(file, source)), [])
  })

  it("stand before whatever ports, use cases, contract and client offer", () => {
    const offered = sources.filter(([file]) => isOffered(file))
    assert.isAbove(offered.length, 100)
    const lacking = offered.flatMap(([file, source]) =>
      undescribed(source).map((name) => `${file}: ${name}`)
    )
    assert.deepStrictEqual(lacking, [])
    const source = "export const pagesMax = 5\nexport const read = (a: 1) => a\n" +
      "export class Gone {}\n/** A page. */\nexport interface Page {}\n" +
      "export const find = Effect.fn(\"find\")\nexport function* all() {}\n"
    assert.deepStrictEqual(undescribed(source), ["read", "Gone", "find", "all"])
  })

  it("would be noticed when they break off", () => {
    const faulty = ["/** Milliseconds for one attempt */"]
    for (const docstring of faulty) assert.lengthOf(faultsOf("A.ts", docstring), 1, docstring)
    const sound = "/** At most ten. */ /** One attempt. */ /** Whatever the server says. */" +
      "interface Page { /** None for a page without a date. */ readonly date: string }"
    assert.isEmpty(faultsOf("A.ts", sound))
  })
})
