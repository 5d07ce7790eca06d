/** Lines of the terminal: no wider than asked for, in any script, and without losing a word. */
import { assert, describe, it } from "vitest"
import { explained, indent, widthOf } from "../../src/adapters/cli/terminal/Terminal.ts"

const texts = [
  "Most tenants in Japan have to give one month's notice before moving out of an ordinary flat.",
  "他の市区町村から引っ越した人は、新しい住所に住み始めた日から14日以内に、市区町村の窓口へ転入届を出さなければならない。 [1]",
  "일본에서 일반 임대차 계약을 맺은 세입자는 보통 퇴거 한 달 전까지 집주인이나 관리회사에 통보해야 한다. [1]"
]

it.each([
  ["http_404", "http_404, the site answered with status 404"],
  ["never_heard_of", "never_heard_of"],
  ["constructor", "constructor"]
])("the terminal explains %s", (code, text) => assert.strictEqual(explained(code), text))

describe("wrapping", () => {
  it("counts two columns for Chinese, Japanese and Korean, none for an accent", () => {
    assert.deepStrictEqual(["ab", "転入", "퇴거", "、", "e\u0301"].map(widthOf), [2, 4, 4, 2, 1])
  })

  it("keeps every character and every line within the columns", () => {
    for (const text of texts) {
      const lines = indent(text, 40, 2)
      assert.isAbove(lines.length, 2)
      lines.forEach((line) => assert.isAtMost(widthOf(line), 40, line))
      assert.strictEqual(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""))
      assert.match(lines[0] ?? "", /^ {2}\S/)
      assert.match(lines[1] ?? "", /^ {4}[^\s、。]/)
    }
  })

  it("breaks Korean between its words only", () => {
    const lines = indent(texts[2] ?? "", 30, 0, 0)
    assert.strictEqual(lines.join(" "), texts[2])
  })

  it("leaves a word whole that is wider than the line", () => {
    assert.deepStrictEqual(indent(`see ${"x".repeat(50)} now`, 20), [
      "see",
      `  ${"x".repeat(50)}`,
      "  now"
    ])
  })
})
