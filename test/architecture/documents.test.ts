/** The documents say what the code says: events, settings, links, and nothing private. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import * as Problem from "../../src/adapters/http/Problem.ts"
import { routeOf } from "../../src/adapters/http/Problem.ts"
import { GroundingRpc } from "../../src/adapters/rpc/GroundingRpc.ts"
import { ServiceRpc } from "../../src/adapters/rpc/ServiceRpc.ts"
import { agentTools } from "../../src/contract/AgentTools.ts"
import { operations } from "../../src/contract/Operations.ts"
import {
  operationNames as names,
  operatorOperations
} from "../../src/contract/ServiceOperations.ts"
import * as ReasonCodes from "../../src/domain/need/ReasonCodes.ts"
import * as SearchStatus from "../../src/domain/search/SearchStatus.ts"
import * as OutcomeReason from "../../src/domain/session/OutcomeReason.ts"
import { SessionEvent } from "../../src/domain/session/SessionEvent.ts"
import * as Settings from "../../src/infrastructure/Settings.ts"
import * as Providers from "../../src/wiring/Providers.ts"

const read = (file: string): string => readFileSync(file, "utf8").replaceAll("\r\n", "\n")

/** Pages of the corpus are data; what explains them is a document. */
const documents = globSync(["*.md", "*/README.md", "packages/*/README.md", "docs/**/*.md"])
  .filter((file) => !file.startsWith("node_modules"))
  .sort()

/** What a reader sees as text: no fenced code. */
const prose = (text: string): string => text.replace(/^```[^]*?^```$/gm, "")

const rowsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.matchAll(/^\| `([A-Z][A-Z0-9_]*)` \|/gm), (row) => row[1] ?? ""))

const withoutRow = (names: ReadonlyArray<string>, text: string): ReadonlyArray<string> =>
  names.filter((name) => !rowsOf(text).has(name))

/** Settings that no code names: a comment that speaks of one does not read it. */
const unread = (
  names: ReadonlyArray<string>,
  sources: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const code = sources.map((source) => source.replace(/\/\*[^]*?\*\/|^\s*\*.*$|\/\/.*$/gm, ""))
  return names.filter((name) => !code.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
}

/** Rows of Markdown tables, without their heads: only rows begin with a code word. */
const codeRowsOf = (text: string): ReadonlyArray<string> => text.match(/^\| `.*$/gm) ?? []

const statusRows = (): ReadonlyArray<string> => [
  ...SearchStatus.SearchStatus.literals.map((status) =>
    `| \`${status}\` | \`${SearchStatus.coarse(status)}\` | ${
      SearchStatus.isAnswered(status) ? "yes" : "no"
    } | ${SearchStatus.table[status].meaning} | ${SearchStatus.table[status].next} |`
  ),
  ...Object.entries(SearchStatus.table).flatMap(([status, row]) =>
    "told" in row ? [`| \`${status}\` | ${row.told.en} | ${row.told.ko} |`] : []
  ),
  ...Object.entries(OutcomeReason.table).map(([code, { en, ko, meaning }]) =>
    `| \`${code}\` | ${meaning} | ${en} | ${ko} |`
  )
]

/** The section under a heading, up to the next. */
const sectionOf = (text: string, title: string): string =>
  text.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? ""

const linksOf = (text: string): ReadonlyArray<string> =>
  Array.from(
    prose(text).replace(/`[^`\n]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g),
    (link) => link[1] ?? ""
  )

const brokenLinks = (file: string, text: string): ReadonlyArray<string> =>
  linksOf(text).filter((link) => !/^(?:[a-z]+:|#)/.test(link)).filter((link) =>
    !existsSync(join(dirname(file), link.replace(/#.*$/, "")))
  )

/** Files that a document names in code font; what holds a placeholder or a pattern names none. */
const missingFiles = (text: string): ReadonlyArray<string> =>
  Array.from(
    prose(text).matchAll(
      /`((?:src|test|docs|examples|migrations|corpus|scripts|bench|packages|deploy|verifiers)\/[\w./-]*)`/g
    )
  )
    .map((named) => named[1] ?? "")
    .filter((named) => !/NNNN/.test(named) && !existsSync(named))

/** Base names of all sources: lists name a file by it where the folder comes before. */
const baseNames = new Set(
  globSync(
    "{src,test,scripts,bench,packages/*/{src,test,corpus,fit,bench},migrations,examples}/**/*.{ts,json}",
    {
      exclude: ["**/node_modules/**"]
    }
  ).map((file) => basename(file))
)

/** Files that a list names without their folder; a part in angle brackets matches any name. */
const unknownNames = (text: string): ReadonlyArray<string> =>
  Array.from(prose(text).matchAll(/`(\w+\.(?:ts|json))`/g), ([, name = ""]) => name)
    .filter((name) => !baseNames.has(name))

/** A path on one machine, or the sibling folder other than by its relative name. */
const privatePlaces = (text: string): ReadonlyArray<string> => [
  ...(text.match(/(?<![\w.~/-])\/(?:work|tmp|root|home)\/\S*/g) ?? []),
  ...(text.match(/(?<!\.\.\/)\bshared\/\S*/g) ?? [])
]

describe("the documents", () => {
  it("have a row for every event", () => {
    const tags = Object.keys(SessionEvent.cases)
    assert.deepStrictEqual(withoutRow(tags, read("docs/reference/events.md")), [])
  })

  it("have a row for every operation, as its table says", () => {
    const api = readFileSync("docs/reference/operations.md", "utf8")
    const all = { ...operations, ...operatorOperations }
    assert.sameMembers([...names], Object.keys(all))
    for (const name of names) {
      const { cost, scope, summary } = all[name]
      const { method, path } = routeOf(name)
      assert.include(
        api,
        `| \`${name}\` | \`${method} ${path}\` | ${scope} | ${cost} | ${summary} |`
      )
    }
    assert.deepStrictEqual([...GroundingRpc.requests.keys()], Object.keys(operations))
    assert.deepStrictEqual([...ServiceRpc.requests.keys()], Object.keys(all))
  })

  it("have a row for every kind of problem over HTTP, as its table says", () => {
    const rows = Object.entries(Problem.kinds).map(([kind, { status, title }]) =>
      `| \`${kind}\` | ${status} | ${title} |`
    )
    const section = sectionOf(read("docs/http.md"), "Problems")
    assert.deepStrictEqual(codeRowsOf(section), rows)
  })

  it("have a row for every tool of agents", () => {
    const text = read("docs/mcp.md")
    const without = Object.keys(agentTools).filter((name) => !text.includes(`\n| \`${name}\` | `))
    assert.deepStrictEqual(without, [])
  })

  it("have a row for every reason code, as its table says", () => {
    const reasons = readFileSync("docs/reference/reasons.md", "utf8")
    const given = {
      search: "for a search",
      no_search: "against a search",
      limit: "by phase and budget"
    }
    for (const { code, kind, meaning } of ReasonCodes.table) {
      assert.include(reasons, `| \`${code}\` | ${given[kind]} | ${meaning} |`)
    }
  })

  it("have a row for every status and every reason of an outcome, as their tables say", () => {
    const text = read("docs/reference/statuses.md")
    assert.deepStrictEqual(codeRowsOf(text), statusRows())
    assert.include(text, `version ${OutcomeReason.textsVersion} of the texts`)
  })

  it("name no setting that nothing reads", () => {
    const { names } = Settings
    const tables = "src/infrastructure/settings/"
    const sources = globSync("src/**/*.ts").filter((file) => !file.startsWith(tables)).map(read)
    assert.deepStrictEqual(unread(names, [...sources, JSON.stringify(Providers.table)]), [])
  })

  it.each(documents)("%s is sound", (file) => {
    const text = read(file)
    assert.deepStrictEqual(brokenLinks(file, text), [], "links that lead nowhere")
    assert.deepStrictEqual(missingFiles(text), [], "files that are not there")
    assert.deepStrictEqual(privatePlaces(text), [], "places that a reader does not have")
  })

  it("name files of the sources, where they give no folder", () => {
    for (const file of ["ARCHITECTURE.md", "CONTRIBUTING.md"]) {
      assert.deepStrictEqual(unknownNames(readFileSync(file, "utf8")), [], file)
    }
  })
})
