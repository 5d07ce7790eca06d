/** Pages of reference say what the code says: they are made of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import * as CommandLine from "../../scripts/reference/CommandLine.ts"
import * as Operations from "../../scripts/reference/Operations.ts"
import * as Reasons from "../../scripts/reference/Reasons.ts"
import * as SettingRows from "../../scripts/reference/SettingRows.ts"

const read = (file: string): string => readFileSync(file, "utf8").replaceAll("\r\n", "\n")
const howMended = "run: node scripts/references.ts --write"

describe("references", () => {
  it.effect("have every command of the command line with all its flags", () =>
    Effect.gen(function*() {
      const text = yield* CommandLine.text
      for (const title of ["## ground", "### evidence ingest", "### anchors list", "## serve"]) {
        assert.include(text, `\n${title}\n`)
      }
      assert.include(text, "| `--sandbox` |")
      assert.strictEqual(read("docs/reference/cli.md"), text, howMended)
    }))

  it("have every word by which an answer explains itself, and what to do about it", () => {
    assert.strictEqual(read("docs/reference/reasons.md"), Reasons.text, howMended)
  })

  it("have every setting, with the default, bounds and meaning of its table", () => {
    assert.strictEqual(read("docs/reference/settings.md"), SettingRows.text, howMended)
    assert.include(SettingRows.text, "\n| `SEARCH_PROVIDERS` | none | ")
  })

  it("have every operation as the contract's tables have it", () => {
    assert.strictEqual(read("docs/reference/operations.md"), Operations.text, howMended)
  })
})
