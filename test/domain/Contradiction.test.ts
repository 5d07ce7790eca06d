import { assert, describe, it } from "@effect/vitest"
import { contradict } from "../../src/domain/pack/Contradiction.ts"

describe("two sentences of different sources", () => {
  it.each<readonly [question: string, left: string, right: string, isContradiction: boolean]>([
    [
      "How many people came to the Orrin fair in 2023?",
      "In 2023 the Orrin fair was visited by 12,000 people.",
      "In 2023 the Orrin fair was visited by 20,000 people.",
      true
    ],
    [
      "How many people came to the Orrin fair in 2023?",
      "In 2023 the Orrin fair was visited by 11,800 people.",
      "In 2023 the Orrin fair was visited by about 12,000 people.",
      false
    ],
    [
      "How many people came to the Orrin fair in 2023?",
      "In 2023 the Orrin fair was visited by about 12,000 people.",
      "In 2023 the Orrin fair was visited by about 20,000 people.",
      true
    ],
    [
      "みなと祭り2023の来場者数は?",
      "2023年のみなと祭りには9万8千人が訪れた。",
      "2023年のみなと祭りにはおよそ10万人が訪れた。",
      false
    ],
    [
      "みなと契約の手数料はいくらですか?",
      "みなと契約の手数料は30,000円です。",
      "みなと契約の手数料は28,000円です。",
      true
    ],
    [
      "How many people came to the Orrin fair in 2023?",
      "In 2023 the Orrin fair, which is about cheese, was visited by 12,000 people.",
      "In 2023 the Orrin fair, which is about cheese, was visited by 11,500 people.",
      true
    ],
    [
      "Until what time is the Orrin library open?",
      "From Monday to Friday the Orrin library closes at 8 pm.",
      "On Saturdays the Orrin library closes at 1 pm.",
      false
    ],
    [
      "Until what time is the Orrin library open on Saturdays?",
      "On Saturdays the Orrin library closes at 2 pm.",
      "On Saturday the Orrin library closes at 1 pm.",
      true
    ],
    [
      "霧野公園の許可証はどこが発行しますか",
      "許可証を発行するのは霧野公園の霧野事務所です。犬を連れて入ることはできません。",
      "霧野事務所が霧野公園の許可証を発行する。",
      false
    ],
    [
      "How do I file a claim in Orrin?",
      "In Orrin you file a claim with the agency before the deadline of 180 to 300 days.",
      "In Orrin I filed my claim with the agency within 180 days.",
      false
    ]
  ])("%s %s %s", (question, left, right, isContradiction) => {
    assert.strictEqual(contradict(question, left, right), isContradiction)
    assert.strictEqual(contradict(question, right, left), isContradiction)
  })
})
