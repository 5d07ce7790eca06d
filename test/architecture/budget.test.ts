/**
 * Lines of code by folder, without blanks, comments and imports. A budget may only fall: lower it with
 * what a change saves. A capability that needs more says in a decision record why it is worth them.
 */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"

const codeLines: Readonly<Record<string, number>> = {
  "packages/client/src": 1_842,
  "packages/dialects/src": 2_124,
  "packages/language/src": 4_193,
  "packages/pages/src": 2_955,
  "packages/safe-fetch/src": 892,
  "packages/sandbox/src": 1_718,
  src: 16,
  "src/adapters": 13_183,
  "src/application": 9_067,
  "src/contract": 1_444,
  "src/domain": 10_339,
  "src/infrastructure": 3_201,
  "src/wiring": 1_450
}

/** Sources of the service and of the packages. */
const filesMax = 411
/** Lines of tests and scripts, blanks and comments too. */
const testLinesMax: Readonly<Record<string, number>> = {
  "{test,scripts}": 69_065,
  "packages/*/test": 8_511
}

const codeLinesOf = (source: string): number =>
  source.replace(/^[ \t]*\/\*[^]*?\*\//gm, "").replace(/^import [^]*?from "[^"]+".*$/gm, "")
    .split("\n").filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length

const sourcesOf = (folder: string) => globSync(`${folder}/**/*.ts`)
const sum = (counts: ReadonlyArray<number>) => counts.reduce((all, count) => all + count, 0)

describe("the budget of lines", () => {
  it.each(Object.entries(codeLines))("is kept by %s", (folder, most) => {
    const found = folder === "src" ? globSync("src/*.ts") : sourcesOf(folder)
    const lines = sum(found.map((file) => codeLinesOf(readFileSync(file, "utf8"))))
    assert.isAtMost(lines, most, `${folder} rose: remove as much, or say why in docs/decisions`)
  })

  it("covers every folder", () => {
    const folders = [...globSync("src/*/"), ...globSync("packages/*/src/")]
      .map((folder) => folder.replace(/\/$/, ""))
    assert.deepStrictEqual([...folders, "src"].sort(), Object.keys(codeLines).sort())
  })

  it("is kept by the number of files", () => {
    assert.isAtMost([...sourcesOf("src"), ...globSync("packages/*/src/**/*.ts")].length, filesMax)
  })

  it.each(Object.entries(testLinesMax))("is kept by tests and scripts: %s", (folders, most) => {
    const files = globSync(`${folders}/**/*.{ts,js,mjs}`, { exclude: ["**/node_modules/**"] })
    assert.isAtMost(sum(files.map((file) => readFileSync(file, "utf8").split("\n").length)), most)
  })
})
