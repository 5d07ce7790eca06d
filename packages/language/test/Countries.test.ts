import { assert, describe, it } from "@effect/vitest"
import * as QuestionTerms from "../src/question/QuestionTerms.ts"

describe("countries", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["How long may a tourist stay in South Korea?", ["KR"]],
    ["The Japanese custom differs from the Korean one.", ["JP", "KR"]],
    ["Nigeria and Niger are two countries.", ["NE", "NG"]],
    ["Wie lange gilt das Visum für Österreich?", ["AT"]],
    ["Quel est le prix en Belgique ?", ["BE"]],
    ["日本では何日滞在できますか。", ["JP"]],
    ["프랑스에서 운전할 수 있나요?", ["FR"]],
    ["The woman from Oman spoke.", ["OM"]],
    ["No country is named here.", []]
  ])("%s names %j", (text, codes) => {
    assert.deepStrictEqual([...QuestionTerms.countriesIn(text)].toSorted(), [...codes])
  })
})
