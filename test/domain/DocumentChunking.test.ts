/** Documents are cut into passages that overlap, keep their places and lose nothing. */
import { assert, describe, it } from "@effect/vitest"
import {
  chunksOfDocument,
  chunkTokensMax,
  chunkTokensMin,
  overlapTokens,
  tokensOf
} from "../../src/domain/store/DocumentChunking.ts"
import { type Dice, draw, makeDice } from "../support/dice.ts"
import { words } from "../support/words.ts"

const pieces = words`
  tenants notice the a 2026 임대차 解約予告 租约 𠮷野家 🙂 3.5
`
const stops = [". ", "? ", ".\n\n", "。", ".\n", " "]

const textOf = (dice: Dice, sentencesCount: number): string =>
  Array.from(
    { length: sentencesCount },
    () =>
      Array.from({ length: 1 + Math.floor(dice() * 60) }, () => draw(dice, pieces)).join(" ") +
      draw(dice, stops)
  ).join("")

const samples = (): ReadonlyArray<string> => {
  const dice = makeDice(20260302)
  return [
    ...Array.from({ length: 40 }, () => textOf(dice, Math.floor(dice() * 260))),
    "x".repeat(40_000),
    "字".repeat(9_000),
    "word ".repeat(6_000),
    `${"a. ".repeat(400)}${"long ".repeat(1_500)}`
  ]
}

const spansOverlap = (text: string, chunks: ReturnType<typeof chunksOfDocument>) =>
  chunks.slice(1).map(({ start }, place) => tokensOf(text.slice(start, chunks[place]?.end)))

describe("passages of a document", () => {
  it("hold 500 to 1,000 tokens each, unless the whole text is shorter", () => {
    for (const text of samples()) {
      const chunks = chunksOfDocument(text)
      const sizes = chunks.map(({ end, start }) => tokensOf(text.slice(start, end)))
      assert.isTrue(sizes.every((size) => size <= chunkTokensMax), sizes.join())
      if (tokensOf(text) > chunkTokensMax) {
        assert.isTrue(sizes.every((size) => size >= chunkTokensMin), sizes.join())
      } else assert.isAtMost(chunks.length, 1)
    }
  })

  it("share 100 tokens with the passage before, up to 200 to begin with a sentence", () => {
    for (const text of samples()) {
      for (const shared of spansOverlap(text, chunksOfDocument(text))) {
        assert.isAtLeast(shared, overlapTokens)
        assert.isAtMost(shared, 2 * overlapTokens)
      }
    }
  })

  it("hold every word, in order, cut at white space and never inside a character", () => {
    for (const text of samples()) {
      const chunks = chunksOfDocument(text)
      let covered = 0
      for (const { end, start } of chunks) {
        assert.strictEqual(text.slice(covered, start).trim(), "")
        assert.isTrue(text.slice(start, end).isWellFormed())
        covered = end
      }
      assert.strictEqual(text.slice(covered).trim(), "")
    }
  })

  it("end with a sentence where there is one", () => {
    const sentence = `${"Tenants give one month of notice in writing ".repeat(3).trim()}. `
    const text = sentence.repeat(200)
    for (const { end } of chunksOfDocument(text)) {
      assert.strictEqual(text.charAt(end - 1), ".")
    }
  })

  it("are none for blank text, and estimates follow their rule", () => {
    assert.deepStrictEqual(chunksOfDocument(" \n "), [])
    assert.strictEqual(tokensOf("a tenant, notified"), 1 + 1 + 1 + 2)
    assert.strictEqual(tokensOf("解約予告。"), 5)
  })
})
