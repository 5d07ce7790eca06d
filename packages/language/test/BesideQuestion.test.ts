import { assert, describe, it } from "@effect/vitest"
import { isOpen, strip } from "../src/privacy/QueryPrivacy.ts"

/** A text, what leaves of it, and what must stay. */
const rows: ReadonlyArray<readonly [text: string, left: string, kept: ReadonlyArray<string>]> = [
  [
    "long story: wenzel and i rent off mrs Abara, file 77120/4, since 2019. no letter came. how much " +
    "notice must a landlord give before he puts up the rent?",
    "how much notice must a landlord give before he puts up the rent?",
    ["wenzel", "Abara", "77120"]
  ],
  [
    "From: Ines Calloway <ines@calloway-tiles.example>\nSubject: carry over\nCan statutory leave be " +
    "carried over after maternity leave in Ireland?\nThx\nInes Calloway\nPayroll, Calloway Tiles Ltd",
    "Can statutory leave be carried over after maternity leave in Ireland?",
    ["Ines", "Calloway"]
  ],
  [
    "Mein Chef Anton Riedmüller zahlt nicht, in Österreich. Welche Frist gilt für offenen Lohn nach " +
    "einer fristlosen Kündigung?",
    "Österreich Welche Frist gilt für offenen Lohn nach einer fristlosen Kündigung?",
    ["Riedmüller", "Chef"]
  ],
  [
    "담당 조사관 석다올, 관리번호 224-87-10935-6. 기한후신고 가산세 감면율은 1개월 이내면 몇 퍼센트인가요?",
    "기한후신고 가산세 감면율은 1개월 이내면 몇 퍼센트인가요?",
    ["석다올", "10935"]
  ]
]

describe("a question next to its asker's statements", () => {
  it.each(rows)("leaves alone: %s", (text, left, kept) => {
    const out = strip(text)
    assert.strictEqual(out, left)
    for (const secret of kept) assert.notInclude(out, secret)
    assert.strictEqual(strip(out), out)
  })

  it("leaves with the statements where it says too little alone", () => {
    const out = strip(
      "My landlord Ada Quist wants 180 euros for heating costs of 2022. Is that legal?"
    )
    assert.include(out, "heating costs of 2022")
    assert.notInclude(out, "Quist")
  })

  it("leaves with the statements where nothing in it is private", () => {
    const text =
      "The CB750 came out in 1969. How much did a new Honda CB750 cost in its first year?"
    assert.strictEqual(strip(text), text)
    assert.isTrue(isOpen(text))
  })
})
