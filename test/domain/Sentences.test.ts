import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { chunkCharsMax, chunksOfSnippet, chunksOfText } from "../../src/domain/evidence/Chunking.ts"
import { sentences } from "../../src/domain/text/Sentences.ts"
import { draw, makeDice } from "../support/dice.ts"

const cut = (text: string) => sentences(text).map(({ end, start }) => text.slice(start, end))

describe("sentences", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["Mr. Smith of the U.S. left. He went.", ["Mr. Smith of the U.S. left.", "He went."]],
    ["It costs approx. 5 yen. Fine!", ["It costs approx. 5 yen.", "Fine!"]],
    ["A heading\nA sentence.", ["A heading", "A sentence."]],
    ["3. Give notice", ["3. Give notice"]],
    ["これは文です。「そうですか。」と言った。次の文！", [
      "これは文です。",
      "「そうですか。」と言った。",
      "次の文！"
    ]],
    ["통보해야 합니다. 다만 예외가 있다.", ["통보해야 합니다.", "다만 예외가 있다."]],
    ["他说：“好。”然后走了。第二句？", ["他说：“好。”", "然后走了。", "第二句？"]],
    ["  \n ", []],
    ["", []]
  ])("%j", (text, expected) => assert.deepStrictEqual(cut(text), [...expected]))

  it.prop(
    "law: spans are in order, apart, trimmed and cover every word",
    [Schema.String],
    ([text]) => {
      const spans = sentences(text)
      const pieces = cut(text)
      assert.isTrue(spans.every(({ start }, place) => start >= (spans[place - 1]?.end ?? 0)))
      assert.isTrue(pieces.every((piece) => piece !== "" && piece === piece.trim()))
      assert.strictEqual(pieces.join("").replace(/\s/g, ""), text.replace(/\s/g, ""))
    }
  )
})

describe("chunks", () => {
  const dice = makeDice(21)
  const sentence = () =>
    `${
      Array.from({ length: 4 + Math.floor(dice() * 30) }, () =>
        draw(dice, ["Notice", "rent", "通知", "계약"])).join(" ")
    }. `
  const text = Array.from(
    { length: 60 },
    (_, place) => sentence() + (place % 7 === 6 ? "\n\n" : "")
  ).join("")

  it("are at most 1,200 characters, cover the text and end where sentences end", () => {
    const spans = chunksOfText(text)
    const ends = new Set(sentences(text).map(({ end }) => end))
    assert.isAbove(spans.length, 3)
    assert.isTrue(spans.every(({ end, start }) => end - start <= chunkCharsMax && ends.has(end)))
    const joined = spans.map(({ end, start }) => text.slice(start, end)).join("")
    assert.strictEqual(joined.replace(/\s/g, ""), text.replace(/\s/g, ""))
  })

  it("never hold what joins a provider's passages", () => {
    const snippet = `One passage. [...] Another […] ${text.slice(0, 3_000)} [...] [...]`
    const spans = chunksOfSnippet(snippet)
    const pieces = spans.map(({ end, start }) => snippet.slice(start, end))
    assert.deepStrictEqual(pieces.slice(0, 2), ["One passage.", "Another"])
    assert.isTrue(
      pieces.every((piece) => piece.length <= chunkCharsMax && !/\[(?:\.\.\.|…)\]/.test(piece))
    )
  })

  it("cut what has no gaps, but never a character", () => {
    const spans = chunksOfText("😀".repeat(2_000))
    assert.isTrue(spans.every(({ start }) => start % 2 === 0))
    assert.strictEqual(spans.at(-1)?.end, 4_000)
  })

  it.each(["", " \n ", "[...]"])(
    "are none for %j",
    (blank) => assert.deepStrictEqual(chunksOfSnippet(blank), [])
  )
})
