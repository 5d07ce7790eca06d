/** Deliberate faults: the named ones fit the sources as they are, and a sample of drawn ones is noticed. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { parseAst } from "rolldown/parseAst"
import { faultsOf, withFault } from "../../scripts/faults/DrawnFault.ts"
import { namedFaults, placed } from "../../scripts/faults/NamedFault.ts"

const sources = new Map(
  globSync(["src/**/*.ts", "packages/*/src/**/*.ts"]).map((file) =>
    [file, readFileSync(file, "utf8")] as const
  )
)

/** Share of the sample that must be noticed, in percent. */
const noticedMin = 50

describe("the named faults", () => {
  const all = Object.values(namedFaults).flatMap((faults) => Object.entries(faults))

  it("have names of their own and tests that exist", () => {
    assert.strictEqual(new Set(all.map(([name]) => name)).size, all.length)
    assert.deepStrictEqual(Object.keys(namedFaults).filter((test) => !existsSync(test)), [])
  })

  it("can be put into the sources, at one position each", () => {
    const lost = all.filter(([, fault]) => placed(sources, fault) === undefined)
    assert.deepStrictEqual(lost.map(([name]) => name), [])
  })
})

describe("faults by syntax", () => {
  it("leave a source that parses", () => {
    const source = readFileSync("src/domain/session/Session.ts", "utf8")
    const faults = faultsOf(source)
    assert.isAbove(faults.length, 90)
    for (const fault of faults) parseAst(withFault(source, fault), { lang: "ts" })
  })

  it.runIf(process.env["WG_TEST_FULL"] === "1")(
    "are noticed, in a sample",
    { timeout: 3_600_000 },
    () => {
      const sample = [
        "scripts/faults.ts",
        "--seed",
        "1",
        "--count",
        "40",
        "--floor",
        `${noticedMin}`
      ]
      const { status, stdout } = spawnSync(process.execPath, sample, { encoding: "utf8" })
      assert.strictEqual(status, 0, stdout)
    }
  )
})
