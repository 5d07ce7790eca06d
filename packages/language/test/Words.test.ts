import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Words from "../src/text/Words.ts"
import { stem, terms, words } from "../src/text/Words.ts"

describe("terms", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["The tenants were giving Notices", ["tenant", "give", "notic"]],
    ["１,000 yen, café’s", ["1000", "yen", "cafe"]],
    ["東京都の賃貸", ["東京", "京都", "賃貸"]],
    ["ｶﾞｽ 料金", ["ガス", "料金"]],
    ["세입자 통보", ["세입", "입자", "통보"]],
    ["すし", ["すし"]],
    ["Tell us about the US and the United States", ["tell", "usa", "usa"]],
    ["2.5 percent of 1,250", ["2.5", "percent", "1250"]],
    ["!?", []],
    ["", []]
  ])("%j", (text, expected) => assert.deepStrictEqual(terms(text), [...expected]))

  it.prop("law: width changes nothing", [Schema.String], ([text]) => {
    const ascii = text.replace(/[^ -~]/g, "")
    const wide = ascii.replace(
      /[!-~]/g,
      (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)
    )
    assert.deepStrictEqual(words(wide), words(ascii))
  })
})

describe("stem", () => {
  it.each([
    ["caresses", "caress"],
    ["ponies", "poni"],
    ["agreed", "agre"],
    ["motoring", "motor"],
    ["hopping", "hop"],
    ["relational", "relat"],
    ["happy", "happi"],
    ["rate", "rate"],
    ["controller", "control"],
    ["東京", "東京"],
    ["x", "x"]
  ])("%s becomes %s", (word, expected) => assert.strictEqual(stem(word), expected))
})

describe("Bm25", () => {
  const index = Words.index([
    { title: "Notice period", text: "One month is usual." },
    { text: "The tenant must give notice. Notice is written." },
    { text: "Cats sleep." }
  ])

  it("counts the title's words, and nothing for what is not shared", () => {
    const [titled = 0, told = 0, other = 0] = Words.scores(index, "notice of a tenant")
    assert.isAbove(titled, 0)
    assert.isAbove(told, titled)
    assert.strictEqual(other, 0)
  })

  it("is zero for an empty query and empty for no documents", () => {
    assert.deepStrictEqual(Words.scores(index, "the"), [0, 0, 0])
    assert.deepStrictEqual(Words.scores(Words.index([]), "notice"), [])
  })
})
