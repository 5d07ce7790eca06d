/** Docstrings name the thing first, so that a reader need not guess what is spoken of. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"

/** A glob that finds fewer docstrings than this looks in the wrong place. */
const docstringsMin = 3_000

/** A phrase that leans on the name behind it: "Of the key", "As sent", "Whose it is", "One a text". */
const leaning = new RegExp(
  "^(?:(?:Of|As|By|With|Without|Off|Who|Whom|Whose|So|Never|That|Its|Those|Else|Which|Where|What|" +
    "When|In|From|For|On|Under|To|Until|Since|After|Before|Behind|Between|Beside|Among|Outside|" +
    "Above|Below|Likewise)\\b|At (?!least\\b|most\\b)|One (?:an?|for|in|of|to|that|who)\\b)"
)

/** A side of a value that is told before the value: "None: …", "`limit`: …", "Best first". */
const sideFirst =
  /^(?:`\w+`(?: and `\w+`)?:|(?:Best|Newest) first|(?:The same|None|Empty|Fails|Each once|Ascending|Idempotent|Made once)\b|(?:Law|Total):)/

interface Docstring {
  readonly line: number
  readonly text: string
  /** Whether it stands before an exported value. */
  readonly isOfExport: boolean
}

const docstringsOf = (source: string): ReadonlyArray<Docstring> =>
  Array.from(source.matchAll(/\/\*\*([^]*?)\*\//g), ({ 1: body = "", index }) => ({
    line: source.slice(0, index).split("\n").length,
    text: body.replace(/^\s*\* ?/gm, " ").replace(/\s+/g, " ").trim(),
    isOfExport: /^\nexport (?:const|async|function)/.test(
      source.slice(index + body.length + "/***/".length)
    )
  }))

const faultsOf = (file: string, source: string): ReadonlyArray<string> =>
  docstringsOf(source).flatMap(({ isOfExport, line, text }) => [
    ...(leaning.test(text) ? [`${file}:${line}: name the thing first: ${text}`] : []),
    ...(isOfExport && sideFirst.test(text)
      ? [`${file}:${line}: say what it gives, then when it gives none: ${text}`]
      : []),
    ...(/[.:?!)`"…>]$/.test(text) ? [] : [`${file}:${line}: end the sentence: ${text}`])
  ])

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
  it("name the thing first and end as sentences do", () => {
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

  it("would be noticed when they lean on a name, or break off", () => {
    const faulty = [
      "/** Of the key that signs. */",
      "/**\n * As the commands\n * ask for it.\n */",
      "/** One a text, in their order. */",
      "/** At the same time. */",
      "/** Milliseconds for one attempt */",
      "/** None for what is no page. */\nexport const read = 1",
      "/** `limit`: in bytes. */\nexport const read = 1"
    ]
    for (const docstring of faulty) assert.lengthOf(faultsOf("A.ts", docstring), 1, docstring)
    const sound = "/** At most ten. */ /** One attempt. */ /** Whatever the server says. */" +
      "interface Page { /** None for a page without a date. */ readonly date: string }"
    assert.isEmpty(faultsOf("A.ts", sound))
  })
})
