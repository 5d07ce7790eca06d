import { assert, describe, it } from "@effect/vitest"
import { type Passage, poolOf } from "../src/passages/PassageWords.ts"
import * as QuestionTerms from "../src/question/QuestionTerms.ts"
import { askedTerms, askingPart, questionTerms } from "../src/question/QuestionTerms.ts"
import * as KeySentences from "../src/statements/KeySentences.ts"
import { plainTerms } from "../src/text/Words.ts"

const passage = (text: string, title = ""): Passage => ({ title, text, page: text })
const judged = (question: string, passages: ReadonlyArray<Passage>) =>
  new Map(
    KeySentences.judge(question, passages, KeySentences.select(question, passages, 8))
      .map(({ answering, text }) => [text, answering])
  )

const property =
  "Landlords in Elmport face a higher property tax from January, when the rate rose to 0.5 percent."
const guests = "The tourist tax in Elmport is 2.50 crowns a night for every adult guest."
const wage = "The minimum wage in Elmport will be 14.90 crowns an hour from July."

describe("Answering", () => {
  const question = "How much is the tourist tax in Elmport?"

  it("takes another tax, and other news of the town, for no answer", () => {
    const found = judged(question, [passage(property), passage(wage)])
    assert.isFalse(Array.from(found.values()).includes("answers"))
    assert.strictEqual(found.get(property), "beside")
  })

  it("takes the whole of a thing for the thing", () => {
    const returned = "The landlord in Elmport returns the deposit, less what the tenant owes."
    const things = QuestionTerms.askedThings("Can my landlord in Elmport keep my whole deposit?")
    const around = { title: "Deposits", heading: "", text: returned }
    assert.isFalse(QuestionTerms.isOther(things, returned, around))
  })

  it.each([
    ["부의금 금액은 얼마인가요?", "부의금 금액은"],
    ["ゴミ袋はいくらですか。", "ゴミ袋"],
    ["垃圾袋多少钱呢？", "垃圾袋 钱"]
  ])("asks with words that are no part of the matter: %s", (asked, matter) => {
    assert.deepStrictEqual(questionTerms(asked), questionTerms(matter))
  })

  it.each([
    [
      "I sold my flat last spring and moved in with my sister. What is the fine for late tax returns?",
      "What is the fine for late tax returns?"
    ],
    [
      "先月引っ越したばかりです。住民票の届け出はどこでしますか?",
      "住民票の届け出はどこでしますか?"
    ],
    [
      "올해 예순이 되었습니다. 국민연금을 일찍 받으면 얼마나 줄어드나요",
      "국민연금을 일찍 받으면 얼마나 줄어드나요"
    ]
  ])("asks with the sentences that ask: %s", (told, asked) => {
    assert.strictEqual(askingPart(told), asked)
    assert.strictEqual(askingPart(asked), asked)
  })

  it("asks with all of it where what asks says too little", () => {
    const told = "My neighbour feeds wild boars in his garden. Is that legal?"
    assert.strictEqual(askingPart(told), told)
  })

  it("hardly looks for statements around a question, but for names", () => {
    const { passages, bm25 } = poolOf([passage("Boars live in woods.")])
    assert.lengthOf(passages, 1)
    const told = "I bought a saddle from Halvern. What is the fine for late tax returns?"
    const { weights } = askedTerms(bm25, told)
    const of = (term: string) => weights.get(term) ?? Number.NaN
    assert.isBelow(of("saddl"), 0.2 * of("fine"))
    assert.isAbove(of("halvern"), of("fine"))
  })

  it("takes the sentence with the tax that was asked for an answer, and the other not", () => {
    const found = judged(question, [passage(property), passage(guests), passage(wage)])
    assert.strictEqual(found.get(guests), "answers")
    assert.strictEqual(found.get(property), "beside")
  })

  it("takes the sentence that names the thing for an answer, though others hold more words", () => {
    const rents = "Rents in Elmport grew by 3.6 percent in 2025, figures of the town hall show."
    const pass = "A monthly pass for adults costs 74 crowns, and one for students costs 46 crowns."
    const found = judged("What did a monthly pass cost in Elmport in 2025?", [
      passage(rents, "Elmport in 2025"),
      passage(pass, "Fares of the trams"),
      passage(wage)
    ])
    assert.strictEqual(found.get(pass), "answers")
    assert.strictEqual(found.get(rents), "beside")
  })

  it("does not let a sentence that the search cut off answer by half", () => {
    const cut = "In Elmport the night costs more for every tourist since the new ..."
    const found = judged(question, [passage(cut), passage(wage)])
    assert.notStrictEqual(found.get(cut), "answers")
  })

  it("knows a verb by its other forms", () => {
    const won = "Ada Brandt wins the chess title of Elmport in three games."
    assert.strictEqual(
      judged("Who won the chess title of Elmport?", [passage(won), passage(wage)]).get(won),
      "answers"
    )
    assert.isTrue(plainTerms("She wrote it").has("write"))
  })
})

describe("AskedThing", () => {
  const isOther = (question: string, sentence: string, text = "", title = "") =>
    QuestionTerms.isOther(QuestionTerms.askedThings(question), sentence, {
      title,
      heading: "",
      text
    })

  it.each([
    ["What is the policy rate of Veldmark?", "The birth rate of Veldmark fell."],
    ["How long is the tram's harbour route?", "The scenic route is nine miles long."],
    ["What is 1339 in Korea?", "The number 119 is for a fire."],
    ["What did a monthly pass cost in Elmport in 2025?", "A flat cost 1,105 crowns in 2025."],
    ["How much did rents rise in Elmport?", "The minimum wage in Elmport will rise to 14 crowns."],
    ["How much does the harbour ferry cost?", "The day pass costs seven crowns."]
  ])("%s is not answered by: %s", (question, sentence) => {
    assert.isTrue(isOther(question, sentence))
  })

  it.each([
    ["What is the policy rate of Veldmark?", "The rate is 3 percent.", "Policy of the bank"],
    ["What is the current rate of Veldmark?", "The rate is 3 percent.", ""],
    ["What did a monthly pass cost in Elmport?", "Adults pay 74 crowns.", "Monthly pass"],
    ["How much did rents rise in Elmport?", "They are 4.1 percent higher.", "Rent index"],
    ["How much of the city did the flood reach?", "It reached half.", "The flood"],
    ["Who founded Elmport?", "Elmport was built by sailors.", ""],
    ["What happened in 1830 and 1848?", "Elmport had a revolution.", ""],
    ["Who led the team that beat 120 others?", "Ada Brandt led it.", ""]
  ])("%s may be answered by: %s", (question, sentence, title) => {
    assert.isFalse(isOther(question, sentence, "", title))
  })
})
