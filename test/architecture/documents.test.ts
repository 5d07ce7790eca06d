/** The documents say what the code says: events, settings, snippets, links, and nothing private. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import * as Problem from "../../src/adapters/http/Problem.ts"
import { routeOf } from "../../src/adapters/http/Routes.ts"
import { GroundingRpc } from "../../src/adapters/rpc/GroundingRpc.ts"
import { ServiceRpc } from "../../src/adapters/rpc/ServiceRpc.ts"
import { agentTools } from "../../src/contract/AgentTools.ts"
import { operations } from "../../src/contract/Operations.ts"
import { operatorOperations } from "../../src/contract/OperatorOperations.ts"
import { operationNames as names } from "../../src/contract/ServiceOperations.ts"
import * as ReasonCodes from "../../src/domain/need/ReasonCodes.ts"
import * as SearchStatus from "../../src/domain/search/SearchStatus.ts"
import * as OutcomeReason from "../../src/domain/session/OutcomeReason.ts"
import { SessionEvent } from "../../src/domain/session/SessionEvent.ts"
import * as Settings from "../../src/infrastructure/Settings.ts"
import { testTitlesOf } from "../support/testTitles.ts"

const readmeLinesMax = 150
const commands = [
  "npm ci && npm run ground -- \"How much notice must a tenant give in Japan?\" --sandbox",
  "npm ci && npm test"
]

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
  ...Object.entries(SearchStatus.table).map(([status, { coarse, isAnswered, meaning, next }]) =>
    `| \`${status}\` | \`${coarse}\` | ${isAnswered ? "yes" : "no"} | ${meaning} | ${next} |`
  ),
  ...Object.entries(SearchStatus.table).flatMap(([status, row]) =>
    "told" in row ? [`| \`${status}\` | ${row.told.en} | ${row.told.ko} |`] : []
  ),
  ...Object.entries(OutcomeReason.table).map(([code, { en, ko, meaning }]) =>
    `| \`${code}\` | ${meaning} | ${en} | ${ko} |`
  )
]

const settingRows = (): ReadonlyArray<string> =>
  Object.values(Settings.table).map(({ bounds, default: fallback, holds, meaning, name }) =>
    `| \`${name}\` | ${fallback} | ${bounds} | ${meaning}${holds === "open" ? "" : ". Secret"} |`
  )

/** What stands under a heading, up to the next. */
const sectionOf = (text: string, title: string): string =>
  text.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? ""

const readmeFaults = (text: string, example: string): ReadonlyArray<string> => [
  ...(text.split("\n").length > readmeLinesMax ? ["too long"] : []),
  ...commands.filter((command) => !text.split("\n").includes(command)),
  ...(text.includes(`\`\`\`ts\n${example}\`\`\`\n`) ? [] : ["examples/ground.ts"])
]

const linksOf = (text: string): ReadonlyArray<string> =>
  Array.from(
    prose(text).replace(/`[^`\n]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g),
    (link) => link[1] ?? ""
  )

const brokenLinks = (file: string, text: string): ReadonlyArray<string> =>
  linksOf(text).filter((link) => !/^(?:[a-z]+:|#)/.test(link)).filter((link) =>
    !existsSync(join(dirname(file), link.replace(/#.*$/, "")))
  )

const titlesOf = (text: string): ReadonlyArray<string> => prose(text).match(/^# .+$/gm) ?? []

/** Files that a document names in code font; what holds a placeholder or a pattern names none. */
const missingFiles = (text: string): ReadonlyArray<string> =>
  Array.from(
    prose(text).matchAll(
      /`((?:src|test|docs|examples|migrations|corpus|scripts|bench|packages|deploy|verifiers)\/[\w./-]*)`/g
    )
  )
    .map((named) => named[1] ?? "")
    .filter((named) => !/NNNN/.test(named) && !existsSync(named))

/** Base names of all sources: lists name a file by it where the folder stands before. */
const baseNames = new Set(
  globSync(
    "{src,test,scripts,bench,packages/*/{src,test,corpus},migrations,examples}/**/*.{ts,json}",
    {
      exclude: ["**/node_modules/**"]
    }
  ).map((file) => basename(file))
)

/** Files that a list names without their folder; a part in angle brackets stands for any name. */
const unknownNames = (text: string): ReadonlyArray<string> =>
  Array.from(prose(text).matchAll(/`(\w+\.(?:ts|json))`/g), ([, name = ""]) => name)
    .filter((name) => !baseNames.has(name))

interface NamedTest {
  readonly file: string
  readonly titles: ReadonlyArray<string>
}

const rowsOfSources = (text: string): ReadonlyArray<string> =>
  text.split("\n").filter((line) => /^\| (?!It names |---)/.test(line))

/** The files of a row's last column, each with the titles of tests behind it. */
const testsOf = (row: string): ReadonlyArray<NamedTest> =>
  Array.from(
    (row.split(" | ")[2] ?? "").matchAll(
      /`((?:packages\/\w+\/)?test\/[\w./-]+\.ts)`((?:,? “[^”]+”)*)/g
    ),
    ([, file = "", titles = ""]) => ({
      file,
      titles: Array.from(titles.matchAll(/“([^”]+)”/g), ([, title = ""]) => title)
    })
  )

/** Rows that lack a source file or a named test and do not say why. */
const unpointed = (text: string): ReadonlyArray<string> =>
  rowsOfSources(text).filter((row) => {
    const [, where = ""] = row.split(" | ")
    const tests = testsOf(row)
    const isPointed = /`(?:src|packages)\/[\w./-]+\.ts`/.test(where) && tests.length > 0
    return tests.some(({ titles }) => titles.length === 0) ||
      !isPointed && !/(?:Differs|Not there): \S/.test(where)
  })

/** Named tests that no file has: gone, renamed, skipped, or in a comment. */
const goneTests = (text: string, titlesIn: (file: string) => ReadonlySet<string>) =>
  rowsOfSources(text).flatMap(testsOf).flatMap(({ file, titles }) => {
    const there = titlesIn(file)
    return titles.filter((title) => !there.has(title)).map((title) => `${file} ${title}`)
  })

/** None where no test runs the file: a contract has to be called by one. */
const titlesThatRun = (testFiles: ReadonlyMap<string, string>) => {
  const imported = [...testFiles.values()].join("\n")
  return (file: string): ReadonlySet<string> => {
    const isRun = file.endsWith(".test.ts") || imported.includes(`/${basename(file)}"`)
    return isRun && existsSync(file) ? testTitlesOf(read(file)) : new Set()
  }
}

/** A place on somebody's machine, or the sibling folder other than by its relative name. */
const privatePlaces = (text: string): ReadonlyArray<string> => [
  ...(text.match(/(?<![\w.~/-])\/(?:work|tmp|root|home)\/\S*/g) ?? []),
  ...(text.match(/(?<!\.\.\/)\bshared\/\S*/g) ?? [])
]

describe("the documents", () => {
  it("have a row for every event", () => {
    const tags = Object.keys(SessionEvent.cases)
    assert.isAtLeast(tags.length, 10)
    assert.deepStrictEqual(withoutRow(tags, read("docs/events.md")), [])
    assert.deepStrictEqual(withoutRow(["MISSING"], "| `PRESENT` | MISSING |"), ["MISSING"])
  })

  it("have a row for every operation, as its table says", () => {
    const api = readFileSync("docs/api.md", "utf8")
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
    const reasons = readFileSync("docs/reasons.md", "utf8")
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
    const text = read("docs/statuses.md")
    assert.deepStrictEqual(codeRowsOf(text), statusRows())
    assert.include(text, `version ${OutcomeReason.textsVersion} of the texts`)
    assert.deepStrictEqual(codeRowsOf("| A | B |\n| `a` | b |\nc | `d` |\n"), ["| `a` | b |"])
  })

  it("have a row for every setting, with the default, bounds and meaning of its table", () => {
    const section = sectionOf(read("docs/operations.md"), "Settings")
    assert.deepStrictEqual(codeRowsOf(section), settingRows())
    assert.isAtLeast(settingRows().length, 60)
    assert.strictEqual(sectionOf("# A\n## B\nb\n## C\nc\n", "B"), "B\nb\n")
  })

  it("name no setting that nothing reads", () => {
    const { names } = Settings
    const tables = "src/infrastructure/settings/"
    const sources = globSync("src/**/*.ts").filter((file) => !file.startsWith(tables)).map(read)
    assert.deepStrictEqual(unread(names, sources), [])
    const blind = sources.map((source) => source.replaceAll("SERPAPI_MONTHLY_SEARCHES", ""))
    assert.deepStrictEqual(unread(names, blind), ["SERPAPI_MONTHLY_SEARCHES"])
    assert.deepStrictEqual(unread(["A"], ["/** Reads A. */\nA_B // A\n * A"]), ["A"])
  })

  it("open with a short README: two commands, and an example that is type-checked", () => {
    const readme = read("README.md")
    const example = read("examples/ground.ts")
    assert.deepStrictEqual(readmeFaults(readme, example), [])
    assert.deepStrictEqual(readmeFaults(readme, `${example}// more\n`), ["examples/ground.ts"])
    assert.deepStrictEqual(readmeFaults(`${readme}${"\n".repeat(150)}`, example), ["too long"])
    assert.lengthOf(readmeFaults("", example), 3)
  })

  it("point from what the sources name to a file and a test by its title, or say why not", () => {
    const sources = read("docs/sources.md")
    assert.isAtLeast(rowsOfSources(sources).length, 200)
    assert.deepStrictEqual(unpointed(sources), [])
    const whole = "| a | `src/main.ts` | `test/a.test.ts` “does a” |"
    const bare = [
      "| b | `src/main.ts` | – |",
      "| c | – | `test/a.test.ts` “does a” |",
      "| d | Soon | – |",
      "| e | `src/main.ts` | `test/a.test.ts` |",
      "| f | `src/main.ts` | `test/a.test.ts` “does a”, `test/b.test.ts` |"
    ]
    const told = "| g | Differs: by choice | – |"
    assert.deepStrictEqual(unpointed([whole, ...bare, told].join("\n")), bare)
  })

  it("name no test of the sources that is gone", () => {
    const sources = read("docs/sources.md")
    const testFiles = globSync("test/**/*.test.ts")
    const titlesIn = titlesThatRun(new Map(testFiles.map((file) => [file, read(file)])))
    assert.deepStrictEqual(goneTests(sources, titlesIn), [])
    const [first = assert.fail()] = rowsOfSources(sources).flatMap(testsOf)
    const renamed = sources.replace(`“${first.titles[0]}”`, "“is no more”")
    assert.deepStrictEqual(goneTests(renamed, titlesIn), [`${first.file} is no more`])
    const unrun = titlesThatRun(new Map())
    assert.isEmpty(unrun("test/contract/acceptanceTable.ts"))
    assert.isNotEmpty(titlesIn("test/contract/acceptanceTable.ts"))
  })

  it("know a test that runs from one that is skipped, or in a comment", () => {
    const running = [
      "  it(\"one\", () => {})",
      "  it.effect(\n    `two of ${many}`,\n    () => {}, 9)",
      "  it.live.each<readonly [string]>([[\"a\"]])(\n    \"three: %s\",\n    () => {})",
      "  it.prop(\"says \\\"four\\\"\", {})"
    ]
    const idle = [
      "  // it(\"five\", () => {})",
      "  /* it(\"six\", () => {}) */",
      "  it.skip(\"seven\", () => {})",
      "  it.effect.skip.each([1])(\"eight\", () => {})",
      "  it.skipIf(isLate)(\"nine\", () => {})",
      "  describe(\"ten\", () => {})",
      "  describe.skip(\"eleven\", () => {\n    it(\"twelve\", () => {})\n  })"
    ]
    assert.deepStrictEqual(
      [...testTitlesOf([...running, ...idle].join("\n"))],
      ["one", "two of ${many}", "three: %s", "says \"four\""]
    )
  })

  it.each(documents)("%s is sound", (file) => {
    const text = read(file)
    assert.deepStrictEqual(brokenLinks(file, text), [], "links that lead nowhere")
    assert.deepStrictEqual(missingFiles(text), [], "files that are not there")
    assert.lengthOf(titlesOf(text), 1, "one title")
    assert.deepStrictEqual(privatePlaces(text), [], "places that a reader does not have")
  })

  it("would notice a link that leads nowhere", () => {
    const text = "[a](README.md#x) [b](https://b.example) [c](#c) [d](no/such.md) `[e](no.md)`"
    assert.deepStrictEqual(brokenLinks("STYLE.md", text), ["no/such.md"])
  })

  it("name files of the sources, where they give no folder", () => {
    for (const file of ["ARCHITECTURE.md", "CONTRIBUTING.md"]) {
      assert.deepStrictEqual(unknownNames(readFileSync(file, "utf8")), [], file)
    }
    assert.deepStrictEqual(unknownNames("see `NextStep.ts` and `LastStep.ts`"), ["LastStep.ts"])
  })

  it("would notice a file that is not there", () => {
    const text = "`src/main.ts`, `src/no/such.ts`, `migrations/NNNN_name.ts`, `docs/`"
    assert.deepStrictEqual(missingFiles(text), ["src/no/such.ts"])
  })

  it("would notice a second title, but not one in code", () => {
    assert.lengthOf(titlesOf("# One\n```sh\n# no title\n```\n# Two\n"), 2)
    assert.lengthOf(titlesOf("## None\n"), 0)
  })

  it("would notice places on a machine", () => {
    const sibling = ["shared", "data"].join("/")
    const text = `see /home/me/x, (/tmp/y) and ${sibling}; https://a.example/work/z, ../${sibling}`
    assert.deepStrictEqual(privatePlaces(text), ["/home/me/x,", "/tmp/y)", `${sibling};`])
  })
})
