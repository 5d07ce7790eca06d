/** The paths that ARCHITECTURE.md walks are there, short, and connected. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Most files of each path, in the order of the document. */
const filesMax = [14, 8, 8]

const text = readFileSync("ARCHITECTURE.md", "utf8")
const section = text.slice(text.indexOf("## Three paths"), text.indexOf("## Where to change"))
const paths = section.split(/\n\n(?=1\. )/).slice(1).map((list) =>
  [...list.matchAll(/^\d+\. `(src\/[^`]+)`/gm)].flatMap(([, file]) => file ?? [])
)

const importsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)]
    .map(([, target = ""]) => join(dirname(file), target))

const isPort = (file: string) => file.includes("/application/ports/")

describe("the paths of the architecture", () => {
  it("are three, and no longer than a person can walk", () => {
    assert.lengthOf(paths, filesMax.length)
    for (const [index, path] of paths.entries()) {
      assert.isAbove(path.length, 4)
      assert.isAtMost(path.length, filesMax[index] ?? 0)
    }
  })

  it.each(paths.map((path) => ({ first: path[0], path })))(
    "are connected: from $first",
    ({ path }) => {
      for (const [place, file] of path.entries()) {
        if (place === 0) continue
        const known = path.slice(0, place).flatMap(importsOf)
        const provides = importsOf(file).filter(isPort)
        assert.isTrue(
          known.includes(file) || provides.some((port) => known.includes(port)),
          `${file} is reached from none before it`
        )
      }
    }
  )
})
