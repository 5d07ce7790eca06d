import { assert, describe, it } from "@effect/vitest"
import {
  chunkCharsMax,
  chunkCharsMin,
  chunksOfSnippet,
  chunksOfText
} from "../src/passages/Chunking.ts"
import { sentences, type Span } from "../src/text/Sentences.ts"
import { draw, makeDice } from "./support/dice.ts"
import { hostileTexts } from "./support/hostileTexts.ts"

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })

/** What is wrong with a text's passages; empty when they are as promised. */
const wrongWith = (text: string, spans: ReadonlyArray<Span>): ReadonlyArray<string> => {
  const clusters = new Set([...graphemes.segment(text)].map(({ index }) => index))
  clusters.add(text.length)
  const pieces = spans.map(({ end, start }) => text.slice(start, end))
  const inOrder = spans.every(({ end, start }, place) =>
    end > start && end <= text.length && start >= (spans[place - 1]?.end ?? 0)
  )
  const isWhole = spans.every(({ end, start }) => clusters.has(start) && clusters.has(end))
  const isCovered = pieces.join("").replace(/\s/g, "") === text.replace(/\s/g, "")
  const isShort = spans.every(({ end, start }) => end - start <= chunkCharsMax)
  return [
    ...(inOrder ? [] : ["order"]),
    ...(isWhole ? [] : ["cluster cut"]),
    ...(isCovered ? [] : ["text lost"]),
    ...(isShort ? [] : ["too long"])
  ]
}

describe("passages of hostile text", () => {
  const dice = makeDice(8)
  const joined = (separators: ReadonlyArray<string>): string =>
    Array.from(
      { length: 900 },
      () => draw(dice, hostileTexts).slice(0, 60) + draw(dice, separators)
    )
      .join("")
  const long = [["", ""], [" "], ["", " ", "\n", ". ", "。"], ["\u0301", " \u0308", "\r\n"]]
    .flatMap((separators) => Array.from({ length: 6 }, () => joined(separators)))

  it("slice back exactly, lose nothing and cut no cluster", () => {
    for (const text of [...hostileTexts, ...long]) {
      assert.deepStrictEqual(wrongWith(text, chunksOfText(text)), [], JSON.stringify(text))
    }
  })
})

describe("headings", () => {
  const body = (words: number) => `${"Rent is due. ".repeat(words)}`.trim()
  const text = [
    ...["Notice", body(40), "Fees", "Cleaning", body(80), "Keys", body(35), "Deposit", body(40)]
  ].join("\n\n")
  const headings = ["Notice", "Fees", "Cleaning", "Keys", "Deposit"].map((title) => ({
    start: text.indexOf(`${title}\n`),
    end: text.indexOf(`${title}\n`) + title.length
  }))
  const chunks = chunksOfText(text, headings)

  it("open a passage and never end one", () => {
    for (const { end, start } of chunks) {
      assert.notMatch(text.slice(start, end), /(?:Notice|Fees|Cleaning|Keys|Deposit)$/)
    }
    const starts = chunks.map(({ start }) => text.slice(start, start + 4))
    assert.includeMembers(starts, ["Noti", "Keys", "Depo"])
    assert.deepStrictEqual(wrongWith(text, chunks), [])
  })

  it("end the text's last passage when nothing follows", () => {
    const bare = "Keys\n\nDeposit"
    const spans = chunksOfText(bare, [{ start: 0, end: 4 }, { start: 6, end: 13 }])
    assert.deepStrictEqual(spans, [{ start: 0, end: 13 }])
  })
})

describe("passages", () => {
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

  it("are of 800 characters and more where sentences allow it, the last one aside", () => {
    const sizes = chunksOfText(text).slice(0, -1).map(({ end, start }) => end - start)
    assert.isAtLeast(sizes.filter((size) => size >= chunkCharsMin).length / sizes.length, 0.9)
  })

  it.each([300, 400, 500])("keep paragraphs of %i characters whole", (size) => {
    const paragraph = "Rent is due on the first of a month. ".repeat(20).slice(0, size - 1) + "."
    const paragraphs = Array.from({ length: 12 }, () => paragraph).join("\n\n")
    const spans = chunksOfText(paragraphs)
    assert.isAbove(spans.length, 3)
    for (const { end, start } of spans) {
      assert.isTrue(paragraphs.slice(start, end).split("\n\n").every((one) => one === paragraph))
    }
  })

  it.each([200, 4_000])(
    "are of %i characters and up to half as many again where told",
    (charsMin) => {
      const spans = chunksOfText(text, [], charsMin)
      const sizes = spans.map(({ end, start }) => end - start)
      assert.isTrue(sizes.every((size) => size <= charsMin * 1.5))
      assert.isAbove(Math.max(...sizes), charsMin)
      const joined = spans.map(({ end, start }) => text.slice(start, end)).join("")
      assert.strictEqual(joined.replace(/\s/g, ""), text.replace(/\s/g, ""))
    }
  )

  it("cut a sentence that is too long where it pauses", () => {
    const clause = `${"rent and fees ".repeat(76)}are due; `
    const [first] = chunksOfText(clause.repeat(3)).map(({ end, start }) => end - start)
    assert.strictEqual(first, clause.trim().length)
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
