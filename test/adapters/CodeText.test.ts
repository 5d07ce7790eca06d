import { assert, describe, it } from "@effect/vitest"
import { explained } from "../../src/adapters/cli/terminal/Terminal.ts"
import { counted } from "../../src/domain/session/FactText.ts"

describe("the terminal's words", () => {
  it.each([
    ["port_forbidden", "port_forbidden, only ports 80 and 443 are fetched from"],
    ["http_404", "http_404, the site answered with status 404"],
    ["not_extracted", "not_extracted, the provider could not read the page either"],
    ["never_heard_of", "never_heard_of"],
    ["constructor", "constructor"]
  ])("explains %s", (code, text) => {
    assert.strictEqual(explained(code), text)
  })

  it("counts one thing as one", () => {
    assert.deepStrictEqual([0, 1, 2].map((count) => counted(count, "result")), [
      "0 results",
      "1 result",
      "2 results"
    ])
  })
})
