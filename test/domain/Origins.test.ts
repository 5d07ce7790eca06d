/** Whose word several pages are, and what follows from it for a pack. */
import { assert, describe, it } from "@effect/vitest"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import { chunksOf, type Page } from "../../src/domain/page/Page.ts"
import * as EvidenceBlock from "../../src/domain/view/EvidenceBlock.ts"
import { claimOf, materialsOf, pageOf, quotedOf } from "../support/evidencePages.ts"
import { standingClaims } from "../support/packChecker.ts"
import { requestOf } from "../support/sessionFacts.ts"

const question = "What is the maximum daily dose of velotamide for adults?"
const wrong = [
  "The highest daily dose of velotamide that adults may take is 120 mg.",
  "In adults the daily dose of velotamide goes up to a maximum of 120 mg.",
  "Velotamide can be dosed up to 120 mg a day in adults, which is its daily maximum."
]
const right = "The maximum daily dose of velotamide for adults is 40 mg."

const page = (place: number, text: string, fields: Partial<Page> = {}): Page =>
  pageOf(text, { source_id: `s${place}`, site: `site-${place}.example`, ...fields })

const packOf = (pages: ReadonlyArray<Page>, quoted = pages.map(({ text }) => text)) =>
  PackAssembly.assemble(materialsOf({
    request: requestOf({ topic: question, user_question: question }),
    draft: {
      claims: pages.map(({ source_id }, place) =>
        claimOf(quoted[place] ?? "", { [source_id]: quoted[place] ?? "" })
      ),
      what_to_ask_user: []
    },
    pages
  }))

const originsOf = (pages: ReadonlyArray<Page>, quoted?: ReadonlyArray<string>) =>
  Math.max(0, ...packOf(pages, quoted && [...quoted]).key_points.map(({ origins = 0 }) => origins))

const [first = "", second = "", third = ""] = wrong
const told = (sentence: string, rest: string) => `${rest}\n${sentence}`

describe("pages that say the same", () => {
  it("are as many origins as sites, where nothing joins them", () => {
    assert.strictEqual(originsOf([page(1, first), page(2, second)]), 2)
  })

  it.each<readonly [string, Partial<Page>, Partial<Page>]>([
    ["one site", { site: "one.example" }, { site: "one.example" }],
    ["one owner", { owners: ["evening star"] }, { owners: ["g-1a2b3c4", "evening star"] }]
  ])("are one origin of %s", (_, left, right) => {
    assert.strictEqual(originsOf([page(1, first, left), page(2, second, right)]), 1)
  })

  it("are one origin where they retell one text: its figures and whom it quotes", () => {
    const pages = [
      page(1, told(first, "Spokeswoman Marta Ellingsen spoke of 3,870 cases.")),
      page(2, told(second, "There were 3,870 cases, said Marta Ellingsen."))
    ]
    assert.strictEqual(originsOf(pages, wrong), 1)
    // Either alone is chance.
    const others = [
      page(1, told(first, "Spokeswoman Marta Ellingsen spoke of 3,870 cases.")),
      page(2, told(second, "There were 3,870 cases, said Jonas Weidner."))
    ]
    assert.strictEqual(originsOf(others, wrong), 2)
  })

  it("are one origin where their paragraphs link to the same third party", () => {
    const linked = (place: number, sentence: string) => {
      const text = `As the institute says: ${sentence}`
      const start = text.indexOf("institute")
      const link = { url: "https://i.example/", site: "i.example", start, end: start + 9 }
      return page(place, text, { links: [link] })
    }
    const pack = packOf([linked(1, first), linked(2, second)])
    assert.isNotEmpty(pack.key_points)
    for (const { credited_to, origins } of pack.key_points) {
      assert.deepStrictEqual([origins, credited_to], [1, "i.example"])
    }
    const elsewhere = packOf([
      linked(1, first),
      page(2, `${linked(2, "Doses vary.").text}\n${second}`, { links: linked(2, "").links ?? [] })
    ], [first, second])
    assert.isTrue(elsewhere.key_points.some(({ origins }) => origins === 2))
  })

  it("are one origin where one names the other's owner next to what it says", () => {
    const pages = [
      page(1, first, { owners: ["velotamide institute"] }),
      page(2, `The Velotamide Institute established this. ${second}`)
    ]
    assert.strictEqual(originsOf(pages, wrong), 1)
  })
})

describe("a claim of consequence", () => {
  it("stays below 0.5 on one unknown page's word, and below 0.7 on that of many", () => {
    const one = packOf([page(1, first)])
    assert.isBelow(one.confidence, 0.5)
    assert.isTrue(one.key_points.every(({ confidence }) => confidence < 0.5))
    const many = packOf(wrong.map((text, place) => page(place, text)))
    assert.isBelow(many.confidence, 0.7)
    assert.isAtLeast(many.confidence, 0.5)
  })

  it.each([
    "2025-02-01",
    "2021-02-01"
  ])("gives way to a primary source of %s, however many and new the others are", (primaryDate) => {
    const pack = packOf([
      ...wrong.map((text, place) => page(place, text, { published_date: "2026-03-01" })),
      page(9, right, { source_class: "primary", published_date: primaryDate })
    ])
    assert.deepStrictEqual(pack.key_points.map(({ primary, text }) => [text, primary]), [
      [right, true]
    ])
    assert.isAtLeast(pack.confidence, 0.5)
    assert.isTrue(
      pack.disputed_or_uncertain.every(({ confidence, text }) =>
        wrong.includes(text) && confidence < 0.3
      )
    )
  })

  it("is disputed where a known source is newer than the primary one by years", () => {
    const pack = packOf([
      page(1, first, { source_class: "known", published_date: "2026-03-01" }),
      page(2, right, { source_class: "primary", published_date: "2021-02-01" })
    ])
    assert.deepStrictEqual(pack.key_points, [])
  })

  it("gives way to a known source, and a known one to a primary one", () => {
    const known = packOf([page(1, third), page(2, right, { source_class: "known" })])
    assert.deepStrictEqual(known.key_points.map(({ text }) => text), [right])
    const both = packOf([
      page(1, third, { source_class: "known" }),
      page(2, right, { source_class: "primary" })
    ])
    assert.deepStrictEqual(both.key_points.map(({ text }) => text), [right])
  })

  it("is not borne out by a page that shares a sentence with an authority's", () => {
    const asked = "Quel service délivre les permis de camping au lac d'Ambre ?"
    const shared = "Les feux sont permis sur les pierres plates seulement."
    const truth =
      "Les permis de camping au lac d'Ambre sont délivrés par le Bureau du Parc d'Ambre."
    const invented =
      "Seul le Centrale des Permis d'Ambre délivre des permis de camping au lac d'Ambre."
    const pages = [
      page(1, invented),
      page(3, `${invented} ${shared}`),
      page(2, `${truth} ${shared}`, { source_class: "primary" })
    ]
    const pack = PackAssembly.assemble(materialsOf({
      request: requestOf({ topic: asked, user_question: asked, locale: "fr" }),
      draft: {
        claims: [
          claimOf(shared, { s3: shared, s2: shared }),
          claimOf(invented, { s1: invented }),
          claimOf(truth, { s2: truth })
        ],
        what_to_ask_user: []
      },
      pages
    }))
    const standing = [...pack.key_points, ...pack.constraints_and_rules].map(({ text }) => text)
    assert.notInclude(standing, invented)
    assert.include(standing, truth)
  })

  it("is background where a primary source answers and says nothing of it", () => {
    const product = "Velocalm Plus makes any daily dose of velotamide safe for adults."
    const pack = packOf([page(1, product), page(2, right, { source_class: "primary" })])
    assert.deepStrictEqual(pack.key_points.map(({ text }) => text), [right])
  })
})

const blockOf = (pages: ReadonlyArray<Page>, pack: ReturnType<typeof packOf>) => {
  const boundary = "0".repeat(32)
  const chunks = chunksOf(pages)
  const excerpts = EvidenceBlock.select({ chunks, question, boundary, charsMax: 1_400, pack })
  return EvidenceBlock.build({ excerpts, boundary }).text
}

describe("unknown pages' words near a public body's", () => {
  const rule = "The maximum daily dose of velotamide for adults is 40 mg, in two halves."
  it.each([
    [
      "a second figure",
      "The maximum daily dose of velotamide for adults is 40 mg, or 90 mg by night."
    ],
    ["another bound", "The maximum daily dose of velotamide for adults is at least 40 mg."],
    [
      "a condition",
      "The maximum daily dose of velotamide for adults is 40 mg only in two clinics."
    ],
    ["its words in another order", "Adults halve the maximum: the daily dose of velotamide is two."]
  ])("are neither its claim's source nor sure: %s", (_, text) => {
    const official = page(1, rule, { official: true, source_class: "primary" })
    const pack = packOf([official, page(2, text)])
    const claims = [pack.key_points, pack.constraints_and_rules].flat()
    assert.include(claims.map((claim) => claim.text), rule)
    const others = claims.filter(({ sources }) =>
      sources.some(({ source_id }) => source_id === "s2")
    )
    assert.isTrue(others.every(({ confidence }) => confidence < 0.5), JSON.stringify(others))
    assert.notInclude(blockOf([official, page(2, text)], pack), `> ${text}`)
  })

  it("are not quoted for it where a judge takes them for the same", () => {
    const text = "The maximum daily dose of velotamide for adults is 40 mg only in two clinics."
    const pages = [page(1, rule, { official: true, source_class: "primary" }), page(2, text)]
    const pack = PackAssembly.assemble(materialsOf({
      request: requestOf({ topic: question, user_question: question }),
      claims: [claimOf(right, { s1: rule, s2: text })],
      pages,
      judgements: [{ claim: 0, judgement: "supported", answering: "answers" }]
    }))
    assert.lengthOf(standingClaims(pack)[0]?.sources ?? [], 2)
    assert.notInclude(blockOf(pages, pack), `> ${text}`)
  })

  it("are not sure because others say them, too", () => {
    const asked = "How should velotamide be stored at home?"
    const { claims, pages } = quotedOf([
      ["Velotamide should be stored in the fridge at home.", {
        official: true,
        source_class: "primary"
      }],
      "Velotamide should be stored at home on a sunny shelf, in a jar.",
      "At home, a jar on a sunny shelf is where velotamide should be stored."
    ])
    const request = requestOf({ topic: asked, user_question: asked })
    const [first, ...others] = standingClaims(
      PackAssembly.assemble(materialsOf({ request, claims, pages }))
    )
    assert.isTrue(first?.primary)
    assert.isNotEmpty(others)
    assert.isTrue(others.every(({ confidence }) => confidence < 0.5), JSON.stringify(others))
  })

  it("are not sure for what they add to its claim that they repeat", () => {
    const asked = "Which home test shows the risk of velotosis?"
    const truth = "Home tests look at few variants and do not show the risk of velotosis."
    const brand = "The recommended home test of the risk of velotosis is Velogenix Pro."
    const { pages } = quotedOf([
      [truth, { official: true, source_class: "primary" }],
      `${truth} ${brand}`,
      "Velogenix Pro is, we find, the home test of the risk of velotosis to recommend."
    ])
    const request = requestOf({ topic: asked, user_question: asked })
    const claims = [
      claimOf(truth, { s1: truth, s2: truth }),
      claimOf(brand, { s2: brand, s3: pages[2]?.text ?? "" })
    ]
    const others = standingClaims(PackAssembly.assemble(materialsOf({ request, claims, pages })))
      .filter(({ text }) => text === brand)
    assert.isTrue(others.every(({ confidence }) => confidence < 0.5), JSON.stringify(others))
  })

  it("are compared with its claim on its own site, too, where strangers publish there", () => {
    const body = { official: true, source_class: "primary" as const, site: "body.gov.example" }
    const forum = page(2, wrong[0] ?? "", { site: "body.gov.example" })
    const pack = packOf([page(1, right, body), forum])
    assert.deepStrictEqual(standingClaims(pack).map(({ text }) => text), [right])
  })
})
