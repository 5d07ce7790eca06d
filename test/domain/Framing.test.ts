import { assert, describe, it } from "@effect/vitest"
import * as ClaimPlacement from "../../src/domain/pack/ClaimPlacement.ts"
import type { DemotionReason } from "../../src/domain/pack/GroundingPack.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import * as Verification from "../../src/domain/pack/Verification.ts"
import { claimOf, materialsOf, pageOf } from "../support/evidencePages.ts"

const check = (claim: string, quote: string) =>
  Verification.check(claim, { quotes: [quote], title: "" })

/** A sentence, and a clause of it that it does not assert. */
const framed: ReadonlyArray<readonly [DemotionReason | "reserved", string, string]> = [
  ["negation_mismatch", "It is a myth that the drug cures cancer.", "The drug cures cancer."],
  ["negation_mismatch", "It is not true that the drug cures cancer.", "The drug cures cancer."],
  [
    "negation_mismatch",
    "Claims that vaccines cause autism have been debunked.",
    "Vaccines cause autism."
  ],
  [
    "negation_mismatch",
    "The ministry denied reports that the minister resigned on Monday.",
    "The minister resigned on Monday."
  ],
  [
    "negation_mismatch",
    "Under no circumstances can it be said that the landlord may evict the tenant.",
    "The landlord may evict the tenant."
  ],
  ["negation_mismatch", "“The drug cures cancer” is a hoax.", "The drug cures cancer."],
  ["negation_mismatch", "The drug cures cancer. This is false.", "The drug cures cancer."],
  ["negation_mismatch", "The earth is flat, a claim that is wrong.", "The earth is flat."],
  ["negation_mismatch", "None of the tenants signed the lease.", "The tenants signed the lease."],
  [
    "negation_mismatch",
    "It is a myth that bleach cures the flu and that vaccines cause autism.",
    "Vaccines cause autism."
  ],
  ["negation_mismatch", "It is a myth that the drug cures cancer.", "The drug cures all cancer."],
  [
    "negation_mismatch",
    "It is false that common vaccines often cause severe autism.",
    "Common vaccines cause severe autism."
  ],
  ["not_asserted", "There is no evidence that the drug cures cancer.", "The drug cures cancer."],
  ["not_asserted", "It is unclear whether the drug cures cancer.", "The drug cures cancer."],
  ["not_asserted", "If the tenant leaves early, a fee is due.", "The tenant leaves early."],
  ["not_asserted", "Unless the rent is paid, the lease ends.", "The rent is paid."],
  ["not_asserted", "Vaccines cause autism?", "Vaccines cause autism."],
  ["not_asserted", "Is it so that vaccines cause autism?", "Vaccines cause autism."],
  ["reserved", "If the tenant leaves early, a fee is due.", "A fee is due."],
  ["reserved", "The deposit is returned only if the flat is clean.", "The deposit is returned."],
  ["reserved", "Critics claim that the drug cures cancer.", "The drug cures cancer."],
  ["reserved", "The rule applies except on Sundays.", "The rule applies."],
  [
    "negation_mismatch",
    "Es ist ein Mythos, dass Impfungen Autismus verursachen.",
    "Impfungen Autismus verursachen."
  ],
  ["not_asserted", "Es gibt keine Beweise, dass das Mittel hilft.", "Das Mittel hilft."],
  ["not_asserted", "Wenn der Mieter auszieht, endet der Vertrag.", "Der Mieter auszieht."],
  ["negation_mismatch", "Der Vertrag endet nicht.", "Der Vertrag endet."],
  ["negation_mismatch", "Il est faux que le vaccin rend malade.", "Le vaccin rend malade."],
  ["not_asserted", "Il n'y a aucune preuve que le vaccin rend malade.", "Le vaccin rend malade."],
  ["negation_mismatch", "Es falso que la vacuna causa autismo.", "La vacuna causa autismo."],
  ["not_asserted", "No hay pruebas de que la vacuna causa autismo.", "La vacuna causa autismo."],
  ["negation_mismatch", "È falso che il vaccino causa autismo.", "Il vaccino causa autismo."],
  ["negation_mismatch", "É mito que a vacina causa autismo.", "A vacina causa autismo."],
  ["negation_mismatch", "Неправда, что вакцина вызывает аутизм.", "Вакцина вызывает аутизм."],
  [
    "negation_mismatch",
    "ワクチンが自閉症を起こすというのは誤りです。",
    "ワクチンが自閉症を起こす。"
  ],
  ["negation_mismatch", "通知する必要があるわけではない。", "通知する必要がある。"],
  ["not_asserted", "この薬が癌に効くかどうかは不明です。", "この薬が癌に効く。"],
  ["reserved", "一年住んだ場合は、敷金が戻ります。", "敷金が戻ります。"],
  ["negation_mismatch", "백신이 자폐증을 일으킨다는 것은 거짓이다.", "백신이 자폐증을 일으킨다."],
  ["negation_mismatch", "이 약이 안전하다고 볼 수 없다.", "이 약이 안전하다."],
  ["negation_mismatch", "疫苗会导致自闭症是谣言。", "疫苗会导致自闭症。"],
  ["negation_mismatch", "外国人不可以在这里开户。", "可以在这里开户。"],
  ["not_asserted", "没有证据表明疫苗会导致自闭症。", "疫苗会导致自闭症。"],
  ["not_asserted", "如果租客提前搬走,房东可以扣押金。", "租客提前搬走。"]
]

/** The same frames round other clauses, or what only looks like a frame. */
const plain: ReadonlyArray<readonly [string, string]> = [
  [
    "It is a myth that the drug cures cancer, but the drug relieves pain.",
    "The drug relieves pain."
  ],
  ["It is true that the drug cures cancer.", "The drug cures cancer."],
  [
    "The minister denied the charges. The minister resigned on Monday.",
    "The minister resigned on Monday."
  ],
  ["It is a myth that the drug cures cancer.", "It is a myth that the drug cures cancer."],
  ["The study found that the drug cures cancer.", "The drug cures cancer."],
  [
    "According to the ministry, the minister resigned on Monday.",
    "The minister resigned on Monday."
  ],
  ["Tenants who do not pay must leave the flat.", "Tenants who do not pay must leave the flat."],
  [
    "The rule applies not only to tenants but to owners.",
    "The rule applies not only to tenants but to owners."
  ],
  ["Es ist wahr, dass das Mittel hilft.", "Das Mittel hilft."],
  ["調査によると、ワクチンは安全です。", "ワクチンは安全です。"],
  ["조사에 따르면 이 약이 안전하다.", "이 약이 안전하다."],
  ["调查显示疫苗是安全的。", "疫苗是安全的。"]
]

describe("a clause cut out of its sentence", () => {
  it.each(framed)("%s: %s", (expected, quote, claim) => {
    const { doubts, reason } = check(claim, quote)
    assert.strictEqual(reason ?? doubts[0], expected)
  })

  it.each(plain)("stands: %s", (quote, claim) => {
    assert.deepInclude(check(claim, quote), { support: "supported", doubts: [] })
  })

  it("is held to its whole sentence on the page, however short the quotation", () => {
    const text = "It is a myth that the drug cures every known cancer. Nobody knows why."
    const draft = claimOf("The drug cures every known cancer.", {
      s1: "the drug cures every known cancer"
    })
    const quotables = new Map([["s1", ClaimPlacement.quotable(pageOf(text))]])
    assert.strictEqual(ClaimPlacement.place(draft, quotables)?.reason, "negation_mismatch")
    assert.isUndefined(
      check(draft.text, "the drug cures every known cancer").reason,
      "what a check of the bare quotation would say"
    )
  })
})

describe("a claim in another script than its quotation", () => {
  const korean = "서울은 대한민국의 수도이며 인구가 가장 많은 도시이다."

  it.each([
    ["Drinking bleach cures the flu.", korean],
    ["Tenants need not give any notice.", "借主は1か月前に通知しなければならない。"],
    ["A tenant gives one month's notice.", "借主は1か月前に通知する。"],
    [
      "Toyota did not sell 10 million cars in 2024.",
      "トヨタ(Toyota)は2024年に1000万台を販売した。"
    ],
    [
      "Toyota sold at most 10,000,000 yen of shares in 2024.",
      "Toyotaは2024年に1000万円以上の株を売った。"
    ]
  ])("does not stand, being compared by nobody: %s", (claim, quote) => {
    assert.strictEqual(check(claim, quote).reason, "not_comparable")
  })

  it("stands in part where figures and names of both say the same", () => {
    const { doubts, reason, support } = check(
      "In 2024 NHK charged 1,100 yen.",
      "2024年、NHKの受信料は1,100円だった。"
    )
    assert.deepStrictEqual([reason, support, doubts[0]], [undefined, "partly", "other_language"])
  })

  it("falls for a figure that its quotation does not state", () => {
    assert.strictEqual(
      check("In 2024 NHK charged 1,200 yen.", "2024年、NHKの受信料は1,100円だった。").reason,
      "number_not_in_quote"
    )
  })

  it.each(
    [
      ["supported", undefined],
      ["partly", undefined],
      ["unsupported", "judged_unsupported"],
      ["contradicted", "judged_contradicted"]
    ] as const
  )("stands as far as a judge says: %s", (judgement, reason) => {
    const materials = materialsOf({
      draft: {
        claims: [claimOf("Seoul is the capital of Korea.", { s1: korean })],
        what_to_ask_user: []
      },
      pages: [pageOf(korean)]
    })
    assert.strictEqual(PackAssembly.judgeable(materials).length, 1)
    const pack = PackAssembly.assemble({ ...materials, judgements: [{ claim: 0, judgement }] })
    assert.strictEqual(pack.key_points.length, reason === undefined ? 1 : 0)
    assert.strictEqual(pack.key_points[0]?.support, reason === undefined ? "partly" : undefined)
    assert.strictEqual(pack.disputed_or_uncertain[0]?.reason, reason)
    const unread = PackAssembly.assemble({ ...materials, judgements: [] })
    assert.strictEqual(unread.disputed_or_uncertain[0]?.reason, "not_comparable")
  })
})
