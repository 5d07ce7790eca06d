/** What a module offers is used by another one: else it is private, or gone. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"

/** A glob that finds fewer sources than this looks in the wrong place. */
const filesMin = 100

const sources = new Map(
  globSync("{src,test,bench,scripts,migrations,examples}/**/*.ts", {
    exclude: ["**/node_modules/**"]
  })
    .map((file) => [file, readFileSync(file, "utf8")])
)

const importedBy = (file: string, source: string): ReadonlyArray<string> =>
  [...source.matchAll(/(?:from\s+|import\()"(\.[^"]+)"/g)]
    .map(([, from = ""]) => normalize(join(dirname(file), from)))

/** The sources of those that import a file, by that file. */
const readers = new Map<string, Array<string>>()
for (const [file, source] of sources) {
  for (const target of importedBy(file, source)) {
    readers.set(target, [...readers.get(target) ?? [], source])
  }
}

/** A decider is passed around as a whole: see `src/domain/Decider.ts`. */
const ofDeciders = ["initial", "decide", "evolve"]

/** Constants and functions; a type that stands in a signature is offered with it. */
const valuesOf = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name = ""]) => name)

const isNamed = (name: string, source: string) => new RegExp(`\\b${name}\\b`).test(source)

const unused = (file: string, source: string, others: ReadonlyArray<string>) =>
  valuesOf(source).filter((name) => !ofDeciders.includes(name))
    .filter((name) => !others.some((other) => isNamed(name, other)))
    .map((name) => `${file}: ${name}`)

describe("exports", () => {
  it("are used by another file", () => {
    const files = [...sources].filter(([file]) => file.startsWith("src/"))
    assert.isAbove(files.length, filesMin)
    const found = files.flatMap(([file, source]) => unused(file, source, readers.get(file) ?? []))
    assert.deepStrictEqual(found, [])
  })

  it("would be noticed when nobody uses them", () => {
    const source = "export const hitsMax = 5\nexport const pagesMax = 6"
    assert.deepStrictEqual(unused("A.ts", source, ["A.hitsMax"]), ["A.ts: pagesMax"])
  })
})
