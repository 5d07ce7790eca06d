/** Every read model either gives up the rows of an erased session, or holds counts alone. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { basename } from "node:path"

/** Read models of figures, keys and alerts: no row is of a session, and none has its words. */
const counting = [
  "ActivityModel.ts",
  "PackHealthModel.ts",
  "SearchHealthModel.ts"
]

const models = globSync("src/application/projections/*.ts").sort()
  .map((file) => [basename(file), readFileSync(file, "utf8")] as const)
  .filter(([, source]) => source.includes("Projection.define("))

/** Read models whose rows outlive an erasure and that are not known to count alone. */
const keeping = (all: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> =>
  all.filter(([name, source]) =>
    !counting.includes(name) && !/\bon: \[[^\]]*\berasedType\b/.test(source)
  )
    .map(([name]) => name)

describe("read models", () => {
  it("give up the rows of an erased session, or count alone", () => {
    assert.deepStrictEqual(keeping(models), [])
    const names = models.map(([name]) => name)
    assert.deepStrictEqual(counting.filter((name) => !names.includes(name)), [])
  })
})
