import { assert, describe, it } from "@effect/vitest"
import * as CopyEdits from "../../src/domain/pack/CopyEdits.ts"
import * as Verification from "../../src/domain/pack/Verification.ts"
import * as WordChanges from "../../src/domain/text/WordChanges.ts"

const sentence = "In 2024 the office in Osaka handled 1,250 disputes, and most of the tenants of " +
  "Kyoto were allowed to appeal within 14 days."

/** The rest of the quotation holds the numbers and names that the edits below put in. */
const quoted = `${sentence} In 2019 there were 980 disputes, and Sato was not allowed to appeal ` +
  "within 30 days; all of Nagoya was."

const edited: ReadonlyArray<readonly [CopyEdits.CopyEdit, string, string]> = [
  ["number", "1,250", "980"],
  ["number", "14 days", "30 days"],
  ["date", "2024", "2019"],
  ["name", "Osaka", "Nagoya"],
  ["negation", "were allowed", "were not allowed"],
  ["opposite", "allowed", "forbidden"],
  ["firmer", "most of", "all of"]
]

describe("what was changed in a copy", () => {
  it.each(edited)("%s: %s became %s", (edit, was, is) => {
    assert.include(CopyEdits.find(sentence.replace(was, is), sentence), edit)
  })

  it("order: two names changed places", () => {
    const swapped = sentence.replace("Osaka", "Tokyo").replace("Kyoto", "Osaka")
      .replace("Tokyo", "Kyoto")
    assert.include(CopyEdits.find(swapped, sentence), "order")
  })

  it.each([
    ["itself", sentence],
    ["thousands without separators", sentence.replace("1,250", "1250")],
    ["articles left out", sentence.replaceAll("the ", "")],
    ["a clause left out", sentence.replace("In 2024 the", "The").replace(" within 14 days", "")],
    ["curly apostrophes and quotes", `“${sentence}”`],
    ["another wording", sentence.replace("handled", "dealt with")]
  ])("nothing: %s", (_, claim) => {
    assert.deepStrictEqual(CopyEdits.find(claim, sentence), [])
  })

  it("nothing in what was retold in other words", () => {
    const retold = "Osaka's office saw 980 cases in 2019, and Sato could not appeal."
    assert.deepStrictEqual(CopyEdits.find(retold, sentence), [])
  })
})

describe("verification of copies", () => {
  const check = (claim: string) => Verification.check(claim, { quotes: [quoted], title: "" })

  it.each(edited)("%s: sees that %s became %s, though the quotation holds both", (_, was, is) => {
    const { doubts, reason, support } = check(sentence.replace(was, is))
    assert.notStrictEqual(support, "supported")
    assert.isTrue(reason !== undefined || doubts.length > 0)
  })

  it("would not, were words compared as a set", () => {
    const held = new Set(quoted.toLowerCase().match(/[\p{L}\p{N},]+/gu))
    const missed = edited.filter(([, was, is]) =>
      (sentence.replace(was, is).toLowerCase().match(/[\p{L}\p{N},]+/gu) ?? [])
        .every((word) => held.has(word))
    )
    assert.isAtLeast(missed.length, 5)
  })

  it("bears out the sentence itself", () => {
    assert.strictEqual(check(sentence).support, "supported")
  })
})

describe("word changes", () => {
  it("tells what stood in each changed place", () => {
    const copy = WordChanges.compare(
      "The fee is 3 percent of the rent.",
      "A fee is 5 percent of rent"
    )
    assert.deepStrictEqual(copy?.changes, [
      { was: ["The"], is: ["A"] },
      { was: ["3"], is: ["5"] },
      { was: ["the"], is: [] }
    ])
  })

  it("refuses what is too long to be a sentence", () => {
    assert.isUndefined(WordChanges.compare("word ".repeat(200), "word"))
  })
})
