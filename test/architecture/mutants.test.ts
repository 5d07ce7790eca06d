/** The listed faults fit the sources as they are now. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { mutated } from "../../scripts/mutants/Mutant.ts"
import { mutants } from "../../scripts/mutants/mutants.ts"

describe("the listed faults", () => {
  it("have names of their own", () => {
    assert.strictEqual(new Set(mutants.map(({ id }) => id)).size, mutants.length)
  })

  it("can be put into their files, at one place each", () => {
    const lost = mutants.filter((mutant) =>
      mutated(readFileSync(mutant.file, "utf8"), mutant) === undefined
    )
    assert.deepStrictEqual(lost.map(({ id }) => id), [])
  })

  it("name tests that exist", () => {
    const tests = mutants.flatMap((mutant) => mutant.tests)
    assert.deepStrictEqual(tests.filter((file) => !existsSync(file)), [])
  })
})
