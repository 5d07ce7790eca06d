import { assert, describe, it } from "@effect/vitest"
import * as Confidence from "../../src/domain/pack/Confidence.ts"
import * as ConfidenceFeatures from "../../src/domain/pack/ConfidenceFeatures.ts"
import weights from "../../src/domain/pack/ConfidenceWeights.json" with { type: "json" }
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import type { Page } from "../../src/domain/page/Page.ts"
import type { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"
import { claimOf, materialsOf, needOf, pageOf } from "../support/evidencePages.ts"
import { requestOf } from "../support/sessionFacts.ts"

const question = "How much is the tourist tax in Elmport?"
const answer = "The tourist tax in Elmport is 2.50 crowns a night for every adult guest."
const wage = "The minimum wage will be 14.90 crowns an hour from July."

const page = (source_id: string, text: string, fields: Partial<Page> = {}): Page =>
  pageOf(text, { source_id, site: `${source_id}.example`, title: "News", ...fields })

const packOf = (
  pages: ReadonlyArray<Page>,
  quote: string,
  fields: Partial<PackAssembly.Materials> = {}
) =>
  PackAssembly.assemble(materialsOf({
    claims: [claimOf(quote, { s1: quote })],
    pages,
    request: requestOf({ user_question: question }),
    confidenceMax: Confidence.localMax,
    ...fields
  }))

const features = (pages: ReadonlyArray<Page>, quote: string) => {
  const looks = PackAssembly.featuresOf(materialsOf({
    claims: [claimOf(quote, { s1: quote })],
    pages,
    request: requestOf({ user_question: question })
  }))
  return looks.claims[0]?.features ?? assert.fail("no claim")
}

describe("the fitted confidence", () => {
  it("weighs what supports a claim for it, and never against it", () => {
    for (const part of [weights.question, weights.topic]) {
      const { gap, independent, lag, things: _, ...bearing } = part.claim.weights
      for (const [name, weight] of Object.entries({ ...bearing, independent })) {
        assert.isAtLeast(weight, 0, name)
      }
      assert.isAtMost(gap, 0)
      assert.isAtMost(lag, 0)
      const { known: _known, ...packBearing } = part.pack.weights
      for (const [name, weight] of Object.entries(packBearing)) assert.isAtLeast(weight, 0, name)
    }
    assert.isAbove(weights.assumed.primary, 0)
    assert.isAbove(weights.assumed.second_source, 0)
    for (const name of ["outdated", "undated"] as const) {
      assert.isBelow(weights.assumed[name], 0)
    }
  })

  it("has a weight for each feature and none for another", () => {
    for (const { claim, pack } of [weights.question, weights.topic]) {
      assert.sameMembers(Object.keys(claim.weights), [...ConfidenceFeatures.claimNames])
      assert.sameMembers(Object.keys(pack.weights), [...ConfidenceFeatures.packNames])
    }
  })

  it("refuses whatever would not be usable", () => {
    assert.isAtLeast(ConfidenceFeatures.refusedBelow, Confidence.usableMin)
    assert.isBelow(ConfidenceFeatures.besideBelow, ConfidenceFeatures.refusedBelow)
  })

  it("is made of numbers from 0 to 1, whatever the question and the page", () => {
    for (const asked of ["", "？", "a a a a", question, "税はいくら", "세금은 얼마"]) {
      for (const text of ["x", answer, `${answer} ${wage}`.repeat(20), "税は2円である。"]) {
        const reading = ConfidenceFeatures.readingOf(asked, [page("s1", text), page("s2", wage)])
        const told = { text, sources: [], place: 3, independent: 9 }
        const claim = ConfidenceFeatures.ofClaim(reading, told)
        const pack = ConfidenceFeatures.ofPack(reading, [claim]) ??
          assert.fail("no pack")
        for (const [name, value] of Object.entries({ ...claim, ...pack })) {
          assert.isTrue(value >= 0 && value <= 1, `${name} ${value}`)
        }
      }
    }
    const none = ConfidenceFeatures.readingOf(question, [])
    assert.isUndefined(ConfidenceFeatures.ofPack(none, []))
  })

  it("rates a sentence that answers above one of another matter", () => {
    const pages = [page("s1", `${answer} ${wage}`), page("s2", wage)]
    const odds = [answer, wage].map((quote) =>
      ConfidenceFeatures.oddsOfClaim("question", features(pages, quote))
    )
    assert.isAbove(odds[0] ?? 0, odds[1] ?? 0)
  })

  it("is not lowered by a page that says the same, though its sentence is as near", () => {
    const alone = features([page("s1", answer), page("s2", wage)], answer)
    const same = features(
      [page("s1", answer), page("s2", "In Elmport the tourist tax is 2.50 crowns each night.")],
      answer
    )
    const other = features(
      [page("s1", answer), page("s2", "In Elmport the tourist tax is 9.75 crowns each night.")],
      answer
    )
    assert.isAtLeast(same.agreed, alone.agreed)
    assert.isAbove(same.lead, other.lead)
  })

  it("of a whole pack is not lowered by an official source, nor raised by an old one", () => {
    const tax = "Guests pay 2.50 crowns of tax a night, as the council of Elmport decided."
    const confidenceOf = (fields: Partial<Page>) =>
      packOf([page("s1", tax, fields), page("s2", wage)], tax, {
        confidenceMax: 1,
        need: needOf("TIME_SENSITIVE")
      }).confidence
    const plain = confidenceOf({ published_date: "2026-10-01" })
    const official = confidenceOf({ published_date: "2026-10-01", official: true })
    assert.isAbove(official, plain)
    assert.isBelow(confidenceOf({ published_date: "2019-10-01" }), plain)
    assert.isBelow(confidenceOf({}), plain)
  })

  it("lists as background what a local writer quotes of pages without the answer", () => {
    const pack = packOf([page("s1", wage), page("s2", "Rents rose by 3 percent.")], wage)
    const told = [...pack.key_points, ...pack.disputed_or_uncertain]
    assert.isTrue(told.length > 0 && told.every((claim) => claim.beside_question === true))
    assert.isBelow(pack.confidence, ConfidenceFeatures.refusedBelow)
    assert.include(pack.notes, "question_not_answered")
  })

  it("leaves it to a judge, where there is one, whether the question is answered", () => {
    const judged = (answering: "answers" | "beside") =>
      packOf([page("s1", wage), page("s2", answer)], wage, {
        confidenceMax: 1,
        judgements: [{ claim: 0, judgement: "supported", answering }]
      })
    const yes = judged("answers")
    assert.isTrue(yes.key_points.every((claim) => claim.beside_question === undefined))
    assert.isAtLeast(yes.confidence, Confidence.usableMin)
    assert.notInclude(yes.notes, "question_not_answered")
    const no = judged("beside")
    assert.isBelow(no.confidence, Confidence.usableMin)
    assert.include(no.notes, "question_not_answered")
  })

  it("never exceeds its ceiling after a failed writer, however good the claim", () => {
    const pack = packOf([page("s1", answer, { official: true })], answer, {
      confidenceMax: Confidence.afterFailureMax
    })
    assert.isAtMost(pack.confidence, Confidence.afterFailureMax)
    assert.isTrue(
      pack.key_points.every(({ confidence }) => confidence <= Confidence.afterFailureMax)
    )
  })

  it("has sums of their own for a topic that nothing is asked of", () => {
    const seen = features([page("s1", `${answer} ${wage}`), page("s2", wage)], wage)
    assert.notStrictEqual(
      ConfidenceFeatures.oddsOfClaim("question", seen),
      ConfidenceFeatures.oddsOfClaim("topic", seen)
    )
    const rated = (request: Partial<GroundingRequest>) =>
      packOf([page("s1", `${answer} ${wage}`), page("s2", wage)], answer, {
        request: requestOf(request),
        confidenceMax: 1
      }).key_points.map(({ confidence }) => confidence)
    assert.deepStrictEqual(rated({ topic: question }), rated({ user_question: question }))
    // A scene that harms no person: what one site says of others is summarised.
    const scene = "Two guests talk about Elmport"
    assert.notDeepEqual(rated({ topic: scene }), rated({ user_question: scene }))
  })
})
