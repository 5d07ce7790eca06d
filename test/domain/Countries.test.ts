import { assert, describe, it } from "@effect/vitest"
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import { claimOf, materialsOf, pageOf, quotedOf } from "../support/evidencePages.ts"
import { requestOf } from "../support/sessionFacts.ts"

describe("a claim about another country", () => {
  const japan = "The emergency number for an ambulance in Japan is 119."
  const both = "In Japan and South Korea the number for an ambulance is 119."
  const titled = "Dial 119 from any telephone and say where you are."
  const asked = (question: string, fields: object = {}) =>
    PackAssembly.assemble(materialsOf({
      request: requestOf({ user_question: question, ...fields }),
      pages: [
        pageOf(`${japan} ${both}`, { title: "Emergencies" }),
        pageOf(titled, { source_id: "s2", site: "two.example", title: "Emergencies in Japan" })
      ],
      claims: [
        claimOf(japan, { s1: japan }),
        claimOf(both, { s1: both }),
        claimOf(titled, { s2: titled })
      ]
    })).key_points.filter(({ beside_question }) => beside_question !== true)
      .map(({ text }) => text).toSorted()

  it("than the one asked about is no key point, whatever words it shares", () => {
    const question = "What number do I call for an ambulance in Korea?"
    assert.deepStrictEqual(asked(question), [both])
    const ofRegion = asked("What number do I call for an ambulance?", { region: { country: "KR" } })
    assert.deepStrictEqual(ofRegion, [both])
  })

  it("is kept where that country, or none, was asked about", () => {
    const all = [both, titled, japan].toSorted()
    assert.deepStrictEqual(asked("What number do I call for an ambulance in Japan?"), all)
    assert.deepStrictEqual(asked("What number do I call for an ambulance?"), all)
  })
})

it("a public body's page that names no country speaks of its own", () => {
  const [japan, england] = [
    "A landlord must give the tenant six months' notice.",
    "A landlord must give the tenant two months' notice under Section 21."
  ]
  const pack = PackAssembly.assemble(materialsOf({
    request: requestOf({
      user_question: "How much notice must a landlord give the tenant?",
      region: { country: "JP" }
    }),
    ...quotedOf([
      [japan, { site: "mlit.go.jp", official: true }],
      [england, { site: "gov.uk", official: true }]
    ])
  }))
  const standing = [...pack.key_points, ...pack.constraints_and_rules]
  assert.deepStrictEqual(standing.map(({ text }) => text), [japan])
  assert.deepStrictEqual(pack.disputed_or_uncertain.map(({ reason, text }) => [text, reason]), [
    [england, "beside_question"]
  ])
  assert.deepStrictEqual(["gov.uk", "go.jp", "gov.example"].map(QuestionTerms.ofSite), [
    "GB",
    "JP",
    undefined
  ])
})

it("what holds in two countries is no dispute", () => {
  const scotland = "In Scotland a tenant must give 28 days of notice."
  const japan = "In Japan a tenant must give 30 days of notice."
  const ofJapan = "A tenant must give 45 days of notice in writing."
  const packOf = (texts: ReadonlyArray<readonly [string, string]>) =>
    PackAssembly.assemble(materialsOf({
      request: requestOf({ user_question: "How many days of notice must a tenant give?" }),
      ...quotedOf(texts.map(([text, title]) => [text, { title }]))
    })).disputed_or_uncertain.map(({ text }) => text)
  assert.deepStrictEqual(packOf([[scotland, "Notice"], [japan, "Notice"]]), [])
  // A title says of where a page speaks.
  assert.deepStrictEqual(packOf([[scotland, "Notice"], [ofJapan, "Renting in Japan"]]), [])
  assert.lengthOf(packOf([[japan, "Notice"], [ofJapan, "Renting in Japan"]]), 2)
})
