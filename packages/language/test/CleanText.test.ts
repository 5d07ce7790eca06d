import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { clean, cut } from "../src/text/Sentences.ts"

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u
const control = /\p{Cc}/u
const codePointMax = 0x10_ff_ff

describe("clean", () => {
  it.each([
    ["plain text, 한국어, 日本語 and an é", "plain text, 한국어, 日本語 and an é", 0],
    ["two\nlines\tand a tab", "two\nlines\tand a tab", 0],
    ["one\r\ntwo\rthree", "one\ntwo\nthree", 0],
    ["a\u0000b\u0007c\u0085d\u009Fe\u007Ff", "abcdef", 5],
    ["Ig\u200Bnore \u2060all\uFEFF", "Ignore all", 3],
    ["\u202Egnp.exe\u202C \u2066x\u2069 \u061C", "gnp.exe x ", 5],
    ["soft\u00ADhyphen \u3164 \u{E0041}tag\u{E0100}", "softhyphen  tag", 4],
    ["\uD800 and \uDC00", "\uFFFD and \uFFFD", 2],
    ["\uD83D\u200B\uDE00", "\uFFFD\uFFFD", 3],
    ["😀", "😀", 0],
    ["", "", 0]
  ])(
    "%j",
    (text, expected, removedCount) =>
      assert.deepStrictEqual(clean(text), { text: expected, removedCount })
  )

  it("takes out every invisible, reordering and control character, and counts each", () => {
    let tried = 0
    for (let codePoint = 0; codePoint <= codePointMax; codePoint++) {
      const character = String.fromCodePoint(codePoint)
      if (!(invisible.test(character) || control.test(character))) continue
      if (/[\n\t\r]/.test(character)) continue
      tried += 1
      const cleaned = clean(`a${character}b`)
      if (cleaned.text !== "ab" || cleaned.removedCount !== 1) assert.fail(codePoint.toString(16))
    }
    assert.isAbove(tried, 4_000)
  })

  it.prop("law: cleaning what is clean changes nothing", [Schema.String], ([text]) => {
    const { text: once } = clean(text)
    assert.deepStrictEqual(clean(once), { text: once, removedCount: 0 })
    assert.isTrue(once.isWellFormed())
  })
})

describe("cut", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "abc"],
    ["ab😀", 3, "ab"],
    ["ab😀", 4, "ab😀"],
    ["", 0, ""]
  ])(
    "cuts %j at %i to %j",
    (text, charsMax, expected) => assert.strictEqual(cut(text, charsMax), expected)
  )
})
