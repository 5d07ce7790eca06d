import { assert, describe, it } from "@effect/vitest"
import type { Passage } from "../src/passages/PassageWords.ts"
import * as KeySentences from "../src/statements/KeySentences.ts"
import { charsMax } from "../src/statements/QuotedPassage.ts"
import { draw, makeDice } from "./support/dice.ts"

const passage = (text: string, page = "engines"): Passage => ({ title: "", text, page })
const told = (question: string, passages: ReadonlyArray<Passage>, limit: number) =>
  KeySentences.select(question, passages, limit).map(({ text }) => text)

describe("KeySentences", () => {
  it("quotes a sentence that points back together with the one it needs, once", () => {
    const text = "The efficiency of the Alpha engine reaches thirty percent. " +
      "It is a single-step engine with five cylinders and superheated steam."
    const both = told("How many cylinders does the Alpha engine have?", [passage(text)], 3)
    assert.deepStrictEqual(both, [text])
  })

  it("keeps the sentence chosen first where the two would be too long", () => {
    const first = `The Alpha engine has cylinders ${"of polished bronze and ".repeat(20)}steel.`
    const second = `It has five of them ${"in a row of its own ".repeat(10)}today.`
    const list = told("How many cylinders has the Alpha engine?", [
      passage(`${first} ${second}`)
    ], 3)
    assert.isTrue(list.every((text) => text.length <= charsMax))
    assert.include(list, first)
  })

  it("quotes word for word, within bounds, and no word twice", () => {
    const dice = makeDice(7)
    const openings = ["It", "The Alpha engine", "This", "They", "A cylinder", "For example, it"]
    const ends = [
      "has five cylinders of steel.",
      "runs on superheated steam.",
      "was built in 1851."
    ]
    for (let round = 0; round < 60; round += 1) {
      const sentences = Array.from(
        { length: 9 },
        (_, place) =>
          `${place % 4 === 0 ? "The Alpha engine" : draw(dice, openings)} ${
            "quietly ".repeat(dice() * 30)
          }${draw(dice, ends)}`
      )
      const passages = [passage(sentences.join(" ")), passage(sentences.slice(4).join(" "), "b")]
      const list = KeySentences.select("How many cylinders has the Alpha engine?", passages, 5)
      assert.isAtLeast(list.length, 1)
      assert.isAtMost(list.length, 5)
      for (const { end, passage: place, start, text } of list) {
        assert.strictEqual(passages[place]?.text.slice(start, end), text)
        assert.isAtMost(text.length, charsMax)
        const others = list.filter((other) => other.passage === place && other.start !== start)
        assert.isTrue(others.every((other) => other.end <= start || end <= other.start))
      }
    }
  })
})
