/** What a module offers is used by another one that runs: else it is private, or gone. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { basename, dirname, join, normalize } from "node:path"

/** A glob that finds fewer sources than this looks in the wrong place. */
const filesMin = 100

const outside = { exclude: ["**/node_modules/**", "**/dist/**"] }
const sources = new Map(
  globSync(
    [
      "{src,test,bench,scripts,migrations,examples,packages/*/{src,test,fit,bench}}/**/*.{ts,js,mjs}",
      "vitest.config.ts"
    ],
    outside
  ).map((file) => [file, readFileSync(file, "utf8")])
)
/** Documents and settings of tools, which name files that nothing imports. */
const naming = globSync(
  ["*.{json,md,ts}", "{docs,bench,bin,examples,ops,deploy,test}/**/*.{js,json,md,ts}"],
  outside
).map((file) => [file, readFileSync(file, "utf8")] as const)

/** Modules that our packages offer, by the name that they are imported under. */
const offered: ReadonlyMap<string, string> = new Map(
  globSync("packages/{dialects,language,pages,safe-fetch,sandbox}/package.json").flatMap((file) => {
    const { exports, name } = JSON.parse(readFileSync(file, "utf8"))
    return Object.keys(exports).map((path) =>
      [join(name, path), join(dirname(file), exports[path])] as const
    )
  })
)

const importedBy = (file: string, source: string): ReadonlyArray<string> =>
  [...source.matchAll(/(?:from\s+|import\s+|import\()"([.@][^"]+)"/g)]
    .map(([, from = ""]) => offered.get(from) ?? normalize(join(dirname(file), from)))

type Sources = ReadonlyMap<string, string>

/** The files that import a file, by that file. */
const readersIn = (all: Sources): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, Array<string>>()
  for (const [file, source] of all) {
    for (const target of importedBy(file, source)) {
      found.set(target, [...found.get(target) ?? [], file])
    }
  }
  return found
}

/** Exports that no other file of production, benches or tools names, and why they stay. */
const allowed: ReadonlyMap<string, string> = new Map([
  [
    "src/domain/store/DocumentChunking.ts: tokensOf",
    "tests measure by it the sizes that the chunks promise"
  ],
  ["bench/adapters/eventstore.ts: eventstore", "a harness outside of this repository imports it"],
  ["bench/adapters/poison.ts: open", "a harness outside of this repository imports it"],
  ["bench/adapters/quality.ts: planQueries", "a harness outside of this repository imports it"]
])

/** A decider is passed around as a whole: see `src/application/log/CommandHandler.ts`. */
const ofDeciders = ["initial", "decide", "evolve"]

/** Constants, functions and classes; a type in a signature is offered with it, and may stay. */
const valuesOf = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name = ""]) => name)

const typesOf = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name = ""]) => name)

const timesNamed = (name: string, source: string): number =>
  source.match(new RegExp(`\\b${name}\\b`, "g"))?.length ?? 0

/**
 * Exports of a file without a reader. A bound that a test states, or an error that it expects,
 * counts as used; what its own file does not use either has to run somewhere outside tests.
 */
const unused = (file: string, all: Sources, readers = readersIn(all)): ReadonlyArray<string> => {
  const source = all.get(file) ?? ""
  const others = (readers.get(file) ?? []).filter((other) => other !== file)
  const isNamedIn = (name: string) => (other: string) => timesNamed(name, all.get(other) ?? "") > 0
  const isTest = (path: string) => /(?:^|\/)test\//.test(path)
  const isRun = (other: string) => !isTest(other) || isTest(file)
  const values = valuesOf(source).filter((name) => !ofDeciders.includes(name)).filter((name) => {
    const by = others.filter(isNamedIn(name))
    const isError = new RegExp(`^export class ${name}\\b`, "m").test(source)
    const isOwn = timesNamed(name, source) > (isError ? 2 : 1)
    return isOwn && isError ? false : isOwn ? by.length === 0 : !by.some(isRun)
  })
  const types = typesOf(source).filter((name) =>
    timesNamed(name, source) < 2 && !others.some(isNamedIn(name))
  )
  return [...values, ...types].map((name) => `${file}: ${name}`)
}

/** Files that are started by their name: a command, a worker, a test's child, a declaration. */
const isStarted = (file: string): boolean =>
  /\.(?:test|d)\.ts$/.test(file) || /^(?:migrations|scripts|examples)\//.test(file) ||
  [...sources, ...naming].some(([other, text]) =>
    other !== file && text.includes(`${basename(file).replace(/\.ts$/, "")}`)
  )

const isOurs = (file: string): boolean =>
  /^(?:packages\/(?!client)[\w-]+\/)?(?:src|bench|fit|test)\//.test(file)

describe("exports", () => {
  const readers = readersIn(sources)

  it("are used by another file that runs", () => {
    const files = [...sources.keys()].filter((file) =>
      isOurs(file) && file.endsWith(".ts") && !file.endsWith(".d.ts")
    )
    assert.isAbove(files.length, filesMin)
    const found = files.flatMap((file) => unused(file, sources, readers))
    assert.deepStrictEqual(found.filter((name) => !allowed.has(name)), [])
    assert.deepStrictEqual([...allowed.keys()].filter((name) => !found.includes(name)), [])
  })

  it("are in files that are imported, or started by name", () => {
    const files = [...sources.keys()].filter(isOurs)
    const unread = files.filter((file) => (readers.get(file) ?? []).length === 0)
    assert.deepStrictEqual(unread.filter((file) => !isStarted(file)), [])
    assert.isFalse(isStarted(`src/domain/${["Nobody", "ReadsThis"].join("")}.ts`))
  })
})
