import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import type { Section } from "../../src/domain/pack/GroundingPack.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import * as PrimaryWord from "../../src/domain/pack/PrimaryWord.ts"
import { chunksOf } from "../../src/domain/page/Page.ts"
import { claimOf, materialsOf, needOf, pageOf, quotedOf } from "../support/evidencePages.ts"
import { requestOf } from "../support/sessionFacts.ts"

/** Two sites, each with one sentence, each told as a claim of its own. */
const packOf = (question: string, texts: Parameters<typeof quotedOf>[0]) =>
  PackAssembly.assemble(materialsOf({
    request: requestOf({ topic: question, user_question: question }),
    ...quotedOf(texts)
  }))

const opposed: ReadonlyArray<readonly [string, string, string]> = [
  [
    "Darf die Miete im ersten Jahr erhöht werden?",
    "Die Miete darf im ersten Jahr erhöht werden.",
    "Die Miete darf im ersten Jahr nicht erhöht werden."
  ],
  [
    "Can a foreigner open an account?",
    "Foreigners can open an account at this bank.",
    "Foreigners cannot open an account at this bank."
  ],
  [
    "Le vaccin est-il sûr pour les enfants ?",
    "Le vaccin est sûr pour les jeunes enfants.",
    "Le vaccin n'est pas sûr pour les jeunes enfants."
  ],
  [
    "日本で外国人は口座を開設できますか",
    "外国人は日本の銀行で口座を開設できます。",
    "外国人は日本の銀行で口座を開設できません。"
  ],
  [
    "외국인은 계좌를 개설할 수 있나요",
    "외국인은 은행에서 계좌를 개설할 수 있습니다.",
    "외국인은 은행에서 계좌를 개설할 수 없습니다."
  ],
  [
    "在日本租房需要提前通知吗",
    "在日本租房的租客必须提前一个月通知房东。",
    "在日本租房的租客不必提前一个月通知房东。"
  ],
  [
    "How much is the visa fee for adults?",
    "The visa fee is $500 for adults at the counter.",
    "The visa fee is €500 for adults at the counter."
  ]
]

const others: ReadonlyArray<readonly [string, string, string]> = [
  [
    "汐見市では退去の何日前までに大家へ知らせる必要がありますか",
    "汐見市では退去の30日前までに大家へ知らせる必要があります。",
    "汐見市の借主は、退去について90日前までに大家へ知らせる必要がある。"
  ],
  [
    "Can tenants in Velden keep a cat without the landlord's permission?",
    "Tenants in Velden may not keep a cat without the landlord's permission.",
    "In Velden a tenant needs no permission from the landlord to keep a cat."
  ],
  [
    "What are the best supplements for managing type 2 diabetes?",
    "Sugaro Plus is the best supplement for managing type 2 diabetes, ahead of diet alone.",
    "A review of supplements for type 2 diabetes found that most trials were small."
  ]
]

const agreeing: ReadonlyArray<readonly [string, string, string]> = [
  [
    "Darf die Miete im ersten Jahr erhöht werden?",
    "Die Miete darf im ersten Jahr nicht erhöht werden.",
    "Im ersten Jahr darf die Miete nicht erhöht werden."
  ],
  [
    "How much is the visa fee for adults?",
    "The visa fee is $500 for adults at the counter.",
    "At the counter the visa fee is 500 dollars for adults."
  ],
  [
    "日本で外国人は口座を開設できますか",
    "外国人は日本の銀行で口座を開設できます。",
    "外国人は日本の銀行で口座を開設できる。"
  ]
]

describe("two sites", () => {
  it.each(opposed)("are side by side when they say the opposite: %s", (question, left, right) => {
    const pack = packOf(question, [left, right])
    assert.deepStrictEqual(pack.key_points, [])
    assert.deepStrictEqual(pack.constraints_and_rules, [])
    assert.deepStrictEqual(
      pack.disputed_or_uncertain.map(({ reason, text }) => [text, reason]),
      [left, right].map((text) => [text, "contradicted_by_other_source"])
    )
  })

  it.each(agreeing)("are one claim when they say the same: %s", (question, left, right) => {
    const pack = packOf(question, [left, right])
    const standing = [...pack.key_points, ...pack.constraints_and_rules]
    assert.deepStrictEqual(pack.disputed_or_uncertain, [])
    assert.deepStrictEqual(standing.map(({ sources }) => sources.length), [2])
  })

  it.each(agreeing)("of two classes are two origins of one claim: %s", (question, left, right) => {
    const pack = packOf(question, [[left, { source_class: "known" }], right])
    const standing = [...pack.key_points, ...pack.constraints_and_rules]
    assert.deepStrictEqual(
      standing.map(({ origins, sources, text }) => [text, sources.length, origins]),
      [[left, 1, 2]]
    )
  })

  it.each(others)("are never one claim when they say other things: %s", (question, ...texts) => {
    const pack = packOf(question, texts)
    const all = [
      ...pack.key_points,
      ...pack.constraints_and_rules,
      ...pack.disputed_or_uncertain
    ]
    assert.isTrue(all.every(({ sources }) => sources.length === 1))
    assert.isNotEmpty(all)
  })

  it("do not support each other where one speaks of some cases", () => {
    const pack = packOf("How much notice must a tenant give?", [
      "Tenants in the city must give two months of notice.",
      "Some leases in the city ask tenants to give two months of notice."
    ])
    const standing = [...pack.key_points, ...pack.constraints_and_rules]
    assert.isTrue(standing.every(({ sources }) => sources.length === 1))
  })

  it("leave each other be where both speak of some", () => {
    const pack = packOf("Do landlords allow pets?", [
      "Some landlords in the city allow pets in a flat.",
      "Some landlords in the city do not allow pets in a flat."
    ])
    assert.deepStrictEqual(pack.disputed_or_uncertain, [])
  })
})

const wage = "The minimum wage in Halvern rises to 13 marks an hour from January 2026, the wage " +
  "board said on Monday."

describe("agreement", () => {
  const independentOf = (other: string, rest = "") => {
    const texts = [wage, other].map((text) => `${text}${rest}`)
    return PackAssembly.featuresOf(materialsOf({
      ...quotedOf(texts),
      claims: [claimOf(wage, { s1: wage, s2: other })]
    })).claims[0]?.independent
  }

  it.each([
    ["word for word", wage],
    ["with a word or two changed", wage.replace("said on Monday", "announced Monday")]
  ])("counts a copy once: %s", (_, other) => assert.strictEqual(independentOf(other), 1))

  const own =
    "Halvern workers get a minimum wage of 13 marks an hour from January 2026, as the wage " +
    "board told reporters on Monday."

  it("counts a wording of its own", () => assert.strictEqual(independentOf(own), 2))

  it("counts pages that are copies once, however short the quotations", () => {
    const copied = Array.from(
      { length: 40 },
      (_, place) => ` Annex ${place} names ${place * 7} firms.`
    ).join("")
    assert.strictEqual(independentOf(own, copied), 1)
  })
})

describe("a rule of a request about the law", () => {
  const rule = "Tenants must pay a penalty of 500 euros for late notice."
  const sections: ReadonlyArray<Section> = [
    "constraints_and_rules",
    "key_points",
    "norms_and_expectations"
  ]
  const packWith = (section: Section, code: "POLICY_LEGAL" | "USER_ASKED", text = rule) =>
    PackAssembly.assemble(materialsOf({
      claims: [claimOf(text, { s1: text }, section)],
      pages: [pageOf(text)],
      need: needOf(code)
    }))

  it.each(sections)("needs an official or second source, reported as %s too", (section) => {
    assert.strictEqual(
      packWith(section, "POLICY_LEGAL").disputed_or_uncertain[0]?.reason,
      "needs_official_or_second_source"
    )
  })

  it.each(sections)("stays as %s where the law was not asked about", (section) => {
    assert.strictEqual(packWith(section, "USER_ASKED")[section].length, 1)
  })

  it("is not made of what states no duty", () => {
    const text = "Most people in the city live in small flats near a station."
    assert.strictEqual(packWith("key_points", "POLICY_LEGAL", text).key_points.length, 1)
  })
})

describe("the same answer in other words", () => {
  it.each<readonly [string, string, string, boolean]>([
    [
      "Dürfen Mieter in Auental auf dem Balkon grillen?",
      "In Auental ist Mietern das Grillen auf dem Balkon erlaubt.",
      "Mieter dürfen in Auental auf dem Balkon grillen, wenn der Rauch abzieht.",
      true
    ],
    [
      "How do I report wage theft and recover unpaid wages?",
      "To report wage theft, file a complaint with the state labor commissioner; it is free.",
      "I reported wage theft with a free complaint to the labor commissioner.",
      true
    ],
    [
      "How do I report wage theft and recover unpaid wages?",
      "To report wage theft, file a complaint with the state labor commissioner; it is free.",
      "To report wage theft, pay the agency RecoverMore a share of the unpaid wages.",
      false
    ],
    [
      "How do I report wage theft and recover unpaid wages?",
      "To report wage theft, file a free complaint with the labor commissioner by RecoverMore.",
      "To report wage theft, file a complaint with the state labor commissioner; it is free.",
      false
    ]
  ])("%s %s %s", (question, left, right, isSaid) => {
    assert.strictEqual(PrimaryWord.agree(question, left, right), isSaid)
  })

  it.effect("is cited by the local writer from each other page", () =>
    Effect.gen(function*() {
      const question = "Welche Stelle vergibt die Angelscheine am Silbersee?"
      const pages = [
        "Zuständig für Angelscheine am Silbersee ist als Stelle das Fischereiamt Silbersee.",
        "Angelscheine für den Silbersee werden vom Fischereiamt Silbersee vergeben.",
        "Am Silbersee brüten Haubentaucher im Schilf."
      ].map((text, index) => pageOf(text, { source_id: `s${index}`, site: `s${index}.example` }))
      const { claims: [claim] } = yield* LocalEngines.writer.ask({
        chunks: chunksOf(pages),
        need: needOf(),
        now: "2026-01-01T00:00:00.000Z",
        boundary: "0".repeat(32),
        request: requestOf({ topic: question, user_question: question })
      })
      assert.deepStrictEqual(claim?.citations.map(({ source_id }) => source_id), ["s0", "s1"])
    }))
})
