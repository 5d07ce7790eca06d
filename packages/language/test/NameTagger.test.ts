/** The tagger of private names decides by the words around a word, the same on every machine. */
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { fittedFiles } from "../fit/nameTexts.ts"
import { buckets } from "../src/privacy/NameFeatures.ts"
import { shipped, tagged } from "../src/privacy/NameTagger.ts"
import { commonness } from "../src/privacy/NameTokens.ts"
import fitted from "../src/privacy/NameWeights.json" with { type: "json" }
import { readText } from "../src/privacy/PrivateText.ts"

const certaintyOf = (text: string, word: string): number =>
  tagged(readText(text), shipped).find((one) => one.word === word)?.certainty ?? Number.NaN

describe("the tagger of private names", () => {
  it("was fitted to the texts next to it", () => {
    const texts = globSync(fittedFiles).sort().map((path) => readFileSync(path, "utf8"))
    const hash = createHash("sha256").update(texts.join("")).digest("hex")
    assert.strictEqual(
      fitted.trainedOn,
      hash,
      "node packages/language/fit/fitNames.ts fits it anew"
    )
  })

  it("has a whole weight for each bucket", () => {
    assert.lengthOf(shipped.levels, buckets)
    assert.lengthOf(shipped.steps, 8)
    assert.isTrue([shipped.bias, shipped.unit, ...shipped.steps].every(Number.isInteger))
  })

  it("is surer of a name behind a relation than of the same word alone", () => {
    const [told, asked] = ["My neighbour Morgan drums all night.", "Who founded Morgan Motors?"]
    assert.isAbove(certaintyOf(told ?? "", "Morgan"), certaintyOf(asked ?? "", "Morgan"))
  })

  it("recognises a number by the word before it", () => {
    const [told, asked] = ["My locker code 4471, lost it.", "What happened in 4471 BC?"]
    assert.isAbove(certaintyOf(told ?? "", "4471"), certaintyOf(asked ?? "", "4471"))
  })

  it("knows rare given names, with accents or without, from words that are no names", () => {
    assert.deepStrictEqual(["anna", "eulàlia", "eulalia", "warranty"].map(commonness), [2, 1, 1, 0])
  })

  it("says nothing of a text without words", () => {
    assert.deepStrictEqual(tagged(readText("?! 🙂"), shipped), [])
  })
})
